"""A user's game made strong: what it learned and its ladder lie beside it, and levels, hints and `best` use them."""

from __future__ import annotations

import json
import shutil

import pytest

from astragal import load_game
from astragal.arena import making
from astragal.arena.making import command_for, make_strong, rungs_among
from astragal.base.errors import AstragalError, SpecError, Stopped
from astragal.learn.beginning import LearnSettings
from astragal.learn.training import Training
from astragal.players import load_player
from astragal.players.analyst import analyst
from astragal.players.ladders import Rung, best_player, ladder_of, levels
from astragal.rules.folder_files import file_beside
from support.helpers import EXAMPLE, run_here

LESSON = LearnSettings(hidden=8, games=6, matches=10, rounds=1, longest=100)
PLAYERS = ["random", "softmax:temperature=0.1,evaluation=learned", "softmax:temperature=0,evaluation=learned"]
TRACK = "track=8"


@pytest.fixture
def spec(tmp_path, monkeypatch):
    """A copy of the example, small, whose players are quick."""
    shutil.copy(EXAMPLE, tmp_path / "mine.py")
    monkeypatch.setattr(making, "candidates", lambda game: PLAYERS)
    monkeypatch.setattr(making, "FINAL_GAMES", 10)
    monkeypatch.setattr(making, "CHECKED_GAMES", 1)
    return f"{tmp_path / 'mine.py'}:MyGame:{TRACK}"


def make(spec):
    said = []
    return make_strong(load_game(spec), 1.0, 4, 1, said.append, None, LESSON), said


def test_levels_hints_and_best_use_what_was_made(spec, tmp_path):
    assert ladder_of(load_game(spec)) is None
    ladder, said = make(spec)
    game = load_game(spec)
    assert ladder_of(game) == ladder
    assert {rung.player for rung in ladder.rungs} <= set(PLAYERS)
    assert ladder.rungs[0].elo == 0.0
    assert all(rung.error > 0 for rung in ladder.rungs)
    assert ladder.command == command_for(game, PLAYERS, 4)
    assert best_player(game) == analyst(game) == ladder.top.player
    assert all(level.measured for level in levels(game))
    assert str(load_player("best", game)) == str(load_player(ladder.top.player, game))
    assert any("games against random moves" in line for line in said)
    names = {path.name.removeprefix("mine.") for path in tmp_path.iterdir() if path.is_file()}
    assert names == {"py", "MyGame.model.npz", "MyGame.model.checkpoint.npz", "MyGame.ladder.json"}


def test_a_ladder_of_other_rules_or_a_damaged_one_is_none(spec, tmp_path, monkeypatch):
    make(spec)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.MyGame.ladder.json"
    text = path.read_text(encoding="utf-8")
    runs_a_program = text.replace('"random"', '"engine:command=touch started"')
    for wrong in (
        "",
        "[]",
        runs_a_program,
        text.replace('"random"', '"nobody"'),
        text.replace('"rungs"', '"rang"'),
        text.replace('"random"', "{}")[:-9],
    ):
        path.write_text(wrong, encoding="utf-8")
        assert ladder_of(load_game(spec)) is None
    assert not (tmp_path / "started").exists()
    path.write_text(text, encoding="utf-8")
    assert ladder_of(load_game(spec)) is not None
    with (tmp_path / "mine.py").open("a", encoding="utf-8") as file:
        file.write("# another rule\n")
    assert ladder_of(load_game(spec)) is None


def test_it_goes_on_where_it_was_stopped(spec, monkeypatch, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    rated = [Rung(player, 100.0 * i, 1.0) for i, player in enumerate(PLAYERS)]
    monkeypatch.setattr(making, "rate", lambda *_: rated)
    play_round = Training.play_round
    monkeypatch.setattr(Training, "play_round", interrupted)
    with pytest.raises(Stopped, match="while learning"):
        make(spec)
    monkeypatch.setattr(Training, "play_round", play_round)
    make(spec)
    monkeypatch.setattr(Training, "play_round", interrupted)  # it is over, so that no further round is played
    make(spec)
    assert file_beside(type(load_game(spec)), "model.npz") == tmp_path / "mine.MyGame.model.npz"


@pytest.mark.parametrize(
    ("elos", "chosen"),
    [
        ((0, 100, 200, 300, 400), (0, 100, 200, 300, 400)),
        ((0, 5, 10, 90, 210, 290, 400), (0, 90, 210, 290, 400)),
        ((0, 400), (0, 400)),
        ((-50, 0, 100), (0, 100)),
        ((-50, 0), (0,)),
    ],
)
def test_rungs_stand_as_evenly_as_may_be_between_random_moves_and_the_strongest(elos, chosen):
    rated = [Rung("random" if elo == 0 else f"hold:n={i + 2}", float(elo), 1.0) for i, elo in enumerate(elos)]
    assert tuple(rung.elo for rung in rungs_among(rated)) == chosen


@pytest.mark.parametrize(
    ("game", "why"), [("pig", "comes with Astragal"), ("pig.kif", "no Python file"), ("openspiel", "no game")]
)
def test_only_a_users_own_game_gets_a_ladder(capsys, game, why):
    ran = run_here(capsys, "best", game, "--make")
    assert ran.code == 2
    assert why in ran.err


def test_a_game_that_fails_its_check_is_not_learned(spec, tmp_path):
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    assert "    def utility(" in text
    (tmp_path / "mine.py").write_text(text.replace("    def utility(", "    def utility_(", 1), encoding="utf-8")
    with pytest.raises((SpecError, AstragalError)):
        make(spec)
    assert [path.name for path in tmp_path.glob("*.npz")] == []


def test_candidates_are_the_same_on_every_machine():
    named = making.candidates(load_game("pig"))
    assert named[0] == "random"
    assert not any("time=" in player for player in named)
    assert json.dumps(named).count("learned") >= 5
