"""Exact values beside estimates: the value is the best row's, for any player to move."""

from __future__ import annotations

import pytest

from astragal.rules.position import Position
from astragal.solvers.solution import solve
from astragal.web.views import exact_view
from support.helpers import solutions_in
from support.plain_values import PlainValues, all_positions
from support.stages import OshiZumo
from support.tree_games import random_tree


def test_the_value_of_a_position_is_that_of_its_best_row(monkeypatch):
    """At a chance node, which has no rows, it is player 1's, and the mean of what follows."""
    seats = set()
    for seed in range(6):
        start = random_tree(seed, layers=4, breadth=4, ends=12, rolls=35)
        exact = PlainValues(start.game)
        monkeypatch.setattr("astragal.web.views.kept_values", lambda here, exact=exact: exact)
        for here in all_positions(start):
            view = exact_view(here)
            rows = {row["number"]: row["value"] for row in view["actions"]}
            assert rows == (exact.action_values(here) if here.actions() else {})
            if here.actions():
                assert view["value"] == view["actions"][0]["value"] == max(rows.values())
            elif here.is_chance:
                after = sum(o.probability * exact.value(here.deal(o.number)) for o in here.outcomes())
                assert view["value"] == pytest.approx(after)
            else:
                assert view["value"] == here.utilities()[0]
            seats.add((here.turn, view["player"]))
    assert seats >= {(0, 1), (1, 2)}


def test_so_it_is_where_two_choose_at_once_and_no_row_knows_what_is_hidden(monkeypatch, tmp_path):
    with solutions_in(tmp_path):
        exact = solve(OshiZumo(coins=3))
    monkeypatch.setattr("astragal.web.views.kept_values", lambda here: exact)
    seats, told = set(), {}
    for here in all_positions(Position.start(exact.game)):
        view = exact_view(here)
        if view["actions"]:
            assert view["value"] == pytest.approx(view["actions"][0]["value"], abs=1e-6)
            assert told.setdefault(here.known(), view) == view
            seats.add((view["player"], here.hidden))
    assert seats >= {(1, 0), (2, 1)}
