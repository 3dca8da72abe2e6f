"""A game that may have states without end is named early, with the field that grows; one that ends is not."""

from __future__ import annotations

import re

import numpy as np
import pytest

from astragal.base.errors import AstragalError
from astragal.rules.position import Position
from astragal.solvers import graph, growth
from astragal.solvers.graph import Graph
from astragal.solvers.growth import growing
from support.helpers import add_up, define

STEPS = np.arange(1000)
RANDOM = np.random.default_rng(1)


def column(values, dtype="i4"):
    return np.array([(0, value) for value in values], [("turn", "i1"), ("count", dtype)])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (STEPS, "the field 'count' has risen from 0 to 999"),
        (-STEPS, "the field 'count' has fallen from 0 to -999"),
        (np.sqrt(STEPS).astype(int), "the field 'count' has risen from 0 to 31"),
        (STEPS // 10 + RANDOM.integers(0, 5, 1000), "has risen"),
        (np.minimum(STEPS, 900), ""),  # it has come to its bound
        (RANDOM.integers(0, 1 << 30, 1000), ""),
        (STEPS * 0 + 7, ""),
        (STEPS % 100, ""),
    ],
)
def test_what_grows_is_told_from_what_does_not(values, said):
    name, text = growing(column(values))
    assert bool(name) == bool(said)
    assert said in text


def test_fields_of_any_kind_are_looked_at():
    inner = np.dtype([("deep", "i4", (2, 2))])
    states = np.zeros(1000, [("text", "u1", 3), ("inner", inner), ("share", "f8")])
    assert growing(states) == ("", "")
    states["share"] = STEPS / 10
    assert growing(states)[0] == "share"
    states["inner"]["deep"][:, 1, 0] = STEPS
    assert growing(states)[0] == "inner.deep"


def explored(most, goal=30_000):
    """The small game of adding up, whose total a solver follows to its goal; Python looks at it after few states."""
    rules = define(add_up(imports=f"GOAL = {goal}").replace('"total", "u1"', '"total", "i4"'))["AddUp"](goal=goal)
    found = Graph(rules, Position.start(rules).known().memory, most)
    found.explore(lambda states: None)
    return found


@pytest.fixture
def early(monkeypatch):
    monkeypatch.setattr(graph, "CHUNK", 40)
    monkeypatch.setattr(growth, "ENOUGH", 60)


def test_a_game_without_end_is_named_once_and_again_where_solving_gives_up(early):
    grows = re.escape("the field 'total' has risen from 0 to ")
    with (
        pytest.warns(
            UserWarning, match=rf"states without end: {grows}\d+ in \d+ states; .* beyond 300 states, in"
        ) as said,
        pytest.raises(AstragalError, match=rf"more than 300 reachable states \({grows}\d+\)"),
    ):
        explored(300)
    assert len(said) == 1


def test_a_game_that_was_found_in_a_moment_is_not(recwarn):
    assert len(explored(300, goal=40)) > 60
    assert not recwarn.list
