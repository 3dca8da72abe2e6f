"""Putting the parts of a contest together that were played into results files of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from astragal.arena.contest import Contest, GameRecord
from astragal.arena.run import missing_games, pairs_for
from astragal.arena.store.results_store import ResultsStore, StoredContest
from astragal.arena.store.shard import Shard
from astragal.base.errors import AstragalError, SpecError, shortened

PART = re.compile(r"# part (\d+/\d+) of (\d+) games$")  # at the end of a session's command
TOGETHER = 1000  # games written at a time


@dataclass
class Merged:
    """What came of it."""

    file: Path
    new: int = 0  # games
    twice: int = 0  # games that were there already, or in two parts
    different: int = 0  # of those, games that went otherwise
    missing: dict[int, list[int]] = field(default_factory=dict)  # contest -> pairs that lack games
    parts: set[str] = field(default_factory=set)  # which lack games, where commands say so

    def __str__(self) -> str:
        lines = [
            f"{self.new:,} new games are in {self.file}; {self.twice:,} were there or in two parts, and count once"
        ]
        if self.different:
            lines.append(f"{self.different:,} of these went otherwise the second time; the first is kept")
        for number, pairs in self.missing.items():
            shown = ", ".join(str(pair + 1) for pair in pairs[:10]) + (", ..." if len(pairs) > 10 else "")
            lines.append(f"contest {number} lacks games of {len(pairs):,} pairs: {shown}")
        if self.parts:
            named = sorted(self.parts, key=lambda text: [int(each) for each in text.split("/")])
            lines.append(f"these are of part{'s' if len(named) > 1 else ''} {', '.join(named)}")
        return "\n".join(lines if self.missing else [*lines, "no games are missing"])


def merge(parts: Sequence[Path], into: Path) -> Merged:
    """Add the games of all parts to a results file, a new one or one that holds some of them."""
    if into in parts:
        raise SpecError(f"{into} is named both as a part and as the file for all games")
    with ExitStack() as stack:
        stores = [stack.enter_context(ResultsStore(part, must_exist=True)) for part in parts]
        old = [stack.enter_context(ResultsStore(into, must_exist=True))] if into.exists() else []
        refuse_strangers([*old, *stores])
        target = stack.enter_context(ResultsStore(into))
        stack.enter_context(target.alone())
        merged = Merged(into)
        for store in stores:
            for stored in store.contests():
                add_part(target, store, stored, merged)
        for stored in target.contests():
            note_missing(target, stored, merged)
    return merged


def refuse_strangers(stores: Sequence[ResultsStore]) -> None:
    """Raise a sentence where a file has another contest than the others, or was played by another program version."""
    contests = [{stored.contest.key: stored.contest for stored in store.contests()} for store in stores]
    most = max(contests, key=len)
    model = stores[contests.index(most)]
    for store, found in zip(stores, contests, strict=True):
        for key, contest in found.items():
            if key not in most:
                raise AstragalError(
                    f"{store.path} is a part of another contest than {model.path}: {difference(contest, most)}"
                )
    versions: dict[str, Path] = {}
    for store in stores:
        for stored in store.contests():
            for session in store.sessions(stored.id):
                commit = f", commit {session['commit_hash'][:12]}" if session["commit_hash"] else ""
                versions.setdefault(f"astragal {session['version']}{commit}", store.path)
    if len(versions) > 1:
        (one, first), (other, second) = list(versions.items())[:2]
        raise AstragalError(f"{first} was played by {one}, {second} by {other}; parts need the same program")


def difference(contest: Contest, others: dict[str, Contest]) -> str:
    """What a contest is, and how it differs from the only other one."""
    what = shortened(f"it has {contest.game} {' - '.join(contest.kinds)}, seed {contest.seed}", 200)
    if len(others) != 1:
        return what
    (other,) = others.values()
    names = [name for name in vars(contest) if name in other.__dataclass_fields__ and name != "given"]
    differ = [name for name in names if getattr(contest, name) != getattr(other, name)]
    return f"{what}; they differ in {', '.join(differ)}"


def add_part(target: ResultsStore, part: ResultsStore, stored: StoredContest, merged: Merged) -> None:
    """Add the games of one contest of a part, session by session."""
    number = target.enter(stored.contest)
    for session in part.sessions(stored.id):
        known = None
        batch: list[GameRecord] = []
        for record in part.games_of_session(stored.id, session["id"]):
            there = target.game(number, *record.number)
            if there is not None:
                merged.twice += 1
                merged.different += course_of(there) != course_of(record)
                continue
            batch.append(record)
            known = target.copy_session(number, session) if known is None else known
            if len(batch) == TOGETHER:
                merged.new += target.add(number, known, batch)
                batch = []
        if known is not None:
            merged.new += target.add(number, known, batch)


def course_of(record: GameRecord) -> tuple[object, ...]:
    """What two games have in common that went alike."""
    return record.seats, record.seed, record.steps, record.utilities, record.forfeit


def note_missing(target: ResultsStore, stored: StoredContest, merged: Merged) -> None:
    """Which pairs lack games, by what the sessions were to play."""
    found = [PART.search(session["command"]) for session in target.sessions(stored.id)]
    wanted = max((int(each[2]) for each in found if each), default=0)
    games = missing_games(stored.contest, pairs_for(stored.contest, wanted), target.played(stored.id))
    lacking = list(dict.fromkeys(pair for pair, _ in games))
    if lacking:
        merged.missing[stored.id] = lacking
    counts = {Shard.parse(each[1]).count for each in found if each}
    if len(counts) == 1:
        (count,) = counts
        merged.parts |= {f"{pair % count + 1}/{count}" for pair in lacking}
