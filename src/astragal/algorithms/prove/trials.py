"""Trials: from the root to where the bounds are widest, and back with what is found there.

Bounded real-time dynamic programming (McMahan, Likhachev & Gordon 2005), for two players by the rule of FSSS (Walsh,
Goschin & Littman 2010): a decision is followed to the move that may be best, which for the first player has the
greatest upper bound and for the other the least lower one; a chance node to the outcome whose bounds, weighted with its
probability, are furthest apart. Departures: outcomes are not drawn, so a search can be repeated; a trial goes on past
a node that it has expanded only while that node's share of what is uncertain at the root is large; and since positions
are nodes of a graph, a trial does not enter a node that it is in already.

Where trials expand nothing any more, which is so in games whose positions come back, all nodes that the root's bounds
may depend on are backed up in turn, the farthest first (`sweep`): value iteration from both ends. A move that is proven
no better than another is not among them, nor what only it leads to.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.prove.bounds import back_up
from astragal.algorithms.prove.graph import ROOT, expand, has_room
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE
from astragal.rules.random import keyed, upper

SHARE = 0.05  # of the root's gap that a node must account for, if a trial that has expanded one is to go on there
PATIENCE = 8  # trials in a row that change nothing, before all nodes are backed up
BATCH = 8  # one in BATCH of the nodes that were backed up without any gain may be expanded before the next sweep
NOWHERE = -1


@kernel(entry="proven intervals")
def run_trials(game, graph, path, pause, works):
    """Search until the stop flag is set, a limit is reached, the root is narrow, or `pause` nodes are expanded."""
    nodes, _, _, _, _ = graph
    work = works[0]
    while work.stop == 0 and work.over == 0 and work.crowded == 0 and work.expanded < pause:
        if work.nodes >= work.node_limit or nodes[ROOT].upper - nodes[ROOT].lower <= work.narrow:
            work.over = 1
        else:
            expanded, backups = work.expanded, work.backups
            gained = trial(game, graph, path, work)
            work.trials += 1
            if work.expanded == expanded:
                work.idle += work.backups - backups
                work.fruitless = 0 if gained > 0.0 else work.fruitless + 1
            else:
                work.fruitless = 0
            if work.idle > work.nodes or work.fruitless > PATIENCE:
                look_everywhere(game, graph, work)


@kernel
def trial(game, graph, path, work):
    """One trial; by how much bounds on its path were narrowed in all."""
    nodes, _, _, edges, chances = graph
    at, length, decisions, share, fresh = np.int64(ROOT), 0, 0, 1.0, False
    root_gap = nodes[ROOT].upper - nodes[ROOT].lower
    while length < len(path):
        node = nodes[at]
        gap = node.upper - node.lower
        if gap <= 0.0 or (fresh and share * gap < SHARE * root_gap):
            break
        if node.count == 0:
            if not has_room(game, graph, work):
                work.crowded = 1
                break
            expand(game, at, graph, work)
            fresh = True
        path[length] = at
        nodes[at].on_path = 1
        nodes[at].visits += 1
        length += 1
        if nodes[at].turn == CHANCE:
            chosen = widest(nodes, edges, chances, at, work)
            if chosen != NOWHERE:
                share *= chances[np.int64(nodes[at].chances) + chosen]
        else:
            if work.leader == CHANCE:
                work.leader = np.int64(nodes[at].turn)
            decisions += 1
            chosen = most_promising(nodes, edges, at, share, work)
        if chosen == NOWHERE:
            break
        at = np.int64(edges[np.int64(nodes[at].first) + chosen])
    gained = 0.0
    for i in range(length - 1, -1, -1):
        at = np.int64(path[i])
        gained += back_up(nodes, edges, chances, at)
        nodes[at].on_path = 0
    work.backups += length
    work.deepest = max(work.deepest, decisions)
    return gained


@kernel
def is_open(node):
    """Whether a trial may enter a node."""
    return node.on_path == 0 and node.upper > node.lower


@kernel
def widest(nodes, edges, chances, at, work):
    """The outcome of a chance node with most to narrow, as a place among its edges."""
    first, begin = np.int64(nodes[at].first), np.int64(nodes[at].chances)
    best, most = NOWHERE, 0.0
    for i in range(np.int64(nodes[at].count)):
        child = nodes[edges[first + i]]
        if is_open(child):
            weight = chances[begin + i] * (child.upper - child.lower) / (1.0 + child.visits)
            if work.fruitless > 0:
                weight = 1.0 + upper(keyed(np.uint64(work.trials), at + i))
            if weight > most:
                best, most = i, weight
    return best


@kernel
def most_promising(nodes, edges, at, share, work):
    """The move of a decision that may be best, as a place among its edges; of equal ones, the one that is worth most at
    least.

    In every second trial the player of the first decision goes by the middle of the bounds instead of the better end,
    and in the others the opponent does, so the rule is the same with the players exchanged. After a trial that changed
    nothing any move that is open will do: the best one may lead back to where we are.
    """
    first, turn = np.int64(nodes[at].first), np.int64(nodes[at].turn)
    best, most, sure, few = NOWHERE, -np.inf, -np.inf, np.inf
    for i in range(np.int64(nodes[at].count)):
        child = nodes[edges[first + i]]
        if is_open(child):
            hope, floor = (child.upper, child.lower) if turn == 0 else (-child.lower, -child.upper)
            if (work.trials & 1 == 1) == (turn == work.leader):
                hope = hope + floor
            if work.fruitless > 0:
                hope = 1.0 * upper(keyed(np.uint64(work.trials), at + i))
            visits = 1.0 * child.visits if share < 1.0 else 0.0
            if hope > most or (hope == most and (floor > sure or (floor == sure and visits < few))):
                best, most, sure, few = i, hope, floor, visits
    return best


@kernel
def look_everywhere(game, graph, work):
    """Back up all nodes that matter; if that changes nothing, expand those of them that no trial comes to, the nearest
    first, a share at a time; or there is nothing left."""
    nodes, _, _, edges, chances = graph
    count = collect(nodes, edges)
    if sweep(nodes, edges, chances, count, work) > 0.0:
        work.fruitless = 0
        return
    most, before, unexpanded = 1 + count // BATCH, np.int64(work.expanded), 0
    for k in range(count):
        at = np.int64(nodes[k].queued)
        if nodes[at].count > 0:
            continue
        unexpanded += 1
        if work.stop == 0 and work.expanded - before < most and work.nodes < work.node_limit:
            if not has_room(game, graph, work):
                work.crowded = 1
                return
            expand(game, at, graph, work)
            work.backups += 1
            back_up(nodes, edges, chances, at)
    if unexpanded == 0:
        work.over, work.closed = 1, 1


@kernel
def collect(nodes, edges):
    """Queue the nodes that the root's bounds may depend on, the nearest first; how many there are."""
    count, done = 1, 0
    nodes[0].queued, nodes[ROOT].on_path = ROOT, 1
    while done < count:
        node = nodes[nodes[done].queued]
        done += 1
        for i in range(np.int64(node.count)):
            number = edges[np.int64(node.first) + i]
            if is_open(nodes[number]) and matters(node, nodes[number]):
                nodes[count].queued, nodes[number].on_path = number, 1
                count += 1
    for k in range(count):
        nodes[nodes[k].queued].on_path = 0
    return count


@kernel
def matters(node, child):
    """Whether anything that a child may be found to be worth would change the node's bounds."""
    if node.turn == CHANCE:
        return True
    return child.upper > node.lower if node.turn == 0 else child.lower < node.upper


@kernel
def sweep(nodes, edges, chances, count, work):
    """Back up the queued nodes that have children, the last ones first; by how much bounds were narrowed in all."""
    gained = 0.0
    for k in range(count - 1, -1, -1):
        at = np.int64(nodes[k].queued)
        if nodes[at].count > 0:
            gained += back_up(nodes, edges, chances, at)
        if work.stop != 0:
            break
    work.sweeps += 1
    work.idle = 0
    return gained
