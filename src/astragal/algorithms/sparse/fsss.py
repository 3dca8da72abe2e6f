"""Forward Search Sparse Sampling (Walsh, Goschin & Littman 2010), for two players.

The tree is that of sparse sampling: at a chance node `width` outcomes are drawn. But its nodes have bounds on their
values, and are expanded by trials from the root. A trial follows the action with the greatest upper bound, the second
player the one with the least lower bound, then the outcome whose bounds are widest, and backs bounds up on its way
back. At closure the root's bounds are one number, the value that `expss` finds by searching all of the tree.

Samples are drawn by the key of the state, as `expss` draws them, so the two trees are the same
(`astragal.algorithms.star.outcomes`). Depth is counted as there: a chance node after an action belongs to the action's
unit, and a chance node straight after a chance node costs a unit.

Departures from the paper: two players in place of one; no discount; equal outcomes drawn at a chance node are one node,
and count as often as they were drawn when the widest is chosen.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.table import EXACT, LOWER, UPPER
from astragal.algorithms.depth_first.work import exhausted
from astragal.algorithms.star.outcomes import outcome_set
from astragal.compiler.guard import finite, in_turn
from astragal.compiler.intrinsics.native import assign, local_copy, record_maker, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import keyed

NODE = np.dtype(
    [
        ("lower", "f8"),  # what the first player gets at least,
        ("upper", "f8"),  # and at most
        ("chance", "f8"),  # share of the draws that led here
        ("first", "i8"),  # its first child; the others follow
        ("count", "i8"),  # children; 0 if it was not expanded
        ("depth", "i8"),  # units left
        ("turn", "i8"),
    ],
    align=True,
)
USED, CROWDED = range(2)  # what `room` counts: nodes of the tree, and whether there was no room for more
ROOT, NOWHERE = 0, -1
NEXT = 2**33  # from the key of one search to that of the next; no sample has this number
new_drawn = record_maker(lambda size: np.dtype([("number", "u4", (max(size, 1),)), ("chance", "f8", (max(size, 1),))]))


@kernel(entry="forward search sparse sampling")
def plant(game, variant, root, depth, actions, nodes, states, room, works):
    """Begin a tree with a root, expanded in the order given; where searches are repeated, with other samples."""
    work = works[0]
    if work.repeats:
        work.key = keyed(work.key, NEXT)
    room[USED], room[CROWDED] = 1, 0
    node = nodes[ROOT]
    node.lower, node.upper, node.chance = work.low, work.high, 1.0
    node.first, node.count, node.depth, node.turn = 1, 0, depth, game.turn(root[0])
    assign(states[ROOT], root[0])
    if node.turn == CHANCE:
        return
    work.decisions += 1
    in_turn(game, root[0], node.turn)
    for i in range(len(actions)):
        child = local_copy(root[0])
        game.play(child, np.int64(actions[i]))
        put_child(game, variant, child, depth, 1.0, nodes, states, room, work)
    node.count = len(actions)
    back_up(nodes, ROOT)


@kernel(entry="trials of forward search sparse sampling")
def run_trials(game, variant, nodes, states, path, room, values, bounds, works):
    """Make trials until the root is closed, or, where searches are repeated, each of its actions; whether they are.

    Values and the kinds of bounds of the root's actions are written; at a chance root, of the root.
    """
    work = works[0]
    while not exhausted(work):
        start = open_child(nodes, work)
        if start == NOWHERE:
            write_values(nodes, values, bounds)
            return True
        if not make_trial(game, variant, start, nodes, states, path, room, work):
            break
    return False


@kernel
def open_child(nodes, work):
    """Where the next trial begins: at the root, or at one of its children if each must be closed.

    The root is closed when no open action can be better than the best, or as good: of equal ones the first is chosen.
    """
    root = nodes[ROOT]
    if root.turn == CHANCE:
        return np.int64(ROOT if is_open(root) else NOWHERE)
    for i in range(root.first, root.first + root.count):
        if is_open(nodes[i]):
            if work.repeats:
                return np.int64(i)
            if (nodes[i].upper >= root.upper) if root.turn == 0 else (nodes[i].lower <= root.lower):
                return np.int64(ROOT)
    return np.int64(NOWHERE)


@kernel
def is_open(node):
    return node.upper > node.lower


@kernel
def make_trial(game, variant, start, nodes, states, path, room, work):
    """Go down to a node that was not expanded, expand it, and back bounds up; whether there was room."""
    length, at = 0, start
    while nodes[at].count > 0:
        path[length] = at
        length += 1
        at = widest(nodes, at) if nodes[at].turn == CHANCE else most_promising(nodes, at)
    if room[USED] + max(game.max_actions, game.max_outcomes) > len(nodes):
        room[CROWDED] = 1
        return False
    expand(game, variant, at, nodes, states, room, work)
    back_up(nodes, at)
    for i in range(length - 1, -1, -1):
        back_up(nodes, path[i])
    return True


@kernel
def widest(nodes, at):
    """The outcome whose bounds are widest, with the share of draws that led to it."""
    best, most = np.int64(NOWHERE), 0.0
    for i in range(nodes[at].first, nodes[at].first + nodes[at].count):
        width = nodes[i].chance * (nodes[i].upper - nodes[i].lower)
        if width > most:
            best, most = np.int64(i), width
    return best


@kernel
def most_promising(nodes, at):
    """The open action with the greatest upper bound; the second player's has the least lower bound."""
    best, most = np.int64(NOWHERE), -np.inf
    for i in range(nodes[at].first, nodes[at].first + nodes[at].count):
        hope = nodes[i].upper if nodes[at].turn == 0 else -nodes[i].lower
        if hope > most and is_open(nodes[i]):
            best, most = np.int64(i), hope
    return best


