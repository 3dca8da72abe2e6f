"""How self-play makes moves: the shallow search, what a state is worth some decisions later, and the leaf that says so.

Decisions are cut off by alpha and beta; chance nodes are averaged over all outcomes. A leaf is a state after the last
decision, before the roll. Where chance comes in between, the line goes on with an outcome drawn at random: the mean of
the gradients of such leaves is the gradient of the expected value.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.star.outcomes import listed_outcomes
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import next_word, upper


@kernel
def best_action(game, state, turn):
    """The action after which the evaluation is best for the mover."""
    actions = scratch(np.uint32, game.max_actions)
    count = game.actions(state, actions)
    best, chosen = -np.inf, np.int64(actions[0])
    if count == 1:
        return chosen
    for i in range(count):
        child = local_copy(state)
        game.play(child, np.int64(actions[i]))
        value = game.utility(child, turn) if game.turn(child) == TERMINAL else game.heuristic(child, turn)
        if value > best:
            best, chosen = value, np.int64(actions[i])
    return chosen


@kernel
def chosen_action(game, state, turn, depth, leaves):
    """The mover's best action by a search of this depth in decisions."""
    if depth == 1:
        return best_action(game, state, turn)
    return value_ahead(game, state, turn, depth, -np.inf, np.inf, np.uint64(0), leaves)[1]


@kernel
def value_ahead(game, state, viewer, depth, alpha, beta, generator, leaves):
    """What a state is worth to the viewer this many decisions later, and the best action.

    The leaf is written to ``leaves[depth]``; it has the value unless that is outside the window.
    """
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        assign(leaves[depth], state)
        return np.float64(game.utility(state, viewer)), np.int64(0)
    if depth == 0:
        assign(leaves[0], state)
        return np.float64(game.heuristic(state, viewer)), np.int64(0)
    generator, word = next_word(generator)
    if turn == CHANCE:
        outcomes = scratch(np.uint32, game.max_outcomes)
        chances = scratch(np.float64, game.max_outcomes)
        count = listed_outcomes(game, state, True, outcomes, chances)
        drawn = drawn_of(chances, count, word)
        value = 0.0
        for i in range(count):
            at = (drawn + 1 + i) % count  # the one drawn comes last, and its leaf is what stays
            child = local_copy(state)
            game.deal(child, np.int64(outcomes[at]))
            left = depth - 1 if game.turn(child) == CHANCE else depth  # chance after chance is a forced decision
            below, _ = value_ahead(game, child, viewer, left, -np.inf, np.inf, word + np.uint64(i), leaves)
            if left < depth and i == count - 1:
                assign(leaves[depth], leaves[left])
            value += chances[at] * below
        return value, np.int64(0)
    actions = scratch(np.uint32, game.max_actions)
    maximises = turn == viewer
    best, chosen = -np.inf if maximises else np.inf, np.int64(0)
    for i in range(game.actions(state, actions)):
        child = local_copy(state)
        game.play(child, np.int64(actions[i]))
        value, _ = value_ahead(game, child, viewer, depth - 1, alpha, beta, word + np.uint64(i), leaves)
        if (value > best) if maximises else (value < best):
            best, chosen = value, np.int64(actions[i])
            assign(leaves[depth], leaves[depth - 1])
        if maximises:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, chosen


@kernel
def drawn_of(chances, count, word):
    """The place of an outcome drawn at random."""
    left = np.float64(upper(word)) / 4294967296.0
    for i in range(count - 1):
        left -= chances[i]
        if left < 0.0:
            return i
    return count - 1
