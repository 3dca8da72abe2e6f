"""The shallow search of self-play: its values are those of other searches, and its leaf is where they come from."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import Limits, load_game, load_player
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import run_interpreted
from astragal.learn import training
from astragal.learn.beginning import LearnSettings, new_model
from astragal.learn.derived import with_model
from astragal.learn.look_ahead import drawn_of, value_ahead
from astragal.learn.model import model_for, write_model
from astragal.learn.self_play import NOTHING, note_leaf
from astragal.learn.training import Training
from astragal.rules.checks.promise import random_game
from astragal.rules.position import Position
from support.helpers import add_up, define, fewer
from support.plain_values import PlainValues, all_positions
from support.tree_games import random_tree


@pytest.fixture(autouse=True)
def _few_starts(monkeypatch):
    monkeypatch.setattr(training, "STARTS", 4)


def decisions(game, seed, most):
    return [position for position in random_game(game, seed) if position.turn >= 0][:most]


def looked_ahead(position, depth, word=0):
    leaves = np.zeros(depth + 1, position.game.state)
    window = -np.inf, np.inf
    value, action = run_interpreted(
        value_ahead, position.game, position._state, position.turn, depth, *window, np.uint64(word), leaves
    )
    return value, action, Position(position.game, leaves[depth : depth + 1].copy())


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "depth"), [("tic_tac_toe", 3), ("kalah:pits=3,stones=2", 4), ("focus", 2)])
def test_without_chance_the_value_is_that_of_alpha_beta_and_of_the_leaf(name, depth):
    game = load_game(name)
    player = load_player("mm", game)
    for position in decisions(game, 3, 4)[::2]:
        value, action, leaf = looked_ahead(position, depth)
        found = player.search(position, limits=Limits(depth=depth))
        assert value == pytest.approx(found.value)
        assert action in position.actions()
        worth = leaf.utilities() if leaf.is_terminal else leaf.evaluations()
        assert worth[position.turn] == pytest.approx(value)


def test_to_the_end_the_value_is_exact_whatever_the_chances_and_the_outcome_that_is_drawn():
    """In games with uneven chances, seen by either player; the best action is one that loses nothing."""
    viewers = set()
    for seed in range(4):
        start = random_tree(seed, layers=4, breadth=4, ends=12, rolls=35)
        exact = PlainValues(start.game)
        for here in all_positions(start):
            if here.turn >= 0:
                worth = exact.action_values(here)[exact.best_action(here)]
                for word in (seed, 1 << 63 | seed):
                    value, action, _ = looked_ahead(here, 8, word)
                    assert value == pytest.approx(worth)
                    assert exact.regret(here, action) == pytest.approx(0.0)
                viewers.add(here.turn)
    assert viewers == {0, 1}


def test_with_chance_the_value_is_that_of_expectimax_before_the_roll():
    game = load_game("ewn")
    player = load_player("exp:leaf=afterstate", game)
    for position in decisions(game, 5, 9)[4::4]:
        value, _, _ = looked_ahead(position, 2)
        assert value == pytest.approx(player.search(position, limits=Limits(depth=2)).value)


def test_the_mean_of_leaves_is_the_value():
    """After the best action an outcome is drawn, and the leaf is below it."""
    game = load_game("pig:goal=20")
    position = Position.parse(game, "3 9 4 1 decide")
    value, _, _ = looked_ahead(position, 2)
    leaves = [looked_ahead(position, 2, word * 2**40 + 12345)[2] for word in range(150)]
    worths = [(leaf.utilities() if leaf.is_terminal else leaf.evaluations())[0] for leaf in leaves]
    assert np.std(worths) > 0
    assert abs(np.mean(worths) - value) < 4 * np.std(worths) / np.sqrt(len(worths))


def test_outcomes_are_drawn_as_often_as_they_come_up():
    chances = [0.5, 0.25, 0.25]
    words = [np.uint64(i << 54) for i in range(1024)]
    counts = np.bincount([run_interpreted(drawn_of, chances, 3, word) for word in words])
    assert counts.tolist() == [512, 256, 256]


def test_a_leaf_is_noted_with_the_value_of_the_search():
    """Its inputs are the leaf's; what it is off by says how far its own value is from that."""
    game = load_game("pig:goal=20")
    learned = with_model(game, new_model(game, 8, seed=1))
    found = Training(game, LearnSettings(hidden=8, depth=2, leaf=True, games=1, matches=10))
    notes = found.room()
    position = Position.parse(learned, "3 9 4 1 decide")
    run_interpreted(note_leaf, learned, position._state, 0, 2, np.uint64(7), 0, notes)
    value, _, leaf = looked_ahead(position, 2, 7)
    seat = int(notes.seats[0])
    assert notes.values[0, 0] == pytest.approx(value / 100.0) == -notes.values[0, 1]
    assert 100.0 * (notes.values[0, seat] + notes.offsets[0]) == pytest.approx(leaf.evaluations()[seat], abs=1e-4)


