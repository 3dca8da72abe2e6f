"""The results file: what goes in comes out, and every way in which a file can be of no use is said in a sentence."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from astragal import AstragalError, __version__
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish, GameRecord, SearchStats
from astragal.arena.referee import play_game
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import VERSION, ResultsStore
from astragal.arena.workers import InProcessExecutor
from support.arenas import Scripted, kept, play, seat_players

CONTEST = Contest.of("pig:goal=10", ["random", "hold"], seed=5)
RECORDS = [play_game(CONTEST, pair, game) for pair in range(3) for game in range(2)]
FAULTY = GameRecord(
    7,
    1,
    (1, 0),
    2**64 - 1,
    (3, 0, 4),
    (SearchStats(0.25, 10**12, 3, None, -0.1, 17), SearchStats(0.0, 0, 0, -1.5, 0.0, None)),
    (100.0, -100.0),
    1,
    "chose 'fly'; \"so\" – ü",
    2,
    1.5,
)


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "results.db"


def fill(file: Path, records: list[GameRecord], contest: Contest = CONTEST) -> None:
    with ResultsStore(file) as store:
        number = store.enter(contest)
        store.add(number, store.begin_session(number, "a command"), records)


# What goes in comes out


def test_games_come_back_as_they_were(file):
    fill(file, [FAULTY, *RECORDS[::-1]])
    with ResultsStore(file, must_exist=True) as store:
        assert kept(store) == [*RECORDS, FAULTY]
        assert list(store.played(1)) == sorted(record.number for record in [*RECORDS, FAULTY])


def test_contests_come_back_as_they_were(file):
    other = Contest.of(
        "tic_tac_toe", ["uct", "mm"], Limits(nodes=9), 2**63 + 1, 0, Finish(("random", "random"), terminal_ratio=0.1)
    )
    fill(file, RECORDS[:2])
    fill(file, [], other)
    fill(file, RECORDS[2:5])
    with ResultsStore(file, must_exist=True) as store:
        stored = store.contests()
    assert [(each.id, each.contest, each.games) for each in stored] == [(1, CONTEST, 5), (2, other, 0)]


def test_a_game_is_kept_once(file):
    fill(file, RECORDS)
    with ResultsStore(file) as store:
        number = store.enter(CONTEST)
        session = store.begin_session(number, "again")
        assert store.add(number, session, [replace(RECORDS[0], seconds=99.0), FAULTY]) == 1
        assert kept(store) == [*RECORDS, FAULTY]


def test_a_session_says_what_games_were_played_with(file):
    fill(file, RECORDS)
    with ResultsStore(file, must_exist=True) as store:
        (session,) = store.sessions(1)
    assert session["command"] == "a command"
    assert session["version"] == __version__
    assert session["python"] == ".".join(map(str, sys.version_info[:3]))
    assert session["started"].endswith("Z")
    for name in ("numba", "numpy", "machine"):
        assert session[name]


def test_the_file_has_a_log_and_a_version(file):
    fill(file, [])
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()


def test_a_transaction_is_all_or_nothing(file):
    with ResultsStore(file) as store:
        number = store.enter(CONTEST)
        session = store.begin_session(number, "")
        with pytest.raises(AttributeError):
            store.add(number, session, [RECORDS[0], None])
        assert kept(store) == []
        store.add(number, session, RECORDS)
        assert kept(store) == RECORDS


def test_another_process_sees_games_as_soon_as_they_are_added(file):
    with ResultsStore(file) as store, ResultsStore(file, must_exist=True) as reader:
        number = store.enter(CONTEST)
        session = store.begin_session(number, "")
        for count, record in enumerate(RECORDS, 1):
            store.add(number, session, [record])
            assert len(kept(reader)) == count


# Files that are of no use


def refused(file: Path, must_exist: bool = False) -> str:
    with pytest.raises(AstragalError) as raised, ResultsStore(file, must_exist=must_exist) as store:
        play_into(store)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def play_into(store: ResultsStore, games: int = 4) -> bool:
    return run_contest(CONTEST, Plan(games), store, InProcessExecutor)


def test_a_file_that_is_not_there(tmp_path):
    assert refused(tmp_path / "no.db", must_exist=True) == f"there is no results file {tmp_path / 'no.db'}"
    assert not (tmp_path / "no.db").exists()


def test_a_folder_that_is_not_there(tmp_path):
    assert "unable to open database file" in refused(tmp_path / "no" / "results.db")


def test_a_folder_is_not_a_file(tmp_path):
    assert "cannot be used as a results file" in refused(tmp_path)


@pytest.mark.parametrize("must_exist", [False, True])
def test_a_file_of_another_kind(file, must_exist):
    file.write_text("not a database, but long enough to be looked at " * 20)
    before = file.read_bytes()
    assert refused(file, must_exist) == f"{file} cannot be used as a results file: file is not a database"
    assert file.read_bytes() == before


@pytest.mark.parametrize("must_exist", [False, True])
def test_an_sqlite_file_of_another_program(file, must_exist):
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE songs (name TEXT)")
    connection.commit()
    assert refused(file, must_exist) == f"{file} is an SQLite file, but not one of results"
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.close()
    assert refused(file, must_exist) == f"{file} is an SQLite file, but not one of results"


def test_an_empty_file_is_taken_and_read_as_no_results(file):
    file.touch()
    with pytest.raises(AstragalError, match="holds no results yet"), ResultsStore(file, must_exist=True):
        pass
    fill(file, RECORDS)


@pytest.mark.parametrize("must_exist", [False, True])
def test_a_file_of_another_version(file, must_exist):
    fill(file, RECORDS)
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    sentence = f"{file} has tables of version {VERSION + 1}; this program reads version {VERSION}"
    assert refused(file, must_exist) == sentence


def test_a_damaged_file(file):
    fill(file, [replace(RECORDS[0], pair=pair) for pair in range(2000)])
    with file.open("r+b") as damaged:
        damaged.seek(3 * 4096)
        damaged.write(b"\xff" * (file.stat().st_size - 6 * 4096))
    with (
        pytest.raises(AstragalError, match="cannot be used as a results file"),
        ResultsStore(file, must_exist=True) as store,
    ):
        kept(store)


def test_a_full_disk(file, monkeypatch):
    with ResultsStore(file) as store:
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(AstragalError) as raised:
            play_into(store, 2000)
        assert str(raised.value) == f"{file} cannot be used as a results file: database or disk is full"
        before = kept(store)
        store.connection.execute("PRAGMA max_page_count = 100000")
        assert 0 < len(before) < 2000
        assert play_into(store, len(before) + 2)  # and when there is room again it goes on
        assert kept(store)[: len(before)] == before


READ_ONLY = """
import os, sys
from astragal import AstragalError
from astragal.arena.contest import Contest
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.workers import InProcessExecutor

