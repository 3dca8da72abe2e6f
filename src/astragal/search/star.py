"""Expectimax, Star1 and Star2, exact and with sparse sampling: Algorithms 1 and 2 of Lanctot et al. 2013.

One node routine for all six, `value_of`, compiled for a variant (`astragal.search.variants`): `variant.sampled` says
how a chance node's outcomes are listed (line 4 of both algorithms), `variant.prune` whether bounds are kept,
`variant.probe` whether Star2's probing phase runs, and `variant.chance_value` is the chance node without bounds or with
them. Values are those of one player (`variant.viewer`), player 0 in a game of two, who is Max; `variant.minimises` says
who is Min. They are in the game's utilities; windows are the general alpha-beta form, since a chance outcome may decide
who moves next and a player may move several times in a row. `variant.recorder` hears of each node, for drawings.

Depth is the paper's d. One unit is a decision with the chance node after it; at the horizon that chance node is still
listed or sampled, and the heuristic is asked of the decision states below it (of the state before the roll with
`work.afterstates`). A chance node reached straight from a chance outcome counts as a forced decision and costs a unit.

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
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, recursion, scratch
from astragal.game.random import state_hash
from astragal.search.bounds import child_alpha, child_beta, clamped
from astragal.search.control import correction, within_range
from astragal.search.outcomes import outcome_set, step_action, step_path
from astragal.search.recording import CUT, FROM_TABLE, HORIZON, PROBE
from astragal.search.table import EXACT, LOWER, MIN_DEPTH, NOTHING, UPPER, bound_of, look_up, put_first, remember
from astragal.search.work import exhausted

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
        return variant.shallow_value(game, state, turn, depth, alpha, beta, work)
    probing = False
    if variant.probe:
        probing = work.probing != 0
        work.probing = 0
    minimises = variant.minimises(turn, work)
    sign = -1.0 if minimises else 1.0
    low, high = (-beta, -alpha) if minimises else (alpha, beta)
    actions = scratch(np.uint32, game.max_actions)
    count = 1
    row = np.int64(-1)
    if turn != CHANCE:
        work.decisions += 1
        row = variant.recorder.enter(work)
        count = game.actions(state, actions)

    key = np.uint64(0)
    use_table = turn != CHANCE and depth >= MIN_DEPTH and work.table != 0
    if use_table:
        key = state_hash(state)
        bound, value, move = look_up(work, key, depth, low, high)
        if bound != NOTHING:
            work.exact = bound == EXACT
            return variant.recorder.leave(work, row, sign * value, count, FROM_TABLE)
        put_first(actions, count, move)
    if not probing and variant.cuts_early(game, state, turn, depth, actions, count, high, work, own_address()):
        return variant.recorder.leave(work, row, sign * high, count, CUT)

    path = work.path
    best, best_action, floor = -np.inf, 0, low
    for i in range(1 if probing else count):  # a probe looks at the first action only
        child = local_copy(state)
        action = np.int64(0)
        if turn != CHANCE:
            action = np.int64(actions[i])
            game.play(child, action)
            variant.recorder.step(work, action, 0)
        if variant.sampled:
            step_action(work, path, state, turn, action)
        a, b = (-high, -floor) if minimises else (floor, high)
        value = sign * value_after_action(game, variant, child, depth, a, b, work, own_address())
        if depth > 1 and work.stop != 0:  # nearer to the horizon it costs less to go on
            return 0.0
        if value > best:
            best, best_action = value, action
            floor = max(floor, best)
            if variant.prune and best >= high:  # not the floor: rounding can leave a window empty
                work.decision_cuts += 1
                break
    if variant.sampled:
        work.path = path
    if variant.probe:
        work.exact = not probing or count == 1
    if use_table:
        store(variant, work, key, depth, best_action, best, low, high)
    if not probing or count == 1:
        variant.check(game, state, depth, alpha, beta, sign * best, work)
    return variant.recorder.leave(work, row, sign * best, count, CUT if variant.prune and best >= high else 0)


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
    return variant.chance_value(game, state, depth - 1, alpha, beta, work, me)


@kernel(inline=True)
def value_after_outcome(game, variant, state, turn, depth, alpha, beta, work, me):
    """The value of the state a chance outcome led to: the end, the horizon, or a decision, forced or not."""
    if turn == TERMINAL:
        if depth > 0 and exhausted(work):
            return 0.0
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    if depth == 0:
        work.leaves += 1
        return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)
    return recurse(me, game, variant, state, turn, depth, alpha, beta, work)


@kernel(inline=True)
def expectation(game, variant, state, depth, alpha, beta, work, me):
    """A chance node without bounds: equation (1), or its sampled form of Section 3."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    count = outcome_set(game, variant, state, depth, work, outcomes, chances)
    row = variant.recorder.enter(work)
    path = work.path
    total = correction(game, variant, state, depth, work, outcomes, chances, count)
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        variant.recorder.step(work, outcomes[i], 0)
        if variant.sampled:
            step_path(work, path, np.int64(outcomes[i]))
        turn = np.int64(game.turn(child))
        total += chances[i] * value_after_outcome(game, variant, child, turn, depth, alpha, beta, work, me)
        if depth > 0 and work.stop != 0:
            return 0.0
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel(inline=True)
def star(game, variant, state, depth, alpha, beta, work, me):
    """A chance node with bounds: Star1 (Algorithm 1), or Star2 (Algorithm 2), which goes through the outcomes twice.

    The first pass probes (lines 5 to 15), the second searches fully (lines 16 to 23) what is not yet known exactly.
    """
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    lowers = scratch(np.float64, game.max_outcomes)  # o_l of the paper
    uppers = scratch(np.float64, game.max_outcomes)  # o_u
    count = outcome_set(game, variant, state, depth, work, outcomes, chances)
    for i in range(count):
        lowers[i], uppers[i] = work.low, work.high
    constant = correction(game, variant, state, depth, work, outcomes, chances, count)
    pess, opti = work.low + constant, work.high + constant
    row = variant.recorder.enter(work)
    path = work.path
    total = constant
    for full in range(0 if variant.probe and depth > 0 else 1, 2):
        for i in range(count):
            lower, upper, chance = lowers[i], uppers[i], chances[i]
            if lower == upper:
                total += chance * lower
                continue
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[i]))
            turn = np.int64(game.turn(child))
            if not full and turn == CHANCE:
                continue
            if variant.sampled:
                step_path(work, path, np.int64(outcomes[i]))
            a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)
            inner_a, inner_b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)
            if variant.probe:
                work.probing, work.exact = not full, 1
                work.probes += not full
            variant.recorder.step(work, outcomes[i], 0 if full else PROBE)
            v = value_after_outcome(game, variant, child, turn, depth, inner_a, inner_b, work, me)
            if depth > 0 and work.stop != 0:
                return 0.0
            if variant.probe:
                work.probing = 0  # the end or the horizon did not take it up
            if full:
                total += chance * v
            exact = full or work.exact != 0
            if exact or (not variant.minimises(turn, work) and v > inner_a):
                lowers[i] = v
                pess += chance * (v - lower)
                if v >= b or pess >= beta:
                    work.chance_cuts_high += 1
                    work.probe_cuts += not full
                    # a bound must lie outside the window, where rounding might not leave it
                    bound = within_range(variant, max(pess, beta), work)
                    return variant.recorder.leave(work, row, bound, count, CUT)
            if exact or (variant.minimises(turn, work) and v < inner_b):
                uppers[i] = v
                opti += chance * (v - upper)
                if v <= a or opti <= alpha:
                    work.chance_cuts_low += 1
                    work.probe_cuts += not full
                    bound = within_range(variant, min(opti, alpha), work)
                    return variant.recorder.leave(work, row, bound, count, CUT)
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel
def store(variant, work, key, depth, action, value, low, high):
    """Remember a decision node. A probe of several actions found a lower bound for the mover, if it found anything."""
    bound = bound_of(value, low, high) if variant.prune else EXACT
    if variant.probe and work.exact == 0:
        bound = NOTHING if bound == UPPER else LOWER
    remember(work, key, depth, action, value, bound)
