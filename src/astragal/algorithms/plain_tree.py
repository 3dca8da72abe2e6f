"""The tree of any search in one plain form, which can be drawn: who is whose child, and what was found of each.

Trees of simulations count visits (`astragal.algorithms.tree.grown_tree`). What goes depth first visits each of its
nodes once, a state as often as it is met, and counts what it searched below
(`astragal.algorithms.depth_first.recording`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from astragal.base.errors import AstragalError
from astragal.drawing.nodes import (
    CHANCE_NODE,
    CUT,
    DECISION,
    END,
    FROM_TABLE,
    HORIZON,
    LEAF,
    PROBE,
    Array,
    NodeFacts,
)
from astragal.games import game_spec
from astragal.rules.position import Position

__all__ = [
    "CHANCE_NODE",
    "CUT",
    "DECISION",
    "END",
    "FROM_TABLE",
    "HORIZON",
    "LEAF",
    "PROBE",
    "Array",
    "NodeFacts",
    "PlainTree",
    "depths",
    "reparented",
]
IN_NOTEBOOK = 500  # nodes drawn in a notebook; `astragal tree` draws more


@dataclass
class PlainTree:
    """Nodes by number, each after its parent; the root is 0."""

    position: Position
    parent: Array  # -1 at the root
    step: Array  # the action or outcome that leads to the node
    value: Array  # not a number where it is not known
    visits: Array | None = None  # None where a search goes depth first
    marks: Array = field(default_factory=lambda: np.zeros(0, np.uint32))
    left_out: Array = field(default_factory=lambda: np.zeros(0, np.int64))  # actions or outcomes that were pruned
    viewer: int | None = None  # the player whose values they are; None: the player who chose the node
    node_count: int = 0  # in all, where there was not room for each
    finished: bool = True

    def __post_init__(self) -> None:
        size = len(self.parent)
        self.node_count = self.node_count or size
        self.marks = self.marks if len(self.marks) else np.zeros(size, np.uint32)
        self.left_out = self.left_out if len(self.left_out) else np.zeros(size, np.int64)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; nothing where the tree cannot be drawn, so that its text is shown."""
        from astragal.drawing.svg import draw_tree

        try:
            return draw_tree(self, game_spec(self.position.game), limit=IN_NOTEBOOK).text
        except AstragalError:
            return None

    def __len__(self) -> int:
        """Nodes that there is a row for."""
        return len(self.parent)

    @cached_property
    def depth(self) -> Array:
        """Steps from the root."""
        return depths(self.parent)

    @cached_property
    def size(self) -> Array:
        """Nodes in the subtree of each, itself included."""
        size = np.ones(len(self), np.int64)
        for level in self.levels_upwards():
            np.add.at(size, self.parent[level], size[level])
        return size

    @cached_property
    def weight(self) -> Array:
        """The weight of a node: visits, or nodes in its subtree. None has more than its parent."""
        weight = self.size.copy() if self.visits is None else np.array(self.visits, np.int64)
        for level in self.levels_upwards():
            np.maximum.at(weight, self.parent[level], weight[level])
        return weight

    def levels_upwards(self) -> list[Array]:
        """The nodes of each depth, the deepest first, without the root."""
        order = np.argsort(self.depth, kind="stable")
        starts = np.searchsorted(self.depth[order], np.arange(1, int(self.depth.max(initial=0)) + 1))
        return np.split(order, starts)[:0:-1]

    def heaviest(self, limit: int | None) -> Array:
        """The numbers of the nodes with most weight, in order; a node's parent is always among them."""
        if limit is None or limit >= len(self):
            return np.arange(len(self))
        return np.sort(np.argsort(-self.weight, kind="stable")[: max(1, limit)])

    @property
    def rule(self) -> str:
        """Which nodes `heaviest` takes, in words."""
        return "the most visited nodes" if self.visits is not None else "the nodes with most nodes below them"

    def described(self, chosen: Array) -> list[NodeFacts]:
        """The facts of some nodes, of which each has its parent among them."""
        rows: list[NodeFacts] = []
        places: dict[int, NodeFacts] = {}
        for number in chosen.tolist():
            above = places.get(int(self.parent[number]))
            places[number] = self.facts(number, above)
            rows.append(places[number])
        return rows

    def facts(self, number: int, above: NodeFacts | None) -> NodeFacts:
        step, marks = int(self.step[number]), int(self.marks[number])
        if above is None:
            position, name, owner = self.position, "", max(self.position.turn, 0)
        else:
            position, name = above.position.follow(step), above.position.step_name(step)
            owner = above.owner if above.position.is_chance else above.position.turn
        kind = END if position.is_terminal else LEAF if marks & HORIZON else DECISION
        return NodeFacts(
            number=number,
            name=name,
            kind=CHANCE_NODE if position.is_chance else kind,
            turn=position.turn,
            value=None if np.isnan(self.value[number]) else float(self.value[number]),
            owner=owner,
            value_of=owner if self.viewer is None else self.viewer,
            visits=None if self.visits is None else int(self.visits[number]),
            below=int(self.size[number]) - 1,
            left_out=int(self.left_out[number]),
            marks=marks,
            action=None if above is None else step,
            proven=self.proof(number, position),
            position=position,
        )

    def proof(self, number: int, position: Position) -> str | None:
        """What is proven of a node, in words; where a search proves nothing, nothing."""
        return None

    def as_dict(self, limit: int = 1000) -> dict[str, Any]:
        """At most `limit` nodes, the heaviest, as a graph that ``networkx.node_link_graph`` reads.

        Its edges are there under both names: networkx called them ``links`` before version 3.6.
        """
        rows = self.described(self.heaviest(limit))
        edges = [{"source": int(self.parent[row.number]), "target": row.number} for row in rows[1:]]
        game, position = game_spec(self.position.game), self.position.text
        summary = {"game": game, "position": position, "visited_nodes": self.node_count}
        nodes = [row.as_dict() for row in rows]
        graph = {"directed": True, "multigraph": False, "graph": summary, "nodes": nodes}
        return graph | {"edges": edges, "links": edges}


def depths(parent: Array) -> Array:
    """Steps from the root, of nodes that come after their parents."""
    depth = np.zeros(len(parent), np.int64)
    above = parent
    while True:  # one more for all that still have a parent
        inside = above >= 0
        if not inside.any():
            return depth
        depth += inside
        above = np.where(inside, parent[above], -1)


def reparented(parent: Array, kept: Array) -> Array:
    """The parents of some nodes, by their place among them."""
    number = np.full(len(parent) + 1, -1)  # the last one is the root's parent, -1
    number[kept] = np.arange(len(kept))
    return number[parent[kept]]
