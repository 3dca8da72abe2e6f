"""Chance nodes of the *-Minimax family: expectimax (equation 1), Star1 (Algorithm 1) and Star2 (Algorithm 2).

Lay this beside the paper. Comments name each line of the pseudo-code once, by its number in Algorithm 2 and, for what
Algorithm 1 has too, by its number there in parentheses. Decisions are in `astragal.algorithms.star.star`, whose first
lines say where we depart from the paper, and which asks first whether a chance node needs a search at all.

What is known of the outcomes, O of the paper, and of the node as a whole lies in two records on the stack: `o` of
`outcomes`, and `node` below. With o_p the probability of an outcome and o_l, o_u the bounds on its value, pess is the
sum of o_p * o_l and opti that of o_p * o_u over all outcomes: what the chance node's value is at least and at most.
Both are kept incrementally (Hauk et al. 2004).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np
from numba import types

from astragal.algorithms.depth_first.table import EXACT, NOTHING
from astragal.algorithms.depth_first.work import exhausted, mirrored
from astragal.algorithms.plain_tree import CUT, FROM_TABLE, PROBE
from astragal.algorithms.star.nodes import (
    end_value,
    enter,
    horizon_value,
    leaf_after_outcome,
    leave,
    look_up_decision,
    mean_leaf,
    new_decision,
    settle,
    tells_last,
    told_value,
)
from astragal.algorithms.star.outcomes import (
    correction,
    fetch_outcomes,
    new_bounded,
    new_outcomes,
    note_outcome,
    outcome_set,
    within_range,
)
from astragal.compiler.guard import finite
from astragal.compiler.intrinsics.native import local_copy, record_maker, recursion, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL

FOREVER = 4096  # decisions; more than any line of play that a search follows
LIKELY = 0.9  # of what is open between the bounds of a chance node: the most that probes are expected to close
NODE = np.dtype(
    [
        ("alpha", "f8"),  # the window
        ("beta", "f8"),
        ("low", "f8"),  # v_min and v_max
        ("high", "f8"),
        ("pess", "f8"),
        ("opti", "f8"),
        ("total", "f8"),  # of o_p times the value, over the outcomes whose value was found
        ("count", "i8"),  # outcomes
        ("path", "u8"),  # key of the path to the node
        ("cut", "i8"),  # whether the outcomes that are left do not matter
    ]
)
new_node = record_maker(lambda size: NODE)


@kernel(inline=True)
def open_bounds(game, variant, state, depth, alpha, beta, o, node, work):
    """Nothing is known: o_l is v_min and o_u is v_max."""
    node.alpha, node.beta, node.path, node.cut = alpha, beta, work.path, 0
    node.low, node.high = value_range(game, variant, state, depth, work)
    if variant.informed and node.low == node.high:  # so no outcome is searched
        work.trusted += leans_on_depth(game, variant, state, node.low, node.high, work)
    if variant.probe:  # else an outcome is searched once, and what it is worth need not be kept
        for i in range(node.count):
            o.lower[i], o.upper[i] = node.low, node.high
    node.total = correction(game, variant, state, depth, work, o, node.count)
    node.pess, node.opti = node.low + node.total, node.high + node.total


@kernel(inline=True)
def value_range(game, variant, state, depth, work):
    """The least and the most that a state can be worth with `depth` units left.

    What one of two players has, the other lacks: their values add up to the ends of the range.
    """
    if variant.informed and not variant.one_against_all and work.ceilings != 0 and depth > 0:
        least = work.low if game.players == 1 else max(work.low, work.low + work.high - game.ceiling(state, 1, depth))
        return least, min(work.high, game.ceiling(state, 0, depth))
    return work.low, work.high


@kernel(inline=True)
def child_window(o, i, lower, upper, node):
    """alpha' and beta', the values of an outcome between which the node's value stays inside its window."""
    chance = o.chance[i]
    return child_alpha(node.alpha, node.opti, chance, upper), child_beta(node.beta, node.pess, chance, lower)


@kernel
def child_alpha(alpha, opti, chance, upper):
    """A child worth no more than this brings the node's upper bound down to alpha. Not clamped to v_min.

    The paper's formula without its clamp: a loss at v_min is no reason to cut. (Its worked example divides by the
    probability twice; this is the formula above it.)
    """
    return (alpha - opti + chance * upper) / chance


@kernel
def child_beta(beta, pess, chance, lower):
    """A child worth at least this brings the node's lower bound up to beta. Not clamped to v_max."""
    return (beta - pess + chance * lower) / chance


@kernel
def clamped(bound, low, high):
    """A window's end as a child is searched with it: nothing lies outside the range of values."""
    return min(max(bound, low), high)


@kernel(inline=True)
def raise_lower(o, i, v, node):
    """A probe shows that an outcome is worth at least v."""
    node.pess += o.chance[i] * (v - o.lower[i])
    o.lower[i] = v


@kernel(inline=True)
def reduce_upper(o, i, v, node):
    """A probe shows that an outcome is worth at most v."""
    node.opti += o.chance[i] * (v - o.upper[i])
    o.upper[i] = v


