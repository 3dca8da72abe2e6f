"""Figures 2 to 4 of Ramanujan & Selman 2011: what trees look like, and how much exploration is best."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.claims import Above, Beyond, Claim, HighestAt, More
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import BOARD, ORDERS, of_boards
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


def of_exploration(order: str) -> tuple[Claim, ...]:
    """What the work says of c, under one order of Minimax's moves."""
    row = f"UCT_H, {order}"
    return (
        HighestAt(f"c = 2.5 is the best value ({order})", row, "2.5"),
        Beyond(f"c = 2.5 is better than too little, c = 0 ({order})", row, "2.5", "0"),
        Beyond(f"and than too much, c = 20 ({order})", row, "2.5", "20"),
        Above(f"UCTMAX_H outperforms Minimax ({order})", f"UCTMAX_H, {order}", "2.5"),
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
            equivalent=Size(games=2000, depth=8, reach=0.04),
        ),
        (
            of_boards(
                "Figure 4",
                by_c,
                "tradeoffs-figure4",
                ("player, and the order in which MM-8 tries moves", "c"),
                *(claim for order in ORDERS for claim in of_exploration(order)),
            ),
        ),
    ),
)
