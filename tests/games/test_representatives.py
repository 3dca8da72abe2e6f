"""Outcomes that are worth the same: what follows each is what follows the one that stands for it, in the whole game."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from astragal import Dice, game_names, load_game
from astragal.rules.decorator import defines
from support.helpers import by_python, random_positions, slow_but, what_follows

SPECS = ["ra", "ewn", "cant_stop", "cant_stop:players=3,sides=4", "cant_stop:sides=3,shortest=2"]


@pytest.mark.parametrize("count", by_python(120, 3_000))
@pytest.mark.parametrize("spec", slow_but(set(SPECS) - {"cant_stop"}, SPECS))
def test_what_follows_an_outcome_is_what_follows_the_one_that_stands_for_it(spec, count):
    """Of each chance node, one outcome that another stands for."""
    game, dice, merged = load_game(spec), Dice(7), 0
    for here in islice(chain.from_iterable(random_positions(game, seed) for seed in range(count)), count):
        stands = {o.number: int(here.rules.representative(here.state, o.number)) for o in here.outcomes()}
        others = [number for number, chosen in stands.items() if chosen != number]
        if others:
            number = others[dice.below(len(others))]
            assert what_follows(here.deal(number)) == what_follows(here.deal(stands[number])), (here.text, number)
            merged += 1
    assert merged > count / 15


def test_no_game_that_merges_outcomes_is_left_out():
    merging = {name for name in game_names() if defines(type(load_game(name)), "representative")}
    assert merging == {spec.partition(":")[0] for spec in SPECS}
