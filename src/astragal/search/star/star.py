"""Expectimax, Star1 and Star2, exact and with sparse sampling: Algorithms 1 and 2 of Lanctot et al. 2013.

Read `astragal.search.star.definition` first: the value that all of these find, in 35 lines.

One node routine for all six, `value_of`, compiled for a `astragal.search.star.variant`: `variant.sampled` says how a
chance node's outcomes are listed (line 4 of both algorithms), `variant.prune` whether bounds are kept, `variant.probe`
whether Star2's probing pass runs. Values are those of one player (`variant.viewer`), player 0 in a game of two, who is
Max; `variant.minimises` says who is Min. They are in the game's utilities; windows are the general alpha-beta form,
since a chance outcome may decide who moves next and a player may move several times in a row. `variant.recorder` hears
of each node, for drawings.

Depth is the paper's d. One unit is a decision with the chance node after it; at the horizon that chance node is still
listed or sampled, and the heuristic is asked of the decision states below it (of the state before the roll with
`work.afterstates`). A chance node reached straight from a chance outcome counts as a forced decision and costs a unit.

A search that is stopped unwinds at once, and what it returns on the way means nothing.

Departures from the paper as printed:
- cuts are tested on **unclamped** child windows; the paper's clamped ones cut on an ordinary loss (v = v_min);
- a probe of a Min child gives an upper bound, as the pseudo-code says and the text does not;
- bounds are kept incrementally (Hauk et al. 2004), and results are fail-soft;
- a probe's value counts as a bound only when it is one: at Max when it lies above the window's lower end, at Min below
  the upper end;
- a child with a single legal action is exact and not searched again, a terminal child sets both bounds, and a chance
  child is not probed.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import types

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.guard import finite, in_turn
from astragal.game.kernel import kernel, twin_kernel
from astragal.game.native import local_copy, recursion, scratch
from astragal.game.random import state_hash
from astragal.search.depth_first.sides import mirrored
from astragal.search.depth_first.table import (
    EXACT,
    LOWER,
    MIN_DEPTH,
    NO_MOVE,
    NOTHING,
    UPPER,
    bound_kind,
    fetch,
    look_up,
    put_first,
    remember,
)
from astragal.search.depth_first.work import counted, exhausted
from astragal.search.plain_tree import CUT, FROM_TABLE, HORIZON, PROBE
from astragal.search.star.bounds import child_alpha, child_beta, clamped
from astragal.search.star.control import correction, within_range
from astragal.search.star.definition import check_value
from astragal.search.star.leaves import best_leaf, leaf_after_outcome, leaf_value, mean_leaf
from astragal.search.star.outcomes import DISTINCT, only_outcome, outcome_set, step_path

own_address, recurse = recursion(lambda: value_of, types.float64)


@kernel
def value_of(game, variant, state, turn, depth, alpha, beta, work):
    """Alpha-beta over the actions of a state that is not terminal, with depth > 0 units left.

    This is alphabeta1 and alphabeta2 of the paper. A state whose turn is CHANCE is a forced decision, its only action
    being to let chance happen. Inside, the window and the best value are the mover's.
    """
    if exhausted(work):
        return 0.0
    if variant.prune and depth <= work.prune_above:
        return unpruned_value_of(game, variant.unpruned, state, turn, depth, alpha, beta, work)
    minimises = variant.minimises(turn, work)
    low, high = (-beta, -alpha) if minimises else (alpha, beta)
    actions = scratch(np.uint32, game.max_actions)
    count = 1
    row = np.int64(-1)
    if turn != CHANCE:
        work.decisions += 1
        row = variant.recorder.enter(work)
        in_turn(game, state, turn)
        count = game.actions(state, actions)

    key = np.uint64(0)
    use_table = turn != CHANCE and depth >= MIN_DEPTH and work.table != 0
    if use_table:
        key = state_hash(state)
        bound, value, move = look_up(work, key, depth, low, high)
        if bound != NOTHING:
            return variant.recorder.leave(work, row, mirrored(value, minimises), count, FROM_TABLE)
        put_first(actions, count, move)
    if variant.forward and variant.cuts_early(game, state, turn, depth, actions, count, high, work, own_address()):
        return variant.recorder.leave(work, row, mirrored(high, minimises), count, CUT)

    if depth == 1 and turn != CHANCE and work.afterstates != 0:
        best = best_leaf(game, variant, state, actions, count, minimises, high, work)
        if variant.checked:
            check_value(game, variant, state, depth, alpha, beta, mirrored(best, minimises), work)
        return variant.recorder.leave(
            work, row, mirrored(best, minimises), count, CUT if variant.prune and best >= high else 0
        )

    path = work.path
    best, best_action, floor = -np.inf, 0, low
    for i in range(count):
        child = local_copy(state)
        action = np.int64(0)
        if turn != CHANCE:
            action = np.int64(actions[i])
            game.play(child, action)
            variant.recorder.step(work, action, 0)
            variant.step(work, path, state, action)
        a, b = (-high, -floor) if minimises else (floor, high)
        value = finite(state, value_after_action(game, variant, child, depth, a, b, work, own_address()))
        value = mirrored(value, minimises)
        if depth > 1 and work.stop != 0:  # nearer to the horizon it costs less to go on
            return 0.0
        if value > best:
            best, best_action = value, action
            floor = max(floor, best)
            if variant.prune and best >= high:  # not the floor: rounding can leave a window empty
                work.decision_cuts += 1
                break
    if variant.arranged:
        work.path = path
    if use_table:
        remember(work, key, depth, best_action, best, bound_kind(best, low, high) if variant.prune else EXACT)
    if variant.checked:
        check_value(game, variant, state, depth, alpha, beta, mirrored(best, minimises), work)
    return variant.recorder.leave(
        work, row, mirrored(best, minimises), count, CUT if variant.prune and best >= high else 0
    )


@kernel(inline=True)
def value_after_action(game, variant, state, depth, alpha, beta, work, me):
    """The value of the state an action led to: the end, the horizon, another decision at once, or a chance node."""
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        if exhausted(work):
            return 0.0
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    if depth == 1 and (turn != CHANCE or work.afterstates != 0):
        if exhausted(work):
            return 0.0
        work.leaves += 1
        return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)
    if turn != CHANCE:
        return recurse(me, game, variant, state, turn, depth - 1, alpha, beta, work)
    if exhausted(work):
        return 0.0
    work.chances += 1
    return chance_value(game, variant, state, depth - 1, alpha, beta, work, me)


@kernel(inline=True)
def value_after_outcome(game, variant, state, turn, depth, alpha, beta, work, me):
    """The value of the state a chance outcome led to: the end, the horizon, or a decision, forced or not."""
    if depth == 0:
        return leaf_value(game, variant, state, turn, work)
    if turn == TERMINAL:
        if exhausted(work):
            return 0.0
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    if variant.prune and tells_last(game, variant, depth, work) and turn != CHANCE:
        value, count = game.best_after(state, variant.viewer(work))
        minimises = variant.minimises(turn, work)
        high = np.inf if work.prune_above > 0 else -alpha if minimises else beta
        if mirrored(value, minimises) < high and not exhausted(work):  # so nothing would be cut
            work.decisions += 1
            work.leaves += count
            return value
    return recurse(me, game, variant, state, turn, depth, alpha, beta, work)


@kernel(inline=True)
def tells_last(game, variant, depth, work):
    """Whether a game is asked what decisions are worth whose actions all lead to the horizon (`best_after`)."""
    return game.tells_best and variant.plain and depth == 1 and work.afterstates != 0


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

    Every outcome is searched that is not yet known exactly. Without a cut, the value is the total of all of them.
    """
    path = work.path
    for i in range(count):
        chance = chances[i]
        if variant.probe:
            lower, upper = lowers[i], uppers[i]
        if lower == upper:
            total += chance * lower
            continue
        a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)
        inner_a, inner_b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)
        variant.recorder.step(work, outcomes[i], 0)
        if depth == 0:
            v = leaf_after_outcome(game, variant, state, np.int64(outcomes[i]), work)
        else:
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[i]))
            turn = np.int64(game.turn(child))
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
def cut_high(variant, pess, beta, work):
    """What a chance node returns that is worth beta or more; a bound must not lie inside the window by rounding."""
    work.chance_cuts_high += 1
    return within_range(variant, max(pess, beta), work)


@kernel(inline=True)
def cut_low(variant, opti, alpha, work):
    """What a chance node returns that is worth alpha or less."""
    work.chance_cuts_low += 1
    return within_range(variant, min(opti, alpha), work)


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
        return unpruned_value_of(game, variant.unpruned, state, turn, depth, alpha, beta, work), True
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


# the same where nothing is pruned, for its twin to go over to near the horizon; last, since it is made of all the above
unpruned_value_of = twin_kernel(value_of, "value_of", "unpruned_value_of")
