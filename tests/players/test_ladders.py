"""Ladders: what was rated can be played, goes up, and is what levels and `best` say."""

from __future__ import annotations

import json

import pytest

from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.ladders import THREE_OF_FOUR, Ladder, Rung, best_player, ladder_of, ladders, with_time
from support.helpers import run_here


def ladder(*ratings: float) -> Ladder:
    return Ladder("pig", tuple(Rung(f"hold:n={i + 2}", elo, 1.0) for i, elo in enumerate(ratings)), 10, "")


@pytest.mark.parametrize("game", ladders())
def test_every_rung_can_play_and_they_go_up(game):
    found = ladder_of(load_game(game))
    assert found is not None
    assert len(found.rungs) > 1
    assert found.rungs[0].elo == 0.0
    assert sorted(found.rungs, key=lambda rung: rung.elo) == list(found.rungs)
    assert all(rung.player in found.command and rung.error > 0 for rung in found.rungs)


@pytest.mark.parametrize(
    ("ratings", "steps"),
    [
        ((0, 100, 200, 300, 400), [0, 200, 400]),
        ((0, 200, 390), [0, 390]),  # the second stands too near the top
        ((0, 50), [0, 50]),
        ((0, 191, 382, 573), [0, 191, 382, 573]),
        ((0, 190.9, 191, 381), [0, 381]),
    ],
)
def test_a_step_beats_the_one_below_in_three_games_of_four(ratings, steps):
    assert [rung.elo for rung in ladder(*ratings).steps()] == steps
    assert pytest.approx(0.75, abs=0.001) == 1 / (1 + 10 ** (-THREE_OF_FOUR / 400))


@pytest.mark.parametrize(
    ("player", "longer"),
    [
        ("star:time=0.05", "star:time=2"),
        ("uct:c=1,time=0.05,keep=on", "uct:c=1,time=2,keep=on"),
        ("rule28", "rule28"),
        ("alphabeta:depth=9", "alphabeta:depth=9"),
    ],
)
def test_the_best_player_takes_the_time_it_is_given(player, longer):
    assert with_time(player, 2.0) == longer


@pytest.mark.slow
@pytest.mark.interpreted
def test_best_is_a_player_of_every_game():
    assert str(load_player("best", "tic_tac_toe")) == str(
        load_player(ladders()["tic_tac_toe"].top.player, "tic_tac_toe")
    )
    assert best_player(load_game("pig.kif"), 3.0) == "uct:time=3"
    with pytest.raises(SpecError, match="no player 'best'"):
        load_player("best")


def test_the_command_names_it_and_shows_the_ladder(capsys):
    ran = run_here(capsys, "best", "tic_tac_toe")
    top = ladders()["tic_tac_toe"].top.player
    assert ran.out.startswith(f"{top}\n")
    assert all(rung.player in ran.out for rung in ladders()["tic_tac_toe"].rungs)
    facts = json.loads(run_here(capsys, "best", "pig.kif", "--time", 2, "--json").out)
    assert facts == {"game": "pig.kif", "player": "uct:time=2", "ladder": None}
