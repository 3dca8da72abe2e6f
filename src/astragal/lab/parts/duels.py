"""Players against each other: every number is the score of a first player against a second one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish, GameRecord
from astragal.arena.summary import Standing
from astragal.lab.claims import Claim, judged
from astragal.lab.findings import AGREES, DISAGREES, At, Entry, Figure, Judgement, Paper, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.luck import luckless_entry
from astragal.lab.rows import Row, of_contest
from astragal.lab.scores import (
    Boards,
    board_entry,
    difference_entry,
    game_entry,
    scores_of,
    switch_entry,
)
from astragal.lab.sequential import STRICT, USUAL, Stop, again_note, last_confidence, play_by_looks
from astragal.lab.size import Size


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
    levels: tuple[float, ...] = ()  # where no claim is made: what one asks whether it is above or below
    expanded: str = "all"  # or interior: what counts as a node where budgets are matched

    def games(self, size: Size) -> int:
        return max(2, round(self.share * size.games))


Records = Mapping[At, list[GameRecord]]

# What a score is a share of. Duplicate scoring sets boards aside that both sides win; exact values, or learned ones,
# adjust for chance.
LESS_CHANCE = "games, less what chance gave"
SCORES = {"games": "games", "boards": "boards", "exact": LESS_CHANCE, "learned": LESS_CHANCE}


@dataclass(frozen=True)
class Found:
    """What the games of a table of duels show, with some confidence."""

    scores: Table
    switches: Table  # where finishers took over
    differences: Table  # on the same boards
    judgements: list[Judgement]  # of scores
    switch_judgements: list[Judgement]
    difference_judgements: list[Judgement]

    @property
    def all_judgements(self) -> list[Judgement]:
        return [*self.judgements, *self.switch_judgements, *self.difference_judgements]


@dataclass(frozen=True)
class Duels:
    """A table of duels, and its picture."""

    title: str
    duels: Callable[[Size], Iterable[Duel]]
    name: str = ""  # of the figure's file; no figure without one
    rows_are: str = ""
    columns_are: str = ""
    score: str = "games"  # one of SCORES
    shape: str = "curves"
    log: bool = False
    claims: tuple[Claim, ...] = ()
    switches: bool = False  # whether to report when finishers took over
    switch_claims: tuple[Claim, ...] = ()
    differences: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # row -> the rows it is between
    difference_claims: tuple[Claim, ...] = ()
    caption: str = ""
    margin: float = 0.0  # a smaller difference does not matter; written before the games are played

    def check(self, size: Size) -> None:
        for duel in self.duels(size):
            kinds = [duel.first, duel.second]
            Contest.of(duel.game, kinds, duel.limits, 0, duel.matched, duel.finish, duel.expanded)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        duels = {(duel.row, duel.column): duel for duel in self.duels(size)}
        records, section = self.play(lab, duels, size), Section(self.title)
        for at, duel in duels.items():
            section.notes += fault_notes(standing_of(lab, duel, records[at]))
            name = ", ".join(part for part in at if part)
            section.rows.append(of_contest(name, contest_of(lab, duel), records[at], duel.games(size)))
        found = self.find(lab, duels, records)
        self.add_boards_note(section, found.scores, {at: len(each) // 2 for at, each in records.items()})
        tables = (found.scores, found.switches, found.differences)
        section.tables = [table for table in tables if table is found.scores or table.entries]
        section.judgements = self.judge(lab, duels, records, found, size.again)
        if size.again and section.judgements:
            section.notes.append(again_note(size.again))
        if self.name and found.scores.entries:
            figure = Figure(self.name, self.caption or self.title, self.shape, found.scores, log=self.log)
            section.figures.append(figure)
        return section

    def planned_rows(self, lab: Laboratory, size: Size) -> list[Row]:
        """Its rows before any game is played."""
        return [
            of_contest(", ".join(filter(None, (duel.row, duel.column))), contest_of(lab, duel), [], duel.games(size))
            for duel in self.duels(size)
        ]

    def judge(
        self, lab: Laboratory, duels: Mapping[At, Duel], records: Records, found: Found, again: int
    ) -> list[Judgement]:
        """What becomes of the claims, the more strictly the more often there was a last look at them."""
        return (self.find(lab, duels, records, last_confidence(again)) if again else found).all_judgements

    def play(self, lab: Laboratory, duels: Mapping[At, Duel], size: Size) -> dict[At, list[GameRecord]]:
        """The games of all duels: as many as the size says or, where it says how narrow is enough, as it takes."""
        contests = {at: (contest_of(lab, duel), duel.games(size)) for at, duel in duels.items()}
        if not size.reach:
            return {at: lab.games(contest, games) for at, (contest, games) in contests.items()}

        def is_enough(records: Records) -> Callable[[At], bool]:
            usual, strict = (self.find(lab, duels, records, confidence) for confidence in (USUAL, STRICT))
            return lambda at: self.is_enough(at, usual, strict, Stop(size.reach, duels[at].levels))

        return play_by_looks(lab, contests, is_enough)

    def is_enough(self, at: At, usual: Found, strict: Found, stop: Stop) -> bool:
        """Whether a number is known well enough: for what its work printed, for claims about it, or by its width."""
        if at not in usual.scores.entries:
            return False
        entry, wider = usual.scores.entries[at], strict.scores.entries[at]
        if entry.paper is not None and entry.paper.judged and entry.verdict != AGREES and wider.verdict != DISAGREES:
            return False
        rest, still_open = set(), set()
        for judgement in strict.judgements + strict.switch_judgements:
            rest |= set(judgement.rests_on)
            still_open |= set(judgement.open_at)
        for judgement in strict.difference_judgements:
            rest |= self.behind(judgement.rests_on)
            still_open |= self.behind(judgement.open_at)
        if at in still_open:
            return False
        return at in rest or entry.verdict is not None or stop.is_enough(entry, wider)

    def behind(self, cells: Iterable[At]) -> set[At]:
        """The numbers whose difference these are."""
        return {(row, column) for difference, column in cells for row in self.differences[difference]}

    def find(self, lab: Laboratory, duels: Mapping[At, Duel], records: Records, confidence: float = USUAL) -> Found:
        """The tables, and what they say of the claims."""
        axes = self.rows_are, self.columns_are
        played = {at: scores_of(standing_of(lab, duels[at], each)) for at, each in records.items()}
        scores = Table(f"Score of the first player, in percent of {SCORES[self.score]}", *axes, margin=self.margin)
        switches = Table("Ply at which finishers took over, on average", *axes, percent=False)
        differences = Table("Difference on the same boards, in points", *axes, margin=self.margin)
        by = {at: lab.earlier_of(contest_of(lab, duel)) for at, duel in duels.items()}
        scores.earlier = switches.earlier = {at: version for at, version in by.items() if version}
        for at, pairs in played.items():
            entry = self.entry_of(lab, duels[at], pairs, records[at], confidence)
            if entry is not None:
                scores.entries[at] = entry
            if self.switches and duels[at].finish is not None and records[at]:
                switches.entries[at] = switch_entry(records[at], confidence)
        differences.entries |= self.differences_of(played, confidence)
        differences.earlier = {
            (row, column): " and ".join(sorted({by[at] or "now" for at in self.behind([(row, column)])}))
            for row, column in differences.entries
            if any(by[at] for at in self.behind([(row, column)]))
        }
        return Found(
            scores,
            switches,
            differences,
            judged(self.claims, scores),
            judged(self.switch_claims, switches),
            judged(self.difference_claims, differences),
        )

    def entry_of(
        self, lab: Laboratory, duel: Duel, pairs: Boards, records: list[GameRecord], confidence: float
    ) -> Entry | None:
        if SCORES[self.score] == LESS_CHANCE:
            contest, learned = contest_of(lab, duel), self.score == "learned"
            return luckless_entry(lab, pairs, contest, records, duel.paper, confidence, learned)
        return (board_entry if self.score == "boards" else game_entry)(pairs, duel.paper, confidence)

    def add_boards_note(self, section: Section, table: Table, boards: Mapping[At, int]) -> None:
        aside = [
            1.0 - (table.entries[at].count if at in table.entries else 0) / count
            for at, count in boards.items()
            if count
        ]
        if self.score == "boards" and aside:
            section.notes.append(f"Boards set aside as skewed: {min(aside):.0%} to {max(aside):.0%} of those played.")

    def differences_of(self, played: Mapping[At, Boards], confidence: float) -> dict[At, Entry]:
        """One row less another in each column, on the boards that both have: the same players began them alike."""
        found = {}
        for row, (mine, theirs) in self.differences.items():
            for (of, column), pairs in played.items():
                others = played.get((theirs, column), {})
                entry = difference_entry(pairs, others, confidence) if of == mine else None
                if entry is not None:
                    found[row, column] = entry
        return found


def contest_of(lab: Laboratory, duel: Duel) -> Contest:
    kinds = [duel.first, duel.second]
    return lab.contest(duel.game, kinds, duel.limits, duel.matched, duel.finish, expanded=duel.expanded)


def standing_of(lab: Laboratory, duel: Duel, records: list[GameRecord]) -> Standing:
    return lab.standing(contest_of(lab, duel), records)


def fault_notes(standing: Standing) -> list[str]:
    """Games lost by a fault are part of the score, and said."""
    faults: dict[tuple[int, str], int] = {}
    for _, kind, fault in standing.faults:
        faults[kind, fault] = faults.get((kind, fault), 0) + 1
    return [
        f"{standing.contest.game}: {standing.contest.kinds[kind]} lost {count} games by forfeit: it {fault}."
        for (kind, fault), count in faults.items()
    ]
