"""The depth-d minimax value straight from its definition, equation (1): slow, short, and independent of the searches.

It is what the checking mode compares every pruned node with, and what tests compare every search with.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.search.outcomes import outcome_set, step_path

TOLERANCE = 1e-9


@kernel
def defined_value(game, variant, state, depth, before_roll, work):
    """V_d(s) for player 0; before_roll says that the state is a chance node which belongs to the decision before it."""
    turn = game.turn(state)
    if turn == TERMINAL:
        return game.utility(state, 0)
    if depth == 0 and (not before_roll or work.afterstates != 0):
        return game.heuristic(state, 0)
    path = work.path
    if turn == CHANCE:
        outcomes = scratch(np.uint32, game.max_outcomes)
        chances = scratch(np.float64, game.max_outcomes)
        left = depth if before_roll else depth - 1  # a chance node after a chance outcome is a forced decision
        value = 0.0
        for i in range(outcome_set(game, variant, state, left, work, outcomes, chances)):
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[i]))
            step_path(work, path, np.int64(outcomes[i]))
            value += chances[i] * defined_value(game, variant, child, left, False, work)
    else:
        actions = scratch(np.uint32, game.max_actions)
        value = -np.inf if turn == 0 else np.inf
        for i in range(game.actions(state, actions)):
            child = local_copy(state)
            game.play(child, np.int64(actions[i]))
            step_path(work, path, np.int64(actions[i]))
            result = defined_value(game, variant, child, depth - 1, game.turn(child) == CHANCE, work)
            value = max(value, result) if turn == 0 else min(value, result)
    work.path = path
    return value


@kernel
def check_value(game, variant, state, depth, alpha, beta, value, work):
    """Count a disagreement unless a searched value is exact inside its window and on the right side outside it."""
    work.checks += 1
    true = defined_value(game, variant, state, depth, False, work)
    too_high = value > true + TOLERANCE and value > alpha
    too_low = value < true - TOLERANCE and value < beta
    if work.stop == 0 and (too_high or too_low):
        work.disagreements += 1


@kernel(entry="the definition of minimax values")
def definition(game, variant, root, depth, work):
    return defined_value(game, variant, root[0], depth, False, work[0])
