"""Star2's probing pass: one action of each outcome's decision is searched before all of them (Ballard 1983)."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.guard import finite
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.random import state_hash
from astragal.search.depth_first.sides import mirrored
from astragal.search.depth_first.table import (
    EXACT,
    LOWER,
    MIN_DEPTH,
    NOTHING,
    UPPER,
    bound_kind,
    fetch,
    look_up,
    put_first,
    remember,
)
from astragal.search.depth_first.work import exhausted
from astragal.search.plain_tree import CUT, FROM_TABLE, HORIZON, PROBE
from astragal.search.star.bounds import child_alpha, child_beta, clamped, cut_high, cut_low
from astragal.search.star.definition import check_value
from astragal.search.star.outcomes import step_path
from astragal.search.star.recursion import recurse


@kernel(inline=True)
def probing_pass(
    game, variant, state, depth, alpha, beta, outcomes, chances, lowers, uppers, count, pess, opti, work, me
):
    """Lines 5 to 15 of Algorithm 2: one action of each outcome's decision, for a bound. Whether and how it cuts."""
    path = work.path
    if depth >= MIN_DEPTH and work.table != 0:  # what the table knows of each comes while the first ones are searched
        for i in range(count):
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[i]))
            fetch(work, state_hash(child))
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        turn = np.int64(game.turn(child))
        if turn == CHANCE:
            continue
        if variant.arranged:
            step_path(work, path, np.int64(outcomes[i]))
        lower, upper, chance = lowers[i], uppers[i], chances[i]
        a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)
        inner_a, inner_b = clamped(a, lower, upper), clamped(b, lower, upper)
        work.probes += 1
        variant.recorder.step(work, outcomes[i], PROBE)
        v, exact = probe(game, variant, child, turn, depth, inner_a, inner_b, work, me)
        if work.stop != 0:
            return True, 0.0, pess, opti
        minimises = variant.minimises(turn, work)
        if exact or (not minimises and v > inner_a):
            lowers[i] = v
            pess += chance * (v - lower)
            if v >= b or pess >= beta:
                work.probe_cuts += 1
                return True, cut_high(variant, pess, beta, work), pess, opti
        if exact or (minimises and v < inner_b):
            uppers[i] = v
            opti += chance * (v - upper)
            if v <= a or opti <= alpha:
                work.probe_cuts += 1
                return True, cut_low(variant, opti, alpha, work), pess, opti
    if variant.arranged:
        work.path = path
    return False, 0.0, pess, opti


@kernel(inline=True)
def probe(game, variant, state, turn, depth, alpha, beta, work, me):
    """The value of a state's first action, and whether that is all there is to know: one action, an end, or the table.

    Near the horizon, where nothing is pruned, all actions are searched.
    """
    if exhausted(work):
        return 0.0, True
    if turn == TERMINAL:
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0), True
    if depth <= work.prune_above:
        return variant.unpruned_value(game, state, turn, depth, alpha, beta, work), True
    minimises = variant.minimises(turn, work)
    low, high = (-beta, -alpha) if minimises else (alpha, beta)
    actions = scratch(np.uint32, game.max_actions)
    work.decisions += 1
    row = variant.recorder.enter(work)
    count = game.actions(state, actions)
    key = np.uint64(0)
    use_table = depth >= MIN_DEPTH and work.table != 0
    if use_table:
        key = state_hash(state)
        bound, value, move = look_up(work, key, depth, low, high)
        if bound != NOTHING:
            return variant.recorder.leave(work, row, mirrored(value, minimises), count, FROM_TABLE), bound == EXACT
        put_first(actions, count, move)
    path = work.path
    child = local_copy(state)
    action = np.int64(actions[0])
    game.play(child, action)
    variant.recorder.step(work, action, 0)
    variant.step(work, path, state, action)
    value = finite(state, value_after_probed(game, variant, child, depth, alpha, beta, work, me))
    best = mirrored(value, minimises)
    if work.stop != 0:
        return 0.0, True
    work.decision_cuts += best >= high
    if variant.arranged:
        work.path = path
    if use_table:  # of several actions, the first is a lower bound for the mover, if it found anything
        found = bound_kind(best, low, high)
        remember(work, key, depth, action, best, found if count == 1 else NOTHING if found == UPPER else LOWER)
    if variant.checked and count == 1:
        check_value(game, variant, state, depth, alpha, beta, mirrored(best, minimises), work)
    return variant.recorder.leave(work, row, mirrored(best, minimises), count, CUT if best >= high else 0), count == 1


@kernel(inline=True)
def value_after_probed(game, variant, state, depth, alpha, beta, work, me):
    """The value of the state a probed action led to, a chance node being a forced decision.

    Not by `value_after_action`, which contains the chance node that this is a part of.
    """
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        if exhausted(work):
            return 0.0
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    left = depth if turn == CHANCE else depth - 1
    if left == 0 or (depth == 1 and work.afterstates != 0):
        if exhausted(work):
            return 0.0
        work.leaves += 1
        return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)
    return recurse(me, game, variant, state, turn, left, alpha, beta, work)
