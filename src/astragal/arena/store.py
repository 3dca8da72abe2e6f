"""The results store: one SQLite file with every game of every contest, written by one process at a time.

A game is one row, written when it is over, in a transaction of its own, so that whatever happens loses at most games
under way. `PRAGMA user_version` is the version of the tables. Lists are JSON, so that any program can read them.
"""

from __future__ import annotations

import json
import platform
import sqlite3
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from astragal import __version__
from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord, Thought
from astragal.errors import AstragalError

VERSION = 1
TABLES = """
CREATE TABLE contests (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,     -- of the contest
    contest TEXT NOT NULL,        -- all that its games depend on
    game TEXT NOT NULL
);
CREATE TABLE sessions (           -- each time that games of a contest were played
    id INTEGER PRIMARY KEY,
    contest INTEGER NOT NULL REFERENCES contests (id),
    started TEXT NOT NULL,        -- UTC
    command TEXT NOT NULL,
    version TEXT NOT NULL,
    commit_hash TEXT,
    python TEXT NOT NULL,
    numba TEXT NOT NULL,
    numpy TEXT NOT NULL,
    machine TEXT NOT NULL
);
CREATE TABLE games (
    contest INTEGER NOT NULL REFERENCES contests (id),
    match INTEGER NOT NULL,
    game INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (id),
    seats TEXT NOT NULL,
    seed TEXT NOT NULL,           -- 64 bits without a sign, more than an integer of SQLite's holds
    steps TEXT NOT NULL,
    thoughts TEXT NOT NULL,       -- seconds, nodes, depth, value, seconds over, budget of each decision
    utilities TEXT NOT NULL,
    forfeit INTEGER,
    fault TEXT NOT NULL,
    finished_from INTEGER,
    seconds REAL NOT NULL,
    PRIMARY KEY (contest, match, game)
) WITHOUT ROWID;
"""
BUSY_SECONDS = 30.0


@dataclass(frozen=True)
class StoredContest:
    """A contest in a store."""

    id: int
    contest: Contest
    games: int


class Store:
    """A results file. Use it in a ``with``."""

    def __init__(self, path: Path | str, must_exist: bool = False) -> None:
        self.path = Path(path)
        self.is_alone = False
        if must_exist and not self.path.is_file():
            raise AstragalError(f"there is no results file {self.path}")
        try:
            self.connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self.prepare()
        except sqlite3.Error as error:
            raise self.sentence(error) from None

    def prepare(self) -> None:
        found = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            if self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise AstragalError(f"{self.path} is an SQLite file, but not one of results")
            self.connection.execute("PRAGMA journal_mode = WAL")
            with self.transaction():
                for statement in filter(str.strip, TABLES.split(";")):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA user_version = {VERSION}")
        elif found != VERSION:
            raise AstragalError(f"{self.path} has tables of version {found}; this program reads version {VERSION}")
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("PRAGMA synchronous = NORMAL")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def sentence(self, error: sqlite3.Error) -> AstragalError:
        """What went wrong with the file, for a person."""
        return AstragalError(f"{self.path} cannot be used as a results file: {error}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it, or nothing."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise self.sentence(error) from None
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from playing into the same file. The lock ends with the process, however that ends.

        Within such a block another one changes nothing, so that many contests can be played under one lock.
        """
        if self.is_alone:
            yield
            return
        lock = sqlite3.connect(f"{self.path}.lock", timeout=0.0, isolation_level=None)
        try:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise AstragalError(
                        f"another command is playing games into {self.path}; wait or name another file"
                    ) from None
                raise self.sentence(error) from None
            self.is_alone = True
            yield
        finally:
            self.is_alone = False
            lock.close()

    def enter(self, contest: Contest) -> int:
        """The number of a contest, a new one if it is not in the file yet."""
        with self.transaction():
            self.connection.execute(
                "INSERT OR IGNORE INTO contests (key, contest, game) VALUES (?, ?, ?)",
                (contest.key, contest.to_json(), contest.game),
            )
        found = self.connection.execute("SELECT id FROM contests WHERE key = ?", (contest.key,)).fetchone()
        return int(found[0])

    def begin_session(self, contest: int, command: str) -> int:
        with self.transaction():
            row = {
                "contest": contest,
                "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "command": command,
            }
            row |= circumstances()
            names = ", ".join(row)
            made = self.connection.execute(
                f"INSERT INTO sessions ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
            )
        assert made.lastrowid is not None
        return made.lastrowid

    def add(self, contest: int, session: int, records: Iterable[GameRecord]) -> int:
        """Keep games; how many of them were new."""
        before = self.connection.total_changes
        with self.transaction():
            self.connection.executemany(
                f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * 13)})",
                [row_of(contest, session, record) for record in records],
            )
        return self.connection.total_changes - before

    def played(self, contest: int) -> set[tuple[int, int]]:
        """The matches and games of a contest that are there."""
        rows = self.connection.execute("SELECT match, game FROM games WHERE contest = ?", (contest,))
        return {(match, game) for match, game in rows}

    def contests(self) -> list[StoredContest]:
        rows = self.connection.execute(
            "SELECT id, contest, (SELECT count(*) FROM games WHERE contest = contests.id) FROM contests ORDER BY id"
        )
        return [StoredContest(number, Contest.from_json(text), games) for number, text, games in rows]

    def games(self, contest: int) -> Iterator[GameRecord]:
        """The games of a contest, in the order of their numbers."""
        rows = self.connection.execute("SELECT * FROM games WHERE contest = ? ORDER BY match, game", (contest,))
        return map(record_of, rows)

    def sessions(self, contest: int) -> list[dict[str, Any]]:
        rows = self.connection.execute("SELECT * FROM sessions WHERE contest = ? ORDER BY id", (contest,))
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row, strict=True)) for row in rows]


def row_of(contest: int, session: int, record: GameRecord) -> tuple[Any, ...]:
    return (
        contest,
        record.match,
        record.game,
        session,
        json.dumps(record.seats),
        str(record.seed),
        json.dumps(record.steps),
        json.dumps([astuple(thought) for thought in record.thoughts]),
        json.dumps(record.utilities),
        record.forfeit,
        record.fault,
        record.finished_from,
        record.seconds,
    )


def record_of(row: tuple[Any, ...]) -> GameRecord:
    _, match, game, _, seats, seed, steps, thoughts, utilities, forfeit, fault, finished_from, seconds = row
    return GameRecord(
        match,
        game,
        tuple(json.loads(seats)),
        int(seed),
        tuple(json.loads(steps)),
        tuple(Thought(*thought) for thought in json.loads(thoughts)),
        tuple(json.loads(utilities)),
        forfeit,
        fault,
        finished_from,
        seconds,
    )


def circumstances() -> dict[str, Any]:
    """What a session ran with: versions, commit and machine."""
    import numba
    import numpy

    return {
        "version": __version__,
        "commit_hash": commit_hash(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "machine": f"{platform.node()}, {platform.platform()}, {platform.processor() or platform.machine()}",
    }


def commit_hash() -> str | None:
    """The commit that the package was run from, if it is a checkout."""
    try:
        done = subprocess.run(
            ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
