"""What a search found, for people (`str`) and for programs (`as_dict`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from astragal.algorithms.interval import Interval
from astragal.base.frames import Rows, Tabular, html_table
from astragal.rules.position import Position

if TYPE_CHECKING:
    from astragal.algorithms.plain_tree import PlainTree

T = TypeVar("T")

# What a value is. EXACT is said of solved games and of what was searched to the end of the game, PROVEN of what a
# search by simulation has proved, ESTIMATE of its means. A search to a depth has its depth as the word (`depth_words`).
NOT_SEARCHED, EXACT, AT_LEAST, AT_MOST = "not searched", "exact", "at least", "at most"
ESTIMATE, PROVEN, BETWEEN = "estimate", "proven", "between"


def depth_words(depth: int, sampled: bool, searches: int = 1) -> str:
    """What to call the value of a search to a depth, or the mean of several sampled ones."""
    words = f"sampled, depth {depth}" if sampled else f"depth {depth}"
    return words if searches == 1 else f"{words}, mean of {searches:,}"


@dataclass(frozen=True)
class ActionValue:
    """What is known of an action: its value for the player to move, and what kind of value that is."""

    number: int  # the game's own for it
    action: str  # its name
    value: float | None  # None where it was not searched
    bound: str  # the kind of value, in words (above)
    visits: int | None = None  # simulations that went through it
    share: float | None = None  # how often it is played, where the move was drawn from a mix
    interval: Interval | None = None  # that the value is proven to lie in

    @property
    def is_bound(self) -> bool:
        return self.bound in (AT_LEAST, AT_MOST)

    def __str__(self) -> str:
        visits = f" {self.visits:>12,} visits" if self.visits is not None else ""
        share = f"  played {self.share:.1%}" if self.share is not None else ""
        kind = kind_in_words(self.bound, self.interval)
        return f"  {self.action:<12} {value_text(self.value, 6):>12}  {kind:<12}{visits}{share}".rstrip()


def kind_in_words(bound: str, interval: Interval | None) -> str:
    """The kind of a value; where it is only known to lie in an interval, that."""
    return bound if interval is None or interval.width == 0.0 else str(interval)


class Later:
    """The value of a field of a result until it is first read."""

    __slots__ = ("arguments", "make")

    def __init__(self, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.make, self.arguments = make, arguments


def later(make: Callable[..., T], *arguments: Any) -> T:
    """What the function gives, worked out when the field of a result it is for is first read.

    Words take longer than a short search, and most results are read by programs. What is handed over must not change
    any more, and should not be large: the result keeps it.
    """
    return Later(make, arguments)  # type: ignore[return-value]


IN_WORDS = ("game", "position", "action", "actions", "line", "lines", "note")  # fields that may come later
EMPTY: dict[str, type] = {"actions": list, "line": list, "lines": list, "counts": dict, "note": type(None)}


@dataclass(frozen=True)
class SearchResult(Tabular):
    """The outcome of a search. Values are in the game's utilities, for the player to move (player 1 at chance)."""

    game: str  # its text
    player: str  # its text, without the settings that it has in this game anyway
    position: str  # in the game's notation
    turn: int  # the player to move, from 0
    action_number: int | None  # None at a chance node
    action: str | None  # the best one, by name
    value: float | None = None  # None for a player that does not estimate it, and where nothing was searched
    bound: str = NOT_SEARCHED  # the kind of value, in the words of an action's
    actions: list[ActionValue] = field(default_factory=list)  # what is known of each action, the best first
    lines: list[list[str]] = field(default_factory=list)  # of each of the best actions, if several were asked for
    line: list[str] = field(default_factory=list)  # the best action, then the likeliest outcomes and the best replies
    depth: int = 0  # decisions that it looked ahead; 0: nothing was searched
    searches: int = 1  # of a sampled search that reached the end of the game: how many it made; values are their means
    interval: Interval | None = None  # that the value is proven to lie in; the value is then its middle
    best_proven: bool | None = None  # whether the action is proven to be a best one, by a search that can say so
    complete: bool = False  # whether the whole game below the position was searched
    nodes: int = 0  # positions that it looked at
    simulations: int | None = None  # of a search by simulation
    note: str | None = field(default_factory=lambda: None)  # a note on the values, where players choose at once
    proven: str | None = None  # what such a search has proved of the position, in words
    counts: dict[str, int] = field(default_factory=dict)  # nodes and cut-offs by kind
    table_filled: float | None = None  # share of its limit of memory that a table of values has filled
    seconds: float = 0.0
    threads: int = 1  # that searched together
    repeatable: bool = True  # False: by several threads under a limit of nodes or simulations, so another time differs
    seed: int = 0
    interrupted: bool = False  # by Ctrl-C
    tree: PlainTree | None = field(default=None, repr=False, compare=False)  # where it was asked for

    @classmethod
    def unread(cls, **fields: Any) -> SearchResult:
        """A result some of whose fields come `later`, made quicker than a frozen dataclass sets them all."""
        result = object.__new__(cls)
        own = vars(result)
        own.update(fields)
        own["_later"] = {name: own.pop(name) for name in IN_WORDS if type(own.get(name)) is Later}
        return result

    if not TYPE_CHECKING:  # every field can be read

        def __getattr__(self, name: str) -> Any:
            """A field that is read for the first time, or that was left empty."""
            if value := vars(self).get("_later", {}).get(name):
                found = vars(self)[name] = value.make(*value.arguments)
            elif name in EMPTY:
                found = vars(self)[name] = EMPTY[name]()
            else:
                raise AttributeError(f"a search result has no field '{name}'")
            return found

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to another process or copied: all fields."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def terminal_ratio(self) -> float | None:
        """Ended games among the nodes searched, to one node of any other kind; None where they were not counted.

        Ramanujan & Selman 2011 let it decide which part of a game is being played, with a threshold of 0.003.
        """
        ended = self.counts.get("terminals")
        return None if ended is None else ended / max(1, self.nodes - ended)

    @property
    def interior_nodes(self) -> int | None:
        """Decisions and chance nodes that were looked into; None where they were not counted."""
        decisions = self.counts.get("decisions")
        return None if decisions is None else decisions + self.counts.get("chances", 0)

    @property
    def interior_terminal_ratio(self) -> float | None:
        """Ended games among the nodes searched, to one node inside the tree."""
        inside = self.interior_nodes
        return None if inside is None else self.counts.get("terminals", 0) / max(1, inside)

    def __str__(self) -> str:
        return "\n".join(self.told())

    def told(self, of_what: str = "", mark: Callable[[str], str] = str) -> Iterator[str]:
        """What was found, line by line; of what the value is may be said behind it, and the best action be marked."""
        work = f"{self.nodes:,} nodes"
        stopped = "stopped by Ctrl-C after" if self.interrupted else "after"
        if self.simulations is not None:
            rate = self.simulations / max(self.seconds, 1e-9)
            work = f"{self.simulations:,} simulations ({rate:,.0f} a second), {work}"
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        yield f"{self.player} {stopped} {self.seconds:.2f} s, {work}, {self.reach}{threads}"
        if self.value is not None:
            yield f"value       {self.value:+.6f} ({kind_in_words(self.bound, self.interval)}) {of_what}".rstrip()
        if not self.repeatable:
            yield f"note        not repeatable: {self.threads} threads under a limit of nodes or simulations"
        if self.note:
            yield f"note        {self.note}"
        if self.proven:
            yield f"proven      {self.proven}"
        if self.action is not None:
            yield f"best action {mark(self.action)}"
        if len(self.line) > 1:
            yield f"best line   {' '.join(self.line)}"
        if self.actions:
            yield "actions"
            yield from map(str, self.actions)
        if self.counts:
            kinds = [f"{value:,} {name.replace('_', ' ')}" for name, value in self.counts.items() if value]
            yield f"counts      {', '.join(kinds)}"
        if self.table_filled is not None:
            yield f"table       {self.table_filled:.1%} of its memory limit filled"
        if checks := self.counts.get("checks"):
            disagreements = self.counts["disagreements"]
            yield f"checking    {disagreements} of {checks:,} nodes disagree with the definition"

    @property
    def reach(self) -> str:
        """How deep it went, in words."""
        if self.value is None and not self.depth:
            return "depth 0: not searched"
        if self.searches > 1:
            return f"depth {self.depth}, to the end of the game in what was drawn, {self.searches:,} times"
        return f"depth {self.depth}" + (" (the whole game)" if self.complete else "")

    def rows(self) -> Rows:
        """A row for each action, the best first."""
        return [vars(action).copy() for action in self.actions]

    def _repr_html_(self) -> str:
        """What a notebook shows: what was found, and a table of the actions."""
        found = "" if self.value is None else f", value {value_text(self.value, 3)} ({self.bound})"
        work = f"{self.nodes:,} nodes in {self.seconds:.2f} s, depth {self.depth}"
        line = f"; line: {' '.join(self.line)}" if len(self.line) > 1 else ""
        rows = [{name: value for name, value in row.items() if name != "number"} for row in self.rows()]
        return html_table(rows, f"{self.player} at {self.position}: {self.action}{found}, {work}{line}")

    def as_dict(self) -> dict[str, Any]:
        """A dictionary that can be written as JSON; players are numbered from 1 in it, as in all text."""
        plain = {
            name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("actions", "turn", "tree")
        }
        if not self.lines:
            del plain["lines"]
        plain["terminal_ratio"] = self.terminal_ratio
        plain["player_to_move"] = self.turn + 1 if self.turn >= 0 else None
        plain["actions"] = [vars(action) for action in self.actions]
        return plain


def value_text(value: float | None, digits: int) -> str:
    """A value with its sign, for people; a dash where there is none."""
    return "-" if value is None else f"{value:+.{digits}f}"


def finite(value: Any) -> Any:
    """The same with null for numbers that JSON has no word for: infinite ones, and what is none."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


LINE_LENGTH = 12


def in_words(position: Position, numbers: Iterable[int]) -> list[str]:
    """Actions and, in brackets, outcomes from a position on by their numbers; no outcomes at the end."""
    steps: list[str] = []
    length = 0  # up to the last action
    for number in numbers:
        name = position.step_name(number)
        steps.append(f"({name})" if position.is_chance else name)
        length = length if position.is_chance else len(steps)
        position = position.follow(number)
    return steps[:length]


def each_in_words(position: Position, lines: list[list[int]]) -> list[list[str]]:
    return [in_words(position, line) for line in lines]
