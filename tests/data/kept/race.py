"""A game of one's own, as it was when the files beside it were written. Do not edit it: they name it by its source."""

import numpy as np

from astragal import CHANCE, TERMINAL, game, parameter


@game
class Race:
    """Step one square surely, or throw a coin for two or none. First to the end wins."""

    track: int = parameter(6, "squares to run", low=2, high=50)

    state = np.dtype([("square", "i2", 2), ("turn", "i1"), ("thrown", "i1")])
    max_actions = 2
    max_outcomes = 2
    utility_range = (-1.0, 1.0)

    def turn(self, state):
        if state.square[1 - state.turn] >= self.track:
            return TERMINAL
        return CHANCE if state.thrown else state.turn

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        if action == 1:
            state.square[state.turn] += 1
            state.turn = 1 - state.turn
        else:
            state.thrown = 1

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.5

    def deal(self, state, outcome):
        state.square[state.turn] += 2 * outcome
        state.thrown = 0
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return 1.0 if state.square[player] >= self.track else -1.0

    def heuristic(self, state, player):
        return (state.square[player] - state.square[1 - player]) / self.track

    def action_name(self, state, action):
        return ("walk", "throw")[action - 1]
