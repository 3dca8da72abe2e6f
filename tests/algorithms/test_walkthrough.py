"""Searches step by step: the kernels' own nodes, in the story that the page shows, with lines of the pseudo-code."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from astragal.algorithms.plain_tree import CUT, PROBE
from astragal.algorithms.star import chance
from astragal.algorithms.walkthrough.pseudo_code import CODES
from astragal.algorithms.walkthrough.searches import SEARCHES, walked
from astragal.algorithms.walkthrough.star import StarWalk
from astragal.algorithms.walkthrough.walk import Walk
from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position

CUTS = "..2../3..../..1ad/.f.c./....e 2 3"  # of EinStein würfelt nicht!, with cuts of all kinds
PROBED = ".3c../45.../1..../...eb/..adf 1 6"


def position(spec: str, text: str | None) -> Position:
    game = load_game(spec)
    return Position.start(game, 1) if text is None else Position.parse(game, text)


def both(here: Position, name: str, size: int, seed: int = 0) -> tuple[Walk, Any]:
    """A walk, and the tree of the search that it shows."""
    walk = SEARCHES[name].walk(here, size, seed)
    player = load_player(SEARCHES[name].player.format(size), here.game)
    return walk, player.search(here, seed=seed).tree


@pytest.mark.parametrize(
    ("game", "text", "name", "depth"),
    [
        ("ewn", PROBED, "star2", 2),
        ("ewn", CUTS, "star2", 2),
        ("ewn", CUTS, "star1", 2),
        ("pig:dice=1,goal=10", "6 7 3 1 decide", "star2", 3),
        ("pig:dice=1,goal=10", "6 7 0 1 roll", "star1", 2),  # chance at the root
        ("pig:dice=1,goal=10", "6 7 3 1 decide", "exp", 2),
        ("tic_tac_toe", None, "alphabeta", 2),
        ("tic_tac_toe", "xx./oo./...", "alphabeta", 3),  # a certain win at the root
    ],
)
def test_a_walk_is_the_recorded_search_node_by_node(game, text, name, depth):
    walk, tree = both(position(game, text), name, depth)
    assert walk.finished
    assert [node.parent for node in walk.nodes] == tree.parent.tolist()
    assert [node.step for node in walk.nodes][1:] == tree.step.tolist()[1:]
    assert np.array_equal([node.value for node in walk.nodes], tree.value)  # to the last bit
    assert [node.cut for node in walk.nodes] == (tree.marks & CUT > 0).tolist()
    assert [node.probe for node in walk.nodes] == (tree.marks & PROBE > 0).tolist()


@pytest.mark.parametrize(
    ("game", "sims", "seed"),
    [("tic_tac_toe", 40, 3), ("pig:goal=20", 25, 1), ("ewn", 12, 0), ("kalah:stones=2", 20, 5)],
)
def test_a_walk_of_uct_visits_what_the_search_visits(game, sims, seed):
    walk, tree = both(position(game, None), "uct", sims, seed)
    assert walk.finished
    assert visited(walk.nodes) == visited_in(tree)


def visited(nodes: list[Any]) -> Counter[tuple[Any, ...]]:
    """Paths of steps with their visits and means."""
    paths: list[tuple[int, ...]] = []
    for node in nodes:
        paths.append(() if node.parent < 0 else (*paths[node.parent], node.step))
    return Counter((path, node.visits, round(node.value, 12)) for path, node in zip(paths, nodes, strict=True))


def visited_in(tree: Any) -> Counter[tuple[Any, ...]]:
    paths: list[tuple[int, ...]] = []
    for parent, step in zip(tree.parent.tolist(), tree.step.tolist(), strict=True):
        paths.append(() if parent < 0 else (*paths[parent], step))
    return Counter(
        (path, visits, round(value, 12))
        for path, visits, value in zip(paths, tree.visits.tolist(), tree.value.tolist(), strict=True)
    )


@pytest.mark.parametrize("name", SEARCHES)
def test_every_event_has_its_line_and_its_node(name):
    told = walked(name, position("tic_tac_toe", None), 2 if name != "uct" else 12)
    keys = {line["key"] for line in CODES[name].lines if line["key"]}
    assert {event["line"] for event in told["events"]} <= keys
    for before, event in zip(told["events"], told["events"][1:], strict=False):
        assert event["node"] < event["nodes"] <= len(told["nodes"])
        assert before["nodes"] <= event["nodes"]


def test_the_kernels_name_each_line_of_algorithm_2_once():
    text = inspect.getsource(chance)
    named = re.findall(r"# lines? ([0-9][0-9 and]*?) *(?:\(([0-9 and]*)\))?$", text, re.MULTILINE)
    star2 = [int(line) for two, _ in named for line in two.split(" and ")]
    star1 = [int(line) for _, one in named if one for line in one.split(" and ")]
    assert sorted(star2) == [2, *range(4, 25)]
    assert sorted(star1) == [2, *range(4, 14)]


def test_a_walk_leaves_tracing_as_it_was():
    def trace(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for most in (50, 5000):
            StarWalk(position("ewn", CUTS), 2, prune=True, probe=True, most=most).run()
            assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_a_probe_is_told_with_the_window_that_it_was_searched_with():
    """What the kernel computed: between the bounds of the outcome, and closing with what is known."""
    walk = StarWalk(position("ewn", PROBED), 2, prune=True, probe=True).run()
    asked = [event for event in walk.events if event.line == "6"]
    assert asked
    for event in asked:
        chance, lower, upper = event.table["rows"][event.table["current"]][1:]
        window = event.window
        assert event.variables["α'"] == (window["alpha"] - window["opti"] + chance * upper) / chance
        assert event.variables["β'"] == (window["beta"] - window["pess"] + chance * lower) / chance


def test_star2_probes_and_cuts_on_a_probe():
    walk = StarWalk(position("ewn", PROBED), 2, prune=True, probe=True).run()
    assert {"6", "11", "15", "22", "23", "24"} <= {event.line for event in walk.events}


def test_a_window_only_closes():
    """What a chance node can be worth gets narrower with every outcome."""
    walk = StarWalk(position("ewn", CUTS), 2, prune=True, probe=True).run()
    known: dict[int, tuple[float, float]] = {}
    for event in walk.events:
        if event.window is None:
            continue
        pess, opti = event.window["pess"], event.window["opti"]
        if event.line != "4" and event.node in known:
            assert pess >= known[event.node][0] - 1e-9
            assert opti <= known[event.node][1] + 1e-9
        known[event.node] = pess, opti
    assert len(known) > 5


def test_a_walk_ends_where_nobody_would_follow_it():
    walk = StarWalk(position("ewn", PROBED), 3, prune=True, probe=True, most=50).run()
    assert not walk.finished
    assert len(walk.events) == 50
    assert not walk.as_dict()["finished"]


def test_a_search_that_cannot_be_walked_through_is_said_in_a_sentence():
    with pytest.raises(SpecError, match="did you mean"):
        walked("star3", position("tic_tac_toe", None), 2)
