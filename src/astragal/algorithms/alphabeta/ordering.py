"""The order in which alpha-beta tries actions: killers and history, learned while it searches, or evaluations.

A **killer** is an action that cut a node at the same distance from the root; two are kept for each, the newer first
(Akl & Newborn 1977). The **history** of an action adds up the squares of the depths at which it was best or cut,
wherever that was (Schaeffer 1983, who counted powers of two, which outgrow any counter). Both are kept for each player
apart: an action's number means another thing to the other. The table's move comes before both, killers before
history, and what is equal keeps the game's own order.

History is kept by the low bits of an action's number; actions that share them share their history, which can cost
time but no correctness.

In Kalah and Connect Four, history alone expands a fifth fewer nodes than both, so killers are off unless asked for.

Actions can also be ordered by the **evaluation** after them, which costs a move and an evaluation each. Those after
which the player moves again come first: they cost nothing but depth. What is equal keeps the order that it had.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.algorithms.limits import MAX_DEPTH
from astragal.compiler.intrinsics.native import local_copy, record_reader, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import TERMINAL

NO_ACTION = 2**32 - 1
SLOTS = 1024  # of history for each player
LEVELS = MAX_DEPTH + 1
KILLER = 1 << 62  # more than any history
ORDERING = np.dtype(
    [
        ("use_killers", "i8"),
        ("use_history", "i8"),
        ("killers", "u4", 4 * LEVELS),  # [distance from the root, player, newer or older]
        ("history", "i8", 2 * SLOTS),  # [player, slot]
    ],
    align=True,
)
ordering_at = record_reader(ORDERING)


def new_ordering(killers: bool, history: bool) -> npt.NDArray[np.void]:
    """What is known of actions before a search: nothing."""
    ordering = np.zeros(1, ORDERING)
    ordering["use_killers"], ordering["use_history"] = killers, history
    ordering["killers"] = NO_ACTION
    return ordering


@kernel
def killer_slot(work, turn, depth):
    return 4 * (work.root_depth - depth) + 2 * turn


@kernel
def history_slot(turn, action):
    return SLOTS * turn + (np.int64(action) & (SLOTS - 1))


@kernel
def put_in_order(game, work, turn, depth, actions, count):
    """Sort the actions of a node by what is known of them, the best first."""
    known = ordering_at(work.ordering, 0)
    killer = killer_slot(work, turn, depth)
    scores = scratch(np.int64, game.max_actions)
    for i in range(count):
        action = actions[i]
        score: Any = np.int64(0)
        if known.use_history != 0:
            score = known.history[history_slot(turn, action)]
        if known.use_killers != 0:
            if action == known.killers[killer]:
                score = KILLER + 1
            elif action == known.killers[killer + 1]:
                score = KILLER
        at = i
        while at > 0 and scores[at - 1] < score:
            actions[at], scores[at] = actions[at - 1], scores[at - 1]
            at -= 1
        actions[at], scores[at] = action, score


@kernel
def put_by_evaluation(game, state, turn, actions, count):
    """Sort the actions of a node by what they lead to: moving again, then the mover's evaluation or utility."""
    again = scratch(np.bool_, game.max_actions)
    scores = scratch(np.float64, game.max_actions)
    for i in range(count):
        action = actions[i]
        child = local_copy(state)
        game.play(child, np.int64(action))
        after = np.int64(game.turn(child))
        value = game.utility(child, turn) if after == TERMINAL else game.heuristic(child, turn)
        at = i
        while at > 0 and (again[at - 1], scores[at - 1]) < (after == turn, value):
            actions[at], again[at], scores[at] = actions[at - 1], again[at - 1], scores[at - 1]
            at -= 1
        actions[at], again[at], scores[at] = action, after == turn, value


@kernel
def learn(work, turn, depth, action, cut):
    """Note the best action of a node, which may have cut it."""
    known = ordering_at(work.ordering, 0)
    if known.use_history != 0:
        known.history[history_slot(turn, action)] += depth * depth
    if cut and known.use_killers != 0:
        killer = killer_slot(work, turn, depth)
        if known.killers[killer] == action or known.killers[killer + 1] == action:
            work.killer_cuts += 1
        if known.killers[killer] != action:
            known.killers[killer + 1] = known.killers[killer]
            known.killers[killer] = action
