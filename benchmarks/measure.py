"""What the benchmarks measure of Astragal: its kernels, called as the library calls them, and a clock."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.algorithms.depth_first.root import window_value
from astragal.algorithms.depth_first.work import new_work, nodes
from astragal.algorithms.limits import Limits
from astragal.algorithms.monte_carlo.rollouts import random_games
from astragal.algorithms.star.variant import variant_for
from astragal.players import load_player
from astragal.rules.position import Position

REPEATS = 5
NO_CAP = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Found:
    """What one call did: how much of what is counted, and results that another program can be compared with."""

    amount: int
    results: dict[str, float]
    seconds: float | None = None  # that it took, where it says so itself


Task = Callable[[], Found]


def search_task(game: Any, text: str, variant: str, depth: int, afterstates: bool) -> Task:
    """One search of a position: no table, pruning at every depth."""
    root = Position.parse(game, text).memory
    low, high = game.utility_range

    def once() -> Found:
        work = new_work(low, high)
        work["afterstates"] = afterstates
        value = window_value(game, variant_for(load_player(variant)), root, depth, low, high, work)
        return Found(nodes(work), {"value": float(value), "nodes": nodes(work)})

    return once


def sampled_task(game: Any, text: str, width: int, depth: int, key: int) -> Task:
    """One search of a position by star1SS, whose samples are drawn from a key: no table, pruning at every depth."""
    root = Position.parse(game, text).memory
    low, high = game.utility_range
    variant = variant_for(load_player(f"star1ss:width={width}"))

    def once() -> Found:
        work = new_work(low, high)
        work["key"], work["widths"] = key, width
        value = window_value(game, variant, root, depth, low, high, work)
        return Found(nodes(work), {"value": float(value), "nodes": nodes(work)})

    return once


def games_task(game: Any, count: int, seed: int) -> Task:
    """Random games from the starting position."""
    root = Position.start(game).memory

    def once() -> Found:
        decisions, total, _ = random_games(game, root, count, seed, NO_CAP)
        return Found(count, {"decisions": int(decisions), "total": float(total)})

    return once


def decisions_task(game: Any, count: int, seed: int) -> Task:
    """The same, counted in decisions: where games last until they are drawn, their number says little."""
    games = games_task(game, count, seed)

    def once() -> Found:
        found = games()
        return Found(int(found.results["decisions"]), found.results)

    return once


def uct_task(game: Any, simulations: int, text: str = "", settings: str = "") -> Task:
    """Tree search with random games to the end, from the start or a position in the game's notation."""
    player = load_player(f"uct:{settings}" if settings else "uct", game)
    position = Position.parse(game, text) if text else Position.start(game)
    seeds = itertools.count(1)

    def once() -> Found:
        found = player.search(position, next(seeds), Limits(sims=simulations))
        return Found(found.simulations or 0, {}, found.seconds)

    return once


def alphabeta_task(game: Any, depth: int) -> Task:
    """Plain alpha-beta from the start, in the game's own order of actions."""
    player, position = load_player(f"mm:depth={depth}", game), Position.start(game)

    def once() -> Found:
        found = player.search(position)
        return Found(found.nodes, {"nodes": found.nodes, "value": float(found.value or 0.0)}, found.seconds)

    return once


def best_rate(seconds: float, task: Task) -> float:
    """The best rate of five repeats, each of them calls of the task for a fifth of the time.

    Time is that of the processor, which goes on only while this process does, or what the task says that it took if
    that is less: it may leave out what comes before and after.
    """
    best = 0.0
    for _ in range(REPEATS):
        amount, taken = 0, 0.0
        begin = time.process_time()
        while taken == 0.0 or time.process_time() - begin < seconds / REPEATS:
            called = time.process_time()
            found = task()
            amount += found.amount
            used = time.process_time() - called
            taken += used if found.seconds is None else min(used, found.seconds)
        best = max(best, amount / taken)
    return best


def use_one_core() -> None:
    """Stay on one core, where the system lets a process say so; programs started from here inherit it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def readable(rate: float) -> str:
    """``87.4 M``, ``50.2 k``."""
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{unit}" if rate < 100 * size else f"{rate / size:.0f}{unit}"
    return f"{rate:.3g}"
