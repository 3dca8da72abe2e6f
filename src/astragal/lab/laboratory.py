"""Where experiments get their numbers from: games of contests and searches of studies, all kept in a notebook.

A `Laboratory` only reads what is there; a `BusyLaboratory` first plays and searches what is missing. An experiment asks
the same questions of both, so that a report of it is made by the code that ran it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish, GameRecord, Versions, versions_text
from astragal.arena.meeting import Meeting, Quiet, meeting_of, meeting_seed
from astragal.arena.run import Plan, pairs_for, run_contest
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tuning import Meet
from astragal.base.errors import AstragalError, Stopped
from astragal.base.interruptible import PROCESSOR, WALL
from astragal.games import load_game
from astragal.lab.exact import solve_for_players
from astragal.lab.findings import Entry, Table
from astragal.lab.notebook import Notebook
from astragal.lab.study import Measurement, Searches, Study, run_study
from astragal.players import load_player


class Incomplete(AstragalError):
    """Something that the rest of an experiment depends on is not there."""


@dataclass
class Laboratory:
    """Reads a notebook."""

    notebook: Notebook
    seed: int = 0
    missing: int = 0  # games and searches that were asked for and are not there
    read: dict[str, list[GameRecord]] = field(default_factory=dict)  # by contest: looks ask for the same games often
    lucks: dict[str, dict[tuple[int, int], float]] = field(default_factory=dict)  # see `astragal.lab.luck`
    derived: set[str] = field(default_factory=set)  # the keys of what was worked out, or was read
    plays: ClassVar[bool] = False
    anew: bool = False  # whether it is worked out though it was kept
    kept_versions: dict[str, Versions] = field(default_factory=dict)  # of contests that were read
    made: dict[Any, Contest] = field(default_factory=dict)  # contests by what they are made of
    standings: dict[tuple[Contest, int], Standing] = field(default_factory=dict)  # by contest and number of games
    earlier: dict[str, str] = field(default_factory=dict)  # key -> the other version of the searches that is read of

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
        """A contest with dice of its own: the same players of two experiments meet only once.

        Seconds are those of the processor, however busy the machine, unless a player counts its own."""
        key = (game, *kinds), limits, matched, finish, occasion, expanded
        if key not in self.made:
            clock = PROCESSOR if limits is not None and limits.time and not keep_time(game, kinds) else WALL
            contest = Contest.of(game, list(kinds), limits, 0, matched, finish, expanded, clock)
            self.made[key] = replace(contest, seed=meeting_seed(self.seed, occasion, *contest.kinds[:2]))
        return self.made[key]

    def standing(self, contest: Contest, records: Sequence[GameRecord]) -> Standing:
        """What the first games of a contest say."""
        key = contest, len(records)
        if key not in self.standings:
            self.standings[key] = Standing(contest)
            self.standings[key].add(records)
        return self.standings[key]

    def games(self, contest: Contest, games: int) -> list[GameRecord]:
        """The games of a contest, in whole pairs that have at least this many."""
        pairs = pairs_for(contest, games)
        if contest.key not in self.read:
            kept = self.notebook.kept_contest(contest)
            self.read[contest.key] = list(self.notebook.games(kept[0])) if kept is not None else []
            self.note_version(contest, kept and kept[1])
        found = [record for record in self.read[contest.key] if record.pair < pairs]
        self.missing += pairs * len(contest.seatings) - len(found)
        return found

    def recall(self, key: str) -> Any:
        """What was worked out before and is kept, unless it is to be worked out anew."""
        self.derived.add(key)
        return None if self.anew else self.notebook.derived(key)

    def keep(self, key: str, value: Any) -> None:
        self.derived.add(key)
        self.notebook.keep_derived(key, value)

    def tables(self, key: str, make: Callable[[], Sequence[Table]], blank: Sequence[Table]) -> Sequence[Table]:
        """Tables that take long to fill, kept once nothing that they rest on is missing."""
        found, missing = self.recall(key), self.missing
        if found is None:
            made = make()
            if self.missing == missing:
                self.keep(key, [[[*at, *entry.numbers] for at, entry in table.entries.items()] for table in made])
            return made
        for table, cells in zip(blank, found, strict=True):
            table.entries |= {(row, column): Entry(*numbers) for row, column, *numbers in cells}
        return blank

    def key_of(self, contest: Contest) -> str:
        """The key under which those of its games are kept that are there: perhaps of an earlier version."""
        return replace(contest, versions=self.kept_versions.get(contest.key, contest.versions)).key

    def note_version(self, asked: Contest | Study, kept: Contest | Study | None) -> None:
        if kept is not None and kept.versions != asked.versions:
            self.kept_versions[asked.key] = kept.versions
            self.earlier[asked.key] = versions_text(kept.versions, dict(asked.versions))

    def earlier_of(self, asked: Contest | Study) -> str:
        """The version of the searches by which games or searches were made that are there; nothing if it is today's."""
        return self.earlier.get(asked.key, "")

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

    def kept_study(self, study: Study) -> tuple[int, Study] | None:
        """A study that is there with its number, perhaps of an earlier version, which is noted."""
        kept = self.notebook.kept_study(study) if self.notebook.has_tables else None
        self.note_version(study, kept and kept[1])
        return kept

    def measure(self, study: Study, positions: Sequence[str], runs: int) -> Searches:
        """The searches of a study, as many as there are."""
        kept = self.kept_study(study)
        found: Searches = {position: [] for position in positions}
        for measurement in self.notebook.measurements(kept[0]) if kept else ():
            if measurement.position in found and measurement.run < runs:
                found[measurement.position].append(measurement)
        self.missing += runs * len(found) - sum(map(len, found.values()))
        return found


def keep_time(game: str, kinds: Sequence[str]) -> bool:
    """Whether one of these players counts its seconds itself, by the clock on the wall."""
    rules = load_game(game)
    return any(load_player(kind, rules).keeps_time for kind in kinds)


@dataclass
class BusyLaboratory(Laboratory):
    """Plays and searches what is missing, and reports it."""

    plays: ClassVar[bool] = True
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

        def hear(records: Iterable[GameRecord]) -> bool:
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
