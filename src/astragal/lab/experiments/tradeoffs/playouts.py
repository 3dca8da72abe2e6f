"""Ramanujan & Selman 2011, introduction and Figures 5 to 7: random games, a heuristic in their place, or more nodes."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.claims import Above, HighestAt, Rises
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import (
    BOARD,
    DEPARTURES,
    EQUAL_SECONDS,
    PLAYOUTS,
    SECONDS_AN_ITERATION,
    at_equal_time,
    curve,
    of_boards,
    over,
    with_iterations,
)
from astragal.lab.parts.duels import Duel
from astragal.lab.size import Size, Sizes

A_LEAF = (1, 2, 4, 8, 16, 32)  # random games


def against_playouts(size: Size) -> Iterator[Duel]:
    """UCT_H and UCTMAX_H against plain UCT, each with this many iterations."""
    iterations = [round(part * size.sims) for part in (0.1, 0.3, 1)]
    for player in ("uct_h", "uctmax_h"):
        yield from over(iterations, player, with_iterations(player, PLAYOUTS))
        for sims in iterations if size.time else ():
            yield at_equal_time(player, str(sims), BOARD, player, PLAYOUTS, sims * SECONDS_AN_ITERATION)


def minimax_against_playouts(size: Size) -> Iterator[Duel]:
    """MM-k against plain UCT with as many nodes."""
    return over(range(4, size.depth + 1, 2), "MM-k", lambda depth: (f"mm:depth={depth}", PLAYOUTS), matched=1)


def by_playouts(size: Size) -> Iterator[Duel]:
    """Figure 5: random games averaged for each leaf, with as many leaves as MM-k has nodes."""
    yield from over(A_LEAF, "UCT", lambda count: (f"{PLAYOUTS},rollouts={count}", f"mm:depth={size.depth}"), matched=0)
    for count in A_LEAF if size.time else ():
        yield at_equal_time("UCT", str(count), BOARD, f"{PLAYOUTS},rollouts={count}", "mm", size.time)


def by_iterations(size: Size) -> Iterator[Duel]:
    """Figure 6: nodes added to the tree, one random game for each."""
    iterations = [round(part * size.sims) for part in (0.125, 0.25, 0.5, 1, 2, 4)]
    return over(iterations, "UCT", lambda sims: (f"{PLAYOUTS},sims={sims}", f"mm:depth={size.depth}"))


def by_split(size: Size) -> Iterator[Duel]:
    """Figure 7: a fixed number of random games in all, spread over more leaves or fewer."""

    def players(count: int) -> tuple[str, str]:
        return f"{PLAYOUTS},sims={max(1, 2 * size.sims // count)},rollouts={count}", f"mm:depth={size.depth}"

    return over(A_LEAF, "UCT", players)


EXPERIMENTS = (
    Experiment(
        "tradeoffs-introduction",
        "The claims of the introduction: a heuristic in place of random games",
        "UCT_H and UCTMAX_H against UCT with random games and averages, and Minimax with the heuristic against it.",
        Sizes(
            quick=Size(games=20, sims=1000, depth=4),
            standard=Size(games=100, sims=5000, depth=6),
            paper=Size(games=1000, sims=20000, depth=8),
            equivalent=Size(games=1000, sims=20000, time=EQUAL_SECONDS, depth=8, reach=0.04),
        ),
        (
            curve(
                "A heuristic in place of random games",
                against_playouts,
                "tradeoffs-introduction",
                "iterations",
                Above("The heuristic in place of random games boosts UCT", "uct_h"),
                Above("UCTMAX_H outperforms the original UCT", "uctmax_h"),
            ),
            of_boards(
                "Minimax with the heuristic against UCT with random games",
                minimax_against_playouts,
                "",
                ("player", "k"),
                Above("Minimax with the heuristic strongly dominates UCT with random games", "MM-k"),
            ),
        ),
        DEPARTURES,
    ),
    Experiment(
        "tradeoffs-figures5-7",
        "Figures 5, 6 and 7: random games or nodes",
        "UCT with random games against Minimax (MM-8 in the work): more random games for each leaf of a tree with as "
        "many nodes, more leaves, and both under one budget of random games (20,000 in the work, twice the simulations "
        "named here).",
        Sizes(
            quick=Size(games=20, sims=400, depth=4),
            standard=Size(games=160, sims=2000, depth=6),
            paper=Size(games=1000, sims=10000, depth=8),
            equivalent=Size(games=1000, sims=10000, time=EQUAL_SECONDS, depth=8, reach=0.04),
        ),
        (
            curve(
                "Figure 5: random games for each leaf",
                by_playouts,
                "tradeoffs-figure5",
                "random games a leaf",
                Rises("More random games for each leaf help a little", "UCT"),
            ),
            curve(
                "Figure 6: iterations",
                by_iterations,
                "tradeoffs-figure6",
                "iterations",
                Rises("More iterations help much", "UCT"),
            ),
            curve(
                "Figure 7: one budget of random games",
                by_split,
                "tradeoffs-figure7",
                "random games a leaf",
                Rises("The fewer random games for each leaf the better", "UCT", falls=True),
                HighestAt("One random game for each leaf is best", "UCT", "1"),
            ),
        ),
        DEPARTURES,
    ),
)
