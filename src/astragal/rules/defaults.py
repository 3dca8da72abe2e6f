"""Methods a game may leave out. They are added to its class as they stand and compiled with it."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import scratch


def start(self, state, dice):
    """The state is all zeros at first; leave it so."""


def heuristic(self, state, player):
    """No estimate before the end: the middle of the range."""
    if self.turn(state) == -2:
        return self.utility(state, player)
    return 0.5 * (self.utility_range[0] + self.utility_range[1])


def heuristic_after(self, state, action, player):
    """Not a number: computed only by playing the action."""
    return np.nan


def best_after(self, state, player):
    """Not a number: computed only by looking at each action."""
    return np.nan, 0


def heuristic_dealt(self, state, outcome, player):
    """Not a number: computed only by dealing the outcome."""
    return np.nan


def rollout(self, state, generator, decisions):
    """Not offered: random games are played decision by decision, by `pick` and `draw`."""
    return generator, 0


def prefer(self, state, word):
    """The first action of the game's order, which is the one that random bits 0 pick."""
    return self.pick(state, 0)


def draw(self, state, word):
    """A game without chance has nothing to draw."""
    return 0


def outcomes(self, state, out):
    return 0


def probability(self, state, outcome):
    return 0.0


def representative(self, state, outcome):
    """Every outcome represents itself."""
    return outcome


def deal(self, state, outcome):
    pass


def ceiling(self, state, player, decisions):
    """No bound but the range."""
    return self.utility_range[1]


def skip(self, state):
    """Not offered: searches use null moves only in games that define one."""


def hidden(self, state):
    """No decision is hidden from any player."""
    return 0


def conceal(self, state):
    """There is nothing to conceal."""


def pick(self, state, word):
    """A uniformly random legal action from 32 random bits."""
    actions = scratch(np.uint32, self.max_actions)
    count = self.actions(state, actions)
    return np.int64(actions[word * count >> 32])


def draw_listed(self, state, word):
    """An outcome by its probability from 32 random bits, by walking down the list."""
    outcomes = scratch(np.uint32, self.max_outcomes)
    count = self.outcomes(state, outcomes)
    left = (word + 0.5) / 4294967296.0
    for i in range(count - 1):
        left -= self.probability(state, np.int64(outcomes[i]))
        if left < 0.0:
            return np.int64(outcomes[i])
    return np.int64(outcomes[count - 1])


def features(self, state, player, out):
    """A game that lists no inputs has them made of its state's fields."""
    return 0


def mover(self, state):
    """No player owns the next roll: evaluations are not learned from the mover's side."""
    return self.turn(state)


# Metadata, used by Python only: programs for any game go by it.


def own_title(self):
    """The name of the game: that of its class, or in this package that of its module."""
    return type(self).__name__


def own_spec(self):
    """The text that makes the game again; empty if its name and its parameters do."""
    return ""


def own_identity(self):
    """A hash of the game's states and rules without its parameters: solutions are stored under it."""
    return type(self).__identity__.rpartition("#")[2]


def own_source(self):
    """A hash of the text that the rules were read from; empty if that is its class."""
    return ""


def own_roles(self):
    """The names of the players, in order; empty if they have numbers only."""
    return ()


def own_drawing(self):
    """The module that draws it, or the name of a game; empty for `picture.py` in its folder, or for its text."""
    return ""


def own_checks(self, games, seed):
    """What `astragal check` tests besides what every game promises, in `games` random games."""
    return ()


def own_inputs(self):
    """How many inputs a learned evaluation has, and the most that are on; 0 if they are made of the fields."""
    return 0, 0


def own_results(self):
    """The utilities a game can end with, from the lowest to the highest; empty if they are not named."""
    return ()


def why_not_zero_sum(self):
    """The end of "a search needs a zero-sum game, which this game ...", for a game that is not."""
    return "is not"
