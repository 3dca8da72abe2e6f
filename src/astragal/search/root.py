"""Entry kernels: what Python calls to search the actions of a root, or one state with a window."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy
from astragal.game.random import state_hash
from astragal.search.outcomes import step_path
from astragal.search.star import value_of
from astragal.search.table import EXACT, LOWER, UPPER, is_about, slot_of
from astragal.search.work import exhausted, make_room


@kernel(entry="search")
def root_values(game, variant, root, depth, actions, values, bounds, work):
    """Search the actions of the root in the order given; return how many were finished.

    At a chance root there is one value, that of the node. Values are player 0's; one no better than the best before it
    is only a bound.
    """
    state, job = root[0], work[0]
    turn = np.int64(game.turn(state))
    make_room(game, variant, depth, job)
    if exhausted(job):
        return 0
    job.decisions += turn != CHANCE
    path, low, high = job.path, job.low, job.high
    for i in range(len(actions)):
        if variant.prune and low >= high:  # after a certain win nothing can be better, and the window is empty
            values[i], bounds[i] = (high, LOWER) if turn == 1 else (low, UPPER)
            continue
        child = local_copy(state)
        if turn != CHANCE:
            game.play(child, np.int64(actions[i]))
            step_path(job, path, np.int64(actions[i]))
        values[i] = root_value(game, variant, child, depth, low, high, job)
        job.path = path
        if job.stop != 0:
            return i
        bounds[i] = EXACT
        if variant.prune and turn == 0:
            bounds[i] = EXACT if values[i] > low or i == 0 else UPPER
            low = max(low, values[i])
        elif variant.prune and turn == 1:
            bounds[i] = EXACT if values[i] < high or i == 0 else LOWER
            high = min(high, values[i])
    return len(actions)


@kernel
def root_value(game, variant, state, depth, alpha, beta, work):
    """The value of the state after a root action, with depth units left before the action.

    The chance node after the action is searched as what it is to `value_of`: a forced decision of the same depth.
    """
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        work.terminals += 1
        return game.utility(state, 0)
    left = depth if turn == CHANCE else depth - 1
    if left == 0:
        work.leaves += 1
        return game.heuristic(state, 0)
    return value_of(game, variant, state, turn, left, alpha, beta, work)


@kernel(entry="window search")
def window_value(game, variant, root, depth, alpha, beta, work):
    """The value of a state that is not terminal, searched with a window."""
    make_room(game, variant, depth, work[0])
    return value_of(game, variant, root[0], np.int64(game.turn(root[0])), depth, alpha, beta, work[0])


@kernel(entry="best line")
def table_move(root, work):
    """The table's move for a state, and whether it has one."""
    key = state_hash(root[0])
    entry = slot_of(work[0], key)
    return np.int64(entry.move), is_about(work[0], entry, key)
