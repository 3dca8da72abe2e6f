"""Making room in a tree, and going on with a part of it: the nodes worth keeping slide to the front of the array.

Most children lie after their parents, so that a few sweeps find what is kept; one more numbers it, and one moves it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.tree.nodes import (
    CHANCE_NODE,
    NONE,
    child_at,
    held_by,
    move_node,
    node_at,
    slots_of,
)
from astragal.compiler.intrinsics.native import local_copy
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import same_state

MARKED, LOOKED_AT = 1, 2  # in `forward`, before places are given


@kernel(entry="recycling")
def mark_kept(game, steps, arrays, forward, root, min_visits):
    """Mark in `forward` the nodes below a root whose parents have this many visits; how many there are."""
    tree = arrays[0]
    used = np.int64(min(tree.used, tree.capacity))
    forward[:used] = 0
    forward[root] = MARKED
    kept, before = 0, -1
    while kept != before:  # again, if there may be children that lie before their parents
        before = kept
        for i in range(used):
            if forward[i] != MARKED:
                continue
            forward[i] = LOOKED_AT
            kept += 1
            node = node_at(tree, i)
            if node.visits > 0 and keeps_children(node, i == root, min_visits):  # an unvisited slot may be a link
                mark_children(game, steps, tree, node, forward)
    return kept


@kernel
def keeps_children(node, is_root, min_visits):
    return node.first != NONE and (is_root or node.visits >= min_visits)


@kernel
def mark_children(game, steps, tree, node, forward):
    if node.flags & CHANCE_NODE == 0:
        for i in range(node.count):
            forward[node.first + i] = MARKED
        return
    left = np.int64(node.count)
    slots, held = slots_of(game, steps, left), held_by(game)
    at = node.first
    while left > 0:
        for i in range(slots):
            forward[at + i] = MARKED
        left -= held
        if left > 0:
            at = node_at(tree, at + held).first


@kernel(entry="recycling")
def slide(game, steps, arrays, forward, root, min_visits):
    """Move the marked nodes to the front, in their order, the root to 0, where another was or it is already."""
    tree = arrays[0]
    used = np.int64(min(tree.used, tree.capacity))
    kept = np.uint32(1)
    for i in range(used):
        if i == root:
            forward[i] = 1  # 1 more than its new place
        elif forward[i] != 0:
            kept += np.uint32(1)
            forward[i] = kept
    for i in range(used):
        if forward[i] == 0:
            continue
        node = node_at(tree, i)
        if node.visits > 0 and not keeps_children(node, i == root, min_visits):
            node.first, node.count, node.flags = 0, 0, 0
        if node.first != NONE:
            node.first = np.uint32(forward[node.first] - np.uint32(1))
        to = np.int64(forward[i]) - 1
        if to != i:
            move_node(game, steps, tree, i, to)
    tree.used = np.uint64(kept)
    tree.spare = 0
    tree.full = 0


FOUND = np.dtype([("node", "i8"), ("visits", "i8"), ("budget", "i8")])


@kernel(entry="finding a position")
def find_node(game, root, target, arrays, depth, found):
    """Look for the most visited node of a state, up to some plies below the root and within a budget of nodes."""
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
