"""Sampling for games that leave it out: from the lists that they write."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.native import scratch


def pick(self, state, word):
    """A uniformly random legal action from 32 random bits."""
    actions = scratch(np.uint32, self.max_actions)
    count = self.actions(state, actions)
    return np.int64(actions[word * count >> 32])


def draw(self, state, word):
    """An outcome by its probability from 32 random bits, by walking down the list."""
    outcomes = scratch(np.uint32, self.max_outcomes)
    count = self.outcomes(state, outcomes)
    left = (word + 0.5) / 4294967296.0
    for i in range(count - 1):
        left -= self.probability(state, np.int64(outcomes[i]))
        if left < 0.0:
            return np.int64(outcomes[i])
    return np.int64(outcomes[count - 1])
