"""The results store: one SQLite file with every game of every contest, written by one process at a time.

A game is one row. The games of a task are written in one transaction when they are over, and a transaction survives
whatever happens to the process. If the machine itself fails, the last ones may be lost, but the file stays whole.
`PRAGMA user_version` is the version of the tables. Lists are JSON, so that any program can read them.
"""

from __future__ import annotations

import json
import platform
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Self, TypeVar

from astragal import __version__
from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord, SearchStats
from astragal.errors import AstragalError

T = TypeVar("T")

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
    match INTEGER NOT NULL,       -- which pair of seat-swapped games
    game INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (id),
    seats TEXT NOT NULL,
    seed TEXT NOT NULL,           -- 64 bits without a sign, more than an integer of SQLite's holds
    steps TEXT NOT NULL,
    thoughts TEXT NOT NULL,       -- of each search: seconds, nodes, depth, value, seconds over, budget, seat, processor
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


class ResultsStore:
    """A results file. Use it in a ``with``."""

    def __init__(self, path: Path | str, must_exist: bool = False) -> None:
        self.path = Path(path)
        self.is_alone = False
        with self.sentences():
            if must_exist and not self.path.is_file():
                raise AstragalError(f"there is no results file {self.path}")
            self.connection = self.open_to_read() if must_exist else self.connect()
            found = self.check_version()
            if not must_exist:
                self.prepare()
            elif not found:
                raise AstragalError(f"{self.path} holds no results yet")

    def connect(self, options: str = "") -> sqlite3.Connection:
        where = f"{self.path.absolute().as_uri()}{options}"
        return sqlite3.connect(where, timeout=BUSY_SECONDS, isolation_level=None, uri=True)

    def open_to_read(self) -> sqlite3.Connection:
        """A log can be read only with another file beside it. Where that cannot be made the results are read without
        it, unless there is a log."""
        log = Path(f"{self.path}-wal")
        connection = self.connect()
        connection.execute("PRAGMA query_only = ON")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            connection.close()
            if log.exists() and log.stat().st_size > 0:
                raise
            return self.connect("?immutable=1")
        return connection

    def check_version(self) -> int:
        """The version of the tables, 0 if there are none yet; a sentence if the file is not one of results."""
        names = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master")}
        found = self.connection.execute("PRAGMA user_version").fetchone()[0]  # after the names: both come at once
        if found not in (0, VERSION):
            raise AstragalError(f"{self.path} has tables of version {found}; this program reads version {VERSION}")
        if names and (found == 0 or not {"contests", "sessions", "games"} <= names):
            raise AstragalError(f"{self.path} is an SQLite file, but not one of results")
        return int(found)

    def prepare(self) -> None:
        """Make the tables, unless another command has just done so."""
        if self.connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            with self.transaction():
                if self.connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                    for statement in filter(str.strip, TABLES.split(";")):
                        self.connection.execute(statement)
                    self.connection.execute(f"PRAGMA user_version = {VERSION}")
        if self.connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            with suppress(sqlite3.OperationalError):  # locked by another command, which does the same
                self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("PRAGMA synchronous = NORMAL")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @contextmanager
    def sentences(self) -> Iterator[None]:
        """Say for a person what went wrong with the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise AstragalError(f"{self.path} cannot be used as a results file: {error}") from None
        except OSError as error:  # such as a name that is too long
            raise AstragalError(f"{self.path} cannot be used as a results file: {error.strerror}") from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it, or nothing."""
        with self.sentences():
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def read(self, question: str, *values: Any) -> Iterator[dict[str, Any]]:
        """The rows of an answer, each by the names of its columns."""
        with self.sentences():
            rows = self.connection.execute(question, values)
            names = [column[0] for column in rows.description]
            for row in rows:
                yield dict(zip(names, row, strict=True))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from playing into the same file. The lock ends with the process, however that ends.

        Within such a block another one changes nothing, so that many contests can be played under one lock.
        """
        if self.is_alone:
            yield
            return
        with self.sentences():
            lock = sqlite3.connect(f"{self.path}.lock", timeout=0.0, isolation_level=None)
        try:
            with self.sentences():
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error):
                        raise
                    raise AstragalError(
                        f"another command is playing games into {self.path}; wait or name another file"
                    ) from None
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
        (found,) = self.read("SELECT id FROM contests WHERE key = ?", contest.key)
        return int(found["id"])

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
        """The pairs and games of a contest that are there."""
        rows = self.read("SELECT match, game FROM games WHERE contest = ?", contest)
        return {(row["match"], row["game"]) for row in rows}

    def contests(self) -> list[StoredContest]:
        count = "(SELECT count(*) FROM games WHERE contest = contests.id) AS games"
        rows = self.read(f"SELECT id, contest, {count} FROM contests ORDER BY id")
        return [self.understood(contest_of, row, f"contest {row['id']}") for row in rows]

    def games(self, contest: int) -> Iterator[GameRecord]:
        """The games of a contest, in the order of their numbers."""
        for row in self.read("SELECT * FROM games WHERE contest = ? ORDER BY match, game", contest):
            yield self.game_of(row)

    def game(self, contest: int, pair: int, game: int) -> GameRecord | None:
        """One game of a contest, numbered from 0, if it was played."""
        question = "SELECT * FROM games WHERE contest = ? AND match = ? AND game = ?"
        return next(map(self.game_of, self.read(question, contest, pair, game)), None)

    def game_of(self, row: dict[str, Any]) -> GameRecord:
        name = f"game {numbered(row['match'])}.{numbered(row['game'])} of contest {row['contest']}"
        return self.understood(record_of, row, name)

    def understood(self, make: Callable[[dict[str, Any]], T], row: dict[str, Any], what: str) -> T:
        """What a row means, or a sentence: the file is sound, but another program may have written into it."""
        try:
            return make(row)
        except (ValueError, KeyError, TypeError, AttributeError, AstragalError) as error:
            why = f"there is no {error}" if isinstance(error, KeyError) else error
            raise AstragalError(f"{self.path} is damaged: {what} cannot be read: {why}") from None

    def sessions(self, contest: int) -> list[dict[str, Any]]:
        return list(self.read("SELECT * FROM sessions WHERE contest = ? ORDER BY id", contest))


def row_of(contest: int, session: int, record: GameRecord) -> tuple[Any, ...]:
    return (
        contest,
        record.pair,
        record.game,
        session,
        json.dumps(record.seats),
        str(record.seed),
        json.dumps(record.steps),
        json.dumps([tuple(vars(stats).values()) for stats in record.searches]),
        json.dumps(record.utilities),
        record.forfeit,
        record.fault,
        record.finished_from,
        record.seconds,
    )


def numbered(index: Any) -> Any:
    """A pair or a game as people count them."""
    return index + 1 if isinstance(index, int) else index


def contest_of(row: dict[str, Any]) -> StoredContest:
    contest = Contest.from_json(row["contest"])
    if not all(isinstance(text, str) for text in (contest.game, *contest.kinds)):
        raise ValueError("the game and the players are texts")
    if not all(isinstance(number, int) for number in (contest.seats, contest.seed)):
        raise ValueError("the seats and the seed are whole numbers")
    return StoredContest(row["id"], contest, row["games"])


def record_of(row: dict[str, Any]) -> GameRecord:
    record = GameRecord(
        row["match"],
        row["game"],
        tuple(json.loads(row["seats"])),
        int(row["seed"]),
        tuple(json.loads(row["steps"])),
        tuple(SearchStats(*stats) for stats in json.loads(row["thoughts"])),
        tuple(json.loads(row["utilities"])),
        row["forfeit"],
        row["fault"],
        row["finished_from"],
        row["seconds"],
    )
    if not len(record.seats) == len(record.utilities) > 0:
        raise ValueError(f"{len(record.seats)} seats and {len(record.utilities)} utilities")
    if not all(isinstance(number, int) for number in record.seats + record.steps):
        raise ValueError("seats and steps are whole numbers")
    if not all(isinstance(number, int | float) for number in record.utilities):
        raise ValueError("utilities are numbers")
    return record


def circumstances() -> dict[str, Any]:
    """What a session ran with: versions, commit and machine."""
    return {
        "version": __version__,
        "commit_hash": commit_hash(),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
        "machine": f"{platform.node()}, {platform.platform()}, {platform.processor() or platform.machine()}",
    }


@cache
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
