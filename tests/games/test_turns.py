"""Who has the turn can act, in every game and under all of its rules: what random play shows of it."""

from __future__ import annotations

from itertools import islice

import pytest

from astragal import game_names, load_game
from support.helpers import random_positions

SETTINGS = {
    "backgammon": ["score=win"],
    "cant_stop": ["players=1", "players=3", "players=4", "sides=3,shortest=2"],
    "chinese_checkers": ["players=3", "players=4,resting=transit", "players=6,win=filled_one_own", "stay=on,star=full"],
    "ewn": ["setup=fixed", "setup=random"],
    "focus": ["players=3", "players=3,extra=reserve,no_move=out", "players=4,no_move=out,rules=long", "no_move=out"],
    "kalah": ["rules=standard,setup=random", "rules=irving,pits=2,stones=2"],
    "pig": ["dice=1,goal=20", "rolls=36"],
    "ra": ["score=margin,ties=draw", "empty_auctions=off,floor=off,god_takes_disasters=off"],
}
ALL = [*game_names(), *(f"{name}:{settings}" for name, each in SETTINGS.items() for settings in each)]


@pytest.mark.parametrize("spec", ALL)
def test_who_has_the_turn_can_act(spec):
    """There is an action, each listed once, or an outcome; and a player passes only if nothing else is possible."""
    game = load_game(spec)
    passes = "pass" if not spec.startswith("ra") else None  # in its auctions one may
    for here in islice(random_positions(game, seed=5, plies=200), 0, None, 3):
        if here.is_chance:
            assert sum(outcome.probability for outcome in here.outcomes()) == pytest.approx(1.0)
        elif not here.is_terminal:
            actions = here.actions()
            assert 0 <= here.turn < game.players
            assert 0 < len(set(actions)) == len(actions) <= game.max_actions
            assert len(actions) == 1 or passes not in map(here.action_name, actions)
        else:
            assert here.actions() == here.outcomes() == []
