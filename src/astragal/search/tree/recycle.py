"""Making room in a tree, and going on with a part of it: the nodes worth keeping slide to the front of the array.

A child always lies after its parent, so one sweep finds what is kept, a second numbers it and a third moves it.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import assign, local_copy
from astragal.game.random import same_state
from astragal.search.tree.nodes import (
    CHANCE_NODE,
    NONE,
    child_at,
    extra_at,
    held_by,
    node_at,
    span_of,
    value_at,
)


@kernel(entry="recycling")
def mark_kept(game, arrays, forward, root, min_visits):
    """Mark with 1 in `forward` the nodes below a root whose parents have so many visits; how many there are."""
    tree = arrays[0]
    used = np.int64(min(tree.used, tree.capacity))
    forward[:used] = 0
    forward[root] = 1
    kept = 0
    for i in range(root, used):
        if forward[i] == 0:
            continue
        kept += 1
        node = node_at(tree, i)
        if node.visits > 0 and keeps_children(node, i == root, min_visits):  # an unvisited slot may be a chunk's link
            mark_children(game, tree, node, forward)
    return kept


@kernel
def keeps_children(node, is_root, min_visits):
    return node.first != NONE and (is_root or node.visits >= min_visits)


@kernel
def mark_children(game, tree, node, forward):
    if node.flags & CHANCE_NODE == 0:
        for i in range(node.count):
            forward[node.first + i] = 1
        return
    span, held = span_of(game), held_by(game)
    at = node.first
    left = np.int64(node.count)
    while left > 0:
        for i in range(span):
            forward[at + i] = 1
        left -= held
        if left > 0:
            at = node_at(tree, at + held).first


@kernel(entry="recycling")
def slide(game, steps, arrays, forward, root, min_visits):
    """Move the marked nodes to the front, in their order, the root to 0."""
    tree = arrays[0]
    used = np.int64(min(tree.used, tree.capacity))
    kept = np.uint32(0)
    for i in range(root, used):
        if forward[i] != 0:
            kept += np.uint32(1)
            forward[i] = kept  # 1 more than its new place
    for i in range(root, used):
        if forward[i] == 0:
            continue
        node = node_at(tree, i)
        if node.visits > 0 and not keeps_children(node, i == root, min_visits):
            node.first, node.count, node.flags = 0, 0, 0
        if node.first != NONE:
            node.first = np.uint32(forward[node.first] - np.uint32(1))
        to = np.int64(forward[i]) - 1
        if to != i:
            assign(node_at(tree, to), node)
            if steps.needs_extra:
                assign(extra_at(tree, to), extra_at(tree, i))
            if steps.backup.keeps_all:
                for player in range(game.players):
                    value_at(game, tree, to, player).value = value_at(game, tree, i, player).value
    tree.used = np.uint64(kept)
    tree.full = 0


FOUND = np.dtype([("node", "i8"), ("visits", "i8"), ("budget", "i8")])


@kernel(entry="finding a position")
def find_node(game, root, target, arrays, depth, found):
    """Look for the most visited node of a state, at most so many plies below the root and within a budget of nodes."""
    find_below(game, root[0], target[0], arrays[0], np.int64(0), np.int64(depth), found)


@kernel
def find_below(game, state, target, tree, at, depth, found):
    node = node_at(tree, at)
    turn = game.turn(state)
    best = found[0]
    best.budget -= 1
    if same_state(state, target) and np.int64(node.visits) > best.visits:
        best.node, best.visits = at, np.int64(node.visits)
    if depth == 0 or best.budget <= 0 or turn == TERMINAL:
        return
    for i in range(node.count):
        index = child_at(game, tree, node, np.int64(i), turn == CHANCE)
        if np.int64(node_at(tree, index).visits) <= best.visits:  # nothing below it has more visits
            continue
        child = local_copy(state)
        if turn == CHANCE:
            game.deal(child, np.int64(node_at(tree, index).action))
        else:
            game.play(child, np.int64(node_at(tree, index).action))
        find_below(game, child, target, tree, np.int64(index), depth - 1, found)
