"""Where the nodes of a tree go in a drawing: pure functions of who is whose child.

Each leaf gets the same share of the width, or of the circle, and a node as much as its leaves. So subtrees never
overlap, and a node stands in the middle of its children's share. The circles are those of Eades (Drawing Free Trees,
1992), and much the same as GraphViz's ``twopi`` draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Layout:
    """Places in units of levels (radial) or of leaves and levels (layered), and which way is down at each."""

    x: Array
    y: Array
    down_x: Array  # a direction of length 1, away from the root
    down_y: Array


def shares(parent: Array, depth: Array) -> tuple[Array, Array]:
    """The first leaf below each node, and how many there are, where leaves are numbered from left to right."""
    leaves = np.zeros(len(parent), np.int64)
    order = np.lexsort((np.arange(len(parent)), parent, depth))  # levels, siblings side by side
    levels = np.split(order, np.searchsorted(depth[order], np.arange(1, int(depth.max(initial=0)) + 1)))
    for level in reversed(levels):
        leaves[level] = np.maximum(leaves[level], 1)
        above = level[parent[level] >= 0]
        np.add.at(leaves, parent[above], leaves[above])
    first = np.zeros(len(parent), np.int64)
    for level in levels[1:]:
        before = np.cumsum(leaves[level]) - leaves[level]
        eldest = np.flatnonzero(np.r_[True, np.diff(parent[level]) != 0])
        family = np.repeat(eldest, np.diff(np.r_[eldest, len(level)]))
        first[level] = first[parent[level]] + before - before[family]
    return first, leaves


def radial(parent: Array, depth: Array) -> Layout:
    """The root in the middle, each level on a circle around it, one unit further out."""
    first, leaves = shares(parent, depth)
    angle = 2 * np.pi * (first + leaves / 2) / leaves[0] - np.pi / 2
    down_x, down_y = np.cos(angle), np.sin(angle)
    return Layout(depth * down_x, depth * down_y, down_x, down_y)


def layered(parent: Array, depth: Array) -> Layout:
    """The root on top, each level on a line below the one before; leaves one unit apart."""
    first, leaves = shares(parent, depth)
    zero = np.zeros(len(parent))
    return Layout(first + leaves / 2, depth.astype(float), zero, zero + 1)


LAYOUTS = {"radial": radial, "layered": layered}
