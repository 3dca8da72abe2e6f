"""Players against each other: every number is the score of a first player against a second one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from astragal.arena.contest import Contest, Finish
from astragal.arena.record import GameRecord
from astragal.arena.statistics import duplicate_score, paired, win_rate
from astragal.arena.summary import Standing
from astragal.lab.attention import attended_pairs, attention_note, share_of_time
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry
from astragal.lab.findings import Entry, Figure, Paper, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.sequential import USUAL, Stop
from astragal.lab.size import Size
from astragal.search.limits import Limits

At = tuple[str, str]  # a row and a column
Pair = list[float]  # the first player's score in each game of a pair
Boards = dict[int, Pair]  # by the number of the pair


@dataclass(frozen=True)
class Duel:
    """A number of a table: who plays, with what, and what the work printed."""

    row: str
    column: str
    game: str
    first: str
    second: str
    limits: Limits = field(default_factory=Limits)  # the players' own where none is set
    matched: int | None = None  # the player whose nodes are those the other one would use
    finish: Finish | None = None
    paper: Paper | None = None
    share: float = 1.0  # of the games of a pairing
    levels: tuple[float, ...] = ()  # what the claim about it asks whether it is above or below; else its width counts
    expanded: str = "all"  # or interior: what counts as a node where budgets are matched

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
    differences: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # row -> the rows it is between
    difference_claims: tuple[Claim, ...] = ()
    caption: str = ""

    def check(self, size: Size) -> None:
        for duel in self.duels(size):
            kinds = [duel.first, duel.second]
            Contest.of(duel.game, kinds, duel.limits, 0, duel.matched, duel.finish, duel.expanded)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        scored = "boards" if self.score == "boards" else "games"
        table = Table(f"Score of the first player, in percent of {scored}", self.rows_are, self.columns_are)
        switched = Table("Ply at which finishers took over, on average", self.rows_are, self.columns_are, percent=False)
        section = Section(self.title, [table])
        played: dict[At, Boards] = {}
        for duel in self.duels(size):
            at = duel.row, duel.column
            records = self.play(lab, duel, size)
            standing = standing_of(lab, duel, records)
            if duel.limits.time:
                records = self.drop_unattended(section, duel, records)
                standing = standing_of(lab, duel, records)
            played[at] = scores_of(standing)
            entry = self.entry(played[at], duel.paper)
            if entry is not None:
                table.entries[at] = entry
            if self.switches and duel.finish is not None and records:
                switched.entries[at] = switch_entry(records)
            section.notes += fault_notes(standing)
        self.add_boards_note(section, table, played)
        if switched.entries:
            section.tables.append(switched)
        section.judgements = judged(self.claims, table) + judged(self.switch_claims, switched)
        if self.differences:
            differences = self.differences_of(played)
            section.tables.append(differences)
            section.judgements += judged(self.difference_claims, differences)
        if self.name and table.entries:
            figure = Figure(self.name, self.caption or self.title, self.shape, table, log=self.log)
            section.figures.append(figure)
        return section

    def play(self, lab: Laboratory, duel: Duel, size: Size) -> list[GameRecord]:
        """The games of a duel: as many as the size says or, where it says how narrow is narrow enough, as it takes."""
        contest = contest_of(lab, duel)
        if not size.reach:
            return lab.games(contest, duel.games(size))
        stop = Stop(size.reach, duel.levels)

        def enough(records: list[GameRecord]) -> bool:
            pairs = scores_of(standing_of(lab, duel, records))
            return stop.is_enough(lambda confidence: self.entry(pairs, None, confidence))

        return lab.games_until(contest, duel.games(size), enough)

    def entry(self, pairs: Boards, paper: Paper | None, confidence: float = USUAL) -> Entry | None:
        return (board_entry if self.score == "boards" else game_entry)(pairs, paper, confidence)

    def drop_unattended(self, section: Section, duel: Duel, records: list[GameRecord]) -> list[GameRecord]:
        """The games in whose pairs both players had their seconds, and a note on the others."""
        attended = attended_pairs(records)
        kept = [record for record in records if record.pair in attended]
        share = share_of_time(search for record in records for search in record.searches)
        what = f"{duel.row}, {duel.column}"
        section.notes.append(attention_note(what, share, len(records) - len(kept), len(records)))
        return kept

    def add_boards_note(self, section: Section, table: Table, played: Mapping[At, Boards]) -> None:
        aside = [
            1.0 - (table.entries[at].count if at in table.entries else 0) / len(pairs)
            for at, pairs in played.items()
            if pairs
        ]
        if self.score == "boards" and aside:
            section.notes.append(f"Boards set aside as skewed: {min(aside):.0%} to {max(aside):.0%} of those played.")

    def differences_of(self, played: Mapping[At, Boards]) -> Table:
        """One row less another in each column, on the boards that both have: the same players began them alike."""
        table = Table("Difference on the same boards, in points", self.rows_are, self.columns_are)
        for row, (mine, theirs) in self.differences.items():
            for at, pairs in played.items():
                others = played.get((theirs, at[1]), {})
                entry = difference_entry(pairs, others) if at[0] == mine else None
                if entry is not None:
                    table.entries[row, at[1]] = entry
        return table


def contest_of(lab: Laboratory, duel: Duel) -> Contest:
    kinds = [duel.first, duel.second]
    return lab.contest(duel.game, kinds, duel.limits, duel.matched, duel.finish, expanded=duel.expanded)


def standing_of(lab: Laboratory, duel: Duel, records: list[GameRecord]) -> Standing:
    standing = Standing(contest_of(lab, duel))
    standing.add(records)
    return standing


def scores_of(standing: Standing) -> Boards:
    """The first player's scores in the games of each whole pair."""
    whole = {pair: games for pair, games in standing.scores.items() if len(games) == len(standing.contest.seatings)}
    return {pair: [games[game][0] for game in sorted(games)] for pair, games in sorted(whole.items())}


