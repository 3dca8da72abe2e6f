"""What moves lose against exact values, in the game's utility: the regret of players in a solved game.

    astragal solve pig
    python benchmarks/regret.py pig star:nodes=30000 star:nodes=30000,evaluation=learned [--states N] [--time S]

States are decisions of games by the exact values, in which one move in five is random, so that positions come up that
good play avoids; each is looked at once. Intervals are of the mean over states.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from astragal import Limits
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.solvers.exact import exact_values

RANDOM = 5  # one move in this many


def states_of(game: object, states: int, seed: int) -> list[Position]:
    """Decisions of games, each once."""
    found: dict[str, Position] = {}
    dice = Dice(seed)
    exact = exact_values(Position.start(game, 0))
    while len(found) < states:
        position = Position.start(game, dice.below(2**31)).settled(dice)
        while not position.is_terminal and len(found) < states:
            found[position.text] = position
            values = exact.action_values(position)
            at_random = dice.below(RANDOM) == 0
            action = list(values)[dice.below(len(values))] if at_random else max(values, key=values.__getitem__)
            position = position.play(action).settled(dice)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", nargs="+")
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--time", type=float, default=None, help="seconds a move")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game = load_game(asked.game)
    positions = states_of(game, asked.states, asked.seed)
    exact = exact_values(positions[0])
    print(f"{asked.game}: regret in {len(positions)} states, utility from {game.utility_range}")
    for text in asked.players:
        player = load_player(text, game)
        lost = []
        for number, position in enumerate(positions):
            values = exact.action_values(position)
            limits = Limits() if asked.time is None else Limits(time=asked.time)
            found = player.search(position, seed=number, limits=limits)
            lost.append(max(values.values()) - values[found.action_number])
        error = 1.96 * float(np.std(lost)) / math.sqrt(len(lost))
        none = sum(each <= 1e-9 for each in lost) / len(lost)
        print(f"  {text:50} {np.mean(lost):8.4f} ± {error:.4f}   {none:6.1%} of moves lose nothing", flush=True)


if __name__ == "__main__":
    main()
