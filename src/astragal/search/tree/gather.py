"""Gathering: what a thread brings to much visited nodes of a shared tree, a few simulations at a time.

Every simulation goes through the root and the nodes near it. Where threads grow a tree together, a line of memory that
one has written has to travel to the other before that can go on, and these lines would travel all the time. So a thread
keeps its visits and rewards of them to itself, and adds several at once. Others, and its own selection, see them a
little later: a few among thousands. Such nodes get no virtual loss; one visit more would mean nothing to them.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.kernel import kernel
from astragal.search.tree.atomic import atomic_add
from astragal.search.tree.nodes import node_at
from astragal.search.tree.work import GATHERED

MUCH = 2048  # visits of a node from which on they are gathered
TOGETHER = 8  # visits of a node that are added at once


@kernel(inline=True)
def gathers(steps):
    """Whether threads do so: where sums of rewards and visits are all that a backup writes.

    Ask `steps.shared` first, a constant: searches by one thread are then compiled without all of this.
    """
    return steps.backup.sums and not steps.rounds.decoupled


@kernel
def gather(tree, index, reward, work):
    """Keep a visit and its reward; where there are enough, or the place is another node's, bring them to the tree."""
    place = np.int64(index) & (GATHERED - 1)
    if work.gathered_node[place] != index:
        bring(tree, place, work)
        work.gathered_node[place] = index
    work.gathered_visits[place] += np.uint32(1)
    work.gathered_sum[place] += reward
    if work.gathered_visits[place] == TOGETHER:
        bring(tree, place, work)


@kernel
def bring(tree, place, work):
    """Add what was gathered at a place to its node."""
    if work.gathered_visits[place] == 0:
        return
    node = node_at(tree, work.gathered_node[place])
    atomic_add(node, "visits", np.uint32(work.gathered_visits[place]))
    atomic_add(node, "sum", np.float64(work.gathered_sum[place]))
    work.gathered_visits[place], work.gathered_sum[place] = 0, 0.0


@kernel
def bring_all(tree, work):
    """Add all that was gathered to the tree."""
    for place in range(GATHERED):
        bring(tree, place, work)
