"""Figures 2 to 4 of Ramanujan & Selman 2011: what trees look like, and how much exploration is best."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.claims import Above, Beyond, Claim, Every, HighestAt, More
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import BOARD, DEPARTURES, EQUAL_SECONDS, ORDERS, at_equal_time, of_boards
from astragal.lab.parts.duels import Duel
from astragal.lab.parts.trees import Trees
from astragal.lab.size import Size, Sizes


def by_c(size: Size) -> Iterator[Duel]:
    """Figure 4: UCT_H against MM-8, with as many nodes; and UCTMAX_H, which the text means by "outperforms"."""
    for order, name in ORDERS.items():
        opponent = f"mm:depth={size.depth},order={name}"
        for c in ("0", "0.5", "1", "2.5", "5", "10", "20", "40"):
            yield Duel(f"UCT_H, {order}", c, BOARD, f"uct_h:c={c}", opponent, matched=0)
        for c in ("1", "2.5", "5"):
            yield Duel(f"UCTMAX_H, {order}", c, BOARD, f"uctmax_h:c={c}", opponent, matched=0)
            mine = f"uctmax_h:c={c},ends=sign"
            yield Duel(f"UCTMAX_H, {order}, ends -1, 0, 1", c, BOARD, mine, opponent, matched=0, levels=(0.5,))
            for row, tree in (("UCT_H", "uct_h"), ("UCTMAX_H", "uctmax_h")) if size.time else ():
                yield at_equal_time(f"{row}, {order}", c, BOARD, f"{tree}:c={c}", f"mm:order={name}", size.time)


# What the work says of c, which holds if it does in both orders of Minimax's moves.
OF_EXPLORATION: tuple[Claim, ...] = (
    Every("c = 2.5 is the best value", tuple(HighestAt(order, f"UCT_H, {order}", "2.5") for order in ORDERS)),
    Every("c = 2.5 is better than 0", tuple(Beyond(order, f"UCT_H, {order}", "2.5", "0") for order in ORDERS)),
    Every("c = 2.5 is better than 20", tuple(Beyond(order, f"UCT_H, {order}", "2.5", "20") for order in ORDERS)),
    Every("UCTMAX_H outperforms Minimax", tuple(Above(order, f"UCTMAX_H, {order}", "2.5") for order in ORDERS)),
)


EXPERIMENTS = (
    Experiment(
        "tradeoffs-figures2-3",
        "Figures 2 and 3: search trees",
        "What MM-8 searches of one position, and what UCT_H adds to its tree with as many nodes and three values of c. "
        "Depth is the distance from the root.",
        Sizes(quick=Size(depth=8), standard=Size(depth=8), paper=Size(depth=8)),
        (
            Trees(
                "Figures 2 and 3",
                BOARD,
                ("tradeoffs-figure2", "MM-8", "mm"),
                [(f"tradeoffs-figure3-c{c}", f"UCT_H, c = {c}", f"uct_h:c={c}") for c in ("0", "2.5", "20")],
                claims=(
                    More(
                        "With c = 0 the tree reaches some very deep positions",
                        "UCT_H, c = 0",
                        "UCT_H, c = 2.5",
                        "deepest",
                    ),
                    More("With c = 20 it is less deep than with c = 2.5", "UCT_H, c = 2.5", "UCT_H, c = 20", "deepest"),
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figure4",
        "Figure 4: exploration",
        "UCT_H against MM-8 with as many nodes, over the exploration constant c (in stones). That such a tree "
        "outperforms Minimax is said of a later variant, UCTMAX_H.",
        Sizes(
            quick=Size(games=20, depth=6),
            standard=Size(games=160, depth=8),
            paper=Size(games=1000, depth=8),
            equivalent=Size(games=2000, depth=8, time=EQUAL_SECONDS, reach=0.04),
        ),
        (
            of_boards(
                "Figure 4",
                by_c,
                "tradeoffs-figure4",
                ("player, and the order in which MM-8 tries moves", "c"),
                *OF_EXPLORATION,
            ),
        ),
        DEPARTURES,
    ),
)
