"""Order for games' own code: actions with a static score, sorted, or one of the best at random.

A key is a score from 0 to 127 above 20 bits of an action: ``score << ACTION_BITS | action``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import scratch

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        max_actions: Any
        scored: Any
else:
    Rest = object

ACTION_BITS, SCORES = 20, 128
ACTION = (1 << ACTION_BITS) - 1


class Ordered(Rest):
    """Base of a game that writes the keys of its actions with ``scored(state, out)`` and returns how many there are."""

    def actions(self, state, out):
        keys = scratch(np.uint32, self.max_actions)
        count = self.scored(state, keys)
        best_first(keys, count, out)
        return count

    def prefer(self, state, word):
        keys = scratch(np.uint32, self.max_actions)
        return any_best(keys, self.scored(state, keys), word)


def best_first(keys, count, out):
    """Write the actions of `count` keys by score, highest first; those of equal score in the order of the keys."""
    places = scratch(np.uint32, SCORES)
    for score in range(SCORES):
        places[score] = 0
    for i in range(count):
        places[keys[i] >> ACTION_BITS] += 1
    above = 0
    for score in range(SCORES - 1, -1, -1):
        equal = places[score]
        places[score] = above
        above += equal
    for i in range(count):
        score = keys[i] >> ACTION_BITS
        out[places[score]] = keys[i] & ACTION
        places[score] += 1


def any_best(keys, count, word):
    """One of the actions with the highest score, all equally likely, by 32 random bits; the keys are lost."""
    best: Any = np.int64(0)
    for i in range(count):
        best = max(best, np.int64(keys[i]) >> ACTION_BITS)
    ties: Any = 0
    for i in range(count):  # no branch: which keys are best cannot be foreseen
        keys[ties] = keys[i]
        ties += np.int64(np.int64(keys[i]) >> ACTION_BITS == best)
    return np.int64(keys[word * ties >> 32]) & ACTION
