"""The facts of a search tree and its nodes that a drawing shows, for any search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from astragal.rules.position import Position

CUT, FROM_TABLE, PROBE, HORIZON = 1, 2, 4, 8  # marks of a node; the last: evaluated, not searched
END, CHANCE_NODE, LEAF, DECISION = "end", "chance", "leaf", "decision"  # kinds of nodes; a leaf was only evaluated
Array = npt.NDArray[Any]


class Tree(Protocol):
    """Nodes by number, each after its parent; the root is 0. The trees of searches are
    `astragal.algorithms.plain_tree`."""

    position: Position
    parent: Array  # -1 at the root
    visits: Array | None  # None where a search goes depth first
    node_count: int  # in all, where there was not room for each
    finished: bool

    def __len__(self) -> int:
        """Nodes that there is a row for."""

    @property
    def depth(self) -> Array:
        """Steps from the root."""

    @property
    def size(self) -> Array:
        """Nodes in the subtree of each, itself included."""

    @property
    def weight(self) -> Array:
        """Visits, or nodes in the subtree. None has more than its parent."""

    @property
    def rule(self) -> str:
        """The rule by which `heaviest` chooses nodes, in words."""

    def heaviest(self, limit: int | None) -> Array:
        """The numbers of the nodes with most weight, in order; a node's parent is always among them."""

    def described(self, chosen: Array) -> list[NodeFacts]:
        """The drawn facts of some nodes; each node's parent is among them."""


@dataclass(frozen=True)
class NodeFacts:
    """A node with the facts that a drawing shows."""

    number: int
    name: str  # of the action or outcome that leads to it
    kind: str
    turn: int  # the player to move
    value: float | None
    owner: int  # the player who chose it
    value_of: int  # the player whose value it is
    visits: int | None
    below: int  # nodes in its subtree
    left_out: int
    marks: int
    action: int | None  # the number of the action or outcome that leads to it
    proven: str | None
    position: Position

    @property
    def evaluated(self) -> bool:
        return bool(self.marks & HORIZON)

    @property
    def cut(self) -> bool:
        return bool(self.marks & CUT)

    @property
    def from_table(self) -> bool:
        return bool(self.marks & FROM_TABLE)

    @property
    def probe(self) -> bool:
        return bool(self.marks & PROBE)

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.number,
            "name": self.name,
            "action": self.action,
            "visits": self.visits,
            "nodes_below": self.below,
            "value": self.value,
            "value_of_player": self.value_of + 1,
            "player_to_move": self.turn + 1 if self.turn >= 0 else None,
            "kind": self.kind,
            "cut": self.cut,
            "from_table": self.from_table,
            "probe": self.probe,
            "left_out": self.left_out,
            "proven": self.proven,
            "position": self.position.text,
        }
