"""Chance nodes of the *-Minimax family: by all their outcomes or samples, with bounds (Star1, Star2) or without.

They are a part of the node routine, `astragal.search.star.star`, whose first lines say where we depart from the paper.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.random import state_hash
from astragal.search.depth_first.table import EXACT, NO_MOVE, NOTHING, bound_kind, fetch, look_up, remember
from astragal.search.depth_first.work import counted, exhausted
from astragal.search.plain_tree import CUT, FROM_TABLE, HORIZON
from astragal.search.star.bounds import child_alpha, child_beta, clamped, cut_high, cut_low, within_range
from astragal.search.star.control import correction
from astragal.search.star.leaves import leaf_after_outcome, leaf_value, mean_leaf
from astragal.search.star.outcomes import DISTINCT, only_outcome, outcome_set, step_path
from astragal.search.star.probing import probing_pass
from astragal.search.star.recursion import recurse


@kernel(inline=True)
def chance_value(game, variant, state, depth, alpha, beta, work, me):
    """A chance node whose children have depth units left."""
    if variant.forward:
        return variant.predicted_chance_value(game, state, depth, alpha, beta, work, me)
    if variant.informed:
        return known_chance_value(game, variant, state, depth, alpha, beta, work, me)
    return searched_chance_value(game, variant, state, depth, alpha, beta, work, me)


@kernel(inline=True)
def known_chance_value(game, variant, state, depth, alpha, beta, work, me):
    """A chance node whose value the game or the table may decide before its outcomes are searched.

    The state before the roll is shared by all rolls and by all ways to it. (Veness & Blair 2007 look up its successors
    as well; the probing pass does that here.)
    """
    key = np.uint64(0)
    use_table = depth > 0 and work.table_chances != 0 and work.table != 0
    if use_table:
        key = state_hash(state)
        fetch(work, key)
    if depth > 0:
        low, high = value_range(game, variant, state, depth, work)
        if variant.prune and (low >= beta or high <= alpha):
            work.ceiling_cuts += 1
            return variant.recorder.leaf(work, low if low >= beta else high, CUT)
    if not use_table:
        return searched_chance_value(game, variant, state, depth, alpha, beta, work, me)
    bound, value, _ = look_up(work, key, depth, alpha, beta)
    if bound != NOTHING:
        return variant.recorder.leaf(work, value, FROM_TABLE)
    value = searched_chance_value(game, variant, state, depth, alpha, beta, work, me)
    remember(work, key, depth, NO_MOVE, value, bound_kind(value, alpha, beta) if variant.prune else EXACT)
    return value


@kernel(inline=True)
def value_range(game, variant, state, depth, work):
    """The least and the most that a state can be worth with so many units left.

    What one of two players has, the other lacks: their values add up to the ends of the range.
    """
    if variant.informed and not variant.one_against_all and work.ceilings != 0 and depth > 0:
        least = work.low if game.players == 1 else max(work.low, work.low + work.high - game.ceiling(state, 1, depth))
        return least, min(work.high, game.ceiling(state, 0, depth))
    return work.low, work.high


@kernel(inline=True)
def searched_chance_value(game, variant, state, depth, alpha, beta, work, me):
    """A chance node by its outcomes."""
    if variant.sampled and not variant.controlled and draws_one(variant, depth, work):
        return sampled_once(game, variant, state, depth, alpha, beta, work, me)
    if variant.prune:
        if depth == 0:  # apart, so that what is the same for all of its leaves is found once
            return star(game, variant, state, np.int64(0), alpha, beta, work, me)
        return star(game, variant, state, depth, alpha, beta, work, me)
    return expectation(game, variant, state, depth, alpha, beta, work, me)


@kernel(inline=True)
def draws_one(variant, depth, work):
    """Whether a chance node draws a single outcome, which is not to be probed first."""
    if work.widths[depth] != 1 or (variant.probe and depth > 0):
        return False
    return not variant.arranged or work.sampling != DISTINCT


@kernel(inline=True)
def sampled_once(game, variant, state, depth, alpha, beta, work, me):
    """A chance node that draws one outcome and is worth what that is: it happens in place, nobody needs the node again.

    Its window is that of the node.
    """
    if depth == 0 and game.ignores_outcomes and variant.silent:  # so none needs to be drawn
        value = game.heuristic_dealt(state, 0, variant.viewer(work))
        if value == value:
            work.leaves += 1
            return value
    row = variant.recorder.enter(work)
    outcome = only_outcome(game, variant, state, work)
    variant.recorder.step(work, outcome, 0)
    if variant.arranged:
        step_path(work, work.path, outcome)
    if depth == 0:
        value = game.heuristic_dealt(state, outcome, variant.viewer(work))
        if value == value:
            work.leaves += 1
            return variant.recorder.leave(work, row, variant.recorder.leaf(work, value, HORIZON), 1, 0)
    game.deal(state, outcome)
    turn = np.int64(game.turn(state))
    if depth == 0:
        return variant.recorder.leave(work, row, leaf_value(game, variant, state, turn, work), 1, 0)
    value = value_after_outcome(game, variant, state, turn, depth, alpha, beta, work, me)
    return variant.recorder.leave(work, row, value, 1, 0)


@kernel(inline=True)
def expectation(game, variant, state, depth, alpha, beta, work, me):
    """A chance node without bounds: equation (1), or its sampled form of Section 3."""
    if depth == 0:  # apart: leaves are most of the tree
        return mean_leaf(game, variant, state, work)
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    count = outcome_set(game, variant, state, depth, work, outcomes, chances)
    if tells_last(game, variant, depth, work):
        return mean_of_last(game, variant, state, outcomes, chances, count, alpha, beta, work, me)
    row = variant.recorder.enter(work)
    path = work.path
    total = correction(game, variant, state, depth, work, outcomes, chances, count)
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        variant.recorder.step(work, outcomes[i], 0)
        if variant.arranged:
            step_path(work, path, np.int64(outcomes[i]))
        turn = np.int64(game.turn(child))
        total += chances[i] * value_after_outcome(game, variant, child, turn, depth, alpha, beta, work, me)
        if work.stop != 0:
            return 0.0
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel(inline=True)
def mean_of_last(game, variant, state, outcomes, chances, count, alpha, beta, work, me):
    """The same where outcomes are decided for the last time before the horizon, as far as the game tells.

    Only a copy's address is handed on, so that LLVM keeps children in registers; limits are far away or looked at by
    those who search.
    """
    far = counted(work) + game.max_outcomes * (game.max_actions + 1) < work.node_limit
    total, decisions, leaves = 0.0, 0, 0
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        turn = np.int64(game.turn(child))
        value, told = game.best_after(child, variant.viewer(work)) if turn >= 0 and far else (np.nan, 0)
        if value == value:
            decisions += 1
            leaves += told
        else:
            value = value_after_outcome(game, variant, local_copy(child), turn, 1, alpha, beta, work, me)
        total += chances[i] * value
    work.decisions += decisions
    work.leaves += leaves
    return total


@kernel(inline=True)
def star(game, variant, state, depth, alpha, beta, work, me):
    """A chance node with bounds: Star1 (Algorithm 1) or Star2 (Algorithm 2), which probes every outcome first."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)  # o_p of the paper
    lowers = scratch(np.float64, game.max_outcomes)  # o_l
    uppers = scratch(np.float64, game.max_outcomes)  # o_u
    count = outcome_set(game, variant, state, depth, work, outcomes, chances)  # line 4
    low, high = value_range(game, variant, state, depth, work)
    if variant.probe:
        for i in range(count):
            lowers[i], uppers[i] = low, high
    constant = correction(game, variant, state, depth, work, outcomes, chances, count)
    pess, opti = low + constant, high + constant
    row = variant.recorder.enter(work)
    if variant.probe and depth > 0:
        cut, value, pess, opti = probing_pass(
            game, variant, state, depth, alpha, beta, outcomes, chances, lowers, uppers, count, pess, opti, work, me
        )
        if cut:
            return variant.recorder.leave(work, row, value, count, CUT)
    cut, value = full_pass(
        game,
        variant,
        state,
        depth,
        alpha,
        beta,
        outcomes,
        chances,
        lowers,
        uppers,
        count,
        low,
        high,
        pess,
        opti,
        constant,
        work,
        me,
    )
    return variant.recorder.leave(work, row, value, count, CUT if cut else 0)


