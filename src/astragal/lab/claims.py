"""What works say of their numbers in words, judged by ours: above, near, rising, highest at, one above another.

A claim agrees or disagrees where our intervals say so with 95% confidence, and is undecided otherwise. It is then said
how many times as many games would decide it, were the numbers to stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from astragal.lab.findings import AGREES, DISAGREES, REACH, UNDECIDED, Entry, Judgement, Table


class Claim(Protocol):
    """Something a work says of a table."""

    def judge(self, table: Table) -> Judgement | None: ...


def by_sign(difference: float, error: float) -> str:
    """Whether a difference that should be positive is."""
    if abs(difference) <= REACH * error or difference == 0.0:
        return UNDECIDED
    return AGREES if difference > 0.0 else DISAGREES


def times(reach: float, distance: float) -> float:
    """How many times as many games make an interval of this reach end before something at this distance."""
    return (reach / distance) ** 2 if distance else math.inf


def needed(verdict: str, reach: float, distance: float) -> float | None:
    return times(reach, distance) if verdict == UNDECIDED else None


@dataclass(frozen=True)
class Above:
    """Each entry of a row, or one of them, lies above a level."""

    sentence: str
    row: str
    column: str | None = None
    level: float = 0.5
    below: bool = False

    def judge(self, table: Table) -> Judgement | None:
        found = [(name, entry) for name, entry in table.row(self.row) if self.column in (None, name)]
        if not found:
            return None
        verdicts = [self.verdict(entry) for _, entry in found]
        because = ", ".join(f"{name}: {table.words(entry)}" for name, entry in found)
        open_ones = [entry for (_, entry), verdict in zip(found, verdicts, strict=True) if verdict == UNDECIDED]
        most = max((times(REACH * entry.error, entry.mean - self.level) for entry in open_ones), default=None)
        verdict = worst(verdicts)
        return Judgement(self.sentence, verdict, because, most if verdict == UNDECIDED else None)

    def verdict(self, entry: Entry) -> str:
        if entry.low <= self.level <= entry.high:
            return UNDECIDED
        return AGREES if (entry.mean > self.level) != self.below else DISAGREES


def worst(verdicts: Sequence[str]) -> str:
    return next((verdict for verdict in (DISAGREES, UNDECIDED) if verdict in verdicts), AGREES)


@dataclass(frozen=True)
class Near:
    """An entry is about so much."""

    sentence: str
    row: str
    column: str
    value: float = 0.5
    within: float = 0.03

    def judge(self, table: Table) -> Judgement | None:
        entry = table.entries.get((self.row, self.column))
        if entry is None:
            return None
        verdict = self.verdict(entry)
        nearest = min(abs(entry.mean - self.value + self.within), abs(entry.mean - self.value - self.within))
        return Judgement(self.sentence, verdict, table.words(entry), needed(verdict, REACH * entry.error, nearest))

    def verdict(self, entry: Entry) -> str:
        low, high = self.value - self.within, self.value + self.within
        if low <= entry.low and entry.high <= high:
            return AGREES
        return DISAGREES if entry.high < low or entry.low > high else UNDECIDED


@dataclass(frozen=True)
class BestNear:
    """The best of several rows, whichever that is by our numbers, is about so much."""

    sentence: str
    rows: tuple[str, ...]
    column: str
    value: float = 0.5
    within: float = 0.05

    def judge(self, table: Table) -> Judgement | None:
        there = [row for row in self.rows if (row, self.column) in table.entries]
        if not there:
            return None
        best = max(there, key=lambda row: table.entries[row, self.column].mean)
        judged = Near(self.sentence, best, self.column, self.value, self.within).judge(table)
        return judged and replace(judged, because=f"the best of {len(there)} is {best}: {judged.because}")


def trend(entries: Sequence[Entry]) -> tuple[float, float]:
    """The slope from each entry to the next, by weighted least squares, and its standard error."""
    weights = [1.0 / max(entry.error, 1e-9) ** 2 for entry in entries]
    total = sum(weights)
    centre = sum(weight * place for place, weight in enumerate(weights)) / total
    spread = sum(weight * (place - centre) ** 2 for place, weight in enumerate(weights))
    rise = sum(weights[place] * (place - centre) * entry.mean for place, entry in enumerate(entries))
    return rise / spread, math.sqrt(1.0 / spread)


@dataclass(frozen=True)
class Rises:
    """A row rises, or falls, from its first column to its last; some columns may lie outside what a work shows."""

    sentence: str
    row: str
    falls: bool = False
    without: tuple[str, ...] = ()

    def judge(self, table: Table) -> Judgement | None:
        entries = [entry for column, entry in table.row(self.row) if column not in self.without]
        if len(entries) < 2:
            return None
        slope, error = trend(entries)
        left_out = f", without {', '.join(self.without)}" if self.without else ""
        because = f"{table.number(slope)} ± {table.number(REACH * error)} from each column to the next{left_out}"
        verdict = by_sign(-slope if self.falls else slope, error)
        return Judgement(self.sentence, verdict, because, needed(verdict, REACH * error, slope))


@dataclass(frozen=True)
class HighestAt:
    """A row is highest at a column."""

    sentence: str
    row: str
    column: str

    def judge(self, table: Table) -> Judgement | None:
        entries = dict(table.row(self.row))
        if self.column not in entries:
            return None
        best = max(entries, key=lambda column: entries[column].mean)
        theirs, ours = entries[self.column], entries[best]
        because = f"highest at {best}: {table.words(ours)}; at {self.column}: {table.words(theirs)}"
        if best == self.column:
            verdicts = [self.apart(theirs, other) for column, other in entries.items() if column != best]
            nearest = max((other.mean for column, other in entries.items() if column != best), default=-math.inf)
        else:
            verdicts, nearest = [self.apart(theirs, ours)], ours.mean
        verdict = worst(verdicts)
        reach = REACH * math.sqrt(2) * theirs.error
        return Judgement(self.sentence, verdict, because, needed(verdict, reach, theirs.mean - nearest))

    def apart(self, theirs: Entry, other: Entry) -> str:
        """Whether the interval of their difference excludes that the other is as high."""
        return by_sign(theirs.mean - other.mean, math.hypot(theirs.error, other.error))


@dataclass(frozen=True)
class Higher:
    """One row lies above another, on average over the columns they share."""

    sentence: str
    row: str
    other: str

    def judge(self, table: Table) -> Judgement | None:
        mine, theirs = dict(table.row(self.row)), dict(table.row(self.other))
        shared = [column for column in mine if column in theirs]
        if not shared:
            return None
        difference = sum(mine[column].mean - theirs[column].mean for column in shared) / len(shared)
        variance = sum(mine[column].error ** 2 + theirs[column].error ** 2 for column in shared)
        error = math.sqrt(variance) / len(shared)
        because = f"{table.number(difference)} ± {table.number(REACH * error)} on average over {len(shared)} columns"
        verdict = by_sign(difference, error)
        return Judgement(self.sentence, verdict, because, needed(verdict, REACH * error, difference))


@dataclass(frozen=True)
class AverageAbove:
    """A row lies above a level on average over its columns."""

    sentence: str
    row: str
    level: float = 0.0

    def judge(self, table: Table) -> Judgement | None:
        entries = [entry for _, entry in table.row(self.row)]
        if not entries:
            return None
        distance = sum(entry.mean for entry in entries) / len(entries) - self.level
        error = math.sqrt(sum(entry.error**2 for entry in entries)) / len(entries)
        because = (
            f"{table.number(distance + self.level)} ± {table.number(REACH * error)} "
            f"on average over {len(entries)} columns"
        )
        verdict = by_sign(distance, error)
        return Judgement(self.sentence, verdict, because, needed(verdict, REACH * error, distance))


@dataclass(frozen=True)
class Together:
    """What a work says of several rows at once: on average they lie above others, one to one, or above a level."""

    sentence: str
    rows: tuple[str, ...]
    others: tuple[str, ...] = ()
    level: float = 0.0
    below: bool = False

    def judge(self, table: Table) -> Judgement | None:
        mine = [entry for row in self.rows for _, entry in table.row(row)]
        theirs = [entry for row in self.others for _, entry in table.row(row)]
        if not mine or (self.others and len(mine) != len(theirs)):
            return None
        mean = (sum(entry.mean for entry in mine) - sum(entry.mean for entry in theirs)) / len(mine)
        error = math.sqrt(sum(entry.error**2 for entry in (*mine, *theirs))) / len(mine)
        distance = mean - self.level
        verdict = by_sign(-distance if self.below else distance, error)
        because = f"{table.number(mean)} ± {table.number(REACH * error)} on average over {len(mine)}"
        return Judgement(self.sentence, verdict, because, needed(verdict, REACH * error, distance))


@dataclass(frozen=True)
class Beyond:
    """A row is higher in one column than in another."""

    sentence: str
    row: str
    column: str
    other: str

    def judge(self, table: Table) -> Judgement | None:
        mine, theirs = table.entries.get((self.row, self.column)), table.entries.get((self.row, self.other))
        if mine is None or theirs is None:
            return None
        because = f"{self.column}: {table.words(mine)}, {self.other}: {table.words(theirs)}"
        return compared(self.sentence, mine, theirs, because)


def compared(sentence: str, mine: Entry, theirs: Entry, because: str) -> Judgement:
    """Whether one entry is larger than another."""
    difference, error = mine.mean - theirs.mean, math.hypot(mine.error, theirs.error)
    verdict = by_sign(difference, error)
    return Judgement(sentence, verdict, because, needed(verdict, REACH * error, difference))


@dataclass(frozen=True)
class More:
    """One row has more of something, a column, than another."""

    sentence: str
    row: str
    other: str
    column: str

    def judge(self, table: Table) -> Judgement | None:
        mine, theirs = table.entries.get((self.row, self.column)), table.entries.get((self.other, self.column))
        if mine is None or theirs is None:
            return None
        because = f"{self.row}: {table.words(mine)}, {self.other}: {table.words(theirs)}"
        return compared(self.sentence, mine, theirs, because)


def judged(claims: Sequence[Claim], table: Table) -> list[Judgement]:
    """What becomes of the claims that a table has numbers for."""
    return [judgement for claim in claims if (judgement := claim.judge(table)) is not None]
