"""Models in files and in settings: who accepts them, and what is said of wrong ones."""

from __future__ import annotations

import pickle
from dataclasses import fields

import numpy as np
import pytest

from astragal import load_game, load_player, start
from astragal.base.errors import AstragalError, SpecError
from astragal.learn import from_fields, training
from astragal.learn import model as models
from astragal.learn.beginning import new_model
from astragal.learn.derived import with_model
from astragal.learn.model import (
    Model,
    evaluated_game,
    read_model,
    refuse_other_game,
    rules_text,
    shipped_models,
    write_model,
)
from astragal.players import player_classes
from support.helpers import EXAMPLE, run_here

EVALUATING = (
    *("exp", "star1", "star2", "star", "expss", "star1ss", "star2ss", "starss", "alphabeta", "mm", "maxn", "paranoid"),
    *("uct", "uct_h", "uctmax_h", "mcts", "dpw", "ggp", "mcs", "hybrid", "greedy", "softmax", "fsss", "ams"),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model of EWN, and one of Kalah."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("ewn", "kalah"):
        made = new_model(load_game(name), 8, seed=1)
        write_model(made, folder / f"{name}.npz")
    return folder


def test_players_with_the_setting_are_those_that_ask_an_evaluation():
    having = [name for name, cls in player_classes().items() if any(f.name == "evaluation" for f in fields(cls))]
    assert sorted(having) == sorted(EVALUATING)


@pytest.mark.parametrize("name", EVALUATING)
def test_every_player_that_evaluates_plays_by_a_model(name, files):
    game = load_game("kalah" if name in ("alphabeta", "mm", "hybrid") else "ewn")
    file = files / ("kalah.npz" if name in ("alphabeta", "mm", "hybrid") else "ewn.npz")
    limits = {"mm": "depth=1,", "greedy": "", "hybrid": "nodes=40,", "mcs": "sims=2,", "dpw": "sims=4,rollout=0,"}
    trees = ("uct", "uct_h", "uctmax_h", "mcts", "ggp")
    limit = limits.get(name, "sims=4,rollout=0," if name in trees else "depth=1,")
    player = load_player(f"{name}:{limit}evaluation={file}", game)
    position = start(game, 1).settled(1)
    found = player.search(position, seed=1)
    assert found.action in position.action_names()
    assert found.game == ("kalah" if "kalah" in file.name else "ewn")
    assert f"evaluation={file}" in found.player


def test_values_are_those_of_the_model_and_not_of_the_game(files):
    game = load_game("kalah")
    position = start(game)
    learned = evaluated_game(game, str(files / "kalah.npz"))
    found = load_player(f"mm:depth=1,evaluation={files / 'kalah.npz'}", game).search(position)
    after = position.play(found.action)
    told = type(after)(learned, after.memory).evaluations()[0]
    assert found.value == pytest.approx(told, abs=1e-4)
    assert found.value != pytest.approx(after.evaluations()[0], abs=1e-3)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_kept_model_is_the_same_but_for_half_precision(tmp_path):
    made = new_model(load_game("tic_tac_toe"), 8, seed=1).with_notes(made="for a test")
    write_model(made, tmp_path / "t.npz")
    again = read_model(tmp_path / "t.npz")
    assert np.allclose(again.weights, made.weights, atol=1e-3)
    assert (again.table == made.table).all()
    assert (again.game, again.inputs, again.most, again.hidden, again.state, again.notes) == (
        *(made.game, made.inputs, made.most, made.hidden, made.state),
        {"made": "for a test"},
    )


def test_files_that_are_no_model_of_the_game_get_a_sentence(files, tmp_path):
    ewn = files / "ewn.npz"
    for spec, game, sentence in (
        (str(ewn), "pig", "was learned for ewn, not for pig"),
        (str(files / "kalah.npz"), "kalah:pits=4", "was learned for kalah with pits=6, not with pits=4"),
        (str(tmp_path / "none.npz"), "ewn", "there is no such file"),
        (str(tmp_path / "none"), "ewn", r"--out \S*none\.npz` makes one"),
        ("learned", "tic_tac_toe", "no learned evaluation of tic_tac_toe comes with Astragal"),
    ):
        with pytest.raises(SpecError, match=sentence):
            load_player(f"maxn:evaluation={spec}", load_game(game))
    broken = tmp_path / "broken.npz"
    broken.write_bytes(ewn.read_bytes()[:300])
    with pytest.raises(SpecError, match="is not a model"):
        read_model(broken)
    np.savez(broken, weights=np.zeros(3))
    with pytest.raises(SpecError, match="is not a model"):
        read_model(broken)


def test_results_are_kept_and_others_are_not_believed(tmp_path):
    game, file = load_game("backgammon"), tmp_path / "backgammon.npz"
    made = new_model(game, 8, seed=1, by_results=True)
    write_model(made, file)
    assert read_model(file).results == made.results == game.own_results()
    other = Model(**{**vars(made), "results": (-3.0, -2.0, -1.0, 0.5, 2.0, 3.0)})
    with pytest.raises(SpecError, match="was learned for a backgammon with other results; learn it again"):
        refuse_other_game(other, game, "other.npz")
    for wrong in ((-3.0, 3.0), (3.0, 2.0, 1.0, -1.0, -2.0, -3.0)):
        write_model(Model(**{**vars(made), "results": wrong}), file)
        with pytest.raises(SpecError, match="damaged"):
            read_model(file)


def test_weights_that_do_not_fit_are_not_believed(tmp_path):
    made = new_model(load_game("ewn"), 8, seed=1)
    cut = Model(**{**vars(made), "weights": made.weights[:-1]})
    write_model(cut, tmp_path / "cut.npz")
    with pytest.raises(SpecError, match="damaged"):
        read_model(tmp_path / "cut.npz")
    strange = Model(**{**vars(made), "weights": np.full_like(made.weights, np.nan)})
    write_model(strange, tmp_path / "nan.npz")
    with pytest.raises(SpecError, match="damaged"):
        read_model(tmp_path / "nan.npz")


def test_the_games_own_evaluation_and_where_it_begins_are_no_matter(files):
    load_player(f"star:evaluation={files / 'ewn.npz'}", load_game("ewn:evaluation=cubes,setup=fixed"))


def test_what_a_game_says_of_its_own_evaluation_is_left_out(files):
    learned = evaluated_game(load_game("ewn"), str(files / "ewn.npz"))
    position = start(learned, 2).settled(2)
    assert learned.probcut is None
    assert position.rules.ceiling(position._state, 0, 1) == 100.0
    assert np.isnan(position.rules.heuristic_after(position._state, position.actions()[0], 0))
    rolling = start(evaluated_game(load_game("pig"), "learned"))
    assert np.isnan(rolling.rules.heuristic_dealt(rolling._state, 0, 0))
    with pytest.raises(AstragalError, match="probcut_sigma"):
        load_player(f"star2:probcut=1,evaluation={files / 'ewn.npz'}", load_game("ewn"))


def test_a_game_with_a_model_is_pickled_with_it(files):
    game = evaluated_game(load_game("ewn"), str(files / "ewn.npz"))
    again = pickle.loads(pickle.dumps(game))
    one, other = (start(each, 5).settled(5).evaluations() for each in (game, again))
    assert one == other


@pytest.mark.parametrize("name", sorted(shipped_models()))
def test_shipped_models_fit_their_games(name):
    game = load_game(name)
    model = models.model_for(game, "learned")
    assert models.without_others(model.game) == rules_text(game)
    values = start(with_model(game, model), 1).settled(1).evaluations()
    assert all(game.utility_range[0] <= value <= game.utility_range[1] for value in values)


def test_all_shipped_models_are_small():
    assert sum(path.stat().st_size for path in shipped_models().values()) < 600_000


def test_the_command_learns_goes_on_and_says_how_to_use_what_it_found(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 200)
    monkeypatch.setattr(training, "STARTS", 4)
    monkeypatch.setattr("astragal.cli.learn.FINAL_GAMES", 10)
    file = tmp_path / "mine.npz"
    line = ("learn", EXAMPLE, "--out", file, "--hidden", 8, "--settings")
    first = run_here(capsys, *line, "games=2,matches=10,rounds=1")
    assert first.code == 0
    assert "against random moves" in first.out
    assert f"evaluation={file}" in first.out
    longer = run_here(capsys, *line, "games=2,matches=10,rounds=2", "--json")
    assert longer.code == 0
    assert '"rounds": 2' in longer.out
    assert read_model(file).notes["strength"]["random moves"]["games"] >= 10
    changed = run_here(capsys, *line, "games=2,matches=10,rounds=2,random=0.1")
    assert changed.code == 2
    assert "other settings (random)" in changed.err
    again = run_here(capsys, *line, "games=3,matches=10,rounds=1", "--again", "--then", "rounds=2,decay=0.2")
    assert again.code == 0
    notes = read_model(file).notes
    assert (notes["rounds"], notes["settings"]["decay"], notes["before"][0]["decay"]) == (2, 0.2, 0.7)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--out", "model.txt"), "ends with .npz"),
        (("--hidden", "7"), "multiple of 8"),
        (("--settings", "speed=3"), "no setting 'speed'"),
        (("--then", "seed=9"), "--then: seed cannot change on the way"),
        (("--out", "/no/such/folder/x.npz"), "cannot write"),
    ],
)
def test_wrong_lines_of_the_command_get_a_sentence(capsys, options, sentence):
    ran = run_here(capsys, "learn", "ewn", *options)
    assert ran.code == 2
    assert sentence in ran.err


def test_other_files_are_not_written_over(capsys, tmp_path):
    other, no_model = tmp_path / "ewn.npz", tmp_path / "table.npz"
    other.write_bytes(shipped_models()["ewn"].read_bytes())
    np.savez(no_model, a=np.zeros(3))
    for file, what in ((other, "a model of ewn"), (no_model, "no model")):
        before = file.read_bytes()
        ran = run_here(capsys, "learn", "pig", "--out", file, "--again")
        assert (ran.code, file.read_bytes()) == (2, before)
        assert f"{file} is there already and is {what}" in ran.err


def test_no_time_to_learn_is_said_and_leaves_no_file(capsys, tmp_path):
    file = tmp_path / "pig.npz"
    ran = run_here(capsys, "learn", "pig", "--out", file, "--minutes", 0)
    assert (ran.code, file.exists()) == (2, False)
    assert "nothing was learned: --minutes 0.0 leaves no time for a round" in ran.err


def test_the_page_takes_no_files():
    from astragal.web.caps import Caps

    Caps().refuse_programs(load_player("star:evaluation=learned"))
    with pytest.raises(SpecError, match="evaluation is own or learned on the page"):
        Caps().refuse_programs(load_player("star:evaluation=/somewhere/else.npz"))
