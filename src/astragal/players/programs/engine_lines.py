"""The lines of the engine protocol: commands and answers, written and read by both ends.

A line is words with spaces between them. Names of actions and outcomes are words: a space within one is written as
``_``. Values are in the game's utilities, for the player to move. docs/engine-protocol.md says what the lines mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import ESTIMATE, ActionValue, SearchResult
from astragal.base.errors import SpecError, suggest
from astragal.rules.position import Position

PROTOCOL = 1
LIMITS: dict[str, Callable[[str], Any]] = {"time": float, "nodes": int, "depth": int, "sims": int}
FOREVER = Limits(time=1e9)
MOST = 10**18  # of anything counted: what results files can hold


def word(name: str) -> str:
    """A name as one word of a line."""
    return "_".join(name.split()) or "_"


def legal_words(position: Position) -> dict[str, int]:
    """The actions, or at a chance node the outcomes, by the words for them; numbers where two are alike."""
    if position.is_chance:
        numbers, names = [o.number for o in position.outcomes()], [o.name for o in position.outcomes()]
    else:
        numbers, names = position.actions(), position.action_names()
    words = [word(name) for name in names]
    if len({each.lower() for each in words}) < len(words):
        words = [str(number) for number in numbers]
    return dict(zip(words, numbers, strict=True))


def number_of(said: str, legal: dict[str, int]) -> int | None:
    """The action or outcome that a word stands for; None if there is none."""
    if said in legal:
        return legal[said]
    return next((number for name, number in legal.items() if name.lower() == said.lower()), None)


class Go(NamedTuple):
    """The limits and actions after ``go``."""

    limits: Limits
    seed: int = 0
    actions: tuple[str, ...] = ()  # all that are legal, where they were sent


def go_line(limits: Limits, seed: int, actions: Sequence[str]) -> str:
    set_ones = [(name, getattr(limits, name)) for name in LIMITS if getattr(limits, name) is not None]
    parts = [f"{name} {value:.12g}" if name == "time" else f"{name} {value}" for name, value in set_ones]
    return " ".join(["go", *parts, f"seed {seed}", "actions", *actions])


def read_go(words: Sequence[str]) -> Go:
    """The words after ``go`` as a record; SpecError if they mean nothing."""
    given: dict[str, Any] = {}
    known = [*LIMITS, "seed", "infinite", "actions"]
    left = list(words)
    while left:
        name = left.pop(0)
        if name == "actions":
            return made_go(given, tuple(left))
        if name not in known:
            raise SpecError(f"go has no '{name}' (it has: {', '.join(known)}){suggest(name, known)}")
        if name == "infinite":
            given[name] = True
            continue
        value = left.pop(0) if left else ""
        try:
            given[name] = LIMITS.get(name, int)(value)
        except ValueError:
            raise SpecError(f"go {name} needs a number after it, not '{value}'") from None
        if given[name] != given[name]:
            raise SpecError(f"go {name} needs a number after it, not '{value}'")
    return made_go(given, ())


def made_go(given: dict[str, Any], actions: tuple[str, ...]) -> Go:
    seed = given.pop("seed", 0)
    limits = FOREVER if given.pop("infinite", False) else Limits(**given)
    return Go(limits, seed, actions)


def info_line(found: SearchResult) -> str:
    """What a search has found so far, or in the end."""
    parts = [f"info depth {found.depth}"]
    if found.value is not None:
        parts.append(f"value {found.value:.9g}")
    if found.simulations is not None:
        parts.append(f"sims {found.simulations}")
    parts.append(f"nodes {found.nodes} time {found.seconds:.4f}")
    best = word(found.action) if found.action is not None else ""
    line = " ".join(word(step) for step in found.line) or best
    return " ".join(parts) + (f" line {line}" if line else "")


def action_lines(found: SearchResult) -> list[str]:
    """What a search has found of each action, the best first."""
    return [action_line(row) for row in found.actions]


def action_line(row: ActionValue) -> str:
    value = f" value {row.value:.9g}" if row.value is not None else ""
    visits = f" visits {row.visits}" if row.visits is not None else ""
    return f"info action {word(row.action)}{value}{visits} bound {row.bound}"


@dataclass
class Heard:
    """What an engine has reported of a search; a value that should be a number and is not is left out."""

    value: float | None = None
    depth: int = 0
    nodes: int = 0
    sims: int | None = None
    time: float | None = None
    line: list[str] = field(default_factory=list)
    actions: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hear(self, words: Sequence[str]) -> bool:
        """Read the words after ``info``; return whether they are about the search as a whole."""
        if words and words[0] == "action":
            if len(words) > 1:
                self.actions[words[1].lower()] = read_fields(words[2:])
            return False
        told = read_fields(words)
        for each in fields(self):
            if each.name in told:
                setattr(self, each.name, told[each.name])
        return bool(told)

    def rows(self, position: Position, legal: dict[str, int]) -> list[ActionValue]:
        rows = []
        for said, told in self.actions.items():
            number = number_of(said, legal)
            if number is not None:
                value, bound = told.get("value"), told.get("bound", ESTIMATE)
                rows.append(ActionValue(number, position.action_name(number), value, bound, told.get("visits")))
        return rows


COUNTED = ("depth", "nodes", "sims", "visits")
MEASURED = ("value", "time")


def read_fields(words: Sequence[str]) -> dict[str, Any]:
    """Names and values in turn; ``line`` and ``bound`` take all that is left."""
    told: dict[str, Any] = {}
    for place, name in enumerate(words):
        rest = words[place + 1 :]
        if name == "line":
            told[name] = list(rest)
            break
        if name == "bound":
            told[name] = " ".join(rest)
            break
        if rest and name in COUNTED + MEASURED:
            try:
                value = int(rest[0]) if name in COUNTED else float(rest[0])
            except ValueError:
                continue
            if math.isfinite(value) and (name in MEASURED or 0 <= value <= MOST):
                told[name] = value
    return told
