"""Players against each other: every number is the score of a first player against a second one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from astragal.arena.contest import Contest, Finish
from astragal.arena.record import GameRecord
from astragal.arena.statistics import duplicate_score, paired, win_rate
from astragal.arena.summary import Standing
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry
from astragal.lab.findings import Entry, Figure, Paper, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.search.limits import Limits


@dataclass(frozen=True)
class Better:
    """Whichever of two players wins more of their games, played first: as many as a pairing has, or fewer."""

    first: str
    second: str
    most: int = 1000


@dataclass(frozen=True)
class Duel:
    """A number of a table: who plays, with what, and what the work printed."""

    row: str
    column: str
    game: str
    first: str | Better
    second: str | Better
    limits: Limits = field(default_factory=Limits)  # the players' own where none is set
    matched: int | None = None  # the player whose nodes are those the other one would use
    finish: Finish | None = None
    paper: Paper | None = None
    share: float = 1.0  # of the games of a pairing

    def games(self, size: Size) -> int:
        return max(2, round(self.share * size.games))


@dataclass(frozen=True)
class Duels:
    """A table of duels, and its picture."""

    title: str
    duels: Callable[[Size], Iterable[Duel]]
    name: str = ""  # of the figure's file; no figure without one
    rows_are: str = ""
    columns_are: str = ""
    score: str = "games"  # or boards: duplicate scoring, in which boards that both sides win are set aside
    shape: str = "curves"
    log: bool = False
    claims: tuple[Claim, ...] = ()
    switches: bool = False  # whether to tell when finishers took over
    switch_claims: tuple[Claim, ...] = ()
    caption: str = ""

    def check(self, size: Size) -> None:
        for duel in self.duels(size):
            for first in named(duel.first):
                for second in named(duel.second):
                    Contest.of(duel.game, [first, second], duel.limits, 0, duel.matched, duel.finish)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        scored = "boards" if self.score == "boards" else "games"
        table = Table(f"Score of the first player, in percent of {scored}", self.rows_are, self.columns_are)
        switched = Table("Ply at which finishers took over, on average", self.rows_are, self.columns_are, percent=False)
        section = Section(self.title, [table])
        aside = []
        for duel in self.duels(size):
            players = [chosen(lab, duel, player, size, section) for player in (duel.first, duel.second)]
            contest = lab.contest(duel.game, players, duel.limits, duel.matched, duel.finish)
            records = lab.games(contest, duel.games(size))
            standing = Standing(contest)
            standing.add(records)
            at = duel.row, duel.column
            entry = (board_entry if self.score == "boards" else game_entry)(standing, duel.paper)
            if entry is not None:
                table.entries[at] = entry
            if self.score == "boards" and standing.whole_pairs():
                aside.append(1.0 - (entry.count if entry else 0) / len(standing.whole_pairs()))
            if self.switches and duel.finish is not None and records:
                switched.entries[at] = switch_entry(records)
            section.notes += fault_notes(standing)
        if aside:
            section.notes.append(f"Boards set aside as skewed: {min(aside):.0%} to {max(aside):.0%} of those played.")
        if switched.entries:
            section.tables.append(switched)
        section.judgements = judged(self.claims, table) + judged(self.switch_claims, switched)
        if self.name and table.entries:
            figure = Figure(self.name, self.caption or self.title, self.shape, table, log=self.log)
            section.figures.append(figure)
        return section


def named(player: str | Better) -> tuple[str, ...]:
    return (player,) if isinstance(player, str) else (player.first, player.second)


def chosen(lab: Laboratory, duel: Duel, player: str | Better, size: Size, section: Section) -> str:
    """The name of a player, after the games that decide it."""
    if isinstance(player, str):
        return player
    games = min(player.most, size.games)
    meeting = lab.meeting(duel.game, duel.limits, games)(player.first, player.second, "")
    better = named(player)[meeting.winner]
    rate = meeting.estimate
    note = (
        f"{duel.game}: {player.first} against {player.second} {rate.mean:.1%} [{rate.low:.1%}, {rate.high:.1%}] "
        f"of {meeting.games} games, so the others meet {better}."
    )
    if note not in section.notes:
        section.notes.append(note)
    return better


def game_entry(standing: Standing, paper: Paper | None) -> Entry | None:
    """The mean score over pairs, or over games where there is but one pair."""
    pairs = [[game[0] for game in pair] for pair in standing.whole_pairs()]
    if not pairs:
        return None
    estimate = paired(pairs) if len(pairs) > 1 else win_rate(pairs[0])
    return Entry(estimate.mean, estimate.low, estimate.high, sum(map(len, pairs)), paper)


def board_entry(standing: Standing, paper: Paper | None) -> Entry | None:
    """The share of boards taken, of those that either player took (Ramanujan & Selman 2011)."""
    pairs = [[game[0] for game in pair] for pair in standing.whole_pairs()]
    score = duplicate_score(pairs) if pairs else None
    if score is None or score.rate is None:
        return None
    return Entry(score.rate.mean, score.rate.low, score.rate.high, score.taken_by_a + score.taken_by_b, paper)


def switch_entry(records: list[GameRecord]) -> Entry:
    """Where games went over to their finishers; one that ended before counts with its whole length."""
    plies = [len(record.steps) if record.finished_from is None else record.finished_from for record in records]
    return mean_entry(plies)


def fault_notes(standing: Standing) -> list[str]:
    """Games lost by a fault are part of the score, and said."""
    faults: dict[tuple[int, str], int] = {}
    for _, kind, fault in standing.faults:
        faults[kind, fault] = faults.get((kind, fault), 0) + 1
    return [
        f"{standing.contest.game}: {standing.contest.kinds[kind]} lost {count} games by forfeit: it {fault}."
        for (kind, fault), count in faults.items()
    ]
