"""Games played by a game's own order of actions with a share of random moves, as rollouts with `policy=order` are."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.steps.evaluate import Preferred
from astragal.compiler.intrinsics.native import assign, local_copy
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import TERMINAL
from astragal.rules.position import Position
from astragal.rules.random import next_word

JOB = np.dtype([("epsilon", "f8")])
POLICY = Preferred()


@kernel(entry="games by the order of actions")
def play_games(game, root, count, seed, work, wins):
    """Play games of a game without chance; plies, their squares, and the wins of each seat (draws last)."""
    plies, squares = 0, 0
    generator = np.uint64(seed)
    state = local_copy(root[0])
    for _ in range(count):
        assign(state, root[0])
        length = 0
        turn = np.int64(game.turn(state))
        while turn != TERMINAL:
            generator, word = next_word(generator)
            game.play(state, POLICY.choose(game, state, turn, word, work[0]))
            length += 1
            turn = np.int64(game.turn(state))
        plies += length
        squares += length * length
        winner = game.players
        for player in range(game.players):
            if game.utility(state, player) > 0:
                winner = player
        wins[winner] += 1
    return plies, squares


@dataclass(frozen=True)
class Played:
    """Mean length of games and its standard error, and the wins of each seat, draws last."""

    plies: float
    error: float
    wins: list[int]

    def agrees_with(self, plies: float, error: float) -> bool:
        return abs(self.plies - plies) < 5 * (self.error**2 + error**2) ** 0.5


def ordered_games(position: Position, count: int, epsilon: float = 0.05, seed: int = 1) -> Played:
    work, wins = np.zeros(1, JOB), np.zeros(position.game.players + 1, np.int64)
    work["epsilon"] = epsilon
    plies, squares = play_games(position.game, position.memory, count, seed, work, wins)
    mean = plies / count
    return Played(mean, ((squares / count - mean**2) / count) ** 0.5, wins.tolist())
