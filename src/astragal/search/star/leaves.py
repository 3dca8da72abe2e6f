"""The horizon of the *-Minimax family: what its last nodes are worth, evaluated from where their parents stand.

Leaves are most of a tree. A game may know the evaluation after an action (`heuristic_after`) or an outcome
(`heuristic_dealt`) without letting it happen; where it says not a number, a copy of the state is made and evaluated.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import TERMINAL
from astragal.game.guard import finite
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.search.depth_first.sides import mirrored
from astragal.search.plain_tree import HORIZON
from astragal.search.star.bounds import within_range
from astragal.search.star.outcomes import sampled_outcomes


@kernel(inline=True)
def best_leaf(game, variant, state, actions, count, minimises, high, work):
    """The mover's value of a decision whose actions all lead to the horizon or to an end."""
    best, total, leaves = -np.inf, 0.0, 0
    for i in range(count):
        action = np.int64(actions[i])
        variant.recorder.step(work, action, 0)
        value = game.heuristic_after(state, action, variant.viewer(work))
        if value == value:
            leaves += 1
            value = mirrored(variant.recorder.leaf(work, value, HORIZON), minimises)
        else:
            child = local_copy(state)
            game.play(child, action)
            value = mirrored(leaf_value(game, variant, child, np.int64(game.turn(child)), work), minimises)
        best = max(best, value)
        total += value
        if variant.prune and best >= high:
            work.decision_cuts += 1
            break
    work.leaves += leaves
    finite(state, total)
    return best


@kernel(inline=True)
def mean_leaf(game, variant, state, work):
    """The value of a chance node whose outcomes all lead to the horizon or to an end."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    drawn = variant.sampled and not variant.controlled
    if drawn:
        count = sampled_outcomes(game, variant, state, 0, work, outcomes, chances)
    else:
        count = game.outcomes(state, outcomes)
    row = variant.recorder.enter(work)
    total = 0.0
    for i in range(count):
        outcome = np.int64(outcomes[i])
        variant.recorder.step(work, outcome, 0)
        chance = chances[i] if drawn else game.probability(state, outcome)
        total += chance * leaf_after_outcome(game, variant, state, outcome, work)
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel(inline=True)
def leaf_after_outcome(game, variant, state, outcome, work):
    """The value at the horizon of the state an outcome leads to."""
    value = game.heuristic_dealt(state, outcome, variant.viewer(work))
    if value == value:
        work.leaves += 1
        return variant.recorder.leaf(work, value, HORIZON)
    child = local_copy(state)
    game.deal(child, outcome)
    return leaf_value(game, variant, child, np.int64(game.turn(child)), work)


@kernel(inline=True)
def leaf_value(game, variant, state, turn, work):
    """The value of a state at the horizon, which an outcome led to."""
    if turn == TERMINAL:
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    work.leaves += 1
    return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)
