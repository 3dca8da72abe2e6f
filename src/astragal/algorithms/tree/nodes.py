"""The nodes of a search tree, in one flat array with a memory limit.

Children lie side by side: scanning them for selection reads one stretch of memory. The children of a decision are made
all at once. Those of a chance node are made as they are drawn, in chunks of slots; where there can be more outcomes
than a chunk holds, its last slot links to the next chunk. Where there cannot, the first two lie in a small chunk, since
half of all chance nodes never get a third; with the third they move to one for all of them. (Not in a tree that threads
share, who may be at a node while it moves.) Otherwise a child lies after its parent, so that compacting the array
(`astragal.algorithms.tree.recycle`) takes a few sweeps.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.atomic import atomic_add, atomic_store, take_lock
from astragal.compiler.intrinsics.native import assign, prefetch, record_reader, scratch
from astragal.compiler.kernel import kernel

NODE = np.dtype(
    [
        ("sum", "f8"),  # rewards of its owner, the player who chose it, added up above a floor; or its minimax value
        ("visits", "u4"),
        ("first", "u4"),  # where its children begin; 0 while it has none
        ("action", "u4"),  # the action or outcome that leads to it
        ("count", "u2"),  # how many children it has
        ("winner", "u1"),  # 1 + the player for whom it is a proven win; 0 if unknown
        ("flags", "u1"),  # its lowest bit is a lock, taken while a thread adds children
    ]
)
NODE_BYTES = NODE.itemsize
EXTRA = np.dtype(
    [
        ("lower", "f8"),  # what player 0 gets at least,
        ("upper", "f8"),  # and at most, with best play
        ("chance", "f8"),  # probability of the outcome that leads here
        ("own", "f8"),  # its owner's reward of the first visit, its own evaluation
    ]
)
VALUE = np.dtype([("value", "f8")])
TREE = np.dtype(
    [
        ("nodes", "u8"),  # addresses of the arrays: of NODE,
        ("extra", "u8"),  # of EXTRA, if the search needs it,
        ("values", "u8"),  # of VALUE, for each node and player, if it needs them,
        ("history", "u8"),  # of the history of actions (`astragal.algorithms.tree.steps.history`)
        ("shares", "u8"),  # and of what outcomes are whose, among threads (`astragal.algorithms.tree.sharing`)
        ("capacity", "u8"),
        ("low", "f8"),  # range of the game's utilities, the bounds of a new node
        ("high", "f8"),
        ("apart", "u8", 16),  # what threads write must not share a line of memory with what they read at every node
        ("used", "u8"),  # nodes taken, slots for children not visited yet included
        ("spare", "u8"),  # the first of the small chunks that are free again, each of which leads to the next; or 0
        ("full", "u8"),  # whether a node was refused for want of room
        ("after", "u8", 16),
    ]
)
DENSE_OUTCOMES = 16  # where there are no more outcomes than this, a chance node has room for all from the start
FEW = 2  # slots of the small chunk that it begins with
CHUNK = 8  # slots of a chunk otherwise, one of them the link
CHANCE_NODE = 2  # flag beside the lock: it has outcomes for children
NONE = np.uint32(0)  # no node: the root, 0, is no child

read_node, read_extra, read_value = record_reader(NODE), record_reader(EXTRA), record_reader(VALUE)


@kernel(inline=True)
def node_at(tree, index):
    return read_node(tree.nodes, np.int64(index))


@kernel(inline=True)
def extra_at(tree, index):
    return read_extra(tree.extra, np.int64(index))


@kernel(inline=True)
def fetch_children(tree, node):
    """Ask the memory for a node's children while its action is played: in a large tree they are far away."""
    place = tree.nodes + np.uint64(node.first) * np.uint64(NODE_BYTES)
    prefetch(place)
    prefetch(place + np.uint64(64))


@kernel
def value_at(game, tree, index, player):
    """A cell that holds what a node is worth to a player."""
    return read_value(tree.values, np.int64(index) * game.players + player)


@kernel
def span_of(game):
    """Slots of a chunk of a chance node's children."""
    return game.max_outcomes if game.max_outcomes <= DENSE_OUTCOMES else CHUNK


@kernel
def held_by(game):
    """Children that a chunk holds: all its slots, or all but the link."""
    return game.max_outcomes if game.max_outcomes <= DENSE_OUTCOMES else CHUNK - 1


@kernel
def begins_small(game, steps):
    """Whether a chance node's children begin in a small chunk."""
    return not steps.shared and FEW < game.max_outcomes <= DENSE_OUTCOMES


@kernel
def slots_of(game, steps, count):
    """Slots of the chunk, or of each chunk, of a chance node with this many children."""
    return FEW if begins_small(game, steps) and count <= FEW else span_of(game)


@kernel
def take_room(steps, tree, count):
    """The index of the first of `count` new nodes, or NONE if there is no room."""
    if tree.used + count > tree.capacity:
        tree.full = 1
        return NONE
    if steps.shared:
        index = atomic_add(tree, "used", np.uint64(count))
        if index + count > tree.capacity:  # another thread took the last room; what is left at the end stays unused
            tree.full = 1
            return NONE
        return np.uint32(index)
    index = tree.used
    tree.used = index + np.uint64(count)
    return np.uint32(index)


@kernel
def clear_node(steps, tree, index, action):
    """Make a node that was never visited."""
    node = node_at(tree, index)
    node.sum = 0.0
    node.visits = 0
    node.first = 0
    node.action = action
    node.count = 0
    node.winner = 0
    node.flags = 0
    if steps.needs_extra:
        more = extra_at(tree, index)
        more.lower, more.upper, more.chance, more.own = tree.low, tree.high, 0.0, 0.0