def test_a_leaf_at_which_the_game_is_over_is_not_learned():
    game = load_game("pig:goal=20")
    found = Training(game, LearnSettings(hidden=8, depth=1, leaf=True, games=1, matches=10))
    notes = found.room()
    position = Position.parse(found.learner, "15 9 8 1 decide")
    run_interpreted(note_leaf, found.learner, position._state, 0, 1, np.uint64(7), 0, notes)
    assert notes.counts[0] == NOTHING
    assert notes.values[0, 0] == 1.0


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("leaf", [False, True])
def test_a_small_game_is_learned_by_looking_ahead(leaf):
    """Who adds the last of nine wins; with a multiple of four left, the mover has lost."""
    game = define(add_up())["AddUp"]()
    settings = LearnSettings(
        hidden=16, games=fewer(300, 2), matches=10, random=0.3, rate=0.05, opening=2, depth=2, leaf=leaf
    )
    found = Training(game, settings)
    for _ in range(2):
        found.play_round()
    learned_game = with_model(game, found.model)
    for total in range(2, 8):
        value = looked_ahead(Position.parse(learned_game, f"total={total} turn=0"), 2)[0]
        assert (value > 0) == ((9 - total) % 4 != 0), total


@pytest.mark.parametrize("stages", [(LearnSettings(depth=2),), (LearnSettings(), LearnSettings(depth=2))])
def test_games_of_many_do_not_look_ahead(stages):
    with pytest.raises(SpecError, match="for games of two"):
        Training(load_game("cant_stop:players=3"), *stages)


@pytest.mark.parametrize("hidden", [0, 16])
def test_learning_can_begin_with_the_games_own_evaluation(hidden):
    """The first model orders states nearly as the game's own evaluation does."""
    game = load_game("ewn")
    learned = with_model(game, new_model(game, hidden, seed=1, own=True))
    own, begun = [], []
    for position in decisions(game, 2, 30)[5:]:
        own.append(position.evaluations()[0] / 100.0)
        begun.append(Position(learned, position.memory).evaluations()[0] / 100.0)
    assert np.abs(np.tanh(own) - begun).max() < (0.02 if hidden == 0 else 0.2)
    assert np.std(own) > 0.05


def test_a_model_with_the_games_own_evaluation_wants_the_same_one(tmp_path):
    """Without it, which evaluation the game has is no matter."""
    for own in (False, True):
        write_model(new_model(load_game("ewn"), 8, seed=1, own=own), tmp_path / f"{own}.npz")
    other = load_game("ewn:evaluation=cubes")
    assert model_for(other, str(tmp_path / "False.npz")).own is False
    assert model_for(load_game("ewn:setup=fixed"), str(tmp_path / "True.npz")).own is True
    with pytest.raises(SpecError, match="learned for ewn with evaluation=nearest, not with evaluation=cubes"):
        model_for(other, str(tmp_path / "True.npz"))


def test_a_game_without_an_evaluation_cannot_begin_with_it():
    with pytest.raises(SpecError, match="has no evaluation of its own"):
        new_model(define(add_up())["AddUp"](), 8, seed=0, own=True)