@kernel(inline=True)
def close(o, i, lower, upper, v, node):
    """An outcome is worth v: o_l and o_u meet there."""
    node.total += o.chance[i] * v
    node.pess += o.chance[i] * (v - lower)
    node.opti += o.chance[i] * (v - upper)


@kernel(inline=True)
def leans_on_depth(game, variant, state, low, high, work):
    """Whether these ends of a value's range hold for the depth searched alone, by the game's ceiling."""
    if low <= work.low and high >= work.high:
        return False
    least, most = value_range(game, variant, state, FOREVER, work)
    return low > least or high < most


@kernel(inline=True)
def pessimistic(game, variant, state, node, work):
    """What a node returns that is worth beta or more; a bound must not lie inside the window by rounding."""
    work.chance_cuts_high += 1
    work.trusted += leans_on_depth(game, variant, state, node.low, node.high, work)
    node.cut = 1
    return max(node.pess, node.beta)


@kernel(inline=True)
def optimistic(game, variant, state, node, work):
    """What a node returns that is worth alpha or less."""
    work.chance_cuts_low += 1
    work.trusted += leans_on_depth(game, variant, state, node.low, node.high, work)
    node.cut = 1
    return min(node.opti, node.alpha)


@kernel(inline=True)
def stopped(node):
    """The search unwinds: what a node returns means nothing."""
    node.cut = 1
    return 0.0


def node_routine():
    from astragal.algorithms.star.star import value_of  # which is made of what is here

    return value_of


own_address, recurse = recursion(node_routine, types.float64)


@kernel(inline=True)
def expectation(game, variant, state, depth, alpha, beta, work, me):
    """A chance node without bounds: equation (1), or its sampled form of Section 3."""
    if depth == 0:  # apart: leaves are most of the tree
        return mean_leaf(game, variant, state, work)
    o = new_outcomes(game.max_outcomes)
    count = outcome_set(game, variant, state, depth, work, o)
    row, path = variant.recorder.enter(work), work.path
    total = correction(game, variant, state, depth, work, o, count)
    for i in range(count):  # line (5)
        v = value_after(game, variant, state, np.int64(o.number[i]), depth, alpha, beta, path, work, me)  # line (9)
        if work.stop != 0:
            return 0.0
        total += o.chance[i] * v  # line (10)
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel(inline=True)
def star(game, variant, state, depth, alpha, beta, work, me):
    """A chance node with bounds whose children have depth units left: Star2, or without `variant.probe` Star1."""
    node = new_node(0)
    o = new_bounded(game.max_outcomes) if variant.probe else new_outcomes(game.max_outcomes)
    node.count = outcome_set(game, variant, state, depth, work, o)  # line 4 (4)
    open_bounds(game, variant, state, depth, alpha, beta, o, node, work)
    row = variant.recorder.enter(work)
    value = 0.0
    if variant.probe and depth > 0:
        value = probing_pass(game, variant, state, depth, o, node, work, me)
    if node.cut == 0:
        value = full_pass(game, variant, state, depth, o, node, work, me)
    return variant.recorder.leave(work, row, within_range(variant, value, work), node.count, CUT if node.cut else 0)


@kernel(inline=True)
def probing_pass(game, variant, state, depth, o, node, work, me):
    """Algorithm 2's probing phase: one action of each outcome's decision, for a bound. A value only if cut."""
    fetch_outcomes(game, state, depth, o, node.count, work)
    for i in range(node.count):  # line 5
        child = local_copy(state)
        game.deal(child, np.int64(o.number[i]))  # line 8
        turn = np.int64(game.turn(child))
        if turn == CHANCE or not may_cut(variant, turn, node, work):
            continue
        lower, upper = o.lower[i], o.upper[i]
        a, b = child_window(o, i, lower, upper, node)  # lines 6 and 7
        inner_a, inner_b = clamped(a, lower, upper), clamped(b, lower, upper)
        work.probes += 1
        note_outcome(variant, np.int64(o.number[i]), PROBE, node.path, work)
        v, exact = probe(game, variant, child, turn, depth, inner_a, inner_b, work, me)  # line 9
        if work.stop != 0:
            return stopped(node)
        minimises = variant.minimises(turn, work)
        if exact or (not minimises and v > inner_a):  # line 10
            raise_lower(o, i, v, node)  # line 11
            if v >= b or node.pess >= node.beta:  # line 12
                work.probe_cuts += 1
                return pessimistic(game, variant, state, node, work)
        if exact or (minimises and v < inner_b):  # line 13
            reduce_upper(o, i, v, node)  # line 14
            if v <= a or node.opti <= node.alpha:  # line 15
                work.probe_cuts += 1
                return optimistic(game, variant, state, node, work)
    return 0.0


@kernel(inline=True)
def may_cut(variant, turn, node, work):
    """Whether the bound that a probe brings may cut, so that it is worth a probe.

    At Max it raises pess, at Min it lowers opti. Where values are in the table, few probes lead to fewer visits: what
    is probed in vain is met again by the full pass. Star2 with a table of moves probes as the paper does.
    """
    if work.table_deep == 0 or turn == TERMINAL:
        return True
    reach = LIKELY * (node.opti - node.pess)
    return node.opti - reach <= node.alpha if variant.minimises(turn, work) else node.pess + reach >= node.beta


