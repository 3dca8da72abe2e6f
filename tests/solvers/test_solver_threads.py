"""Solvers on several threads: the same values to the last bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import astragal
from astragal import Position, load_game
from astragal.base.errors import AstragalError, SpecError
from astragal.rules.decorator import TERMINAL
from astragal.solvers import value_iteration
from astragal.solvers.graph import Graph
from astragal.solvers.sharing import Team
from astragal.solvers.value_iteration import iterate_values
from support.helpers import solutions_in


@cache
def graph_of(name: str) -> Graph:
    graph = Graph(load_game(name), Position.start(load_game(name)).known().memory, 10**6)
    graph.explore(lambda states: None)
    graph.pass_up_wins(lambda states: None)
    return graph


@pytest.mark.parametrize("name", ["pig:goal=3", "pig:goal=3,dice=1"])
def test_values_are_the_same_with_any_number_of_threads(name, monkeypatch):
    monkeypatch.setattr(value_iteration, "WORTH_SHARING", 2)
    graph = graph_of(name)
    one, *others = (iterate_values(graph, -100, 100, 1e-3, lambda *_: None, threads) for threads in (1, 2, 3))
    for values, sweeps, errors in others:
        assert values.tobytes() == one[0].tobytes()
        assert sweeps == one[1]
        assert errors.tobytes() == one[2].tobytes()


def test_no_state_of_a_layer_follows_another_and_the_one_found_last_is_in_an_earlier_layer():
    graph = graph_of("pig:goal=6")
    count = len(graph)
    layer = np.zeros(count, np.int32)
    value_iteration.find_layers(graph.turn, graph.first, graph.child, layer, 0)
    inner = [i for i in range(count) if graph.turn[i] != TERMINAL]
    pairs = [(i, int(child)) for i in inner for child in graph.child[graph.first[i] : graph.first[i + 1]]]
    within = [pair for pair in pairs if graph.turn[max(pair)] != TERMINAL]
    assert len(within) > 100
    assert all(layer[max(pair)] < layer[min(pair)] for pair in within)


def test_solve_takes_the_threads_it_is_given(tmp_path, monkeypatch):
    asked = []

    def taken(*arguments):
        asked.append(arguments[-1])
        raise AstragalError("enough")

    monkeypatch.setattr(value_iteration, "iterate_values", taken)
    with solutions_in(tmp_path):
        for threads in (1, 3):
            with pytest.raises(AstragalError, match="enough"):
                astragal.solve("pig:goal=2", threads=threads)
    assert asked == [1, 3]


def test_a_team_hands_back_what_each_piece_gives_in_order_and_raises_what_one_raises():
    with Team(3) as team:
        assert team.share(lambda _, piece: 10 * piece, list(range(50))) == [10 * piece for piece in range(50)]
        threads = set(team.share(lambda thread, _: thread, list(range(50))))
        assert threads <= {0, 1, 2}
        with pytest.raises(ZeroDivisionError):
            team.share(lambda _, piece: 1 // piece, [1, 1, 0, 1])


def test_threads_that_are_no_number_are_refused():
    with pytest.raises(SpecError, match="threads=none is not a whole number from 1 to 256, or auto"):
        astragal.solve("pig:goal=5", threads="none")
