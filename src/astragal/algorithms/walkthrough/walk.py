"""A walk: the events of a search in their order, the nodes they are about, and what each event changes.

`listening` runs interpreted kernels and reports when they reach a line that a comment names: ``# line 17 (6)`` is line
17 of Algorithm 2 and, in parentheses, line 6 of Algorithm 1.

Nodes are numbered in the order in which they are met, as in a recorded tree
(`astragal.algorithms.depth_first.recording`): what a walk says can be compared with what the search itself wrote down,
node by node, and the tests do so.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FrameType
from typing import Any, Self

from astragal.algorithms.plain_tree import CHANCE_NODE, DECISION, END, LEAF
from astragal.base.errors import AstragalError
from astragal.compiler.interpreted import interpreted
from astragal.rules.position import Position

MOST_EVENTS = 1500
MOST_ROWS = 24  # of a table
Table = dict[str, Any]
NAMED = re.compile(r"# lines? (?P<star2>a?\d*)[^(]*(\((?P<star1>\d+))?")
Hear = Callable[[str, dict[str, Any]], None]


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

    def tell_all(self) -> None:
        """Walk through the whole search."""
        raise NotImplementedError

    def run(self) -> Self:
        """Walk to the end, or as far as a walk goes."""
        try:
            self.tell_all()
            self.finished = True
        except WalkEnded:
            pass
        return self

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


@cache
def named_lines(kernel: Any) -> tuple[CodeType, dict[int, str]]:
    """A kernel's code, and the names of its lines by their numbers: those of Algorithm 2, or of Algorithm 1 alone."""
    code = interpreted(kernel).__code__
    text, first = inspect.getsourcelines(code)
    found = ((number, NAMED.search(line)) for number, line in enumerate(text, first))
    return code, {number: match["star2"] or f"({match['star1']})" for number, match in found if match}


@contextmanager
def listening(kernels: tuple[Any, ...], hear: Hear) -> Iterator[None]:
    """Within this block, call the function before each named line of the kernels, with its name and variables."""
    named = dict(map(named_lines, kernels))

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        lines = named.get(frame.f_code)
        if lines is None:
            return None

        def stepped(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno in lines:
                hear(lines[frame.f_lineno], frame.f_locals)
            return stepped

        return stepped

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)