@kernel(inline=True)
def full_pass(
    game,
    variant,
    state,
    depth,
    alpha,
    beta,
    outcomes,
    chances,
    lowers,
    uppers,
    count,
    lower,
    upper,
    pess,
    opti,
    total,
    work,
    me,
):
    """Lines 16 to 23 of Algorithm 2, which are all of Algorithm 1 but for what a probe has found: whether it was cut.

    Every outcome is searched that is not yet known exactly. Without a cut, the value is the total of all of them. A
    leaf is exact whatever its window, so it gets none: whether the bounds have met says the same.
    """
    path = work.path
    for i in range(count):
        chance = chances[i]
        if variant.probe:
            lower, upper = lowers[i], uppers[i]
        if lower == upper:
            total += chance * lower
            continue
        variant.recorder.step(work, outcomes[i], 0)
        a, b = -np.inf, np.inf
        if depth == 0:
            v = leaf_after_outcome(game, variant, state, np.int64(outcomes[i]), work)
        else:
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[i]))
            turn = np.int64(game.turn(child))
            if tells_last(game, variant, depth, work) and turn >= 0:
                v, told = game.best_after(child, variant.viewer(work))
                least, most = pess + chance * (v - lower), opti + chance * (v - upper)
                if least < beta and most > alpha and not exhausted(work):  # nothing is cut: no window, no division
                    work.decisions += 1
                    work.leaves += told
                    total += chance * v
                    pess, opti = least, most
                    continue
            a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)
            inner_a, inner_b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)
            if variant.arranged:
                step_path(work, path, np.int64(outcomes[i]))
            v = value_after_outcome(game, variant, child, turn, depth, inner_a, inner_b, work, me)
            if work.stop != 0:
                return True, 0.0
        total += chance * v
        pess += chance * (v - lower)
        if v >= b or pess >= beta:
            return True, cut_high(variant, pess, beta, work)
        opti += chance * (v - upper)
        if v <= a or opti <= alpha:
            return True, cut_low(variant, opti, alpha, work)
    return False, within_range(variant, total, work)


@kernel(inline=True)
def value_after_outcome(game, variant, state, turn, depth, alpha, beta, work, me):
    """The value of the state a chance outcome led to, above the horizon: the end, or a decision, forced or not."""
    if turn == TERMINAL:
        if exhausted(work):
            return 0.0
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    return recurse(me, game, variant, state, turn, depth, alpha, beta, work)


@kernel(inline=True)
def tells_last(game, variant, depth, work):
    """Whether a game is asked what decisions are worth whose actions all lead to the horizon (`best_after`)."""
    return game.tells_best and variant.plain and depth == 1 and work.afterstates != 0
