"""Inputs: those that games list, and those made of the fields of a state."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import Position, load_game, start
from astragal.base.errors import GameError
from astragal.learn import from_fields
from astragal.learn.beginning import new_model
from astragal.learn.derived import with_model
from astragal.rules.checks.optional_methods import check_features
from astragal.rules.inputs import list_spread
from support.helpers import EXAMPLE, add_up, define, inputs_at, random_positions
from support.simultaneous_games import Pennies

LISTING = [
    *("pig", "pig:goal=30", "ewn", "kalah", "kalah:pits=4,stones=3", "backgammon", "ra", "cant_stop"),
    *("cant_stop:players=4", "focus", "focus:players=4", "chinese_checkers:players=3", "chinese_checkers:star=full"),
]


LISTED = """
    def own_inputs(self):
        return 10, 2

    def mover(self, state):
        return state.turn  # of a game without chance

    def features(self, state, player, out):
        out[0] = 3
        return 1  # input
"""


@pytest.mark.few(6)
@pytest.mark.parametrize("name", LISTING)
def test_listed_inputs_are_within_what_is_declared_and_the_mover_is_who_moves(name):
    game = load_game(name)
    for position in random_positions(game, 2, 60):
        check_features(game, position)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("out[0] = 3", "out[0] = 12", "features lists input 12, and own_inputs says that there are 10"),
        ("return 1  #", "return 3  #", "features lists 3 inputs, and own_inputs says at most 2"),
        ("return state.turn  #", "return 1 - state.turn  #", "mover says 1 and turn says 0"),
    ],
)
def test_a_game_that_lists_other_inputs_than_it_says_is_not_learned(old, new, sentence):
    source = add_up() + LISTED
    assert old in source
    new_model(define(source)["AddUp"](), 0, seed=0)
    with pytest.raises(GameError, match=sentence):
        new_model(define(source.replace(old, new))["AddUp"](), 0, seed=0)


@pytest.mark.parametrize("name", ["ewn:setup=fixed", "kalah", "backgammon", "chinese_checkers", "pig"])
def test_both_sides_see_a_level_start_alike(name):
    """The same inputs but those of whose turn it is, where a game lists them."""
    position = start(load_game(name))
    differing = set(inputs_at(position, 0)) ^ set(inputs_at(position, 1))
    assert len(differing) == (2 if name == "chinese_checkers" else 0)


def test_a_spread_number_lies_between_its_neighbours():
    for value in range(101):
        out = [0] * 4
        assert list_spread(value, 100, 26, 1000, out, 0) == 4
        assert (sum(out) / 4 - 1000) * 4 == pytest.approx(value, abs=1.0)


def test_inputs_of_fields_tell_states_apart(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 600)
    game = load_game(str(EXAMPLE))
    model = new_model(game, 0, seed=0)
    rules = with_model(game, model)._twin_
    seen = {}
    for position in random_positions(game, 4, 30):
        listed = [0] * model.most
        count = rules.features(position._state, 0, listed)
        assert count <= model.most
        assert max(listed) < model.inputs
        seen.setdefault(tuple(listed[:count]), set()).add(position._memory.tobytes())
    assert len(seen) > 5


def test_numbers_that_never_change_have_no_input(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 300)
    table, inputs, most = from_fields.table_of_fields(load_game("tic_tac_toe"), 1)
    kinds = table["kind"][1:]
    assert len(kinds) == int(table["least"][0])
    assert inputs == int(table["most"][0])
    assert (table["most"][1:] > table["least"][1:]).all() or (kinds == from_fields.BITS).any()
    assert 0 < most <= inputs


def test_a_number_below_0_has_an_input_of_its_own(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 300)
    game = Pennies(3)
    model = new_model(game, 0, seed=0)
    rules, seen = with_model(game, model)._twin_, set()
    for won in (-3, -1, 0, 2):
        state = Position.parse(game, f"won={won} choice=0,0 first=0 left=1 odds=0")._state
        listed = [0] * model.most
        seen.add(tuple(listed[: rules.features(state, 0, listed)]))
    assert len(seen) == 4


def test_signed_and_wide_numbers_are_read_as_they_are():
    states = np.zeros(3, np.dtype([("a", "i2"), ("b", "u8")], align=True))
    states["a"], states["b"] = [-5, 0, 7], [1 << 40, 3, 1 << 60]
    values = from_fields.column(states, 0, 2, True)
    assert values.tolist() == [-5, 0, 7]
    assert from_fields.parts_of(states, 8, np.dtype("u8")) == [(8 + i, 1, False) for i in range(8)]
