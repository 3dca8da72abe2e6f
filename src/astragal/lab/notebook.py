"""The laboratory's notebook: a results file that also holds studies, and which experiments were run, when and how."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.store.results_store import ResultsStore, StoredContest, circumstances
from astragal.lab.size import Size
from astragal.lab.study import Measurement, Study

TABLES = """
CREATE TABLE IF NOT EXISTS studies (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    study TEXT NOT NULL           -- all that its searches depend on
);
CREATE TABLE IF NOT EXISTS measurements (
    study INTEGER NOT NULL REFERENCES studies (id),
    position TEXT NOT NULL,
    run INTEGER NOT NULL,
    value REAL,
    action INTEGER,
    nodes INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    seconds REAL NOT NULL,
    processor REAL,               -- seconds that the processor gave it; NULL in older notebooks
    PRIMARY KEY (study, position, run)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS derived (  -- what follows from the rest, and takes long to work out
    key TEXT PRIMARY KEY,             -- all that it depends on
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS experiments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    scale TEXT NOT NULL,
    size TEXT NOT NULL,
    seed INTEGER NOT NULL,
    jobs INTEGER NOT NULL,
    started TEXT NOT NULL,        -- UTC
    ended TEXT,                   -- NULL while it is run, and where that was broken off
    seconds REAL,
    command TEXT NOT NULL,
    version TEXT NOT NULL,
    commit_hash TEXT,
    python TEXT NOT NULL,
    numba TEXT NOT NULL,
    numpy TEXT NOT NULL,
    machine TEXT NOT NULL,
    plan TEXT                     -- a hash of claims and margins as they were when it began
);
"""
MEASURED = ", ".join(Measurement._fields)
MARKS = ", ".join("?" * (len(Measurement._fields) + 1))


@dataclass(frozen=True)
class ExperimentRun:
    """An experiment that was run, or begun."""

    id: int
    name: str
    scale: str
    size: Size
    seed: int
    jobs: int
    started: str
    ended: str | None
    seconds: float | None
    command: str
    version: str
    commit_hash: str | None
    python: str
    numba: str
    numpy: str
    machine: str
    plan: str | None = None


class Notebook(ResultsStore):
    """A results file with more tables. Commands that read results read it too."""

    def __init__(self, path: Path | str, must_exist: bool = False) -> None:
        super().__init__(path, must_exist)
        self.has_tables = not must_exist
        self.can_write = not must_exist
        self.by_words: dict[str, list[StoredContest]] = {}  # contests by all but the versions of their searches
        self.indexed = -1  # how many of them are there
        if must_exist:
            names = {row["name"] for row in self.read("SELECT name FROM sqlite_master")}
            self.has_tables = {"studies", "measurements", "experiments"} <= names
            return
        with self.transaction():
            for statement in filter(str.strip, re.sub(r"--.*", "", TABLES).split(";")):
                self.connection.execute(statement)
            for table, column, kind in (("measurements", "processor", "REAL"), ("experiments", "plan", "TEXT")):
                if column not in self.columns(table):
                    self.connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")

    def columns(self, table: str) -> set[str]:
        return {row["name"] for row in self.read(f"PRAGMA table_info({table})")}

    def enter_study(self, study: Study) -> int:
        """The number of a study, a new one if it is not in the file yet."""
        with self.transaction():
            self.connection.execute(
                "INSERT OR IGNORE INTO studies (key, study) VALUES (?, ?)", (study.key, study.to_json())
            )
        found = self.study_number(study)
        assert found is not None
        return found

    def study_number(self, study: Study) -> int | None:
        rows = list(self.read("SELECT id FROM studies WHERE key = ?", study.key))
        return int(rows[0]["id"]) if rows else None

    def kept_study(self, study: Study) -> tuple[int, Study] | None:
        """A study with its number, or the same by the latest other version of its searches."""
        if (number := self.study_number(study)) is not None:
            return number, study
        others = [each for each in self.studies() if each[1].is_other_version_of(study)]
        return max(others, key=lambda each: each[1].versions, default=None)

    def studies(self) -> list[tuple[int, Study]]:
        """All studies with their numbers."""
        rows = self.read("SELECT id, study FROM studies ORDER BY id") if self.has_tables else ()
        return [(row["id"], Study.from_json(row["study"])) for row in rows]

    def add_measurements(self, study: int, measured: Iterable[Measurement]) -> None:
        with self.transaction():
            self.connection.executemany(
                f"INSERT OR IGNORE INTO measurements (study, {MEASURED}) VALUES ({MARKS})",
                ((study, *each) for each in measured),
            )

    def measured(self, study: int) -> set[tuple[str, int]]:
        """The positions and runs of a study that are there."""
        rows = self.read("SELECT position, run FROM measurements WHERE study = ?", study)
        return {(row["position"], row["run"]) for row in rows}

    def measurements(self, study: int) -> list[Measurement]:
        there = self.columns("measurements")
        names = ", ".join(name if name in there else f"NULL AS {name}" for name in Measurement._fields)
        rows = self.read(f"SELECT {names} FROM measurements WHERE study = ? ORDER BY position, run", study)
        return [Measurement(**row) for row in rows]

    def kept_contest(self, contest: Contest) -> tuple[int, Contest] | None:
        """A contest with its number, or the same by the latest other version of its searches.

        What an earlier version found can still be reported; games are added to contests of the current version only.
        """
        for row in self.read("SELECT id FROM contests WHERE key = ?", contest.key):
            if any(self.read("SELECT 1 FROM games WHERE contest = ? LIMIT 1", row["id"])):
                return row["id"], contest
        return next(((stored.id, stored.contest) for stored in self.of_other_versions(contest)), None)

    def of_other_versions(self, contest: Contest) -> list[StoredContest]:
        """As in any results file, but reports ask for thousands."""
        (count,) = (row["count"] for row in self.read("SELECT count(*) AS count FROM contests"))
        if count != self.indexed:
            self.by_words, self.indexed = {}, count
            for stored in self.contests():
                self.by_words.setdefault(replace(stored.contest, versions=()).key, []).append(stored)
        found = self.by_words.get(replace(contest, versions=()).key, [])
        others = [each for each in found if each.games and each.contest.is_other_version_of(contest)]
        return sorted(others, key=lambda each: sorted(each.contest.versions), reverse=True)

    def derived(self, key: str) -> Any:
        """What is kept under a key, as JSON has it; None where nothing is."""
        rows = list(self.read("SELECT value FROM derived WHERE key = ?", key)) if self.columns("derived") else []
        return json.loads(rows[0]["value"]) if rows else None

    def derived_keys(self) -> list[str]:
        return [row["key"] for row in self.read("SELECT key FROM derived")] if self.columns("derived") else []

    def keep_derived(self, key: str, value: Any) -> None:
        if self.can_write:
            with self.transaction():
                text = json.dumps(value, separators=(",", ":"))
                self.connection.execute("INSERT OR REPLACE INTO derived VALUES (?, ?)", (key, text))

    def seen_before(self, name: str, scale: str, size: Size, seed: int) -> Size:
        """A size that says how often there was a smaller run of the same, whose claims one may have seen."""
        before = [run.size for run in self.runs() if (run.name, run.scale, run.seed) == (name, scale, seed)]
        again = [each.again + 1 for each in before if size.extends(each)]
        same = [each.again for each in before if each == replace(size, again=each.again)]
        return replace(size, again=max([size.again, *again, *same]))

    def begin_experiment(
        self, name: str, scale: str, size: Size, seed: int, jobs: int, command: str, plan: str | None = None
    ) -> int:
        row: dict[str, Any] = {
            "name": name,
            "scale": scale,
            "size": json.dumps(asdict(size)),
            "seed": seed,
            "jobs": jobs,
            "started": now(),
            "command": command,
            "plan": plan,
        }
        row |= circumstances()
        with self.transaction():
            made = self.connection.execute(
                f"INSERT INTO experiments ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
            )
        assert made.lastrowid is not None
        return made.lastrowid

    def end_experiment(self, number: int, seconds: float) -> None:
        with self.transaction():
            self.connection.execute(
                "UPDATE experiments SET ended = ?, seconds = ? WHERE id = ?", (now(), seconds, number)
            )

    def add_run(self, run: ExperimentRun) -> None:
        """Enter a run of another notebook, under a number of this one."""
        row = asdict(run) | {"size": json.dumps(asdict(run.size))}
        del row["id"]
        with self.transaction():
            self.connection.execute(
                f"INSERT INTO experiments ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
            )

    def runs(self) -> list[ExperimentRun]:
        """All experiments that were run, in order."""
        if not self.has_tables:
            return []
        rows = self.read("SELECT * FROM experiments ORDER BY id")
        return [ExperimentRun(**row | {"size": Size(**json.loads(row["size"]))}) for row in rows]


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
