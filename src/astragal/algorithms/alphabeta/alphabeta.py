"""Alpha-beta for games of two players without chance (Knuth & Moore 1975), and what makes it faster.

One node routine, `best_value`, compiled for a variant whose constants say what it does:

- nothing more: MM-k, the plain search that Ramanujan & Selman 2011 compare UCT with (natural order, no table);
- `table`: values, bounds and best actions of states met before (`astragal.algorithms.depth_first.table`);
- `ordered`: killers (Akl & Newborn 1977) and the history of actions (Schaeffer 1983), see `ordering` beside this;
- `evaluated`: actions by the evaluation after them, before any of them is searched;
- `scouts`: principal variation search (Marsland & Campbell 1982; Reinefeld 1983). All actions but the first are
  expected to be no better than the best so far, and are first searched with a window that has no room for a value.

Values are player 0's, in the game's utilities, and results are fail-soft. Windows are in the general form, not negamax,
since a player may move several times in a row. The window of the root is the range of utilities, so that a certain win
ends the search of a node. Depth counts decisions; a finished game is worth its utility, never its evaluation.

Leaves and ends are dealt with in the loop of their parent: a call for each would cost a fifth of the speed. The table
and the ordering are not asked one decision before the horizon, where they cost more than they save.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from astragal.algorithms.alphabeta.ordering import learn, put_by_evaluation, put_in_order
from astragal.algorithms.depth_first.table import (
    MIN_DEPTH,
    NO_MOVE,
    NOTHING,
    bound_kind,
    guessed,
    look_up,
    put_first,
    remember,
    turned,
)
from astragal.algorithms.depth_first.work import SILENT, Silent, exhausted, mirrored, note_hidden
from astragal.algorithms.plain_tree import CUT, FROM_TABLE, HORIZON
from astragal.base.parameters import Constant
from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import local_copy, recursion, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import TERMINAL, compiled
from astragal.rules.random import state_hash

own_address, recurse = recursion(lambda: best_value, types.float64)


@compiled
@dataclass(frozen=True)
class AlphaBetaVariant:
    """What is compiled into a search; without any of it, MM-k. See `astragal.algorithms.depth_first.variant`."""

    table: Constant[bool] = False
    ordered: Constant[bool] = False
    scouts: Constant[bool] = False
    backwards: Constant[bool] = False
    evaluated: Constant[bool] = False
    recorder: Constant[Silent] = SILENT
    sampled = False
    prune = True
    lasting = True
    shares = True

    def viewer(self, work):
        return 0

    def minimises(self, turn, work):
        return turn == 1

    def value(self, game, state, turn, depth, alpha, beta, work):
        return best_value(game, self, state, turn, depth, alpha, beta, work)

    def step(self, work, path, state, action):
        """Nothing is drawn, so no path is kept."""


@kernel(inline=True)
def reverse(actions, count):
    """The last action first. ``for i in range(count >> 1)`` had no end on some processors where the list is full."""
    first, last = 0, count - 1
    while first < last:
        actions[first], actions[last] = actions[last], actions[first]
        first += 1
        last -= 1


@kernel
def best_value(game, variant, state, turn, depth, alpha, beta, work):
    """The value of a decision with depth > 0 decisions left. Inside, the window and the best value are the mover's."""
    if exhausted(work):
        return 0.0
    work.decisions += 1
    row = variant.recorder.enter(work)
    minimises = turn == 1
    low, high = (-beta, -alpha) if minimises else (alpha, beta)
    actions = scratch(np.uint32, game.max_actions)
    in_turn(game, state, turn)
    count = game.actions(state, actions)
    note_hidden(game, state, count, work)
    if variant.backwards:
        reverse(actions, count)

    key, move = np.uint64(0), NO_MOVE
    if variant.table and depth >= MIN_DEPTH:
        key = state_hash(state)
        bound, value, move = look_up(work, key, depth, low, high)
        if bound != NOTHING:
            return variant.recorder.leave(work, row, mirrored(value, minimises), count, FROM_TABLE)
    guesses = guessed(work)
    if variant.ordered and depth >= MIN_DEPTH:
        put_in_order(game, work, turn, depth, actions, count)
    if variant.evaluated and depth >= MIN_DEPTH:
        put_by_evaluation(game, state, turn, actions, count)
    if variant.table and move != NO_MOVE:
        put_first(actions, count, move)
    if variant.table and work.thread != 0 and depth >= MIN_DEPTH:
        turned(actions, 1, count, work)

    best, best_action, floor = -np.inf, np.int64(0), low
    for i in range(count):
        action = np.int64(actions[i])
        variant.recorder.step(work, action, 0)
        told = game.heuristic_after(state, action, 0) if depth == 1 else np.nan
        if told == told:  # not a number if the game does not offer this
            work.leaves += 1
            value = mirrored(variant.recorder.leaf(work, told, HORIZON), minimises)
        else:
            child = local_copy(state)
            game.play(child, action)
            value = value_after(game, variant, child, turn, depth, floor, high, i, work, own_address())
        if depth > 1 and work.stop != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
            floor = max(floor, best)
            if best >= high:
                work.decision_cuts += 1
                break
    if variant.ordered and depth >= MIN_DEPTH and best > low:  # else no action is known to be the best
        learn(work, turn, depth, best_action, best >= high)
    if variant.table and depth >= MIN_DEPTH:
        remember(work, key, depth, best_action, best, bound_kind(best, low, high), guesses)
    return variant.recorder.leave(work, row, mirrored(best, minimises), count, CUT if best >= high else 0)


@kernel(inline=True)
def value_after(game, variant, child, turn, depth, floor, high, place, work, me):
    """The mover's value of the state that the action at a place of the list led to."""
    minimises = turn == 1
    after = np.int64(game.turn(child))
    if after == TERMINAL:
        if exhausted(work):
            return 0.0
        work.terminals += 1
        return mirrored(variant.recorder.leaf(work, game.utility(child, 0), 0), minimises)
    if depth == 1:
        work.leaves += 1
        return mirrored(variant.recorder.leaf(work, game.heuristic(child, 0), HORIZON), minimises)
    if variant.scouts and place > 0:
        return scouted(game, variant, child, turn, after, depth - 1, floor, high, work, me)
    a, b = (-high, -floor) if minimises else (floor, high)
    return mirrored(recurse(me, game, variant, child, after, depth - 1, a, b, work), minimises)


@kernel(inline=True)
def scouted(game, variant, child, turn, after, depth, floor, high, work, me):
    """The mover's value of an action that is expected to be no better than the floor: searched again if it is."""
    minimises = turn == 1
    ceiling = np.nextafter(floor, np.inf)
    a, b = (-ceiling, -floor) if minimises else (floor, ceiling)
    value = mirrored(recurse(me, game, variant, child, after, depth, a, b, work), minimises)
    if value <= floor or value >= high:
        return value
    work.researches += 1
    a, b = (-high, -floor) if minimises else (floor, high)
    return mirrored(recurse(me, game, variant, child, after, depth, a, b, work), minimises)
