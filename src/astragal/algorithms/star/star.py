"""Expectimax, Star1 and Star2, exact and with sparse sampling: Algorithms 1 and 2 of Lanctot et al. 2013.

Read `astragal.algorithms.star.definition` first: the value that all of these find, in 35 lines.

One node routine for all six, `value_of`, compiled for a `astragal.algorithms.star.variant`: `variant.sampled` says how
a chance node's outcomes are listed (line 4 of both algorithms), `variant.prune` whether bounds are kept,
`variant.probe` whether Star2's probing pass runs. Values are those of one player (`variant.viewer`), player 0 in a game
of two, who is Max; `variant.minimises` says who is Min. They are in the game's utilities; windows are the general
alpha-beta form, since a chance outcome may decide who moves next and a player may move several times in a row.

The algorithm is in `alphabeta` here and in `expectation`, `star`, `probing_pass` and `full_pass` of `chance`. What is
done beside it at each node, before or after, is in functions of their own: those of `nodes`, and below `alphabeta` the
chance nodes that need no search or a simpler one.

Depth is the paper's d. One unit is a decision with the chance node after it; at the horizon that chance node is still
listed or sampled, and the decision states below it are evaluated (the state before the roll with
`work.afterstates`). A chance node reached straight from a chance outcome counts as a forced decision and costs a unit.

A search that is stopped unwinds at once, and what it returns on the way means nothing.

Departures from the paper as printed:
- cuts are tested on **unclamped** child windows; the paper's clamped ones cut on an ordinary loss (v = v_min);
- a probe of a Min child gives an upper bound, as the pseudo-code says and the text does not;
- bounds are kept incrementally (Hauk et al. 2004), and results are fail-soft;
- a probe's value counts as a bound only when it is one: at Max when it lies above the window's lower end, at Min below
  the upper end;
- with a table of values, what a probe is unlikely to cut is not probed (`may_cut` of `chance`);
- a child with a single legal action is exact and not searched again, a terminal child sets both bounds, and a chance
  child is not probed.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.table import EXACT, NO_MOVE, NOTHING, bound_kind, fetch, guessed, look_up, remember
from astragal.algorithms.depth_first.work import counted, exhausted, mirrored
from astragal.algorithms.plain_tree import CUT, FROM_TABLE, HORIZON
from astragal.algorithms.star.chance import (
    expectation,
    leans_on_depth,
    own_address,
    recurse,
    star,
    value_of_dealt,
    value_range,
)
from astragal.algorithms.star.nodes import (
    best_leaf,
    end_value,
    enter,
    horizon_value,
    leaf_value,
    leave,
    look_up_decision,
    new_decision,
    settle,
    tells_last,
)
from astragal.algorithms.star.outcomes import DISTINCT, new_outcomes, note_outcome, only_outcome, outcome_set
from astragal.compiler.guard import finite
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel, twin_kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import state_hash


@kernel
def value_of(game, variant, state, turn, depth, alpha, beta, work):
    """The value of a state that is not terminal, with depth > 0 units left: `alphabeta`, and what is beside it.

    A state whose turn is CHANCE is a forced decision, its only action being to let chance happen.
    """
    if exhausted(work):
        return 0.0
    if variant.prune and depth <= work.prune_above:
        return variant.unpruned_value(game, state, turn, depth, alpha, beta, work)
    here, actions = new_decision(0), scratch(np.uint32, game.max_actions)
    enter(game, variant, state, turn, alpha, beta, actions, here, work)
    bound, known = look_up_decision(state, turn, depth, actions, here, work)
    if bound != NOTHING:
        return leave(variant, known, FROM_TABLE, here, work)
    if variant.forward and variant.cuts_early(game, state, turn, depth, actions, here, work, own_address()):
        return leave(variant, here.high, CUT, here, work)
    best, action = alphabeta(game, variant, state, turn, depth, actions, here, work, own_address())
    if depth > 1 and work.stop != 0:
        return 0.0
    return settle(game, variant, state, turn, depth, best, action, True, here, work)


@kernel(inline=True)
def alphabeta(game, variant, state, turn, depth, actions, here, work, me):
    """alphabeta1 and alphabeta2 of the paper, which prints neither: the mover's value of a decision, and an action.

    Comments name the lines as `astragal.algorithms.walkthrough.pseudo_code` has them.
    """
    if depth == 1 and turn != CHANCE and work.afterstates != 0:
        return best_leaf(game, variant, state, actions, here, work), np.int64(0)
    best, best_action, floor = -np.inf, np.int64(0), here.low
    for i in range(here.count):  # line a1
        child, action = local_copy(state), np.int64(0)
        if turn != CHANCE:
            action = np.int64(actions[i])
            game.play(child, action)
            variant.note_action(state, action, here.path, work)
        a, b = (-here.high, -floor) if here.minimises else (floor, here.high)
        value = finite(state, value_after_action(game, variant, child, depth, a, b, work, me))  # line a2
        value = mirrored(value, here.minimises)
        if depth > 1 and work.stop != 0:  # nearer to the horizon it costs less to go on
            break
        if value > best:  # line a3
            best, best_action = value, action
            floor = max(floor, best)
            if variant.prune and best >= here.high:  # line a4; not the floor: rounding can leave a window empty
                work.decision_cuts += 1
                break
    return best, best_action  # line a5


@kernel(inline=True)
def value_after_action(game, variant, state, depth, alpha, beta, work, me):
    """The value of the state an action led to: the end, the horizon, another decision at once, or a chance node."""
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        return end_value(game, variant, state, work)
    if depth == 1 and (turn != CHANCE or work.afterstates != 0):
        return horizon_value(game, variant, state, work)
    if turn != CHANCE:
        return recurse(me, game, variant, state, turn, depth - 1, alpha, beta, work)
    if exhausted(work):
        return 0.0
    work.chances += 1
    return chance_value(game, variant, state, depth - 1, alpha, beta, work, me)


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
        fetch(work, key, depth)
    if depth > 0:
        low, high = value_range(game, variant, state, depth, work)
        if variant.prune and (low >= beta or high <= alpha):
            work.ceiling_cuts += 1
            work.trusted += leans_on_depth(game, variant, state, low, high, work)
            return variant.recorder.leaf(work, low if low >= beta else high, CUT)
    if not use_table:
        return searched_chance_value(game, variant, state, depth, alpha, beta, work, me)
    bound, value, _ = look_up(work, key, depth, alpha, beta)
    if bound != NOTHING:
        return variant.recorder.leaf(work, value, FROM_TABLE)
    guesses = guessed(work)
    value = searched_chance_value(game, variant, state, depth, alpha, beta, work, me)
    remember(work, key, depth, NO_MOVE, value, bound_kind(value, alpha, beta) if variant.prune else EXACT, guesses)
    return value


@kernel(inline=True)
def searched_chance_value(game, variant, state, depth, alpha, beta, work, me):
    """A chance node by its outcomes."""
    if variant.sampled and not variant.controlled and draws_one(variant, depth, work):
        return sampled_once(game, variant, state, depth, alpha, beta, work, me)
    if variant.prune:
        if depth == 0:  # apart, so that what is the same for all of its leaves is found once
            return star(game, variant, state, np.int64(0), alpha, beta, work, me)
        return star(game, variant, state, depth, alpha, beta, work, me)
    if tells_last(game, variant, depth, work):
        return mean_of_last(game, variant, state, depth, alpha, beta, work, me)
    return expectation(game, variant, state, depth, alpha, beta, work, me)


@kernel(inline=True)
def draws_one(variant, depth, work):
    """Whether a chance node draws a single outcome, which is not to be probed first."""
    if work.widths[depth] != 1 or (variant.probe and depth > 0):
        return False
    return not variant.arranged or work.sampling != DISTINCT


@kernel(inline=True)
def sampled_once(game, variant, state, depth, alpha, beta, work, me):
    """A chance node that draws one outcome and has its value: it happens in place, as the node is not needed again.

    Its window is that of the node.
    """
    if depth == 0 and game.ignores_outcomes and variant.silent:  # so none needs to be drawn
        value = game.heuristic_dealt(state, 0, variant.viewer(work))
        if value == value:
            work.leaves += 1
            return value
    row = variant.recorder.enter(work)
    outcome = only_outcome(game, variant, state, work)
    note_outcome(variant, outcome, 0, work.path, work)
    if depth == 0:
        value = game.heuristic_dealt(state, outcome, variant.viewer(work))
        if value == value:
            work.leaves += 1
            return variant.recorder.leave(work, row, variant.recorder.leaf(work, value, HORIZON), 1, 0)
    game.deal(state, outcome)
    turn = np.int64(game.turn(state))
    if depth == 0:
        return variant.recorder.leave(work, row, leaf_value(game, variant, state, turn, work), 1, 0)
    value = value_of_dealt(game, variant, state, turn, depth, alpha, beta, work, me)
    return variant.recorder.leave(work, row, value, 1, 0)


@kernel(inline=True)
def mean_of_last(game, variant, state, depth, alpha, beta, work, me):
    """`expectation` where outcomes are decided for the last time before the horizon, as far as the game computes it.

    Only a copy's address is handed on, so that LLVM keeps children in registers; limits are far away or looked at by
    those who search.
    """
    o = new_outcomes(game.max_outcomes)
    count = outcome_set(game, variant, state, depth, work, o)
    far = counted(work) + game.max_outcomes * (game.max_actions + 1) < work.node_limit
    total, decisions, leaves = 0.0, 0, 0
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(o.number[i]))
        turn = np.int64(game.turn(child))
        value, told = game.best_after(child, variant.viewer(work)) if turn >= 0 and far else (np.nan, 0)
        if value == value:
            decisions += 1
            leaves += told
        else:
            value = value_of_dealt(game, variant, local_copy(child), turn, 1, alpha, beta, work, me)
        total += o.chance[i] * value
    work.decisions += decisions
    work.leaves += leaves
    return total


# the same where nothing is pruned, for its twin to go over to near the horizon; last, since it is made of all the above
unpruned_value_of = twin_kernel(value_of, "unpruned_value_of")
