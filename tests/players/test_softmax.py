"""The player that errs as people do: likely slips, rare blunders, and the same moves for the same seed."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from astragal import load_game, load_player, start
from astragal.base.errors import AstragalError
from astragal.players.simple import softmax
from astragal.rules.position import Position


def position() -> Position:
    """A position of EWN whose actions have different values."""
    return start("ewn:setup=fixed").settled(3)


def test_chances_are_those_of_boltzmann():
    chances = softmax([1.0, 0.0, 0.5, None], 0.5)
    assert math.fsum(chances) == pytest.approx(1.0)
    assert chances[0] / chances[1] == pytest.approx(math.exp(2.0))
    assert chances[0] / chances[2] == pytest.approx(math.exp(1.0))
    assert chances[3] == 0.0
    assert softmax([1.0, 0.0, 1.0], 0.0) == [0.5, 0.0, 0.5]
    assert softmax([None, None], 1.0) == [0.5, 0.5]
    assert softmax([-1e6, 1e6], 1e-3) == [0.0, 1.0]


def test_the_best_action_is_played_most_and_each_as_often_as_it_says():
    player = load_player("softmax:temperature=0.02", "ewn:setup=fixed")
    found = player.search(position())
    played = Counter(player.search(position(), seed).action_number for seed in range(200))
    assert sum(action.share for action in found.actions) == pytest.approx(1.0)
    for action in found.actions:
        spread = 4 * math.sqrt(200 * action.share * (1 - action.share)) + 1
        assert abs(played[action.number] - 200 * action.share) <= spread
    best = max(found.actions, key=lambda action: action.value)
    assert best.share == max(action.share for action in found.actions)


def test_a_seed_repeats_its_move_and_no_temperature_never_errs():
    player = load_player("softmax:temperature=10", "ewn:setup=fixed")
    moves = [player.search(position(), seed).action for seed in range(20)]
    assert moves == [player.search(position(), seed).action for seed in range(20)]
    assert len(set(moves)) > 1
    cold = load_player("softmax:temperature=0", "ewn:setup=fixed")
    for seed in range(20):
        found = cold.search(position(), seed)
        assert found.value == max(action.value for action in found.actions)


def test_deeper_values_are_those_of_maxn_and_simulations_those_of_uct():
    deep = load_player("softmax:depth=2", "ewn:setup=fixed").search(position())
    maxn = load_player("maxn:depth=2", "ewn:setup=fixed").search(position())
    assert {a.number: a.value for a in deep.actions} == {a.number: a.value for a in maxn.actions}
    sampled = load_player("softmax:sims=50", "ewn:setup=fixed").search(position(), 3)
    uct = load_player("uct:sims=50", "ewn:setup=fixed").search(position(), 3)
    assert {a.number: a.value for a in sampled.actions} == {a.number: a.value for a in uct.actions}


def test_settings_out_of_range_are_refused():
    for wrong in ("temperature=-1", "depth=0", "sims=0"):
        with pytest.raises(AstragalError):
            load_player(f"softmax:{wrong}", load_game("tic_tac_toe"))
