"""Methods a game may leave out. They are added to its class as they stand and compiled with it."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.game.scratch import scratch


def start(self, state, dice):
    """The state is all zeros at first; leave it so."""


def heuristic(self, state, player):
    """Nothing is known before the end: the middle of the range."""
    if self.turn(state) == -2:
        return self.utility(state, player)
    return 0.5 * (self.utility_range[0] + self.utility_range[1])


def heuristic_after(self, state, action, player):
    """Not known without playing the action, which not a number says."""
    return np.nan


def best_after(self, state, player):
    """Not known without looking at each action."""
    return np.nan, 0


def heuristic_dealt(self, state, outcome, player):
    """Not known without dealing the outcome."""
    return np.nan


def wander(self, state, generator, decisions):
    """Not offered: random games are played one by one, by `pick` and `draw`."""
    return generator, 0


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


def ceiling(self, state, player, decisions):
    """Anything can happen."""
    return self.utility_range[1]


def skip(self, state):
    """Not offered: searches ask for null moves only of games that say what one is."""


def hidden(self, state):
    """Everybody knows of every decision."""
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
    """Not known before a roll: evaluations are not learned as the mover sees the state."""
    return self.turn(state)


# What a game says of itself, asked by Python only: programs that know no games go by it.


def own_title(self):
    """What it is called, unless it is one of the package, which is called as its module is."""
    return type(self).__name__


def own_spec(self):
    """The text that gives the game again; nothing where its name and its parameters do."""
    return ""


def own_identity(self):
    """A hash of all that its states are and mean, its parameters left out: what was solved is kept under it."""
    return type(self).__identity__.rpartition("#")[2]


def own_source(self):
    """A hash of the text its rules were read from; nothing where that is its class."""
    return ""


def own_roles(self):
    """What the players are called, in order; nothing where they have numbers only."""
    return ()


def own_drawing(self):
    """The file of `astragal.drawing.pictures` that draws it; nothing for the one of its name, or for its text."""
    return ""


def own_checks(self, games, seed):
    """What `astragal check` looks at beyond what every game promises, on so many random games."""
    return ()


def own_inputs(self):
    """How many inputs a learned evaluation has and how many are on at most; 0 where they are made of the fields."""
    return 0, 0


def own_results(self):
    """The utilities a game can end with, from the lowest to the highest; nothing where they are not named."""
    return ()


def why_not_zero_sum(self):
    """The end of "a search needs a zero-sum game, which this game ...", asked where it is none."""
    return "is not"
