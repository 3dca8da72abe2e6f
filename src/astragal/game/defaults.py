"""Methods a game may leave out. They are added to its class as they stand and compiled with it.

Those that sample from a game's own lists are in `default_sampling`, which needs Numba.
"""

# mypy: ignore-errors
from __future__ import annotations


def start(self, state, dice):
    """The state is all zeros at first; leave it so."""


def heuristic(self, state, player):
    """Nothing is known before the end: the middle of the range."""
    if self.turn(state) == -2:
        return self.utility(state, player)
    return 0.5 * (self.utility_range[0] + self.utility_range[1])


def prefer(self, state, word):
    """The first action of the game's own order, which is what no random bits pick."""
    return self.pick(state, 0)


def draw(self, state, word):
    """A game without chance has nothing to draw."""
    return 0


def outcomes(self, state, out):
    return 0


def probability(self, state, outcome):
    return 0.0


def representative(self, state, outcome):
    """Every outcome stands for itself."""
    return outcome


def deal(self, state, outcome):
    pass