def game_entry(pairs: Boards, paper: Paper | None, confidence: float = USUAL) -> Entry | None:
    """The mean score over pairs, or over games where there is but one pair."""
    if not pairs:
        return None
    scores = list(pairs.values())
    estimate = paired(scores, confidence) if len(scores) > 1 else win_rate(scores[0], confidence)
    return Entry(estimate.mean, estimate.low, estimate.high, sum(map(len, scores)), paper)


def board_entry(pairs: Boards, paper: Paper | None, confidence: float = USUAL) -> Entry | None:
    """The share of boards taken, of those that either player took (Ramanujan & Selman 2011)."""
    score = duplicate_score(list(pairs.values()), confidence) if pairs else None
    if score is None or score.rate is None:
        return None
    return Entry(score.rate.mean, score.rate.low, score.rate.high, score.taken_by_a + score.taken_by_b, paper)


def difference_entry(mine: Boards, theirs: Boards) -> Entry | None:
    """How much larger one share of boards is than another of the same boards, played on in another way.

    Either share is a ratio of sums over boards, r = sum a / sum n, where a board counts n = 1 if somebody took it. To
    first order it changes by (a - r n) / mean n with each board, and the difference by the difference of those.
    """
    numbers = [number for number in mine if number in theirs]
    shared, taken = len(numbers), [[taken_by(pairs[number]) for number in numbers] for pairs in (mine, theirs)]
    counts = [sum(won + lost for won, lost in boards) for boards in taken]
    if shared < 2 or not all(counts):
        return None
    rates = [sum(won for won, _ in boards) / count for boards, count in zip(taken, counts, strict=True)]
    parts = [
        [(won - rate * (won + lost)) * shared / count for won, lost in boards]
        for boards, count, rate in zip(taken, counts, rates, strict=True)
    ]
    around = mean_entry([one - other for one, other in zip(*parts, strict=True)])
    mean, reach = rates[0] - rates[1], (around.high - around.low) / 2
    return Entry(mean, mean - reach, mean + reach, shared)


def taken_by(pair: Pair) -> tuple[int, int]:
    """Whether the first player took the board of a pair, and whether the second did."""
    score = duplicate_score([pair])
    return score.taken_by_a, score.taken_by_b


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
