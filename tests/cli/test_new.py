"""`astragal new`: the game it writes works, and no file is harmed."""

from __future__ import annotations

import pytest

from astragal import load_game, search, start
from astragal.rules.checks import check_game
from support.helpers import run_here


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_game_passes_its_check_and_is_searched(players, capsys, tmp_path):
    ran = run_here(capsys, "new", "my_game.py", "--players", players)
    assert (ran.code, ran.err) == (0, "")
    assert "astragal check my_game.py " in ran.out
    game = load_game(str(tmp_path / "my_game.py"))
    assert type(game).__name__ == "MyGame"
    assert game.players == players
    assert [check for check in check_game(game, games=2) if not check.passed] == []
    for player in ("star2:depth=3", "uct:sims=50") if players == 2 else ("maxn:depth=3",):
        assert search(start(game), player).action in ("run", "walk")


def test_the_commands_that_are_named_next_know_the_file(capsys):
    run_here(capsys, "new", "my_game.py")
    ran = run_here(capsys, "search", "my_game.py:squares=9", "--player", "random")
    assert (ran.code, ran.err) == (0, "")
    assert "player 1: square 0" in ran.out
    assert "Walk three squares" in run_here(capsys, "games", "my_game.py").out


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.py", "A"), ("two_words.py", "TwoWords"), ("_hidden_.py", "Hidden"), ("CHANCE.py", "CHANCEGame")],
)
def test_the_class_is_named_after_the_file(file, name, capsys):
    assert run_here(capsys, "new", file).code == 0
    assert type(load_game(file)).__name__ == name


def test_a_file_that_is_there_is_left_alone(capsys, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("precious")
    ran = run_here(capsys, "new", file)
    assert ran.code == 2
    assert ran.err == f"astragal: {file} is there already; give the new game another name\n"
    assert file.read_text() == "precious"


@pytest.mark.parametrize("file", ["mine", "2048.py", "my game.py", "my-game.py", "mine.txt", "__.py", ".py", "a/", ""])
def test_a_name_that_no_game_can_have(file, capsys, tmp_path):
    ran = run_here(capsys, "new", file)
    assert ran.code == 2
    assert "a game's file is named with letters, digits and _, such as my_game.py" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(capsys):
    ran = run_here(capsys, "new", "nowhere/mine.py")
    assert (ran.code, ran.err) == (2, "astragal: cannot write to nowhere/mine.py: No such file or directory\n")
