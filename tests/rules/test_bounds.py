"""No random game exceeds the bounds that the games declare."""

from __future__ import annotations

import pytest

from astragal import load_game
from astragal.rules.checks.bounds import measured
from support.playthroughs import SPECS


def exceeded(spec: str, games: int) -> list[str]:
    game = load_game(spec)
    cap = 5000 if game.max_plies is None else game.max_plies + 1
    bounds = {"actions": game.max_actions, "outcomes": game.max_outcomes, "plies": game.max_plies or cap}
    found = [measured(game, games, 1, cap, preferred) for preferred in (False, True)]
    return [f"{most[noun]} {noun} > {bound}" for most in found for noun, bound in bounds.items() if most[noun] > bound]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_bounds_hold_in_a_hundred_thousand_games(spec):
    assert exceeded(spec, 100_000) == []
