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
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from itertools import starmap
from pathlib import Path
from typing import Any, Self, TypeVar

from astragal import __version__
from astragal.arena.contest import Contest, GameRecord, SearchStats
from astragal.base.errors import AstragalError
from astragal.base.folders import TemporaryFolder
from astragal.base.locks import locked

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
SESSION = ("started", "command", "version", "commit_hash", "python", "numba", "numpy", "machine")


@dataclass(frozen=True)
class StoredContest:
    """A contest in a store."""

    id: int
    contest: Contest
    games: int


@dataclass(frozen=True)
class Tally:
    """How many games were played anew, and how many were in the results file before; None: games are not kept."""

    new: int = 0
    found: int = 0
    file: Path | None = None

    def __str__(self) -> str:
        new = f"{self.new:,} new game{'' if self.new == 1 else 's'}"
        return f"{new}, not kept" if self.file is None else f"{new}, {self.found:,} from {self.file}"


class ResultsStore:
    """A results file. Use it in a ``with``."""

    def __init__(self, path: Path | str, must_exist: bool = False) -> None:
        self.path = Path(path)
        self.is_alone = False
        self.added = 0  # games
        self.found: dict[int, int] = {}  # contest -> games that were there when it was entered
        self.kinds: dict[int, int] = {}  # contest -> players, for its games to be checked by
        self.folder: TemporaryFolder | None = None  # in which the file is, if it is not to be kept
        self.begins: Callable[[], None] = lambda: None  # called before games are played
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
        """Keep others from playing into the same file.

        Within such a block another one changes nothing, so that many contests can be played under one lock.
        """
        if self.is_alone:
            yield
            return
        with ExitStack() as stack:
            with self.sentences():
                busy = f"another command is playing games into {self.path}; wait or name another file"
                stack.enter_context(locked(self.path, busy))
            self.is_alone = True
            stack.callback(setattr, self, "is_alone", False)
            yield

    def enter(self, contest: Contest) -> int:
        """The number of a contest, a new one if it is not in the file yet."""
        with self.transaction():
            self.connection.execute(
                "INSERT OR IGNORE INTO contests (key, contest, game) VALUES (?, ?, ?)",
                (contest.key, contest.to_json(), contest.game),
            )
        found = self.number_of(contest.key)
        assert found is not None
        return found

    def number_of(self, key: str) -> int | None:
        """The number of the contest with this key."""
        return next((int(row["id"]) for row in self.read("SELECT id FROM contests WHERE key = ?", key)), None)

    def of_other_versions(self, contest: Contest) -> list[StoredContest]:
        """What there is of a contest by other versions of its searches, the latest versions first."""
        found = [stored for stored in self.contests() if stored.games and stored.contest.is_other_version_of(contest)]
        return sorted(found, key=lambda stored: sorted(stored.contest.versions), reverse=True)

    def begin_session(self, contest: int, command: str) -> int:
        with self.transaction():
            row = {
                "contest": contest,
                "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "command": command,
            }
            return self.insert_session(row | circumstances())

    def copy_session(self, contest: int, session: dict[str, Any]) -> int:
        """The number of a session of another file, which this one gets once."""
        row = {name: session.get(name, "") for name in SESSION} | {"contest": contest}
        where = " AND ".join(f"{name} IS ?" for name in row)
        found = list(self.read(f"SELECT id FROM sessions WHERE {where}", *row.values()))
        if found:
            return int(found[0]["id"])
        with self.transaction():
            return self.insert_session(row)

    def insert_session(self, row: dict[str, Any]) -> int:
        names, places = ", ".join(row), ", ".join("?" * len(row))
        made = self.connection.execute(f"INSERT INTO sessions ({names}) VALUES ({places})", tuple(row.values()))
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
        added = self.connection.total_changes - before
        self.added += added
        return added

    def tally(self, file: Path | None) -> Tally:
        """What was played into it, and what it held of the same contests."""
        return Tally(self.added, sum(self.found.values()), file)

    def played(self, contest: int) -> Iterator[tuple[int, int]]:
        """The pairs and games of a contest that are there, in their order."""
        rows = self.read("SELECT match, game FROM games WHERE contest = ? ORDER BY match, game", contest)
        return ((row["match"], row["game"]) for row in rows)

    def count(self, contest: int) -> int:
        """How many games of a contest are there."""
        (row,) = self.read("SELECT count(*) AS games FROM games WHERE contest = ?", contest)
        return int(row["games"])

    def contests(self) -> list[StoredContest]:
        return self.contests_where("1")

    def contests_by_key(self, keys: Sequence[str]) -> list[StoredContest]:
        """Those of the contests with these keys that are there."""
        return self.contests_where(f"key IN ({', '.join('?' * len(keys))})", *keys)

    def contests_where(self, condition: str, *values: str) -> list[StoredContest]:
        count = "(SELECT count(*) FROM games WHERE contest = contests.id) AS games"
        rows = self.read(f"SELECT id, contest, {count} FROM contests WHERE {condition} ORDER BY id", *values)
        return [self.understood(contest_of, row, f"contest {row['id']}") for row in rows]

    def games(self, contest: int) -> Generator[GameRecord, None, None]:
        """The games of a contest, in the order of their numbers."""
        for row in self.read("SELECT * FROM games WHERE contest = ? ORDER BY match, game", contest):
            yield self.game_of(row)

    def games_of_session(self, contest: int, session: int) -> Iterator[GameRecord]:
        """The games of a contest that one session played, in the order of their numbers."""
        question = "SELECT * FROM games WHERE contest = ? AND session = ? ORDER BY match, game"
        return map(self.game_of, self.read(question, contest, session))

    def game(self, contest: int, pair: int, game: int) -> GameRecord | None:
        """One game of a contest, numbered from 0, if it was played."""
        question = "SELECT * FROM games WHERE contest = ? AND match = ? AND game = ?"
        return next(map(self.game_of, self.read(question, contest, pair, game)), None)

    def game_of(self, row: dict[str, Any]) -> GameRecord:
        name = f"game {numbered(row['match'])}.{numbered(row['game'])} of contest {row['contest']}"
        return self.understood(partial(record_of, self.kinds_of(row["contest"])), row, name)

    def kinds_of(self, contest: int) -> int:
        """How many players a contest has."""
        if contest not in self.kinds:
            (row,) = self.read("SELECT id, contest, 0 AS games FROM contests WHERE id = ?", contest)
            self.kinds[contest] = len(self.understood(contest_of, row, f"contest {contest}").contest.kinds)
        return self.kinds[contest]

    def understood(self, make: Callable[[dict[str, Any]], T], row: dict[str, Any], what: str) -> T:
        """What a row means, or a sentence: the file is sound, but another program may have written into it."""
        try:
            return make(row)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, AstragalError) as error:
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
        json.dumps(record.searches),
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


def record_of(kinds: int, row: dict[str, Any]) -> GameRecord:
    record = GameRecord(
        row["match"],
        row["game"],
        tuple(json.loads(row["seats"])),
        int(row["seed"]),
        tuple(json.loads(row["steps"])),
        tuple(starmap(SearchStats, json.loads(row["thoughts"]))),
        tuple(json.loads(row["utilities"])),
        row["forfeit"],
        row["fault"],
        row["finished_from"],
        row["seconds"],
    )
    check_seats(record.seats, kinds)
    if len(record.seats) != len(record.utilities):
        raise ValueError(f"{len(record.seats)} seats and {len(record.utilities)} utilities")
    if not all(isinstance(number, int) for number in record.steps):
        raise ValueError("steps are whole numbers")
    if not all(isinstance(number, int | float) for number in record.utilities):
        raise ValueError("utilities are numbers")
    return record


def check_seats(seats: Sequence[Any], kinds: int) -> None:
    if not seats or not all(isinstance(kind, int) and 0 <= kind < kinds for kind in seats):
        raise ValueError(f"seats are the numbers of players, from 0 to {kinds - 1}")


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
