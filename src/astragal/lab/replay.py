"""Playing the games of a report again: the same games must come of the same searches.

Where a clock limited the searches, each has as many nodes as it had then, which are in the data: it stops at the same
place. A tree search whose simulations end in nodes that are there already adds none, and may go on for longer: in games
as small as tic-tac-toe. All other games are played as they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.referee import Referee
from astragal.lab.exports import FIRST, games_of, read_export


class ByNodes(Referee):
    """Repeats a game whose searches had as many seconds as they were given."""

    def __init__(self, contest: Contest, record: GameRecord) -> None:
        super().__init__(contest, record.pair, record.game)
        self.record = record

    def limits_for(self, seat: int, finishing: bool) -> tuple[Limits, int | None]:
        limits, budget = super().limits_for(seat, finishing)
        done = len(self.searches)
        if limits.time is None or done >= len(self.record.searches):
            return limits, budget
        return Limits(nodes=max(1, self.record.searches[done].nodes)), budget


@dataclass(frozen=True)
class Replayed:
    """How many games of a pairing were played again, and how many came out the same, step by step."""

    contest: Contest
    games: int
    same: int


def is_same(contest: Contest, record: GameRecord) -> bool:
    again = ByNodes(contest, record).play(strict=False)
    return (again.steps, again.utilities) == (record.steps, record.utilities)


def replay(path: Path, games: int) -> Iterator[Replayed]:
    """The first games of each pairing of an export; none of data that is older than versions of searches."""
    first = False
    for line in read_export(path):
        first |= line.get("format") == FIRST
        if "contest" in line and not first:
            contest, records = games_of(line)
            if not any(version == 0 for _, version in contest.versions):
                chosen = records[:games]
                yield Replayed(contest, len(chosen), sum(is_same(contest, record) for record in chosen))