@kernel
def expand(game, variant, at, nodes, states, room, work):
    """Give a node its children: one for each action, or for each outcome drawn."""
    state = local_copy(states[at])
    depth, turn = nodes[at].depth, nodes[at].turn
    nodes[at].first = room[USED]
    if turn == CHANCE:
        work.chances += 1
        o = new_drawn(game.max_outcomes)
        count = np.int64(outcome_set(game, variant, state, depth - 1, work, o))
        for i in range(count):
            child = local_copy(state)
            game.deal(child, np.int64(o.number[i]))
            put_node(game, variant, child, depth - 1, o.chance[i], nodes, states, room, work)
    else:
        work.decisions += 1
        in_turn(game, state, turn)
        actions = scratch(np.uint32, game.max_actions)
        count = np.int64(game.actions(state, actions))
        for i in range(count):
            child = local_copy(state)
            game.play(child, np.int64(actions[i]))
            put_child(game, variant, child, depth, 1.0, nodes, states, room, work)
    nodes[at].count = count


@kernel
def put_child(game, variant, state, depth, chance, nodes, states, room, work):
    """Put the state after an action into the tree: the chance node there belongs to the action's unit."""
    left = depth if game.turn(state) == CHANCE else depth - 1
    put_node(game, variant, state, left, chance, nodes, states, room, work)


@kernel
def put_node(game, variant, state, depth, chance, nodes, states, room, work):
    """Put a state into the tree. Ends and states at the horizon have their values."""
    at = room[USED]
    room[USED] += 1
    node = nodes[at]
    turn = np.int64(game.turn(state))
    node.lower, node.upper, node.chance = work.low, work.high, chance
    node.first, node.count, node.depth, node.turn = 0, 0, depth, turn
    if turn == TERMINAL:
        work.terminals += 1
        node.lower = node.upper = game.utility(state, variant.viewer(work))
        finite(state, node.lower)
    elif depth == 0:
        work.leaves += 1
        node.lower = node.upper = game.heuristic(state, variant.viewer(work))
        finite(state, node.lower)
    else:
        assign(states[at], state)


@kernel
def back_up(nodes, at):
    """The bounds of a node from its children: their means, or the best for its mover."""
    node = nodes[at]
    first = node.first
    if node.turn == CHANCE:
        lower, upper = 0.0, 0.0
        for i in range(first, first + node.count):
            lower += nodes[i].chance * nodes[i].lower
            upper += nodes[i].chance * nodes[i].upper
    else:
        lower, upper = nodes[first].lower, nodes[first].upper
        for i in range(first + 1, first + node.count):
            if node.turn == 0:
                lower, upper = max(lower, nodes[i].lower), max(upper, nodes[i].upper)
            else:
                lower, upper = min(lower, nodes[i].lower), min(upper, nodes[i].upper)
    node.lower, node.upper = lower, upper


@kernel
def write_values(nodes, values, bounds):
    """Each root action's value, or the bound that says it is no better than the best."""
    root = nodes[ROOT]
    if root.turn == CHANCE:
        values[0], bounds[0] = root.lower, EXACT
        return
    for i in range(root.count):
        child = nodes[root.first + i]
        values[i] = child.upper if root.turn == 0 else child.lower
        bounds[i] = EXACT
        if is_open(child):
            bounds[i] = UPPER if root.turn == 0 else LOWER
