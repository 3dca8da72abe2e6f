"""Monte Carlo Search: Genesereth & Thielscher, Section 8.2 (`maxscore`, `minscore`, `montecarlo`, `depthcharge`).

Two phases. The game is expanded from each action of the root for a number of levels, a level being a decision; then
each state of the fringe is probed with random games. The searcher's decisions take the largest value of their actions,
everybody else's the smallest, chance nodes their expectation. A value that needs no probe is certain: a certain best
score is returned at once, as the book's `if (result==100) return 100`, and so is a certain worst one at an opponent's
decision.

With time to spare it all happens again, and each state of the fringe averages over all its probes so far. (To average
the values of the root instead would keep the error that taking the best of few random means makes.)

Departures: the book starts `score` at 0, which is right for its utilities; ours may be negative.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.tree.nodes import NONE, add_actions, add_outcome, child_at, node_at
from astragal.algorithms.tree.steps.evaluate import end_rewards
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL


@kernel(entry="Monte Carlo search")
def search_passes(game, steps, root, arrays, actions, values, certain, works):
    """Value each action of the root again and again, up to a number of probes, or until nothing is left to find out."""
    work = works[0]
    over = False
    while not over and work.sims < work.pause_at:
        over = search_pass(game, steps, root[0], arrays[0], actions, values, certain, work)


@kernel
def search_pass(game, steps, state, tree, actions, values, certain, work):
    """Value each action of the root once more; whether that was the last time. At a chance root there is one value."""
    turn = np.int64(game.turn(state))
    if not has_children(game, steps, state, turn, tree, node_at(tree, 0)):
        return True
    all_certain = True
    for i in range(len(actions)):
        child = local_copy(state)
        at, levels = np.int64(0), work.levels + 1
        if turn != CHANCE:
            game.play(child, np.int64(actions[i]))
            at, levels = np.int64(child_at(game, tree, node_at(tree, 0), i, False)), work.levels
        value = score(game, steps, child, tree, at, levels, work)
        if work.stop:
            return True
        values[i], certain[i] = value, work.certain
        if work.certain and value >= work.high:
            return True
        all_certain &= work.certain != 0
    return all_certain


@kernel
def score(game, steps, state, tree, at, levels, work):
    """What a state is worth to the searcher, with `levels` to expand; `work.certain` is set if that is exact.

    A chance node at the root, or reached straight from a chance outcome, is a forced decision and costs a level, as
    everywhere, so that there is an end to it.
    """
    turn = np.int64(game.turn(state))
    node = node_at(tree, at)
    if turn == TERMINAL:
        work.terminals += node.visits == 0
        end_rewards(game, state, work)
        node.visits, node.sum = 1, work.rewards[work.root_player]
        work.certain = 1
        return node.sum
    if levels == 0 or not has_children(game, steps, state, turn, tree, node):
        return probe(game, steps, state, tree, node, work)
    own = turn == work.root_player
    best = -np.inf if own else np.inf
    total, certain = 0.0, 1
    for i in range(node.count):
        index = child_at(game, tree, node, np.int64(i), turn == CHANCE)
        move = np.int64(node_at(tree, index).action)
        child = local_copy(state)
        if turn == CHANCE:
            game.deal(child, move)
            left = levels - 1 if at == 0 or game.turn(child) == CHANCE else levels
            value = score(game, steps, child, tree, np.int64(index), left, work)
            total += game.probability(state, move) * value
        else:
            game.play(child, move)
            value = score(game, steps, child, tree, np.int64(index), levels - 1, work)
            best = max(best, value) if own else min(best, value)
        if work.stop:
            return 0.0
        if work.certain and turn != CHANCE and (value >= work.high if own else value <= work.low):
            return value
        certain &= work.certain
    work.certain = certain
    return total if turn == CHANCE else best


@kernel
def has_children(game, steps, state, turn, tree, node):
    """Whether a node has its children, which it is given if there is room."""
    if node.first != NONE:
        return True
    if turn != CHANCE:
        actions = scratch(np.uint32, game.max_actions)
        count = game.actions(state, actions)
        return add_actions(steps, tree, node, actions, count)
    outcomes = scratch(np.uint32, game.max_outcomes)
    count = game.outcomes(state, outcomes)
    if tree.used + np.uint64(2 * count + 2) > tree.capacity:  # all of them or none
        return False
    for i in range(count):
        add_outcome(game, steps, tree, node, state, np.int64(outcomes[i]))
    return True


@kernel
def probe(game, steps, state, tree, node, work):
    """`montecarlo`: the mean of random games from a state of the fringe, over all passes."""
    work.certain = 0
    work.added += node.visits == 0
    copy = local_copy(state)
    for _ in range(work.rollouts):
        if work.sims >= work.sim_limit:
            work.stop = 1
        if work.stop:
            return 0.0
        assign(copy, state)
        work.generator = steps.evaluate.rollout(game, steps, copy, tree, work.generator, work)
        node.sum += work.rewards[work.root_player]
        node.visits += 1
        work.sims += 1
    return node.sum / node.visits
