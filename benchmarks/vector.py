"""Steps a second of vectorised environments on one core, beside OpenSpiel's.

    python benchmarks/vector.py [--games N] [--seconds S] [--no-openspiel] [GAME ...]

Actions are drawn among the legal ones outside the clock; what counts is the time of `step`, in processor seconds, with
observations, masks and rewards copied out. A step of Backgammon is half a move here and a whole one in OpenSpiel. The
two take turns, and the best of five rounds counts. Goals: 5 million steps a second in EinStein würfelt nicht!, 2
million in Backgammon, and 20 times OpenSpiel's `SyncVectorEnv`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from astragal.adapters.vector import vector_env
from astragal.base.locks import measuring

ROUNDS = 5
THEIRS = {"ewn": "einstein_wurfelt_nicht", "backgammon": "backgammon", "connect_four": "connect_four"}
THEIR_GAMES = 16


def ours(name: str, games: int) -> Callable[[float], float]:
    """A function that plays for some seconds of `step`, and returns steps a second."""
    env, draw = vector_env(name, games), np.random.default_rng(1)
    info: Any = env.reset(seed=1)[1]

    def play(seconds: float) -> float:
        nonlocal info
        spent, steps = 0.0, 0
        while spent < seconds:
            masks = info["action_mask"]
            actions = (masks * (draw.random(masks.shape, np.float32) + 0.01)).argmax(1)
            started = time.process_time()
            *_, info = env.step(actions)
            spent += time.process_time() - started
            steps += games
        return steps / spent

    return play


def theirs(name: str) -> Callable[[float], float]:
    """The same for OpenSpiel's environment."""
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    env, draw = SyncVectorEnv([Environment(name) for _ in range(THEIR_GAMES)]), np.random.default_rng(1)
    shown: Any = env.reset()

    def chosen(step: Any) -> Any:
        seen = step.observations
        return SimpleNamespace(
            action=0 if step.last() else int(draw.choice(seen["legal_actions"][seen["current_player"]]))
        )

    def play(seconds: float) -> float:
        nonlocal shown
        spent, steps = 0.0, 0
        while spent < seconds:
            actions = [chosen(step) for step in shown]
            started = time.process_time()
            shown, *_ = env.step(actions, reset_if_done=True)
            spent += time.process_time() - started
            steps += THEIR_GAMES
        return steps / spent

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["ewn", "backgammon", "connect_four"], metavar="GAME")
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--no-openspiel", action="store_true")
    options = parser.parse_args()
    print(f"{options.games:,} games at once; steps a second, one core\n| game | Astragal | OpenSpiel | ratio |")
    print("|---|---:|---:|---:|")
    for name in options.names:
        players = [ours(name, options.games)]
        if name in THEIRS and not options.no_openspiel:
            players.append(theirs(THEIRS[name]))
        best = [
            max(each)
            for each in zip(*([play(options.seconds) for play in players] for _ in range(ROUNDS)), strict=True)
        ]
        their = f"{best[1]:,.0f} | {best[0] / best[1]:,.0f}" if len(best) > 1 else "- | -"
        print(f"| {name} | {best[0]:,.0f} | {their} |", flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
