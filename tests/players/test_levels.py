"""Levels: every game has some, each a player that can play it."""

from __future__ import annotations

import pytest

from astragal.base.errors import SpecError
from astragal.games import game_names, load_game, sheet_names
from astragal.players import load_player
from astragal.players.ladders import NAMES, Ladder, Rung, ladders, levels, levels_of, player_at


@pytest.mark.few(8)
@pytest.mark.parametrize("game", [*game_names(), *sheet_names(), "focus:players=3", "cant_stop:players=4"])
def test_every_game_has_levels_from_easy_on(game):
    rules = load_game(game)
    found = [level.name for level in levels(rules)]
    assert found[0] == "easy"
    assert found[-1] == "strongest"
    assert found == [name for name in NAMES if name in found]
    for name in NAMES:
        assert str(load_player(name, rules)) == str(load_player(player_at(name, rules), rules))


def test_a_level_that_a_game_does_not_have_is_the_next_stronger_one():
    few = Ladder("pig", (Rung("random", 0.0, 9.0), Rung("hold:n=25", 300.0, 9.0)), 10, "")
    assert [(level.name, level.player) for level in levels_of(few)] == [("easy", "random"), ("strongest", "hold:n=25")]
    game = next(name for name, found in ladders().items() if len(levels_of(found)) < len(NAMES))
    assert player_at("strong", load_game(game)) == ladders()[game].top.player


def test_a_level_is_no_player_without_a_game():
    with pytest.raises(SpecError, match="no player 'easy'"):
        load_player("easy")
