"""When pairings have enough games: looks that are few and fixed beforehand, and strict but for the last.

Looking often and stopping at will gives wrong results in more than 5%. So pairings are looked at after about 50
games, 100, 200 and so on, all of a table at a time. One goes on after a look before the last if a claim that rests on
it is still open by 99.9% intervals; the interval that is reported is the usual 95% (Haybittle 1971; Peto et al. 1976).
With n looks a true claim is contradicted with a probability of at most 5% + (n - 1) 0.1%. Games go where claims are
close. A pairing that no claim rests on ends once its 95% interval is as narrow as the experiment asks for, which
favours no side, or the strict one holds none of the levels in question.

Who makes a run larger because a claim was still open has one more last look. So the k-th time claims are judged by
intervals that miss half as often as the time before, 97.5%, 98.75% and so on: with however many, a true claim is
contradicted with a probability of less than 10% + (n - 1) 0.1%.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TypeVar

from astragal.arena.contest import Contest, GameRecord
from astragal.arena.run import pairs_for
from astragal.lab.findings import REACH, Entry, Table
from astragal.lab.laboratory import Laboratory

STRICT = 0.999  # the confidence of a look before the last one
USUAL = 0.95
FIRST_GAMES = 50
Name = TypeVar("Name")


def last_confidence(again: int) -> float:
    """The confidence of claims at the last look, where a run was made larger so often after a last look."""
    return 1.0 - (1.0 - USUAL) / 2.0**again


def again_note(again: int) -> str:
    often = {1: "once", 2: "twice"}.get(again, f"{again} times")
    return (
        f"This run was made larger {often} after its claims had been seen: they are judged and reported by "
        f"{100 * last_confidence(again):g}% intervals."
    )


def looks(pairs: int, games_a_pair: int) -> Iterator[int]:
    """After how many pairs to look, the last look being at all of them."""
    look = max(1, math.ceil(FIRST_GAMES / games_a_pair))
    while look < pairs:
        yield look
        look *= 2
    yield pairs


def play_by_looks(
    lab: Laboratory,
    contests: Mapping[Name, tuple[Contest, int]],
    is_enough: Callable[[Mapping[Name, list[GameRecord]]], Callable[[Name], bool]],
) -> dict[Name, list[GameRecord]]:
    """The games of some contests, each of which has a number at most: all up to a look, then those of which that look
    says that they are not enough up to their next, and so on. One that was enough may go on where others have moved."""
    if not lab.plays:
        return what_is_there(lab, contests, is_enough)
    found: dict[Name, list[GameRecord]] = {}
    going = {
        name: looks(pairs_for(contest, games), len(contest.seatings)) for name, (contest, games) in contests.items()
    }
    due = list(going)
    while due:
        for name in due:
            contest, _ = contests[name]
            pairs, missing = next(going[name], None), lab.missing
            if pairs is not None:
                found[name] = lab.games(contest, pairs * len(contest.seatings))
            if pairs is None or lab.missing > missing:
                del going[name]
        enough = is_enough(found)
        due = [name for name in going if not enough(name)]
    return found


def what_is_there(
    lab: Laboratory,
    contests: Mapping[Name, tuple[Contest, int]],
    is_enough: Callable[[Mapping[Name, list[GameRecord]]], Callable[[Name], bool]],
) -> dict[Name, list[GameRecord]]:
    """All games that were kept; some are missing where they are neither enough nor as many as there may be."""
    before, found, lacking = lab.missing, dict[Name, list[GameRecord]](), dict[Name, int]()
    for name, (contest, games) in contests.items():
        found[name] = lab.games(contest, games)
        lacking[name], lab.missing = lab.missing - before, before
    enough = is_enough(found)
    for name, games in lacking.items():
        lab.missing += games if games and not enough(name) else 0
    return found


def with_confidence(entry: Entry, confidence: float) -> Entry:
    """An entry that has a 95% interval, about the same mean, with another one."""
    if confidence == USUAL:
        return entry
    wider = NormalDist().inv_cdf((1.0 + confidence) / 2) / REACH
    low, high = entry.mean - wider * (entry.mean - entry.low), entry.mean + wider * (entry.high - entry.mean)
    return Entry(entry.mean, low, high, entry.count, entry.paper)


def stricter(table: Table, again: int) -> Table:
    """The same numbers with the intervals by which claims are judged where a run was made larger so often."""
    entries = {at: with_confidence(entry, last_confidence(again)) for at, entry in table.entries.items()}
    return replace(table, entries=entries)


@dataclass(frozen=True)
class Stop:
    """When to stop where no claim says so: at an interval of this reach, or when the strict one holds none of the
    levels asked about."""

    reach: float
    levels: Sequence[float] = ()

    def is_enough(self, usual: Entry, strict: Entry) -> bool:
        narrow = (usual.high - usual.low) / 2 <= self.reach
        return narrow or (bool(self.levels) and not any(strict.low <= level <= strict.high for level in self.levels))
