"""Figures 10 and 11 of Ramanujan & Selman 2011, UCTMAX_H against MM-k, and the hybrid that the conclusion asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from astragal.lab.claims import Above, AverageAbove, Claim, Near, Rises
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import BOARD, LARGE, ORDERS, PAPER_FINISHER, finish, of_boards
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes

TERMINAL_RATIO = 0.003
VARIANT = 0.4  # of the games of Figure 10 itself


def against_minimax(
    board: str, tree: str = "uctmax_h", deepest: int = 14, expanded: str = "all", share: float = 1.0
) -> Callable[[Size], Iterator[Duel]]:
    """Figures 10 and 11: a tree search against MM-k with as many nodes, complete and partial games.

    Both kinds begin on the same boards with the same searches, and are the same until finishers take over.
    """

    def duels(size: Size) -> Iterator[Duel]:
        for order, name in ORDERS.items():
            last = min(deepest, size.depth - (2 if name == "reversed" else 0))  # a poor order takes far more nodes
            for kind, end in (("complete", None), ("partial", finish(size, terminal_ratio=TERMINAL_RATIO))):
                for depth in range(min(6, last), last + 1, 2):
                    opponent = f"mm:depth={depth},order={name}"
                    at = f"{kind}, {order}", str(depth), board
                    yield Duel(*at, tree, opponent, matched=0, finish=end, expanded=expanded, share=share)

    return duels


def hybrids(size: Size) -> Iterator[Duel]:
    """`hybrid` against both its parents with as many nodes each."""
    for board, name in ((BOARD, "(6,4)"), (LARGE, "(8,6)")):
        for other in ("uctmax_h", "alphabeta"):
            mine, theirs = (f"{player}:nodes={size.sims}" for player in ("hybrid", other))
            yield Duel(f"against {other}", name, board, mine, theirs, levels=(0.5,))


SWITCHES = tuple(
    Near(
        f"Against MM-{depth} finishers take over at ply {ply} on average ({order})", f"partial, {order}", depth, ply, 2
    )
    for order in ORDERS
    for depth, ply in (("6", 21), ("14", 8))
)


BETTER_PARTIAL = {order: (f"partial, {order}", f"complete, {order}") for order in ORDERS}


def better(player: str) -> tuple[Claim, ...]:
    """What the work says of partial and complete games, on the boards that both began on."""
    sentence = f"{player} does better in partial games than in complete ones"
    return tuple(AverageAbove(f"{sentence} ({order})", order) for order in ORDERS)


def always_better(player: str) -> tuple[Claim, ...]:
    """The same at every k, which it does not say of averages."""
    return (*better(player), *(Above(f"{player} does so at every k ({order})", order, level=0.0) for order in ORDERS))


def over_k(
    title: str,
    duels: Callable[[Size], Iterator[Duel]],
    name: str,
    partial_claims: tuple[Claim, ...],
    *claims: Claim,
    **more: Any,
) -> Duels:
    """Complete and partial games over k, and the difference on the same boards."""
    axes = "games", "k"
    return of_boards(
        title, duels, name, axes, *claims, differences=BETTER_PARTIAL, difference_claims=partial_claims, **more
    )


def figure(number: int, board: str, switch_claims: tuple[Near, ...] = ()) -> Duels:
    """Figures 10 and 11 themselves."""
    declines = (
        Rises(f"Its win rate declines with k in partial games ({order})", f"partial, {order}", falls=True)
        for order in ORDERS
    )
    return over_k(
        f"Figure {number}: UCTMAX_H against MM-k",
        against_minimax(board),
        f"tradeoffs-figure{number}",
        always_better("UCTMAX_H"),
        *declines,
        switches=True,
        switch_claims=switch_claims,
    )


EXPERIMENTS = (
    Experiment(
        "tradeoffs-figure10",
        "Figure 10: UCTMAX_H against MM-k on the (6,4) board",
        "Complete games, and games that two MM-16 finish once more than 3 of 1,000 nodes that MM-k searched were "
        "ends of the game. Also with averages in place of minimax values.",
        Sizes(
            quick=Size(games=8, depth=8, finisher=8),
            standard=Size(games=200, depth=10, finisher=12),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=1000, depth=10, finisher=12, reach=0.04),
        ),
        (
            figure(10, BOARD, SWITCHES),
            over_k(
                "Averages: UCT_H against MM-k",
                against_minimax(BOARD, "uct_h", deepest=8, share=VARIANT),
                "",
                better("UCT_H"),
            ),
            over_k(
                "Only nodes inside the tree count as expanded",
                against_minimax(BOARD, deepest=8, expanded="interior", share=VARIANT),
                "",
                better("UCTMAX_H"),
                switches=True,
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figure11",
        "Figure 11: UCTMAX_H against MM-k on the (8,6) board",
        "The same on a larger board.",
        Sizes(
            quick=Size(games=6, depth=6, finisher=6),
            standard=Size(games=60, depth=8, finisher=10),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=600, depth=10, finisher=10, reach=0.05),
        ),
        (figure(11, LARGE),),
    ),
    Experiment(
        "tradeoffs-hybrid",
        "The hybrid that the conclusion asks for",
        "`hybrid` plays UCTMAX_H while ends of the game are rare and alpha-beta once they are not. It meets both with "
        "as many nodes a move.",
        Sizes(
            quick=Size(games=20, sims=2000),
            standard=Size(games=160, sims=20000),
            paper=Size(games=1000, sims=50000),
            equivalent=Size(games=1000, sims=20000, reach=0.04),
        ),
        (of_boards("hybrid against its parents", hybrids, "tradeoffs-hybrid", ("opponent", "board"), shape="bars"),),
    ),
)
