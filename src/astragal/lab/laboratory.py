"""Where experiments get their numbers from: games of contests and searches of studies, all kept in a notebook.

A `Laboratory` only reads what is there; a `BusyLaboratory` first plays and searches what is missing. An experiment asks
the same questions of both, so that a report of it is made by the code that ran it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

from astragal.arena.contest import Contest, Finish
from astragal.arena.meeting import Meeting, Quiet, meeting_of, meeting_seed
from astragal.arena.record import GameRecord
from astragal.arena.run import Plan, pairs_for, run_contest
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tuning import Meet
from astragal.errors import AstragalError, Stopped
from astragal.lab.exact import solve_for_players
from astragal.lab.notebook import Notebook
from astragal.lab.study import Measurement, Study, run_study
from astragal.search.limits import Limits


class Incomplete(AstragalError):
    """Something that the rest of an experiment depends on is not there."""


Searches = dict[str, list[Measurement]]  # position -> its runs


@dataclass
class Laboratory:
    """Reads a notebook."""

    notebook: Notebook
    seed: int = 0
    missing: int = 0  # games and searches that were asked for and are not there
    read: dict[str, list[GameRecord]] = field(default_factory=dict)  # by contest: looks ask for the same games often

    def contest(
        self,
        game: str,
        kinds: Sequence[str],
        limits: Limits | None = None,
        matched: int | None = None,
        finish: Finish | None = None,
        occasion: str = "",
        expanded: str = "all",
    ) -> Contest:
        """A contest with dice of its own: the same players of two experiments meet only once."""
        contest = Contest.of(game, list(kinds), limits, 0, matched, finish, expanded)
        return replace(contest, seed=meeting_seed(self.seed, occasion, *contest.kinds[:2]))

    def games(self, contest: Contest, games: int) -> list[GameRecord]:
        """The games of a contest, as many as there are, in whole pairs that have at least so many."""
        pairs = pairs_for(contest, games)
        if contest.key not in self.read:
            number = self.notebook.contest_number(contest.key)
            self.read[contest.key] = list(self.notebook.games(number)) if number is not None else []
        found = [record for record in self.read[contest.key] if record.pair < pairs]
        self.missing += pairs * len(contest.seatings) - len(found)
        return found

    def play(self, contest: Contest, games: int) -> Standing:
        """The same as `games`, added up."""
        standing = Standing(contest)
        standing.add(self.games(contest, games))
        return standing

    def meeting(self, game: str, limits: Limits, games: int) -> Meet:
        """How two players meet, for those who go on only when it is known who won."""

        def meet(first: str, second: str, occasion: str, to_the_end: bool = False) -> Meeting:
            contest = self.contest(game, [first, second], limits, occasion=occasion)
            before = self.missing
            standing = self.play(contest, games)
            if self.missing > before:
                raise Incomplete(f"the games of {first} against {second} are not all there")
            return replace(meeting_of(standing, None), occasion=occasion)

        return meet

    def measure(self, study: Study, positions: Sequence[str], runs: int) -> Searches:
        """The searches of a study, as many as there are."""
        number = self.notebook.study_number(study) if self.notebook.has_tables else None
        found: Searches = {position: [] for position in positions}
        for measurement in self.notebook.measurements(number) if number is not None else ():
            if measurement.position in found and measurement.run < runs:
                found[measurement.position].append(measurement)
        self.missing += runs * len(found) - sum(map(len, found.values()))
        return found


@dataclass
class BusyLaboratory(Laboratory):
    """Plays and searches what is missing, and tells of it."""

    jobs: int = 1
    workers: Callable[[], Executor] = field(kw_only=True)
    command: str = ""
    listener: Callable[[Standing, SprtWatch | None, int], Any] = Quiet
    tell: Callable[[str], None] = field(default=lambda line: None)
    show: Callable[[str], None] = field(default=lambda line: None)  # what is true for a moment; nothing takes it away

    def games(self, contest: Contest, games: int) -> list[GameRecord]:
        wanted = pairs_for(contest, games) * len(contest.seatings)
        solve_for_players(contest)
        standing = Standing(contest)
        listener = self.listener(standing, None, wanted)

        def hear(records: list[GameRecord]) -> bool:
            listener.hear(records)
            return False

        try:
            complete = run_contest(contest, Plan(games, self.jobs), self.notebook, self.workers, self.command, hear)
        finally:
            listener.end()
        if not complete:
            raise Stopped("stopped; the same command goes on from here")
        if standing.games:
            pair = " - ".join(contest.kinds)
            self.tell(f"  {contest.game}: {pair}: {standing.in_words(0)} of {standing.games} games")
        self.read.pop(contest.key, None)
        return super().games(contest, games)

    def measure(self, study: Study, positions: Sequence[str], runs: int) -> Searches:
        made = 0

        def hear(measured: Sequence[Measurement]) -> None:
            nonlocal made
            made += len(measured)
            self.show(f"{study.player}: {made} searches made of at most {runs * len(positions)}")

        try:
            run_study(study, positions, runs, self.notebook, self.jobs, self.workers, hear)
        finally:
            self.show("")
        limit = f", {study.limits.time:g} s" if study.limits.time else ""
        self.tell(f"  {study.game}: {study.player}: {runs} searches of {len(positions)} positions{limit}")
        return super().measure(study, positions, runs)
