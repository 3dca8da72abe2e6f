"""Games for one player, for tests: a ladder of known worth, and one whose scores have no end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.rules.decorator import CHANCE, TERMINAL, game


@game
@dataclass(frozen=True)
class Press:
    """Press your luck: draw 1 to 4 for that many points, or stop and keep them; a 1 loses everything drawn.

    At most `draws` draws. The score is what was kept.
    """

    draws: int = 3

    state = np.dtype([("score", "i2"), ("drawn", "u1"), ("phase", "u1")])
    players = 1
    max_actions = 2
    max_outcomes = 4
    max_plies = 600
    utility_range = (0.0, 2000.0)

    def turn(self, state):
        return 0 if state.phase == 0 else CHANCE if state.phase == 1 else TERMINAL

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2 if state.drawn < self.draws else 1

    def play(self, state, action):
        state.phase = 2 - action

    def outcomes(self, state, out):
        for number in range(4):
            out[number] = number
        return 4

    def probability(self, state, outcome):
        return 0.25

    def deal(self, state, outcome):
        state.drawn += 1
        state.score = 0 if outcome == 0 else state.score + 100 * (outcome + 1)
        state.phase = 2 if outcome == 0 else 0

    def utility(self, state, player):
        return np.float64(state.score)

    def heuristic(self, state, player):
        return np.float64(state.score)

    def action_name(self, state, action):
        return ("stop", "draw")[action]


def best_of_press(score: int, drawn: int, draws: int) -> float:
    """What the game is worth to who plays it best, by its definition."""
    if drawn == draws:
        return float(score)
    going_on = sum(best_of_press(score + 100 * (face + 1), drawn + 1, draws) for face in (1, 2, 3)) / 4
    return max(float(score), going_on)


@game
@dataclass(frozen=True)
class Walk:
    """Four steps of one or two along a row of numbers, each of which is added; no chance."""

    state = np.dtype([("place", "u1"), ("steps", "u1"), ("score", "i2")])
    players = 1
    max_actions = 2
    max_plies = 4
    utility_range = (-40.0, 40.0)

    def turn(self, state):
        return TERMINAL if state.steps == 4 else 0

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        state.place += action
        state.steps += 1
        state.score += ROW[state.place]

    def utility(self, state, player):
        return np.float64(state.score)


ROW = np.array([0, 3, -4, 7, -8, 2, 9, -1, 5])


def best_walk(place: int = 0, steps: int = 0) -> int:
    if steps == 4:
        return 0
    return max(int(ROW[place + step]) + best_walk(place + step, steps + 1) for step in (1, 2))


def values() -> None:
    """Print what every search finds of both games."""
    from astragal import Limits, Position, load_player

    names = ("exp", "star1", "star2", "maxn", "paranoid", "alphabeta", "mm")
    for rules in (Press(), Walk()):
        for name in names[: 5 if rules.max_outcomes else 7]:
            found = load_player(name, rules).search(Position.start(rules), 1, Limits(depth=9))
            print(type(rules).__name__, name, found.value, found.bound)


if __name__ == "__main__":
    values()
