"""Data from others: files that name code run none of it, and what they contain ends in one clean sentence."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import sqlite3
import xml.etree.ElementTree as ElementTree
from contextlib import closing, redirect_stdout
from pathlib import Path

import pytest

from astragal.arena.contest import Contest
from astragal.arena.dispatch import Interrupt
from astragal.arena.store.game_file import parse_game
from astragal.base.errors import LONGEST_ERROR, AstragalError, SpecError
from astragal.base.locks import locked
from astragal.base.terminal import CleanStream
from astragal.cli import learn, run
from astragal.drawing import escape
from astragal.learn.training import Training
from astragal.rules import user_files
from support.arenas import COIN, play
from support.helpers import run_here

RAN = "open(__file__ + '.ran', 'w').close()"
SAVED = {"format": "astragal game", "version": 1, "seats": ["person"] * 2, "start": "x", "result": None, "steps": []}
COMMANDS = [
    ["list"],
    ["list", "--json"],
    ["show", 1],
    ["export", "x.csv"],
    ["export", "y.csv", 1],
    ["verify"],
    ["replay", 1],
    ["show", 1, "--luck", "evaluation"],
]


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("results") / "results.db"
    play(Contest.of("pig:goal=10", ["random", "hold:n=5"], seed=1), 4, file)
    return file


@pytest.fixture
def changed(results, tmp_path, monkeypatch):
    """A copy of the results file, with an SQL statement done to it."""
    monkeypatch.chdir(tmp_path)

    def make(statement: str, *values: object) -> Path:
        file = tmp_path / "changed.db"
        with closing(sqlite3.connect(results)) as given, closing(sqlite3.connect(file)) as copy:
            given.backup(copy)
            copy.execute(statement, values)
            copy.commit()
        return file

    return make


def naming(results: Path, game: str) -> str:
    with closing(sqlite3.connect(results)) as opened:
        contest = json.loads(opened.execute("SELECT contest FROM contests").fetchone()[0])
    return json.dumps(contest | {"game": game})


@pytest.mark.parametrize("game", ["evil.py:G", "./evil.py", "evil:G", "evil/"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(map(str, words)))
def test_results_of_a_game_in_a_file_run_none_of_it(command, game, changed, results, tmp_path, capsys):
    (tmp_path / "evil").mkdir()
    codes = [tmp_path / "evil.py", tmp_path / "evil" / "__init__.py"]
    for code in codes:
        code.write_text(RAN)
    file = changed("UPDATE contests SET contest = ?", naming(results, game))
    ran = run_here(capsys, "results", *command, "--db", file)
    assert not any(Path(f"{code}.ran").exists() for code in codes)
    if command[0] in ("verify", "replay") or "--luck" in command:
        assert ran.code == 2
        assert "is run only where it is named: --game evil" in ran.err
    else:
        assert (ran.code, ran.err) == (0, "")


def coin(folder: Path) -> Path:
    file = folder / "coin.py"
    file.write_text(COIN.replace("{misdeed}", "pass") + RAN)
    return file


def forget(file: Path) -> None:
    """As in a process that has not run the file."""
    user_files.loaded_files.pop(user_files.module_name(file), None)
    user_files.forget(user_files.module_name(file))
    user_files.named_places.discard(file.resolve())
    Path(f"{file}.ran").unlink(missing_ok=True)


def test_a_game_that_is_named_is_replayed_and_reviewed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file, ran = coin(tmp_path), tmp_path / "coin.py.ran"
    play(Contest.of("coin.py:Coin", ["random", "random"]), 2, tmp_path / "results.db")
    for command in (["verify"], ["replay", 1], ["replay", 1, "--save", "game.json"]):
        forget(file)
        assert run_here(capsys, "results", *command).code == 2
        assert not ran.exists()
        assert run_here(capsys, "results", *command, "--game", "./coin.py").code == 0
        assert ran.exists()
    forget(file)
    review = ["review", "game.json", "--sims", 1, "--player", "greedy"]
    assert "--game coin.py" in run_here(capsys, *review).err
    assert not ran.exists()
    assert "reviewed by greedy" in run_here(capsys, *review, "--game", "coin.py:Coin").out


def test_workers_run_the_file_that_their_coordinator_ran(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = coin(tmp_path)
    contest = Contest.of("coin.py:Coin", ["random", "random"])
    sent = pickle.dumps(contest)
    forget(file)
    with pytest.raises(AstragalError, match="is run only where it is named"):
        _ = Contest.from_json(contest.to_json()).rules
    assert type(pickle.loads(sent).rules).__name__ == "Coin"


def test_a_saved_game_runs_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(RAN)
    for game in ("evil.py:G", "evil.py:G\0", "evil.py"):
        with pytest.raises(SpecError, match=r"^(the game's Python file, evil\.py, is run only|there is no game)"):
            parse_game(json.dumps(SAVED | {"game": game})).positions()
    assert not (tmp_path / "evil.py.ran").exists()


@pytest.mark.parametrize("command", COMMANDS[:7], ids=lambda words: " ".join(map(str, words)))
@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE contests SET contest = '{'[' * 100_000}'",
        f"UPDATE games SET steps = '{'[' * 100_000}'",
        "UPDATE games SET seats = '[5, -9]'",
        "UPDATE games SET seats = '[]'",
        "UPDATE games SET seats = '[0, -1]'",
        "UPDATE games SET utilities = '{}'",
        "UPDATE games SET thoughts = '[5]'",
    ],
    ids=lambda text: f"{text[7:20]}{text[-20:]}",
)
def test_damaged_rows_get_a_sentence(command, statement, changed, capsys):
    ran = run_here(capsys, "results", *command, "--db", changed(statement))
    assert ran.code == 2
    assert "changed.db is damaged: " in ran.err
    assert "ASTRAGAL_DEBUG" not in ran.err


def test_a_saved_game_that_is_nested_deep_is_no_game():
    for text in ("[" * 100_000, '{"a":' * 100_000):
        with pytest.raises(SpecError, match="is not a game: it is not JSON"):
            parse_game(text)


def test_no_sentence_repeats_a_long_text(tmp_path, capsys):
    file = tmp_path / "long.json"
    file.write_text(json.dumps(SAVED | {"game": "pig", "start": "9" * 1_000_000}))
    error = run_here(capsys, "review", file).err
    assert error.startswith("astragal: ")
    assert len(error) < LONGEST_ERROR + 50
    assert "9 ... " in error
    assert "9" * 100 in str(AstragalError("9" * 400))


def test_no_command_reaches_the_terminal(changed, capsys):
    file = changed("UPDATE sessions SET machine = ?, command = ?", "\x1b]0;owned\x07", "\x9b2J\x08\x1b[31mred")
    ran = run_here(capsys, "results", "show", 1, "--db", file)
    assert " ]0;owned " in ran.out
    assert ran.out.count("\x1b") == 1  # a colour
    assert not set(ran.out) & {"\x07", "\x9b", "\x08"}
    error = run_here(capsys, "search", "pig\x1b]0;owned\x07").err
    assert "]0;owned" in error
    assert error.rstrip("\n").isprintable()


def test_a_clean_stream_is_the_stream_below_but_for_commands():
    below = io.StringIO()
    clean = CleanStream(below)
    plain = "".join(map(chr, range(32, 127))) + "\n\r\té█ü \x1b[1;31mred\x1b[0m"
    print(plain, file=clean)
    clean.writelines(["a\x1bb", "c\0d"])
    assert below.getvalue() == f"{plain}\na bc d"
    assert clean.getvalue() == below.getvalue()


def test_any_text_makes_sound_xml():
    for sign in [*map(chr, range(256)), "\ud800", "\ufffe", "😀", "<&\"'"]:
        found = ElementTree.fromstring(f"<t>a{escape(sign)}b</t>").text
        assert found is not None
        assert (found[0], found[-1]) == ("a", "b")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_gets_a_sentence(capsys):
    ran = run_here(capsys, "search", "pig", "--player", "uct:sims=20", "--tree", "/dev/full")
    assert (ran.code, ran.err) == (2, "astragal: cannot write: No space left on device\n")
    with open("/dev/full", "w") as full, redirect_stdout(full):
        assert run(["games"]) == 2
    assert capsys.readouterr().err == "astragal: cannot write: No space left on device\n"


def test_the_first_interrupt_says_what_happens(capsys):
    with Interrupt().heard() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.wished
        assert "stopping after the games under way; Ctrl-C again ends at once" in capsys.readouterr().err
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_learning_ends_with_the_code_of_an_interrupt(tmp_path, capsys, monkeypatch):
    play_round = Training.play_round

    def interrupted(self):
        if self.round:
            raise KeyboardInterrupt
        return play_round(self)

    monkeypatch.setattr(Training, "play_round", interrupted)
    monkeypatch.setattr(learn, "FINAL_GAMES", 10)
    monkeypatch.chdir(tmp_path)
    ran = run_here(capsys, "learn", "pig:goal=10", "--hidden", 0, "--settings", "games=4,matches=10,rounds=3")
    assert ran.code == 130
    assert "stopped in round 2; the same command goes on from there" in ran.err
    assert (tmp_path / "pig.npz").exists()


def test_one_command_at_a_time_learns_into_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learn, "FINAL_GAMES", 10)
    command = ["learn", "pig:goal=10", "--hidden", 0, "--settings", "games=4,matches=10,rounds=1"]
    with locked(Path("pig.npz"), "busy"):
        ran = run_here(capsys, *command)
        assert (ran.code, ran.err) == (
            2,
            "astragal: another command is learning pig.npz; wait or name another file with --out\n",
        )
        assert not Path("pig.checkpoint.npz").exists()
        with pytest.raises(AstragalError, match="busy"), locked(Path("pig.npz"), "busy"):
            pass
    assert run_here(capsys, *command).code == 0
