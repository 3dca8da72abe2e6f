"""Figures 8 and 9 of Ramanujan & Selman 2011: minimax values or averages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from astragal.lab.claims import Above, Near, Ours, Rises
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import (
    BOARD,
    DEPARTURES,
    EQUAL_SECONDS,
    PAPER_FINISHER,
    PARTIAL_PLIES,
    PLAYOUTS,
    SECONDS_AN_ITERATION,
    SMALL,
    at_equal_time,
    curve,
    finish,
    over,
    with_iterations,
)
from astragal.lab.parts.deep_playouts import MINIMAX, Coulom, Playouts
from astragal.lab.parts.duels import Duel
from astragal.lab.size import Size, Sizes

ITERATIONS = (100, 500, 1000, 2000, 5000, 10000, 20000)
SIGNS = "ends -1, 0, 1"
SLOW = 2000  # iterations from which a clock is exact enough
BELOW = ("100",)  # fewer than the work shows, so no part of its trend
UNVISITED = {"own evaluation": "own", "a draw": "draw"}  # what children count that were not visited yet


def backups(first: str, second: str, partial: bool = False) -> Callable[[Size], Iterator[Duel]]:
    """Figures 8 and 9: two ways to back values up, over iterations."""

    def duels(size: Size) -> Iterator[Duel]:
        end = finish(size, ply=PARTIAL_PLIES) if partial else None
        iterations = [sims for sims in ITERATIONS if sims <= max(size.sims, ITERATIONS[0])]
        name = first.partition(":")[0]
        yield from over(iterations, name, with_iterations(first, second), finish=end)
        if name == "uctmax_h":
            signs = with_iterations(f"{first}:ends=sign", f"{second}:ends=sign")
            yield from over(iterations, f"{name}, {SIGNS}", signs, finish=end, levels=(0.5,))
            for sims in (each for each in iterations if size.time and not partial and each >= SLOW):
                yield at_equal_time(name, str(sims), BOARD, first, second, sims * SECONDS_AN_ITERATION)

    return duels


def by_unvisited(size: Size) -> Iterator[Duel]:
    """Figure 8 with other minimax values of a node that has children which were not visited yet."""
    iterations = [sims for sims in (500, 2000, 5000, 20000) if sims <= size.sims]
    for row, rule in UNVISITED.items():
        yield from over(iterations, row, with_iterations(f"uctmax_h:unvisited={rule}", "uct_h"))


EXPERIMENTS = (
    Experiment(
        "tradeoffs-figures8-9",
        "Figures 8 and 9: minimax values or averages",
        "UCTMAX_H against UCT_H over iterations: in complete games, and until ply 14, after which two MM-16 finish. "
        "And the work's remark that averages are better with random games while nodes have few visits.",
        Sizes(
            quick=Size(games=20, sims=2000, finisher=8),
            standard=Size(games=200, sims=20000, finisher=12),
            paper=Size(games=1000, sims=20000, finisher=PAPER_FINISHER),
            equivalent=Size(games=1600, sims=20000, time=EQUAL_SECONDS, finisher=12, reach=0.04),
        ),
        (
            curve(
                "Figure 8: complete games",
                backups("uctmax_h", "uct_h"),
                "tradeoffs-figure8",
                "iterations",
                Near("With 500 iterations UCTMAX_H is already on a par", "uctmax_h", "500", within=0.1),
                Rises("More iterations widen the gap", "uctmax_h", without=BELOW),
                Ours(Rises("More iterations widen the gap, ends -1, 0, 1", f"uctmax_h, {SIGNS}", without=BELOW)),
            ),
            curve(
                "Figure 9: partial games",
                backups("uctmax_h", "uct_h", partial=True),
                "tradeoffs-figure9",
                "iterations",
                Rises("The same upward trend in partial games", "uctmax_h", without=BELOW),
                Ours(Rises("The same trend, ends -1, 0, 1", f"uctmax_h, {SIGNS}", without=BELOW)),
            ),
            curve(
                "Figure 8 by what children count that were not visited yet",
                by_unvisited,
                "tradeoffs-unvisited",
                "iterations",
                *(Ours(Rises(f"More iterations widen the gap ({name})", name)) for name in UNVISITED),
                rows_are="unvisited children count as",
            ),
            Coulom(
                "Averages or minimax values by visits of a node, with random games",
                SMALL,
                PLAYOUTS,
                claims=(
                    Above("Averages err less than minimax values at nodes with few visits", MINIMAX, "few", 0.0),
                    Above("Minimax values err less at nodes with many visits", MINIMAX, "many", 0.0, below=True),
                ),
            ),
            Playouts(
                "Random games predict better the deeper they begin",
                "tradeoffs-playouts",
                SMALL,
                claims=(Rises("They predict the winner more often from deeper positions", "random games"),),
            ),
            curve(
                "Minimax values with random games",
                backups(f"{PLAYOUTS},backup=minimax", PLAYOUTS),
                "tradeoffs-minimax-playouts",
                "iterations",
                Above("With few visits averages are better", "uct", "500", below=True),
                Rises("Minimax values gain with more visits", "uct"),
            ),
        ),
        DEPARTURES,
    ),
)
