"""What searches of many short positions cost beside their kernels: the kernels' share of the time.

    python benchmarks/many.py [--positions N] [--nodes N] [--rounds R] [PLAYER@GAME ...]

Positions are decisions of random games. `astragal.search_many` searches them in one process; the processor time spent
inside kernels is taken in the same run, so both have the same machine. The median of the rounds counts. The goal is
0.95 at 1,000 nodes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import astragal
from astragal import Limits, Position, load_game
from astragal.base.locks import measuring
from astragal.rules.checks.promise import random_game
from astragal.rules.dice import Dice

GOAL = 0.95
SEARCHES = ("star2@ewn", "star@ewn", "star2@backgammon", "alphabeta@kalah", "uct@ewn", "uct@kalah")


def decision(game: Any, seed: int) -> Position:
    """A decision of a random game, any of them as likely as another."""
    met = [position for position in random_game(game, seed) if position.turn >= 0]
    return met[Dice(seed + 1).below(len(met))]


class Clock:
    """Processor seconds spent in kernels."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, kernel: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            started = time.process_time()
            result = kernel(*arguments)
            self.seconds += time.process_time() - started
            return result

        return timed


@contextmanager
def kernels_timed() -> Iterator[Clock]:
    """A block in which the kernels of searches are timed."""
    from astragal.algorithms.depth_first import deepening
    from astragal.algorithms.tree import search as tree

    clock = Clock()
    deep, simulated = deepening.root_values, tree.run_simulations
    deepening.root_values, tree.run_simulations = clock.around(deep), clock.around(simulated)  # type: ignore[assignment]
    try:
        yield clock
    finally:
        deepening.root_values, tree.run_simulations = deep, simulated  # type: ignore[assignment]


def measured(player: str, positions: list[Position], limits: Limits) -> tuple[float, float]:
    """Microseconds for a position, all in all and in kernels."""
    with kernels_timed() as clock:
        started = time.process_time()
        astragal.search_many(positions, player, limits=limits)
        seconds = time.process_time() - started
    return 1e6 * seconds / len(positions), 1e6 * clock.seconds / len(positions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("searches", nargs="*", default=SEARCHES, metavar="PLAYER@GAME")
    options = parser.parse_args()
    limits = Limits(nodes=options.nodes)
    print(f"{options.positions:,} positions, {options.nodes:,} nodes each, one process; goal {GOAL}")
    print("| search | us a position | us in kernels | share |\n|---|---:|---:|---:|")
    for text in options.searches:
        player, _, name = text.partition("@")
        game = load_game(name)
        positions = [decision(game, Dice(number).bits()) for number in range(options.positions)]
        measured(player, positions[:10], limits)
        rounds = [measured(player, positions, limits) for _ in range(options.rounds)]
        whole, inside = (median(each) for each in zip(*rounds, strict=True))
        print(f"| {player}, {name} | {whole:.0f} | {inside:.0f} | {inside / whole:.2f} |", flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
