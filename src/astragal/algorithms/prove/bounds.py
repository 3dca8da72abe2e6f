"""Bounds of a node from those of its children, rounded outwards, so that no sum of rounded numbers excludes the truth.

Bounds are of what the first player gets. A decision's are the best of its children's, which rounds nothing. A chance
node's are means, written as the least of its children's lower bounds plus a sum of what each is above it: no term is
negative, so the sum has a relative error of at most half a unit in the last place for each operation (Higham 2002,
Section 4.2). The sum is made less by more than that, and the upper bound is the same from the other side. If the
probabilities add up to a little less or more than 1, as six times 1/6 does, what is missing counts as the worst child,
and what is too much is divided out; so six certain wins are a certain win, to the last digit.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE

UNIT = 2.0**-52  # twice the relative error of one operation
SPARE = 8  # operations beside the terms of a sum: the probability itself, differences, the division


@kernel
def mean_bounds(nodes, edges, chances, node):
    """The bounds of a chance node."""
    least, most = np.inf, -np.inf
    for i in range(np.int64(node.count)):
        child = nodes[edges[np.int64(node.first) + i]]
        least, most = min(least, child.lower), max(most, child.upper)
    above, below, total = 0.0, 0.0, 0.0
    for i in range(np.int64(node.count)):
        child = nodes[edges[np.int64(node.first) + i]]
        chance = chances[np.int64(node.chances) + i]
        above += chance * (child.lower - least)
        below += chance * (most - child.upper)
        total += chance
    less = (1.0 - (node.count + SPARE) * UNIT) / max(1.0, total)
    lower = np.nextafter(least + above * less, -np.inf) if above > 0.0 else least
    upper = np.nextafter(most - below * less, np.inf) if below > 0.0 else most
    return lower, upper


@kernel
def best_bounds(nodes, edges, node):
    """The bounds of a decision: of the first player's, the greatest; of the other's, the least."""
    child = nodes[edges[node.first]]
    lower, upper = child.lower, child.upper
    for i in range(1, np.int64(node.count)):
        child = nodes[edges[np.int64(node.first) + i]]
        if node.turn == 0:
            lower, upper = max(lower, child.lower), max(upper, child.upper)
        else:
            lower, upper = min(lower, child.lower), min(upper, child.upper)
    return lower, upper


@kernel
def back_up(nodes, edges, chances, at):
    """Narrow the bounds of a node that has children by what those have now; by how much.

    Sound bounds stay sound: what was known of the node before stays true, whatever order nodes are backed up in.
    """
    node = nodes[at]
    if node.turn == CHANCE:
        lower, upper = mean_bounds(nodes, edges, chances, node)
    else:
        lower, upper = best_bounds(nodes, edges, node)
    lower, upper = max(node.lower, lower), min(node.upper, upper)
    gained = (node.upper - node.lower) - (upper - lower)
    node.lower, node.upper = lower, upper
    return gained
