"""What works say of their numbers in words, judged by ours: above, near, rising, highest at, one above another.

A claim agrees or disagrees where our intervals say so with 95% confidence, and is undecided otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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
        return Judgement(self.sentence, worst(verdicts), because)

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
        low, high = self.value - self.within, self.value + self.within
        if low <= entry.low and entry.high <= high:
            verdict = AGREES
        else:
            verdict = DISAGREES if entry.high < low or entry.low > high else UNDECIDED
        return Judgement(self.sentence, verdict, table.words(entry))


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
    """A row rises, or falls, from its first column to its last."""

    sentence: str
    row: str
    falls: bool = False

    def judge(self, table: Table) -> Judgement | None:
        entries = [entry for _, entry in table.row(self.row)]
        if len(entries) < 2:
            return None
        slope, error = trend(entries)
        because = f"{table.number(slope)} ± {table.number(REACH * error)} from each column to the next"
        return Judgement(self.sentence, by_sign(-slope if self.falls else slope, error), because)


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
            others = [entry for column, entry in entries.items() if column != best]
            sure = all(entry.high < theirs.low for entry in others)
            return Judgement(self.sentence, AGREES, because + ("" if sure else " (others are within the intervals)"))
        apart = ours.mean - theirs.mean > REACH * math.hypot(ours.error, theirs.error)
        return Judgement(self.sentence, DISAGREES if apart else UNDECIDED, because)


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
        return Judgement(self.sentence, by_sign(difference, error), because)


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
        verdict = by_sign(mine.mean - theirs.mean, math.hypot(mine.error, theirs.error))
        return Judgement(self.sentence, verdict, because)


def judged(claims: Sequence[Claim], table: Table) -> list[Judgement]:
    """What becomes of the claims that a table has numbers for."""
    return [judgement for claim in claims if (judgement := claim.judge(table)) is not None]
