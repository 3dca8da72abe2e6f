"""No seat is another game: with everybody in another's seat, all that a game says is said of the others."""

from __future__ import annotations

import pytest

from astragal import game_names, load_game
from astragal.rules.decorator import defines
from support.helpers import inputs_at, random_positions
from support.seats import SEATED, rotated, seated, seats_of_a_turn

SPECS = ["kalah", "kalah:pits=4,stones=3,rules=irving", "pig", "pig:dice=1,goal=30", "ewn", "ewn:evaluation=cubes"]
SPECS += ["backgammon", "backgammon:score=win", "ra", "cant_stop", "cant_stop:players=3", "cant_stop:players=4"]
SPECS += ["focus", "focus:players=3,extra=none,no_move=out", "focus:players=4,rules=long", "chinese_checkers"]
SPECS += ["chinese_checkers:players=3", "chinese_checkers:players=4", "chinese_checkers:players=6,star=full"]


@pytest.mark.parametrize("spec", SPECS)
def test_with_the_seats_exchanged_everything_is_said_of_the_others(spec):
    """Inputs of a learned evaluation, evaluations, utilities, whose turn it is, and what can be done."""
    game = load_game(spec)
    players, seats = game.players, seats_of_a_turn(game)
    path = list(random_positions(game, seed=3, plies=150))
    for here in {*path[:: len(path) // 8], path[-1]}:
        there = seated(here)
        after = [(player + seats) % players for player in range(players)]
        for player in range(players):
            assert inputs_at(there, after[player]) == inputs_at(here, player), here.text
        assert there.rules.mover(there.state) == after[here.rules.mover(here.state)]
        assert (there.is_terminal, there.is_chance) == (here.is_terminal, here.is_chance)
        assert len(there.actions()) == len(here.actions())
        assert sorted(o.probability for o in there.outcomes()) == sorted(o.probability for o in here.outcomes())
        worth, then = (each.utilities() if here.is_terminal else each.evaluations() for each in (here, there))
        assert then == pytest.approx(rotated(worth, seats))


def test_no_game_with_inputs_is_left_out():
    listing = {name for name in game_names() if defines(type(load_game(name)), "features")}
    assert listing == set(SEATED) == {spec.partition(":")[0] for spec in SPECS}
