"""A walk: the events of a search in their order, the nodes they are about, and what each event changes.

Nodes are numbered in the order in which they are met, as in a recorded tree (`astragal.search.depth_first.recording`):
what a walk says can be compared with what the search itself wrote down, node by node, and the tests do so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.search.plain_tree import CHANCE_NODE, DECISION, END, LEAF

MOST_EVENTS = 1500
MOST_ROWS = 24  # of a table
Table = dict[str, Any]


class WalkEnded(Exception):
    """The walk has as many events as anybody wants to see; the search would go on."""


@dataclass
class Node:
    """A node of the tree that a walk goes through."""

    parent: int  # -1 at the root
    step: int  # the action or outcome that led here
    name: str
    kind: str
    position: Position
    probe: bool = False
    value: float | None = None  # what it was found to be worth in the end, and whether that is a bound
    cut: bool = False
    visits: int = 0

    def as_dict(self, number: int) -> dict[str, Any]:
        return {
            "id": number,
            "parent": self.parent if self.parent >= 0 else None,
            "name": self.name,
            "step": self.step,
            "kind": self.kind,
            "player": self.position.turn + 1 if self.position.turn >= 0 else None,
            "probe": self.probe,
            "text": self.position.text,
        }


@dataclass
class Event:
    """Something that a search does: where in the tree and in the code, in words and in numbers."""

    line: str  # of the pseudo-code
    node: int
    text: str
    variables: dict[str, float] = field(default_factory=dict)
    window: dict[str, float] | None = None  # of a chance node: alpha and beta, pess and opti
    table: Table | None = None  # what is known of a node's children
    changes: dict[int, dict[str, Any]] = field(default_factory=dict)  # what nodes look like from now on
    path: list[int] | None = None  # of a simulation
    nodes: int = 0  # how many have been met by now

    def as_dict(self) -> dict[str, Any]:
        """Its JSON form, without what it does not have."""
        return {name: value for name, value in vars(self).items() if value is not None}


class Walk:
    """What a search did so far."""

    def __init__(self, position: Position, most: int = MOST_EVENTS) -> None:
        if position.is_terminal:
            raise AstragalError("the game is over: there is nothing to search")
        self.position = position
        self.most = most
        self.nodes: list[Node] = []
        self.events: list[Event] = []
        self.finished = False

    def meet(self, parent: int, step: int, position: Position, evaluated: bool = False, probe: bool = False) -> int:
        """The number of a node that is met for the first time."""
        above = self.nodes[parent].position if parent >= 0 else None
        kind = END if position.is_terminal else LEAF if evaluated else CHANCE_NODE if position.is_chance else DECISION
        name = "" if above is None else above.step_name(step)
        self.nodes.append(Node(parent, step, name, kind, position, probe))
        return len(self.nodes) - 1

    def tell(self, line: str, node: int, text: str, **more: Any) -> None:
        """Something happens."""
        if len(self.events) >= self.most:
            raise WalkEnded
        self.events.append(Event(line, node, text, nodes=len(self.nodes), **more))

    def settle(self, node: int, value: float, cut: bool = False) -> dict[int, dict[str, Any]]:
        """A node's value is known: what changes."""
        self.nodes[node].value, self.nodes[node].cut = value, cut
        return {node: {"value": value, "cut": cut}}

    def as_dict(self) -> dict[str, Any]:
        return {
            "nodes": [node.as_dict(number) for number, node in enumerate(self.nodes)],
            "events": [event.as_dict() for event in self.events],
            "finished": self.finished,
        }


def table(head: list[str], rows: list[list[Any]], current: int | None) -> Table:
    """What is known of a node's children, of many only those around the current one."""
    first = 0 if current is None else max(0, min(current - MOST_ROWS // 2, len(rows) - MOST_ROWS))
    shown = rows[first : first + MOST_ROWS]
    return {"head": head, "rows": shown, "current": None if current is None else current - first, "of": len(rows)}


def number(value: float) -> str:
    """A value in a sentence."""
    text = f"{value:+.3f}".rstrip("0").rstrip(".").replace("-", "−")
    return "0" if text in ("+0", "−0") else text
