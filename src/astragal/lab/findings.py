"""What an experiment found: numbers in rows and columns, and whether they agree with what a work reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from astragal.arena.statistics.estimates import wilson
from astragal.lab.rows import Row

AGREES, DISAGREES, EQUAL = "agrees", "disagrees", "about equal"  # the last: no difference that matters, either way
UNDECIDED, TOO_WIDE = "undecided", "too wide to say"
REACH = 1.96  # standard deviations to either end of a 95% interval
ONE_SIDED = 1.645  # of a one-sided one
At = tuple[str, str]  # a row and a column
WITHIN = 0.05  # of shares: if half our interval is wider, it cannot show that two numbers are the same


@dataclass(frozen=True)
class Paper:
    """A number that a work printed, and its error: by the games it came from, or by the states, over which it is taken
    to vary as ours does."""

    value: float
    games: int | None = None
    states: int | None = None
    within: float = WITHIN
    judged: bool = True  # whether ours should be the same, rather than stand beside it

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.value, self.games, REACH) if self.games else (self.value, self.value)


@dataclass(frozen=True)
class Entry:
    """Our number, with its 95% interval and how many games, boards or states it comes from."""

    mean: float
    low: float
    high: float
    count: int
    paper: Paper | None = None

    @classmethod
    def exactly(cls, number: float, count: int = 1) -> Entry:
        """A number that is not estimated."""
        return cls(number, number, number, count)

    @property
    def numbers(self) -> tuple[float, float, float, int]:
        return self.mean, self.low, self.high, self.count

    @property
    def error(self) -> float:
        """The standard error that the interval stands for."""
        return (self.high - self.low) / (2 * REACH)

    @property
    def verdict(self) -> str | None:
        """Whether the two numbers are the same: their distance is no longer than both intervals' errors allow, and
        ours is narrow enough for that to mean something."""
        if self.paper is None or not self.paper.judged:
            return None
        theirs, (low, high) = self.paper.value, self.paper.interval
        ours = self.high - self.mean if theirs > self.mean else self.mean - self.low
        other = theirs - low if theirs > self.mean else high - theirs
        if self.paper.states:
            other = ours * math.sqrt(self.count / self.paper.states)
        if abs(theirs - self.mean) > math.hypot(ours, other):
            return DISAGREES
        return AGREES if (self.high - self.low) / 2 <= self.paper.within else TOO_WIDE

    @property
    def needs(self) -> float | None:
        """How many times as many games or states would be narrow enough, where it is too wide to say."""
        if self.paper is None or self.verdict != TOO_WIDE:
            return None
        return ((self.high - self.low) / 2 / self.paper.within) ** 2 if self.paper.within else math.inf


@dataclass(frozen=True)
class Judgement:
    """A sentence of a work, and what our numbers say of it."""

    sentence: str
    verdict: str
    because: str
    needs: float | None = None  # how many times as many games might decide it, where it is undecided
    rests_on: tuple[At, ...] = ()  # the numbers it is about
    open_at: tuple[At, ...] = ()  # those of which more games might decide it
    ours: bool = False  # whether it is our own hypothesis, which no work states


@dataclass
class Table:
    """Numbers in rows and columns. A number is missing where nothing was measured."""

    title: str
    rows_are: str = ""
    columns_are: str = ""
    percent: bool = True
    digits: int = 1
    margin: float = 0.0  # a smaller difference does not matter; 0: every one does
    entries: dict[At, Entry] = field(default_factory=dict)
    earlier: dict[At, str] = field(default_factory=dict)  # numbers by another version of the searches, and by which

    @property
    def axes(self) -> tuple[str, str]:
        """What its rows are, and its columns."""
        return self.rows_are, self.columns_are

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(row for row, _ in self.entries))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(column for _, column in self.entries))

    @property
    def caption(self) -> str:
        """What the numbers are, and over what."""
        return f"{self.title}, over {self.columns_are}" if self.columns_are else self.title

    def versions(self, cells: Iterable[At]) -> set[str]:
        """By which versions of the searches these numbers are; the present one has no name."""
        return {self.earlier.get(at, "") for at in cells if at in self.entries}

    def row(self, row: str) -> Iterator[tuple[str, Entry]]:
        return ((column, entry) for (at, column), entry in self.entries.items() if at == row)

    def number(self, value: float) -> str:
        """As it is printed."""
        return f"{value * 100:.{self.digits}f}" if self.percent else f"{value:.{self.digits}f}"

    def words(self, entry: Entry) -> str:
        """A number with its interval, and of how many games, boards or states it is."""
        if entry.low == entry.mean == entry.high:  # nothing was estimated
            return self.number(entry.mean)
        return f"{self.number(entry.mean)} [{self.number(entry.low)}, {self.number(entry.high)}] ({entry.count})"


@dataclass(frozen=True)
class Figure:
    """A picture: of a table, as curves over its columns or as bars, or one that is drawn already."""

    name: str
    caption: str
    shape: str = "curves"  # or bars
    table: Table | None = None
    picture: Callable[[Path], None] | None = None  # draws one that is not of a table, into a file of either kind
    log: bool = False  # whether the columns' numbers are spread by their logarithms
    fair: float | None = 0.5  # where equal players would be


@dataclass
class Section:
    """A part of a report: tables, a figure of some of them, and what became of the work's claims."""

    title: str
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: int = 0  # games or searches that this scale asks for and that are not there
    rows: list[Row] = field(default_factory=list)  # who is behind the numbers
