"""What works say of their numbers in words, judged by ours: above, near, rising, highest at, one above another.

A claim agrees or disagrees where our intervals say so with 95% confidence. Where they do not, but show that the
difference is smaller than a margin (`Table.margin`), whichever way it goes, it is "about equal": two one-sided tests of
5% each (Schuirmann 1987). A margin is smaller than the effect in question: where a work prints no effect, it is what
the work's own number of games could not have shown; without one nothing is about equal. Else the claim is undecided,
with how many times as many games would decide it, were the numbers to stay where they are, and games of which numbers.

Hypotheses that no work states are wrapped in `Ours`. No claim is judged on numbers of two versions of the searches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from astragal.lab.findings import (
    AGREES,
    DISAGREES,
    EQUAL,
    ONE_SIDED,
    REACH,
    UNDECIDED,
    At,
    Entry,
    Judgement,
    Table,
)


class Claim(Protocol):
    """Something a work says of a table."""

    def judge(self, table: Table) -> Judgement | None: ...


@dataclass(frozen=True)
class Distance:
    """How far something lies on the side where a work says it is, its standard error, and what would be too little to
    matter."""

    mean: float
    error: float
    margin: float = 0.0

    @property
    def verdict(self) -> str:
        if abs(self.mean) > REACH * self.error and self.mean != 0.0:
            return AGREES if self.mean > 0.0 else DISAGREES
        return EQUAL if self.is_small else UNDECIDED

    @property
    def is_small(self) -> bool:
        return abs(self.mean) + ONE_SIDED * self.error < self.margin

    @property
    def needs(self) -> float:
        """How many times as many games would decide its side, or that it is too little."""
        left = self.margin - abs(self.mean)
        return min(times(REACH * self.error, self.mean), times(ONE_SIDED * self.error, left) if left > 0 else math.inf)

    def judgement(self, sentence: str, because: str, table: Table, cells: Iterable[At]) -> Judgement:
        verdict = self.verdict
        if verdict == EQUAL:
            because += f": less than {table.number(self.margin)} either way"
        return judgement(sentence, verdict, because, cells, self.needs)


def judgement(
    sentence: str, verdict: str, because: str, cells: Iterable[At], needs: float, open_at: Iterable[At] | None = None
) -> Judgement:
    """What is said of the numbers in some cells; where it is undecided, more games of all, or of a few, would count."""
    rests_on = tuple(cells)
    if verdict != UNDECIDED:
        return Judgement(sentence, verdict, because, rests_on=rests_on)
    return Judgement(sentence, verdict, because, needs, rests_on, rests_on if open_at is None else tuple(open_at))


def times(reach: float, distance: float) -> float:
    """How many times as many games make an interval of this reach end before something at this distance."""
    return (reach / distance) ** 2 if distance else math.inf


def worst(verdicts: Sequence[str]) -> str:
    return next((verdict for verdict in (DISAGREES, UNDECIDED, EQUAL) if verdict in verdicts), AGREES)


@dataclass(frozen=True)
class Above:
    """Each entry of a row, or one of them, lies above a level."""

    sentence: str
    row: str
    column: str | None = None
    level: float = 0.5
    below: bool = False
    margin: float | None = None  # the table's

    def judge(self, table: Table) -> Judgement | None:
        found = {name: entry for name, entry in table.row(self.row) if self.column in (None, name)}
        if not found:
            return None
        margin = table.margin if self.margin is None else self.margin
        verdicts = {name: self.verdict(entry, margin) for name, entry in found.items()}
        because = ", ".join(f"{name}: {table.words(entry)}" for name, entry in found.items())
        verdict = worst(list(verdicts.values()))
        if verdict == EQUAL:
            equal = [name for name in found if verdicts[name] == EQUAL]
            where = f" at {', '.join(equal)}" if len(found) > 1 else ""
            because += f": less than {table.number(margin)} from {table.number(self.level)} either way{where}"
        open_ones = [name for name in found if verdicts[name] == UNDECIDED]
        needs = max((self.distance(found[name], margin).needs for name in open_ones), default=0.0)
        return judgement(self.sentence, verdict, because, self.cells(found), needs, self.cells(open_ones))

    def cells(self, columns: Iterable[str]) -> list[At]:
        return [(self.row, column) for column in columns]

    def distance(self, entry: Entry, margin: float) -> Distance:
        return Distance(entry.mean - self.level, entry.error, margin)

    def verdict(self, entry: Entry, margin: float) -> str:
        if entry.low <= self.level <= entry.high:  # which may be longer to one side
            return EQUAL if self.distance(entry, margin).is_small else UNDECIDED
        return AGREES if (entry.mean > self.level) != self.below else DISAGREES


@dataclass(frozen=True)
class Near:
    """An entry is about so much."""

    sentence: str
    row: str
    column: str
    value: float = 0.5
    within: float = 0.03

    def judge(self, table: Table) -> Judgement | None:
        at = self.row, self.column
        entry = table.entries.get(at)
        if entry is None:
            return None
        nearest = min(abs(entry.mean - self.value + self.within), abs(entry.mean - self.value - self.within))
        needs = times(REACH * entry.error, nearest)
        return judgement(self.sentence, self.verdict(entry), table.words(entry), [at], needs)

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
        because = f"the best of {len(there)} is {best}: {judged.because}" if judged else ""
        return judged and replace(judged, because=because, rests_on=tuple((row, self.column) for row in there))


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
        entries = {column: entry for column, entry in table.row(self.row) if column not in self.without}
        if len(entries) < 2:
            return None
        slope, error = trend(list(entries.values()))
        left_out = f", without {', '.join(self.without)}" if self.without else ""
        because = f"{table.number(slope)} ± {table.number(REACH * error)} from each column to the next{left_out}"
        margin = table.margin / (len(entries) - 1)  # from the first column to the last
        found = Distance(-slope if self.falls else slope, error, margin)
        return found.judgement(self.sentence, because, table, ((self.row, column) for column in entries))


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
        first, *others = sorted(entries, key=lambda column: entries[column].mean, reverse=True)
        then = self.column if self.column != first else next(iter(others), None)
        because = f"highest at {first}: {table.words(entries[first])}"
        if then is not None:
            because += f"; {'then ' if then != self.column else ''}at {then}: {table.words(entries[then])}"
        theirs = entries[self.column]
        apart = {
            column: self.apart(theirs, entry, table.margin)
            for column, entry in entries.items()
            if column != self.column
        }
        verdict = worst([distance.verdict for distance in apart.values()])
        open_ones = [column for column, distance in apart.items() if distance.verdict == UNDECIDED]
        needs = max((apart[column].needs for column in open_ones), default=0.0)
        open_at = [(self.row, column) for column in (self.column, *open_ones)]
        return judgement(self.sentence, verdict, because, ((self.row, column) for column in entries), needs, open_at)

    def apart(self, theirs: Entry, other: Entry, margin: float) -> Distance:
        return Distance(theirs.mean - other.mean, math.hypot(theirs.error, other.error), margin)


@dataclass(frozen=True)
class AverageAbove:
    """A row lies above a level on average over its columns."""

    sentence: str
    row: str
    level: float = 0.0

    def judge(self, table: Table) -> Judgement | None:
        entries = {(self.row, column): entry for column, entry in table.row(self.row)}
        return on_average(self.sentence, table, entries, {}, self.level) if entries else None


@dataclass(frozen=True)
class Together:
    """What a work says of several rows at once: on average they lie above others, one to one, or above a level."""

    sentence: str
    rows: tuple[str, ...]
    others: tuple[str, ...] = ()
    level: float = 0.0
    below: bool = False
    column: str | None = None

    def judge(self, table: Table) -> Judgement | None:
        mine, theirs = self.cells(self.rows, table), self.cells(self.others, table)
        if not mine or (self.others and len(mine) != len(theirs)):
            return None
        return on_average(self.sentence, table, mine, theirs, self.level, self.below)

    def cells(self, rows: Iterable[str], table: Table) -> Cells:
        return {
            (row, column): entry for row in rows for column, entry in table.row(row) if self.column in (None, column)
        }


Cells = dict[At, Entry]


def on_average(
    sentence: str, table: Table, mine: Cells, theirs: Cells, level: float = 0.0, below: bool = False
) -> Judgement:
    """Whether the mean of some numbers, less that of as many others, lies above a level."""
    mean = (sum(entry.mean for entry in mine.values()) - sum(entry.mean for entry in theirs.values())) / len(mine)
    error = math.sqrt(sum(entry.error**2 for entry in (*mine.values(), *theirs.values()))) / len(mine)
    because = f"{table.number(mean)} ± {table.number(REACH * error)} on average over {len(mine)}"
    found = Distance((level - mean) if below else (mean - level), error, table.margin)
    return found.judgement(sentence, because, table, (*mine, *theirs))


@dataclass(frozen=True)
class Beyond:
    """A row is higher in one column than in another."""

    sentence: str
    row: str
    column: str
    other: str

    def judge(self, table: Table) -> Judgement | None:
        return compared(self.sentence, table, (self.row, self.column), (self.row, self.other), 1)


@dataclass(frozen=True)
class More:
    """One row has more of something, a column, than another."""

    sentence: str
    row: str
    other: str
    column: str

    def judge(self, table: Table) -> Judgement | None:
        return compared(self.sentence, table, (self.row, self.column), (self.other, self.column), 0)


def compared(sentence: str, table: Table, one: At, other: At, named_by: int) -> Judgement | None:
    """Whether one entry is larger than another; they differ by row (0) or by column (1)."""
    mine, theirs = table.entries.get(one), table.entries.get(other)
    if mine is None or theirs is None:
        return None
    because = f"{one[named_by]}: {table.words(mine)}, {other[named_by]}: {table.words(theirs)}"
    found = Distance(mine.mean - theirs.mean, math.hypot(mine.error, theirs.error), table.margin)
    return found.judgement(sentence, because, table, (one, other))


@dataclass(frozen=True)
class Every:
    """One sentence of a work that is about several numbers or tests: it holds if each of these claims does."""

    sentence: str
    claims: tuple[Claim, ...]

    def judge(self, table: Table) -> Judgement | None:
        found = [judged for claim in self.claims if (judged := claim.judge(table)) is not None]
        if not found:
            return None
        verdict = worst([judged.verdict for judged in found])
        because = "; ".join(f"{judged.sentence}: {judged.verdict}" for judged in found)
        needs = max((judged.needs for judged in found if judged.needs is not None), default=0.0)
        rests_on = dict.fromkeys(at for judged in found for at in judged.rests_on)
        open_at = [at for judged in found for at in judged.open_at]
        made = judgement(self.sentence, verdict, because, rests_on, needs, open_at)
        return replace(made, open_at=tuple(open_at))  # a part may be open where the whole is decided


@dataclass(frozen=True)
class Ours:
    """Our own hypothesis, which no work states: it counts apart from the works' claims."""

    claim: Claim

    def judge(self, table: Table) -> Judgement | None:
        found = self.claim.judge(table)
        return found and replace(found, ours=True)


def judged(claims: Sequence[Claim], table: Table) -> list[Judgement]:
    """What becomes of the claims that a table has numbers for."""
    found = (claim.judge(table) for claim in claims)
    return [by_one_version(judgement, table) for judgement in found if judgement is not None]


def by_one_version(judgement: Judgement, table: Table) -> Judgement:
    """Numbers of different versions of the searches do not make a verdict together."""
    if len(table.versions(judgement.rests_on)) < 2:
        return judgement
    return replace(judgement, verdict=UNDECIDED, because="it rests on numbers of two versions of the searches")