@kernel(inline=True)
def full_pass(game, variant, state, depth, o, node, work, me):
    """Algorithm 2's search phase, which is all of Algorithm 1 but for what a probe has found.

    A leaf is exact whatever its window, so at depth 0 it gets none: whether the bounds have met says the same.
    """
    for i in range(node.count):  # line 16 (5)
        lower, upper = (o.lower[i], o.upper[i]) if variant.probe else (node.low, node.high)
        if lower == upper:  # it is known already
            node.total += o.chance[i] * lower
            continue
        if tells_last(game, variant, depth, work) and is_told(game, variant, state, o, i, lower, upper, node, work):
            continue
        a, b = -np.inf, np.inf
        if depth > 0:
            a, b = child_window(o, i, lower, upper, node)  # lines 17 and 18 (6 and 7)
        inner_a, inner_b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)
        outcome = np.int64(o.number[i])
        v = value_after(game, variant, state, outcome, depth, inner_a, inner_b, node.path, work, me)  # line 20 (9)
        if depth > 0 and work.stop != 0:
            return stopped(node)
        close(o, i, lower, upper, v, node)  # line 21 (10)
        if v >= b or node.pess >= node.beta:  # line 22 (11)
            return pessimistic(game, variant, state, node, work)
        if v <= a or node.opti <= node.alpha:  # line 23 (12)
            return optimistic(game, variant, state, node, work)
    return node.total  # line 24 (13)


@kernel(inline=True)
def value_after(game, variant, state, outcome, depth, alpha, beta, path, work, me):
    """The value of the state after an outcome: a leaf at the horizon, the end, or a decision, forced or not."""
    note_outcome(variant, outcome, 0, path, work)
    if depth == 0:
        return leaf_after_outcome(game, variant, state, outcome, work)  # line 2 (2)
    child = local_copy(state)
    game.deal(child, outcome)  # line 19 (8)
    return value_of_dealt(game, variant, child, np.int64(game.turn(child)), depth, alpha, beta, work, me)


@kernel(inline=True)
def value_of_dealt(game, variant, state, turn, depth, alpha, beta, work, me):
    """The value of a state that an outcome led to, above the horizon."""
    if turn == TERMINAL:
        return end_value(game, variant, state, work)
    return recurse(me, game, variant, state, turn, depth, alpha, beta, work)


@kernel(inline=True)
def is_told(game, variant, state, o, i, lower, upper, node, work):
    """Whether the game computes an outcome's value (`tells_last`) and that cuts nothing, so it is not searched."""
    v, leaves = told_value(game, variant, state, np.int64(o.number[i]), work)
    least, most = node.pess + o.chance[i] * (v - lower), node.opti + o.chance[i] * (v - upper)
    if not (least < node.beta and most > node.alpha) or exhausted(work):  # or v is not a number
        return False
    work.decisions += 1
    work.leaves += leaves
    close(o, i, lower, upper, v, node)
    return True


@kernel(inline=True)
def probe(game, variant, state, turn, depth, alpha, beta, work, me):
    """alphabeta2 of a probe: the value of a state's first action, and whether that is its whole value.

    It is the whole value with one action only, at the end of the game, or from the table. Near the horizon, where
    nothing is pruned, all actions are searched.
    """
    if exhausted(work):
        return 0.0, True
    if turn == TERMINAL:
        return end_value(game, variant, state, work), True
    if depth <= work.prune_above:
        return variant.unpruned_value(game, state, turn, depth, alpha, beta, work), True
    here, actions = new_decision(0), scratch(np.uint32, game.max_actions)
    enter(game, variant, state, turn, alpha, beta, actions, here, work)
    bound, known = look_up_decision(state, turn, depth, actions, here, work)
    if bound != NOTHING:
        return leave(variant, known, FROM_TABLE, here, work), bound == EXACT
    child, action = local_copy(state), np.int64(actions[0])
    game.play(child, action)
    variant.note_action(state, action, here.path, work)
    value = finite(state, value_after_probed(game, variant, child, depth, alpha, beta, work, me))  # line a2
    value = mirrored(value, here.minimises)
    if work.stop != 0:
        return 0.0, True
    work.decision_cuts += value >= here.high  # line a3
    only = here.count == 1
    return settle(game, variant, state, turn, depth, value, action, only, here, work), only


@kernel(inline=True)
def value_after_probed(game, variant, state, depth, alpha, beta, work, me):
    """The value of the state a probed action led to, a chance node being a forced decision.

    Not by `value_after_action`, which contains the chance node that this is a part of.
    """
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        return end_value(game, variant, state, work)
    left = depth if turn == CHANCE else depth - 1
    if left == 0 or (depth == 1 and work.afterstates != 0):
        return horizon_value(game, variant, state, work)
    return recurse(me, game, variant, state, turn, left, alpha, beta, work)