contest = Contest.of("pig:goal=10", ["random", "hold"], seed=5)
if os.geteuid() == 0:  # who may write everywhere
    os.setgid(65534)
    os.setuid(65534)
with ResultsStore(sys.argv[1], must_exist=True) as store:
    print(len(list(store.games(1))), "games")
try:
    with ResultsStore(sys.argv[1]) as store:
        run_contest(contest, Plan(8), store, InProcessExecutor)
except AstragalError as error:
    print(error)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)
        os.chmod(name, 0o755)


@pytest.mark.few(1)
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs the rights of POSIX")
@pytest.mark.parametrize("folder", [0o777, 0o555])
@pytest.mark.parametrize("rights", [0o444, 0o644])
def test_a_file_or_folder_that_is_read_only_can_be_read_and_gives_a_sentence_for_writing(open_folder, folder, rights):
    if folder == 0o777 and rights == 0o644 and os.geteuid() != 0:
        pytest.skip("one's own file in one's own folder can be written")
    file = open_folder / "results.db"
    fill(file, RECORDS)
    file.chmod(rights)
    open_folder.chmod(folder)
    done = subprocess.run([sys.executable, "-c", READ_ONLY, file], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    found, sentence = done.stdout.splitlines()
    assert found == f"{len(RECORDS)} games"
    assert sentence.startswith(f"{file} cannot be used as a results file: ")


# Two commands at once


def test_two_commands_cannot_play_into_one_file_at_once(file):
    with ResultsStore(file) as first, ResultsStore(file) as second:
        with first.alone():
            with pytest.raises(AstragalError) as raised:
                play_into(second)
            assert str(raised.value) == f"another command is playing games into {file}; wait or name another file"
        assert play_into(second)
        with second.alone(), pytest.raises(AstragalError, match="another command"):
            play_into(first)


def test_results_can_be_read_while_games_are_played(file):
    fill(file, RECORDS)
    with ResultsStore(file) as store, store.alone(), ResultsStore(file, must_exist=True) as reader:
        assert len(kept(reader)) == len(RECORDS)


def test_a_file_can_be_made_by_several_at_once(file):
    problems: list[Exception] = []

    def make() -> None:
        try:
            with ResultsStore(file) as store:
                store.enter(CONTEST)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with ResultsStore(file, must_exist=True) as store:
        assert len(store.contests()) == 1


def test_a_forfeit_is_kept_and_does_not_stop_the_run(file, monkeypatch):
    def failing(position, result):
        raise RuntimeError("no idea")

    seat_players(monkeypatch, Scripted(failing), Scripted())
    records = play(Contest.of("tic_tac_toe", ["random", "random"]), 6, file)
    assert [record.seats[record.forfeit] for record in records] == [0] * 6
    assert {record.fault for record in records} == {"failed: RuntimeError: no idea"}
