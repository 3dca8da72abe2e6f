"""What came of a match: win rates with their intervals, every game, tidy rows, and the table that people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.means import MeanEstimate
from astragal.arena.record import GameRecord
from astragal.arena.referee import replayed
from astragal.arena.statistics import EloDifference, elo_interval
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tables import standing_text
from astragal.frames import Rows, Tabular


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
    records: list[GameRecord] = field(repr=False)  # every game, in the order of their numbers
    watch: SprtWatch | None = field(default=None, repr=False)
    complete: bool = True  # whether all games were played, rather than stopped by Ctrl-C
    file: Path | None = None  # where games are kept

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
