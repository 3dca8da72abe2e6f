"""Figures 10 and 11 of Ramanujan & Selman 2011, UCTMAX_H against MM-k, and the hybrid that the conclusion asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from astragal.lab.claims import Above, AverageAbove, Claim, Every, Near, Ours, Rises
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import (
    BOARD,
    DEPARTURES,
    EQUAL_SECONDS,
    LARGE,
    ORDERS,
    PAPER_FINISHER,
    at_equal_time,
    finish,
    of_boards,
)
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes

TERMINAL_RATIO = 0.003
VARIANT = 0.4  # of the games of Figure 10 itself


def against_minimax(
    board: str, tree: str = "uctmax_h", deepest: int = 14, expanded: str = "all", share: float = 1.0
) -> Callable[[Size], Iterator[Duel]]:
    """Figures 10 and 11: a tree search against MM-k with as many nodes, complete and partial games.

    Both kinds begin on the same boards with the same searches, and are the same until finishers take over. In rows of
    equal time the seconds grow with k.
    """

    def duels(size: Size) -> Iterator[Duel]:
        for order, name in ORDERS.items():
            last = min(deepest, size.depth - (2 if name == "reversed" else 0))  # a poor order takes far more nodes
            for kind, end in (("complete", None), ("partial", finish(size, terminal_ratio=TERMINAL_RATIO))):
                for depth in range(min(6, last), last + 1, 2):
                    opponent = f"mm:depth={depth},order={name}"
                    at = f"{kind}, {order}", str(depth), board
                    yield Duel(*at, tree, opponent, matched=0, finish=end, expanded=expanded, share=share)
                    if size.time and kind == "complete" and expanded == "all":
                        seconds = size.time * 2.0 ** ((depth - 6) / 2)
                        yield at_equal_time(f"{kind}, {order}", str(depth), board, tree, f"mm:order={name}", seconds)

    return duels


def hybrids(size: Size) -> Iterator[Duel]:
    """`hybrid` against both its parents with as many nodes each."""
    for board, name in ((BOARD, "(6,4)"), (LARGE, "(8,6)")):
        for other in ("uctmax_h", "alphabeta"):
            mine, theirs = (f"{player}:nodes={size.sims}" for player in ("hybrid", other))
            yield Duel(f"against {other}", name, board, mine, theirs, levels=(0.5,))


SWITCHES = tuple(
    Every(
        f"Against MM-{depth} finishers take over at ply {ply} on average",
        tuple(Near(order, f"partial, {order}", depth, ply, 2) for order in ORDERS),
    )
    for depth, ply in (("6", 21), ("14", 8))
)


BETTER_PARTIAL = {order: (f"partial, {order}", f"complete, {order}") for order in ORDERS}


def better(player: str) -> tuple[Claim, ...]:
    """What the work says of partial and complete games, on the boards that both began on."""
    sentence = f"{player} does better in partial games than in complete ones"
    return (Every(sentence, tuple(AverageAbove(order, order) for order in ORDERS)),)


def always_better(player: str) -> tuple[Claim, ...]:
    """The same at every k, which it does not say of averages."""
    at_every = Every(f"{player} does so at every k", tuple(Above(order, order, level=0.0) for order in ORDERS))
    return (*better(player), at_every)


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


def figure(number: int, board: str, switch_claims: tuple[Claim, ...] = ()) -> Duels:
    """Figures 10 and 11 themselves."""
    declines = Every(
        "Its win rate declines with k in partial games",
        tuple(Rises(order, f"partial, {order}", falls=True) for order in ORDERS),
    )
    return over_k(
        f"Figure {number}: UCTMAX_H against MM-k",
        against_minimax(board),
        f"tradeoffs-figure{number}",
        always_better("UCTMAX_H"),
        declines,
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
            equivalent=Size(games=4000, depth=12, finisher=12, time=EQUAL_SECONDS, reach=0.04),
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
                tuple(map(Ours, better("UCTMAX_H"))),  # the other reading of "expanded"
                switches=True,
            ),
            over_k(
                "Ends of the game that count -1, 0 and 1",
                against_minimax(BOARD, "uctmax_h:ends=sign", deepest=8, share=VARIANT),
                "",
                tuple(map(Ours, better("UCTMAX_H"))),
            ),
        ),
        DEPARTURES,
    ),
    Experiment(
        "tradeoffs-figure11",
        "Figure 11: UCTMAX_H against MM-k on the (8,6) board",
        "The same on a larger board.",
        Sizes(
            quick=Size(games=6, depth=6, finisher=6),
            standard=Size(games=60, depth=8, finisher=10),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=2000, depth=12, finisher=10, time=EQUAL_SECONDS, reach=0.05),
        ),
        (figure(11, LARGE),),
        DEPARTURES,
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
