"""What the *-Minimax family does at a node beside its search: recording, the table, checking, and evaluating leaves.

A decision has a record on the stack, which `enter` fills and `settle` closes. Leaves are most of a tree. A game may
compute the evaluation after an action (`heuristic_after`) or an outcome (`heuristic_dealt`) without letting it happen;
where it returns not a number, a copy of the state is made and evaluated.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.table import (
    EXACT,
    LOWER,
    MIN_DEPTH,
    NOTHING,
    UPPER,
    bound_kind,
    guessed,
    look_up,
    put_first,
    remember,
    turned,
)
from astragal.algorithms.depth_first.work import exhausted, mirrored, note_hidden
from astragal.algorithms.plain_tree import CUT, HORIZON
from astragal.algorithms.star.definition import check_value
from astragal.algorithms.star.outcomes import new_outcomes, sampled_outcomes, within_range
from astragal.compiler.guard import finite, in_turn
from astragal.compiler.intrinsics.native import local_copy, record_maker
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import state_hash

DECISION = np.dtype(
    [
        ("low", "f8"),  # the window as the mover sees it
        ("high", "f8"),
        ("minimises", "?"),  # whether the mover is Min
        ("count", "i8"),  # actions; 1 where chance moves, a forced decision
        ("row", "i8"),  # the recorder's
        ("path", "u8"),  # key of the path to the node
        ("key", "u8"),  # in the table,
        ("guesses", "i8"),  # and what was trusted short of the end before the node was searched
    ],
    align=True,
)
new_decision = record_maker(lambda size: DECISION)


@kernel(inline=True)
def enter(game, variant, state, turn, alpha, beta, actions, here, work):
    """A decision is met: fill its record, and list its actions."""
    here.minimises = variant.minimises(turn, work)
    here.low, here.high = (-beta, -alpha) if here.minimises else (alpha, beta)
    here.path, here.count, here.row = work.path, 1, -1
    if turn != CHANCE:
        work.decisions += 1
        here.row = variant.recorder.enter(work)
        in_turn(game, state, turn)
        here.count = game.actions(state, actions)
        note_hidden(game, state, here.count, work)


@kernel(inline=True)
def uses_table(turn, depth, work):
    return turn != CHANCE and depth >= MIN_DEPTH and work.table != 0


@kernel(inline=True)
def look_up_decision(state, turn, depth, actions, here, work):
    """What kind of value the table has that decides the node, or NOTHING, and the mover's value.

    The table's move, if it is a good one, is put before the others.
    """
    if not uses_table(turn, depth, work):
        return NOTHING, 0.0
    here.key, here.guesses = state_hash(state), guessed(work)
    bound, value, move = look_up(work, here.key, depth, here.low, here.high)
    if bound == NOTHING:
        put_first(actions, here.count, move)
        if work.thread != 0:
            turned(actions, 1, here.count, work)
    return bound, value


@kernel(inline=True)
def leave(variant, value, marks, here, work):
    """A decision is worth this to its mover; its value."""
    return variant.recorder.leave(work, here.row, mirrored(value, here.minimises), here.count, marks)


@kernel(inline=True)
def settle(game, variant, state, turn, depth, best, action, every, here, work):
    """A decision was searched, every action of it or the first: keep what was found and check it; its value."""
    if variant.arranged:
        work.path = here.path
    if uses_table(turn, depth, work):
        bound = bound_kind(best, here.low, here.high) if variant.prune else EXACT
        if not every:  # the first action is a lower bound, if it found anything
            bound = NOTHING if bound == UPPER else LOWER
        remember(work, here.key, depth, action, best, bound, here.guesses)
    if variant.checked and every:
        alpha, beta = (-here.high, -here.low) if here.minimises else (here.low, here.high)
        check_value(game, variant, state, depth, alpha, beta, mirrored(best, here.minimises), work)
    return leave(variant, best, CUT if variant.prune and best >= here.high else 0, here, work)


@kernel(inline=True)
def best_leaf(game, variant, state, actions, here, work):
    """The mover's value of a decision whose actions all lead to the horizon or to an end."""
    best, total, leaves = -np.inf, 0.0, 0
    for i in range(here.count):
        action = np.int64(actions[i])
        variant.recorder.step(work, action, 0)
        value = game.heuristic_after(state, action, variant.viewer(work))
        if value == value:
            leaves += 1
            value = mirrored(variant.recorder.leaf(work, value, HORIZON), here.minimises)
        else:
            child = local_copy(state)
            game.play(child, action)
            value = mirrored(leaf_value(game, variant, child, np.int64(game.turn(child)), work), here.minimises)
        best = max(best, value)
        total += value
        if variant.prune and best >= here.high:
            work.decision_cuts += 1
            break
    work.leaves += leaves
    finite(state, total)
    return best


@kernel(inline=True)
def mean_leaf(game, variant, state, work):
    """The value of a chance node whose outcomes all lead to the horizon or to an end."""
    o = new_outcomes(game.max_outcomes)
    drawn = variant.sampled and not variant.controlled
    if drawn:
        count = sampled_outcomes(game, variant, state, 0, work, o.number, o.chance)
    else:
        count = game.outcomes(state, o.number)
    row = variant.recorder.enter(work)
    total = 0.0
    for i in range(count):  # line (5)
        outcome = np.int64(o.number[i])
        variant.recorder.step(work, outcome, 0)
        chance = o.chance[i] if drawn else game.probability(state, outcome)
        v = leaf_after_outcome(game, variant, state, outcome, work)  # line (9)
        total += chance * v  # line (10)
    return variant.recorder.leave(work, row, within_range(variant, total, work), count, 0)


@kernel(inline=True)
def leaf_after_outcome(game, variant, state, outcome, work):
    """The value at the horizon of the state an outcome leads to."""
    value = game.heuristic_dealt(state, outcome, variant.viewer(work))
    if value == value:
        work.leaves += 1
        return variant.recorder.leaf(work, value, HORIZON)
    child = local_copy(state)
    game.deal(child, outcome)
    return leaf_value(game, variant, child, np.int64(game.turn(child)), work)


@kernel(inline=True)
def leaf_value(game, variant, state, turn, work):
    """The value of a state at the horizon, which an outcome led to."""
    if turn == TERMINAL:
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    work.leaves += 1
    return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)


@kernel(inline=True)
def end_value(game, variant, state, work):
    """The end of the game, above the horizon."""
    if exhausted(work):
        return 0.0
    work.terminals += 1
    return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)


@kernel(inline=True)
def horizon_value(game, variant, state, work):
    """A state at the horizon, which an action led to."""
    if exhausted(work):
        return 0.0
    work.leaves += 1
    return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)


@kernel(inline=True)
def tells_last(game, variant, depth, work):
    """Whether a game evaluates decisions whose actions all lead to the horizon (`best_after`)."""
    return game.tells_best and variant.plain and depth == 1 and work.afterstates != 0


@kernel(inline=True)
def told_value(game, variant, state, outcome, work):
    """The value of such a decision after an outcome, and its leaves; not a number if the game does not compute it."""
    child = local_copy(state)
    game.deal(child, outcome)
    return game.best_after(child, variant.viewer(work)) if game.turn(child) >= 0 else (np.nan, 0)
