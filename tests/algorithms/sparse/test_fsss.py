"""FSSS finds the values of expSS by looking at less of the same tree."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from astragal import Limits, Position, load_game, load_player
from astragal.algorithms.result import AT_LEAST, AT_MOST, SearchResult
from astragal.algorithms.sparse.fsss import NODE, NOWHERE, ROOT, open_child
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import Rows
from support.helpers import by_python, random_positions

# A game, and samples at a chance node. Ra has chance after chance, Kalah and tic-tac-toe have none.
GAMES = {
    "pig": "width=5",
    "pig:rolls=36": "width=3",
    "ewn": "width=2",
    "ewn:setup=fixed": "width=3-1",
    "cant_stop": "width=2",
    "ra": "width=1",
    "kalah:pits=3,stones=2": "width=1",
    "tic_tac_toe": "width=1",
}


def pair(here: Position, settings: str, depth: int, seed: int) -> tuple[SearchResult, SearchResult]:
    """What FSSS finds, and expSS."""
    text = f"{settings},deepening=off,depth={depth}"
    fsss, expss = (load_player(f"{name}:{text}", here.game).search(here, seed) for name in ("fsss", "expss"))
    return fsss, expss


@pytest.mark.parametrize("count", by_python(1, 40))
@pytest.mark.parametrize("spec", GAMES)
def test_the_value_at_closure_is_that_of_expss(spec, count):
    rules = load_game(spec)
    found = [(seed, here) for seed in range(count) for here in list(random_positions(rules, seed, 12))[-3:]]
    for number, (seed, here) in enumerate((seed, here) for seed, here in found if not here.is_terminal):
        depth = 1 + number % (2 if count == 1 else 3)
        fsss, expss = pair(here, GAMES[spec], depth, seed)
        assert fsss.value == pytest.approx(expss.value, abs=1e-9)
        assert fsss.action_number == expss.action_number
        assert fsss.nodes <= expss.nodes
        assert_bounds_hold(fsss, expss)


def assert_bounds_hold(fsss: SearchResult, expss: SearchResult) -> None:
    values = {each.number: each.value for each in expss.actions}
    for each in fsss.actions:
        slack = (each.value or 0.0) - (values[each.number] or 0.0)
        if each.bound == AT_MOST:
            assert slack >= -1e-9
        else:
            assert each.bound != AT_LEAST
            assert abs(slack) <= 1e-9


def test_merged_outcomes_are_those_of_expss():
    here = Position.start(load_game("ewn"), 3)
    for seed in range(3):
        fsss, expss = pair(here, "width=4,merge=on", 2, seed)
        assert fsss.value == pytest.approx(expss.value, abs=1e-9)


def test_it_looks_at_less():
    here = Position.parse(load_game("pig"), "20 30 8 1 decide")
    fsss, expss = pair(here, "width=8", 3, 1)
    assert fsss.nodes < 0.9 * expss.nodes


def test_an_iteration_that_has_no_room_counts_for_nothing():
    here = Position.parse(load_game("pig"), "20 30 8 1 decide")
    found = load_player("fsss:width=6,memory=0.01,depth=4").search(here, 1)
    assert 0 < found.depth < 4
    assert found.value == load_player(f"fsss:width=6,depth={found.depth}").search(here, 1).value


def test_a_search_that_a_limit_stops_answers_as_the_last_iteration():
    here = Position.parse(load_game("pig"), "20 30 8 1 decide")
    found = load_player("fsss:width=8").search(here, 1, Limits(nodes=400))
    whole = load_player(f"fsss:width=8,depth={found.depth}").search(here, 1)
    assert found.value == whole.value
    assert found.action_number == whole.action_number


def test_near_the_end_it_is_repeated_with_other_samples():
    """Each search closes all actions; so the mean of searches is no mean of bounds."""
    here = Position.parse(load_game("pig:goal=12,dice=1"), "9 9 3 1 decide")
    found = load_player("fsss:width=2").search(here, 1, Limits(nodes=2000))
    assert found.searches > 1
    assert all(each.bound == found.bound for each in found.actions)


def test_an_action_that_is_worse_for_certain_is_closed_only_where_searches_are_repeated():
    nodes = np.zeros(3, NODE)
    nodes["lower"], nodes["upper"] = (1.0, 1.0, -1.0), (1.0, 1.0, 0.5)  # of the root and its two actions
    nodes["first"][ROOT], nodes["count"][ROOT] = 1, 2
    starts = [interpreted(open_child)(Rows(nodes), SimpleNamespace(repeats=repeats)) for repeats in (0, 1)]
    assert starts == [NOWHERE, 2]


def test_equal_actions_are_told_apart_from_worse_ones():
    """An action that is known to be no better than the best is not chosen for coming first."""
    rules = load_game("kalah:pits=3,stones=2")
    for seed in range(4):
        here = [each for each in random_positions(rules, seed, 8) if not each.is_terminal][-1]
        fsss, expss = pair(here, "width=1", 3, seed)
        assert fsss.action_number == expss.action_number
        assert fsss.actions[0].bound == fsss.bound not in (AT_MOST, AT_LEAST)
