"""What an evaluation costs a leaf: the game's own, the learned one, and networks of several sizes.

    python benchmarks/network.py [--seconds S] [GAME ...]

A kernel evaluates states of random games again and again; the rows of a game take turns, and the median of five counts.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from astragal import load_game
from astragal.base.errors import AstragalError
from astragal.base.locks import measuring
from astragal.compiler.kernel import kernel
from astragal.learn import inputs_of, save_model
from astragal.learn.from_fields import sampled_states
from astragal.learn.model import evaluated_game

NETWORKS = {
    "64 relu": [(64, "relu")],
    "64-32 relu": [(64, "relu"), (32, "relu")],
    "64-32 tanh": [(64, "tanh"), (32, "tanh")],
    "256-32-32 relu": [(256, "relu"), (32, "relu"), (32, "relu")],
    "256-256 relu": [(256, "relu"), (256, "relu")],
}
STATES, ROUNDS = 1024, 5


@kernel(entry="evaluations")
def evaluations(game, states, repeats):  # type: ignore[no-untyped-def]
    """The sum of the values of all states, each evaluated as often as asked."""
    total = 0.0
    for _ in range(repeats):
        for i in range(len(states)):
            total += game.heuristic(states[i], 0)
    return total


def network_file(game: Any, units: list[tuple[int, str]], folder: Path) -> str:
    """A file of a network with random weights."""
    draw, before, layers = np.random.default_rng(0), inputs_of(game).size, []
    for count, activation in [*units, (1, "tanh")]:
        layers.append((draw.normal(0.0, 0.1, (count, before)), np.zeros(count), activation))
        before = count
    return str(save_model(folder / f"{len(list(folder.iterdir()))}.npz", game, layers))


def nanoseconds(game: Any, states: Any, seconds: float) -> float:
    """For one evaluation."""
    evaluations(game, states, 1)
    started = time.perf_counter()
    evaluations(game, states, 1)
    once = time.perf_counter() - started
    repeats = max(1, round(seconds / once))
    started = time.perf_counter()
    evaluations(game, states, repeats)
    return 1e9 * (time.perf_counter() - started) / repeats / len(states)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["ewn", "backgammon"])
    parser.add_argument("--seconds", type=float, default=0.1)
    options = parser.parse_args()
    for name in options.games:
        game = load_game(name)
        with tempfile.TemporaryDirectory() as folder:
            files = {word: network_file(game, units, Path(folder)) for word, units in NETWORKS.items()}
            evaluated = {"own": game} | {word: evaluated_game(game, file) for word, file in files.items()}
            with suppress(AstragalError):  # no learned evaluation comes with this game
                evaluated |= {"learned": evaluated_game(game, "learned")}
            states = sampled_states(game, 0, STATES)
            rounds = [
                [nanoseconds(each, states, options.seconds) for each in evaluated.values()] for _ in range(ROUNDS)
            ]
        print(f"{name}, {inputs_of(game).size} inputs\n| evaluation | ns a leaf |\n|---|---:|")
        for word, found in zip(evaluated, zip(*rounds, strict=True), strict=True):
            print(f"| {word} | {median(found):.0f} |", flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
