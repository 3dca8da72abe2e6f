"""The depth-d minimax value straight from its definition, equation (1): slow, short, and independent of the searches.

It is what the checking mode compares every pruned node with, and what tests compare every search with.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.star.outcomes import (
    correction,
    new_outcomes,
    outcome_set,
    step_action,
    step_path,
    within_range,
)
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL

TOLERANCE = 1e-9


@kernel
def defined_value(game, variant, state, depth, work):
    """V_d(s) for the variant's viewer. A chance node here is a forced decision; one after an action is part of it."""
    turn = game.turn(state)
    if turn == TERMINAL:
        return game.utility(state, variant.viewer(work))
    if depth == 0:
        return game.heuristic(state, variant.viewer(work))
    path = work.path
    actions = scratch(np.uint32, game.max_actions)
    o = new_outcomes(game.max_outcomes)
    minimises = variant.minimises(turn, work)
    best = np.inf if minimises else -np.inf
    for i in range(1 if turn == CHANCE else game.actions(state, actions)):
        child = local_copy(state)
        action = np.int64(0)
        if turn != CHANCE:
            action = np.int64(actions[i])
            game.play(child, action)
            step_action(work, path, state, action)
        if game.turn(child) != CHANCE or (depth == 1 and work.afterstates != 0):
            value = defined_value(game, variant, child, depth - 1, work)
        else:
            fork = work.path
            count = outcome_set(game, variant, child, depth - 1, work, o)
            value = correction(game, variant, child, depth - 1, work, o, count)
            for j in range(count):
                grandchild = local_copy(child)
                game.deal(grandchild, np.int64(o.number[j]))
                step_path(work, fork, np.int64(o.number[j]))
                value += o.chance[j] * defined_value(game, variant, grandchild, depth - 1, work)
            value = within_range(variant, value, work)
        best = min(best, value) if minimises else max(best, value)
    work.path = path
    return best


@kernel
def check_value(game, variant, state, depth, alpha, beta, value, work):
    """Count a disagreement unless a searched value is exact inside its window and on the right side outside it."""
    work.checks += 1
    leaves, controls = work.leaves, work.controls
    true = defined_value(game, variant, state, depth, work)
    work.leaves, work.controls = leaves, controls  # the search's own, which evaluates controls as the definition does
    too_high = value > true + TOLERANCE and value > alpha
    too_low = value < true - TOLERANCE and value < beta
    if work.stop == 0 and (too_high or too_low):
        work.disagreements += 1


@kernel(entry="the definition of minimax values")
def definition(game, variant, root, depth, work):
    return defined_value(game, variant, root[0], depth, work[0])
