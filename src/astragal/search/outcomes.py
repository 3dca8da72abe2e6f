"""The outcome set of a chance node (``genOutcomeSet`` in Algorithms 1 and 2): all outcomes, or a sparse sample of them.

Sampling is with replacement and **keyed**: what is drawn is a function of the iteration's key and the state (or the
path to it), so a node draws the same outcomes whenever it is met in one search, probing or not. That is what makes
star1SS = star2SS = expSS exactly. Equal samples are merged with their multiplicity.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.kernel import kernel
from astragal.game.native import fold
from astragal.game.random import KEY, MIX, keyed, state_hash, upper


@kernel(inline=True)
def outcome_set(game, variant, state, depth, work, outcomes, chances):
    """Fill outcomes and their probabilities; return how many. depth is the children's remaining depth."""
    if variant.sampled:
        return sampled_outcomes(game, state, depth, work, outcomes, chances)
    count = game.outcomes(state, outcomes)
    for i in range(count):
        chances[i] = game.probability(state, np.int64(outcomes[i]))
    return merged_outcomes(game, state, outcomes, chances, count) if work.merge else count


@kernel
def merged_outcomes(game, state, outcomes, chances, count):
    """Let one outcome stand for all that are worth the same, as the game says; how many are left."""
    left = 0
    for i in range(count):
        outcome, chance = np.int64(game.representative(state, np.int64(outcomes[i]))), chances[i]
        at = place_of(outcomes, left, outcome)
        chances[at] = chance if at == left else chances[at] + chance
        left += at == left
    return left


@kernel
def place_of(outcomes, count, outcome):
    """Where an outcome stands among so many, or after them, where it is written."""
    at = 0
    while at < count and outcomes[at] != outcome:
        at += 1
    if at == count:
        outcomes[at] = outcome
    return at


@kernel
def sampled_outcomes(game, state, depth, work, outcomes, chances):
    """Section 3.1: c outcomes drawn with replacement, each with probability 1/c."""
    key = work.path if work.key_by_path else fold(work.key ^ state_hash(state), KEY)
    width = np.int64(work.widths[depth])
    count = 0
    for sample in range(width):
        word = upper(keyed(key, sample))
        if work.stratified:  # one draw from each of c equal parts of the distribution
            word = ((sample << 32) + word) // width
        outcome = np.int64(game.draw(state, word))
        if work.merge:
            outcome = np.int64(game.representative(state, outcome))
        at = place_of(outcomes, count, outcome)
        chances[at] = 1.0 if at == count else chances[at] + 1.0
        count += at == count
    for i in range(count):
        chances[i] /= width
    return count


@kernel
def step_path(work, path, step):
    """Set the key of the path that leads on from another by an action or outcome."""
    work.path = fold(path ^ (np.uint64(step) + np.uint64(1)) * KEY, MIX)
