"""The graph of positions that a search has met: nodes with bounds, their states, and the edges between them.

A position is one node, whatever path leads to it: it is found by its hash, and compared word by word. The arrays grow
by doubling (`Room` in `search`), and no kernel allocates anything. Ends with the least and the greatest utility have
no state of their own: they are the nodes `LOST` and `WON`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import same_state, state_hash

NODE = np.dtype(
    [
        ("lower", "f8"),  # what the first player gets at least,
        ("upper", "f8"),  # and at most
        ("first", "u4"),  # its first edge
        ("chances", "u4"),  # where the probabilities of its outcomes begin
        ("count", "u4"),  # edges; 0 if it was not expanded
        ("visits", "u4"),
        ("turn", "i1"),
        ("on_path", "u1"),
        ("queued", "u4"),  # of the k-th node: the number of the k-th that is queued for a sweep
    ],
    align=True,
)
COUNTERS = ("trials", "expanded", "backups", "sweeps", "transpositions", "terminals")
WORK = np.dtype(
    [
        ("nodes", "i8"),  # used, of the arrays
        ("edges", "i8"),
        ("chances", "i8"),
        ("last_chances", "i8"),  # where the probabilities of the last chance node begin, and how many there are
        ("last_count", "i8"),
        *((name, "i8") for name in COUNTERS),
        ("node_limit", "i8"),
        ("stop", "i8"),
        ("crowded", "i8"),  # a node was not expanded for want of room
        ("fault", "i8"),  # what was met that nothing can be proven of: OUTSIDE, AT_ONCE
        ("wrong", "f8"),  # that utility
        ("low", "f8"),  # the range
        ("high", "f8"),
        ("narrow", "f8"),  # bounds that are closer are not worth narrowing
        ("idle", "i8"),  # backups since the last sweep, of trials that expanded nothing
        ("fruitless", "i8"),  # trials in a row that changed nothing
        ("over", "i8"),  # a limit is reached, the root is narrow, or
        ("closed", "i8"),  # nothing is left that could narrow anything
        ("deepest", "i8"),  # decisions of the longest trial
        ("leader", "i8"),  # the player of the first decision that was met, or CHANCE before that
    ],
    align=True,
)
ROOT, LOST, WON = 0, 1, 2
OUTSIDE, AT_ONCE = 1, 2  # a utility outside the range; a choice made at once with another
FIRST = 3  # the first node that has a state of its own, but for the root
NUMBER = np.uint64(0xFFFFFFFF)  # the half of an entry of the index that is a node's number; the other is of its hash


@kernel(entry="proven intervals, root")
def plant(game, root, graph, works):
    """Begin a graph with a root and with the two ends."""
    nodes, states, index, _, _ = graph
    work = works[0]
    for at in range(FIRST):
        nodes[at].lower, nodes[at].upper, nodes[at].count, nodes[at].turn = work.low, work.high, 0, TERMINAL
        nodes[at].on_path = 0
    nodes[LOST].upper, nodes[WON].lower = work.low, work.high
    nodes[ROOT].turn = game.turn(root[0])
    work.leader = CHANCE
    assign(states[ROOT], root[0])
    enter(index, state_hash(root[0]), ROOT)
    work.nodes = FIRST


@kernel
def enter(index, key, number):
    """Put a node's number into the index, at the first free place for its hash."""
    mask = np.uint64(len(index) - 1)
    at = key & mask
    while index[np.int64(at)] != np.uint64(0):
        at = (at + np.uint64(1)) & mask
    index[np.int64(at)] = (key & ~NUMBER) | np.uint64(number + 1)


@kernel(entry="proven intervals, indexing")
def reindex(states, index, count):
    """Fill an empty index."""
    for number in range(count):
        if number == ROOT or number >= FIRST:
            enter(index, state_hash(states[number]), number)


@kernel
def node_of(game, state, graph, work):
    """The number of a state's node, a new one if it was not met before."""
    nodes, states, index, _, _ = graph
    turn = np.int64(game.turn(state))
    value = 0.0
    if turn == TERMINAL:
        work.terminals += 1
        value = game.utility(state, 0)
        if not (work.low <= value <= work.high):
            work.fault, work.wrong, work.stop = OUTSIDE, value, 1
            return LOST
        if value == work.low:
            return LOST
        if value == work.high:
            return WON
    elif turn != CHANCE and game.hidden(state) > 0:
        work.fault, work.stop = AT_ONCE, 1
    key = state_hash(state)
    mask = np.uint64(len(index) - 1)
    at = key & mask
    while index[np.int64(at)] != np.uint64(0):
        entry = index[np.int64(at)]
        number = np.int64(entry & NUMBER) - 1
        if (entry ^ key) & ~NUMBER == np.uint64(0) and same_state(states[number], state):
            work.transpositions += 1
            return number
        at = (at + np.uint64(1)) & mask
    number = np.int64(work.nodes)
    work.nodes += 1
    index[np.int64(at)] = (key & ~NUMBER) | np.uint64(number + 1)
    assign(states[number], state)
    node = nodes[number]
    node.lower, node.upper, node.count, node.turn, node.on_path = work.low, work.high, 0, turn, 0
    if turn == TERMINAL:
        node.lower = node.upper = value
    else:
        in_turn(game, state, turn)
    return number


@kernel
def has_room(game, graph, work):
    """Whether any node can be expanded within the arrays."""
    nodes, _, _, edges, chances = graph
    most = max(game.max_actions, game.max_outcomes)
    return (
        work.nodes + most <= len(nodes)
        and work.edges + most <= len(edges)
        and work.chances + game.max_outcomes <= len(chances)
    )


@kernel
def expand(game, at, graph, work):
    """Find a node's children. There is room for them."""
    nodes, states, _, _, _ = graph
    state = local_copy(states[at])
    if nodes[at].turn == CHANCE:
        count = expand_chance(game, at, state, graph, work)
    else:
        count = expand_decision(game, at, state, graph, work)
    nodes[at].first, nodes[at].count = work.edges, count
    work.edges += count
    work.expanded += 1


@kernel
def expand_decision(game, at, state, graph, work):
    """Write the edges of a decision, and return how many. Behind a move that wins at once only that is kept, but at the
    root."""
    nodes, _, _, edges, _ = graph
    actions = scratch(np.uint32, game.max_actions)
    count = np.int64(game.actions(state, actions))
    won = WON if nodes[at].turn == 0 else LOST
    for i in range(count):
        child = local_copy(state)
        game.play(child, np.int64(actions[i]))
        number = node_of(game, child, graph, work)
        if number == won and at != ROOT:
            edges[np.int64(work.edges)] = number
            return np.int64(1)
        edges[np.int64(work.edges) + i] = number
    return count


@kernel
def expand_chance(game, at, state, graph, work):
    """Write the edges of a chance node with their probabilities, and return how many.

    Where the probabilities are those of the last chance node, as with a die, they are not written again.
    """
    nodes, _, _, edges, chances = graph
    outcomes = scratch(np.uint32, game.max_outcomes)
    count = np.int64(game.outcomes(state, outcomes))
    begin, last = np.int64(work.chances), np.int64(work.last_chances)
    same = work.last_count == count
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        edges[np.int64(work.edges) + i] = node_of(game, child, graph, work)
        chances[begin + i] = game.probability(state, np.int64(outcomes[i]))
        same = same and chances[begin + i] == chances[last + i]
    if not same:
        work.last_chances, work.last_count, work.chances = begin, count, begin + count
    nodes[at].chances = work.last_chances
    return count