@kernel
def add_actions(steps, tree, node, actions, count):
    """Give a decision node all its children at once; whether there was room, and no other thread was at it."""
    if steps.shared and not take_lock(node):
        return False
    if steps.shared and node.first != NONE:
        unlock(steps, node, 0)
        return True
    first = take_room(steps, tree, count)
    if first != NONE:
        for i in range(count):
            clear_node(steps, tree, first + np.uint32(i), actions[i])
        node.count = count
        publish(steps, node, first)
    unlock(steps, node, 0)
    return first != NONE


@kernel
def publish(steps, node, first):
    """Make the children visible, to other threads only when they are ready."""
    if steps.shared:
        atomic_store(node, "first", first)
    else:
        node.first = first


@kernel(inline=True)
def find_outcome(game, tree, node, outcome):
    """The child of a chance node for an outcome, or NONE."""
    held = held_by(game)
    at = node.first
    left = np.int64(node.count)
    while left > 0:
        here = min(left, held)
        for i in range(here):
            if node_at(tree, at + i).action == outcome:
                return np.uint32(at + i)
        left -= here
        if left > 0:
            at = node_at(tree, at + held).first
    return NONE


@kernel
def add_outcome(game, steps, tree, node, state, outcome):
    """A new child of a chance node, or NONE if there is no room or another thread is adding one."""
    if steps.shared and not take_lock(node):
        return NONE
    if steps.shared:
        found = find_outcome(game, tree, node, outcome)  # added between our look and our lock
        if found != NONE:
            unlock(steps, node, CHANCE_NODE)
            return found
    slot = free_slot(game, steps, tree, node)
    if slot != NONE:
        node_at(tree, slot).action = outcome
        if steps.needs_extra:
            extra_at(tree, slot).chance = chance_of(game, steps, state, outcome)
        if steps.shared:  # other threads see it from now on
            atomic_add(node, "count", np.uint16(1))
        else:
            node.count += 1
    unlock(steps, node, CHANCE_NODE)
    return slot


@kernel
def chance_of(game, steps, state, outcome):
    """The probability of an outcome, or of all those it stands for."""
    if not steps.merge:
        return game.probability(state, outcome)
    outcomes = scratch(np.uint32, game.max_outcomes)
    total = 0.0
    for i in range(game.outcomes(state, outcomes)):
        if game.representative(state, np.int64(outcomes[i])) == outcome:
            total += game.probability(state, np.int64(outcomes[i]))
    return total


@kernel
def unlock(steps, node, flags):
    """Let go of a node, with the flags it has from now on."""
    if steps.shared:
        atomic_store(node, "flags", np.uint8(flags))
    else:
        node.flags = flags


@kernel
def free_slot(game, steps, tree, node):
    """Where the next child of a chance node goes; a chunk is added where the last one is full."""
    span, held = span_of(game), held_by(game)
    count = np.int64(node.count)
    if begins_small(game, steps) and count <= FEW:
        return slot_of_few(game, steps, tree, node, span)
    place = count % held
    if place == 0:
        chunk = take_room(steps, tree, span)
        if chunk == NONE:
            return NONE
        for i in range(span):  # recycling looks at all of them, and the last may be the link
            clear_node(steps, tree, chunk + np.uint32(i), 0)
        if count == 0:
            publish(steps, node, chunk)
        else:
            link = node_at(tree, last_chunk(tree, node, held) + held)
            publish(steps, link, chunk)
        return chunk
    return np.uint32(last_chunk(tree, node, held) + place)


@kernel
def slot_of_few(game, steps, tree, node, span):
    """The same for one of the first children, or for the one with which all of them move."""
    count = np.int64(node.count)
    if 0 < count < FEW:
        return np.uint32(node.first + np.uint32(count))
    if count == 0 and tree.spare != 0:
        chunk = np.uint32(tree.spare)
        tree.spare = np.uint64(node_at(tree, chunk).first)
    else:
        chunk = take_room(steps, tree, FEW if count == 0 else span)
    if chunk == NONE:
        return NONE
    for i in range(FEW if count == 0 else span):
        clear_node(steps, tree, chunk + np.uint32(i), 0)
    if count == FEW:
        for i in range(FEW):
            move_node(game, steps, tree, np.int64(node.first) + i, np.int64(chunk) + i)
        node_at(tree, node.first).first = np.uint32(tree.spare)
        tree.spare = np.uint64(node.first)
    node.first = chunk
    return np.uint32(chunk + np.uint32(count))


@kernel
def move_node(game, steps, tree, here, to):
    """Copy all that is known of a node to another place."""
    assign(node_at(tree, to), node_at(tree, here))
    if steps.needs_extra:
        assign(extra_at(tree, to), extra_at(tree, here))
    if steps.backup.keeps_all:
        for player in range(game.players):
            value_at(game, tree, to, player).value = value_at(game, tree, here, player).value


@kernel
def last_chunk(tree, node, held):
    """Where the chunk of the last child begins."""
    at = node.first
    left = np.int64(node.count)
    while left > held:
        at = node_at(tree, at + held).first
        left -= held
    return at


@kernel
def child_at(game, tree, node, i, chance):
    """The index of the i-th child of a decision or chance node."""
    at = node.first
    if chance:
        held = held_by(game)
        while i >= held:
            at = node_at(tree, at + held).first
            i -= held
    return np.uint32(at + i)
