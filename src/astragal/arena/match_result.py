"""What came of a match: win rates with their intervals, every game, tidy rows, and the table that people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest, GameRecord
from astragal.arena.referee import replayed
from astragal.arena.statistics.estimates import EloDifference, elo_interval
from astragal.arena.statistics.solo import MeanEstimate
from astragal.arena.store.results_store import ResultsStore, Tally
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tables import standing_text
from astragal.base.errors import AstragalError
from astragal.base.folders import TemporaryFolder
from astragal.base.frames import Rows, Tabular


@dataclass(frozen=True)
class KeptGames:
    """Where the games of a contest are: a long match has more of them than fit into memory."""

    file: Path
    key: str  # of the contest
    folder: TemporaryFolder | None = None  # which is gone with the last object that has it

    @classmethod
    def of(cls, store: ResultsStore, contest: Contest) -> KeptGames:
        return cls(store.path.absolute(), contest.key, store.folder)

    def read(self) -> Iterator[GameRecord]:
        with ResultsStore(self.file, must_exist=True) as store:
            number = store.number_of(self.key)
            if number is None:
                raise AstragalError(f"the games of this match are not in {self.file} any more")
            yield from store.games(number)


@dataclass(frozen=True)
class PlayerScore:
    """How a player did. Its rate is its share of the wins, with a 95% interval; None before there are games, and in
    games for one. What games were worth to it is its mean utility."""

    name: str  # without the settings that it has in this game anyway
    player: str  # in full
    rate: float | None
    low: float | None
    high: float | None
    utility: MeanEstimate | None
    forfeits: int
    faults: dict[str, int]


@dataclass
class MatchResult(Tabular):
    """What came of a match; `str` is what `astragal match` prints."""

    standing: Standing
    kept: KeptGames = field(repr=False)
    watch: SprtWatch | None = field(default=None, repr=False)
    complete: bool = True  # whether all games were played, rather than stopped by Ctrl-C
    tally: Tally = field(default_factory=Tally)  # how many games are new, and how many were in the results file

    @cached_property
    def records(self) -> list[GameRecord]:
        """Every game, in the order of their numbers; read from where they are kept when they are first used."""
        scores = self.standing.scores
        return [record for record in self.kept.read() if record.game in scores.get(record.pair, ())]

    def __getstate__(self) -> dict[str, Any]:
        """The games go with it, and no folder that is gone with this process."""
        return vars(self) | {"records": self.records, "kept": replace(self.kept, folder=None)}

    @property
    def file(self) -> Path | None:
        """Where games are kept."""
        return self.tally.file

    @property
    def contest(self) -> Contest:
        return self.standing.contest

    @property
    def games(self) -> int:
        return self.standing.games

    @property
    def players(self) -> list[PlayerScore]:
        """The players in the order in which they were named."""
        label = self.contest.label
        names = ("player", "rate", "low", "high", "forfeits", "faults")
        facts = [self.standing.player_facts(kind) for kind in range(len(self.contest.kinds))]
        return [
            PlayerScore(
                label(each["player"]),
                utility=self.standing.mean_utility(kind),
                **{name: each[name] for name in names},
            )
            for kind, each in enumerate(facts)
        ]

    @property
    def elo(self) -> EloDifference | None:
        """How much stronger the first of two players is, with a 95% interval."""
        estimate = self.standing.paired() or self.standing.rate(0)
        return elo_interval(estimate) if estimate and self.contest.is_duel else None

    @property
    def decision(self) -> str | None:
        """What a sequential test has decided."""
        return self.watch.decision if self.watch else None

    def rows(self) -> Rows:
        """One row for each game and seat: who played, what it got, and how much it searched."""
        return list(seat_rows(self.contest, self.records))

    def as_dict(self) -> dict[str, Any]:
        """What `astragal match --json` prints."""
        facts = self.standing.as_dict() | {"file": self.file and str(self.file), "complete": self.complete}
        facts |= {"new_games": self.tally.new, "found_games": self.tally.found}
        if self.watch is not None:
            watch = self.watch
            facts["sprt"] = {"llr": watch.llr, "decision": watch.decision, "pairs": watch.pairs}
        return facts

    def table(self) -> str:
        """What `astragal match` prints."""
        return standing_text(self.standing, self.watch)

    __str__ = table


def seat_rows(contest: Contest, records: Iterable[GameRecord]) -> Iterator[dict[str, Any]]:
    """One row for each game and seat; games, seats and plies are numbered from 1, as in all text."""
    names = [contest.label(kind) for kind in contest.kinds]
    for record in records:
        movers = movers_of(contest, record)
        for seat, kind in enumerate(record.seats):
            searches = [stats for stats, mover in zip(record.searches, movers, strict=True) if mover == seat]
            yield {
                "pair": record.pair + 1,
                "game": record.game + 1,
                "seat": seat + 1,
                "player": names[kind],
                "utility": record.utilities[seat],
                "score": record.scores[seat],
                "plies": len(record.steps),
                "decisions": len(searches),
                "nodes": sum(stats.nodes for stats in searches),
                "seconds": sum(stats.seconds for stats in searches),
                "depth": sum(stats.depth for stats in searches) / len(searches) if searches else None,
                "forfeit": record.forfeit == seat,
                "fault": record.fault if record.forfeit == seat else "",
                "finished_from": None if record.finished_from is None else record.finished_from + 1,
                "seed": str(record.seed),
            }


def movers_of(contest: Contest, record: GameRecord) -> list[int]:
    """Who made each decision of a game: noted with it, or, in files of older versions, found by replaying it."""
    noted = [stats.seat for stats in record.searches if stats.seat is not None]
    if len(noted) == len(record.searches):
        return noted
    return [position.turn for position in replayed(contest, record)[:-1] if not position.is_chance]
