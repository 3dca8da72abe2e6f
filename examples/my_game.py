"""A whole game in one file: astragal play examples/my_game.py:MyGame --player star2"""

import numpy as np

from astragal import CHANCE, TERMINAL, game, parameter

FACES = np.array([1, 3, 4, 6])  # a knucklebone has four sides, two of them narrow
ODDS = np.array([0.1, 0.4, 0.4, 0.1])


@game
class MyGame:
    """Knucklebones: throw one bone and step on, or two, and a pair throws you back. First to the end wins."""

    track: int = parameter(25, "squares to run", low=5, high=200)

    state = np.dtype([("square", "i2", 2), ("turn", "i1"), ("bones", "i1")])
    max_actions = 2
    max_outcomes = 16
    utility_range = (-1.0, 1.0)

    def turn(self, state):
        if state.square[1 - state.turn] >= self.track:
            return TERMINAL
        return CHANCE if state.bones else state.turn

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        state.bones = action

    def outcomes(self, state, out):
        count = 4 if state.bones == 1 else 16
        for i in range(count):
            out[i] = i
        return count

    def probability(self, state, outcome):
        second = ODDS[outcome >> 2] if state.bones == 2 else 1.0
        return ODDS[outcome & 3] * second

    def deal(self, state, outcome):
        first, second = FACES[outcome & 3], FACES[outcome >> 2]
        steps = first if state.bones == 1 else -first if first == second else first + second
        state.square[state.turn] = max(0, state.square[state.turn] + steps)
        state.bones = 0
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return 1.0 if state.square[player] >= self.track else -1.0

    def heuristic(self, state, player):
        return (state.square[player] - state.square[1 - player]) / self.track

    def action_name(self, state, action):
        return ("one", "two")[action - 1]
