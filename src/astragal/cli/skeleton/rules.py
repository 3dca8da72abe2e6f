"""Skeleton: a small race with a die, to change into your game. Describe the rules here."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

from astragal import CHANCE, TERMINAL, game, parameter

# What methods look up belongs here: numbers, and tables as NumPy arrays.
WALK, RUN = 0, 1
STEPS = 3  # of a walk


@game
class Skeleton:
    """Walk three squares or run as far as a die says; first to the end wins."""

    # Parameters: `astragal play FILE:squares=50` sets one. A text or a list of choices is for Python only.
    squares: int = parameter(20, "squares to the end", low=5, high=1000)

    # The state, one record of numbers and arrays of them. All are 0 at first, unless there is a `start`.
    players = 2
    state = np.dtype([("square", "i2", players), ("turn", "i1"), ("rolling", "i1")])

    # Declarations, which `astragal check` tests.
    max_actions = 2
    max_outcomes = 6
    utility_range = (-1.0, 1.0)

    def turn(self, state):
        """The player to move, from 0; or CHANCE, where dice are thrown; or TERMINAL, at the end."""
        for player in range(self.players):
            if state.square[player] >= self.squares:
                return TERMINAL
        return CHANCE if state.rolling else state.turn

    # Decisions

    def actions(self, state, out):
        """The legal actions, numbers of your choice, likely good ones first; return how many there are."""
        out[0] = RUN
        out[1] = WALK
        return 2

    def play(self, state, action):
        """Change the state by an action of the player to move."""
        if action == RUN:
            state.rolling = 1  # chance comes next
        else:
            self.advance(state, STEPS)

    def advance(self, state, steps):
        """A helper: methods can call each other, and functions of this file."""
        state.square[state.turn] += steps
        state.turn = (state.turn + 1) % self.players

    # Chance; leave these three and `max_outcomes` out if there is none

    def outcomes(self, state, out):
        """What chance can bring, numbers of your choice; return how many there are."""
        for face in range(6):
            out[face] = face + 1
        return 6

    def probability(self, state, outcome):
        """How probable an outcome is; all of them add up to 1."""
        return 1 / 6

    def deal(self, state, outcome):
        """Change the state by an outcome."""
        state.rolling = 0
        self.advance(state, outcome)

    # Values

    def utility(self, state, player):
        """What a player gets at the end, in the range. If the values do not add up to 0, declare `zero_sum = False`."""
        return 1.0 if state.square[player] >= self.squares else -1.0 / (self.players - 1)

    def heuristic(self, state, player):
        """An estimate of that before the end, for searches that do not reach it: here, how far a player is ahead."""
        ahead = 0.0
        for other in range(self.players):
            share = state.square[other] / self.squares
            ahead += share if other == player else -share / (self.players - 1)
        return ahead

    # For people. These are never compiled, so they can use all of Python.

    def action_name(self, state, action):
        """A name without spaces."""
        return "run" if action == RUN else "walk"

    def show(self, state):
        """The position in text."""
        rows = [f"player {player + 1}: square {state.square[player]}" for player in range(self.players)]
        return "\n".join(rows)
