"""What `astragal check` tries with a game: searches, learning, solving and a review, where the game allows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from astragal import load_game
from astragal.cli import check as trials
from astragal.cli.check import trials as tried
from astragal.learn import from_fields, training
from astragal.learn.training import Training
from support.helpers import add_up, define

NAMES = [
    "small searches of every family end well",
    "a round of learning ends well",
    "it is solved",
    "a review ends well",
]


@pytest.fixture(autouse=True)
def _little(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 60)
    monkeypatch.setattr(training, "STARTS", 4)
    monkeypatch.setattr(trials, "FAMILIES", dict.fromkeys(trials.FAMILIES, 20))
    monkeypatch.setattr(trials, "FEW", 20)
    monkeypatch.setattr(trials, "LESSON", replace(trials.LESSON, games=2, matches=10))


SOLVED = {
    "pig:goal=6,dice=1": "states",
    "tic_tac_toe": "states",
    "focus:players=3": "left out: solve needs one or two players",
    "cant_stop:sides=3,players=1,shortest=2": "states",
    "tic_tac_toe.kif": "states",
}


@pytest.mark.slow
@pytest.mark.parametrize("game", SOLVED)
def test_a_sound_game_is_tried_in_every_way_that_it_allows(game, tmp_path, monkeypatch):
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path))
    found = list(tried(load_game(game), 1))
    assert [each.name for each in found] == NAMES
    assert all(each.passed for each in found), found
    assert SOLVED[game] in found[2].detail
    assert not list(tmp_path.rglob("*.npz"))  # what was solved is not kept


def test_a_small_game_is_tried_in_every_way():
    game = define(add_up())["AddUp"]()
    assert [(each.name, each.passed) for each in tried(game, 0)] == [(name, True) for name in NAMES]


def test_a_game_that_is_too_large_is_not_solved(monkeypatch):
    monkeypatch.setattr(trials, "MAX_STATES", 3)
    with pytest.raises(trials.LeftOut, match=r"has more than 3 reachable states$"):
        trials.solve_it(load_game("pig:goal=6,dice=1"), 0)


def test_what_fails_in_a_round_of_learning_fails_the_check(monkeypatch):
    def broken(self):
        raise TypeError("Cannot unify Record")

    monkeypatch.setattr(Training, "play_round", broken)
    found = list(tried(load_game("pig:goal=6,dice=1"), 0))
    assert [(each.name, each.passed) for each in found] == [(NAMES[0], True), (NAMES[1], False)]
    assert found[1].detail == "TypeError: Cannot unify Record"


@pytest.mark.parametrize("trial", ["solve_it", "learn_a_little"])
def test_a_fault_of_the_game_is_no_reason_to_leave_a_trial_out(trial):
    game = define(add_up("0 * (1 // (state.total - 4)) + action + 1"))["AddUp"]()
    with pytest.raises(Exception, match=r"division|by zero") as found:
        getattr(trials, trial)(game, 0)
    assert not isinstance(found.value, trials.LeftOut)
