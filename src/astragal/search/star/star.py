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

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.guard import finite, in_turn
from astragal.game.kernel import kernel, twin_kernel
from astragal.game.native import local_copy, scratch
from astragal.game.random import state_hash
from astragal.search.depth_first.sides import mirrored
from astragal.search.depth_first.table import EXACT, MIN_DEPTH, NOTHING, bound_kind, look_up, put_first, remember
from astragal.search.depth_first.work import exhausted
from astragal.search.plain_tree import CUT, FROM_TABLE, HORIZON
from astragal.search.star.chance import chance_value
from astragal.search.star.definition import check_value
from astragal.search.star.leaves import best_leaf
from astragal.search.star.recursion import own_address, recurse


@kernel
def value_of(game, variant, state, turn, depth, alpha, beta, work):
    """Alpha-beta over the actions of a state that is not terminal, with depth > 0 units left.

    This is alphabeta1 and alphabeta2 of the paper. A state whose turn is CHANCE is a forced decision, its only action
    being to let chance happen. Inside, the window and the best value are the mover's.
    """
    if exhausted(work):
        return 0.0
    if variant.prune and depth <= work.prune_above:
        return variant.unpruned_value(game, state, turn, depth, alpha, beta, work)
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


# the same where nothing is pruned, for its twin to go over to near the horizon; last, since it is made of all the above
unpruned_value_of = twin_kernel(value_of, "unpruned_value_of")
