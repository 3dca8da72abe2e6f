"""Pruning and probing change how much is searched, never what is found.

star1 = star2 = exp and star1ss = star2ss = expss at equal depth and seed, all of them equal to the definition; and what
is known of some values from elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from astragal.rules.position import Position
from support.helpers import TESTS, slow_but
from support.star_searches import DEPTHS, EXACT, KINDS, SAMPLED, TOLERANCE, Job, position, positions, read_rows, search
from support.tree_games import random_tree

EVERY_GAME = pytest.mark.parametrize("name", slow_but(["tree"], DEPTHS))
EVERY_TABLE = pytest.mark.parametrize("table", ["off", "moves", "values"])
PRUNING = pytest.mark.parametrize("prune_above", [0, 2], ids=["pruning from depth 1", "pruning from depth 3"])
EWN_START = "123../45.../6...f/...ed/..cba 1 3"
EVERY_KIND = pytest.mark.parametrize("players", KINDS)
LEAVES = ("decision", "afterstate")
WIDTHS = ("1", "4", "5-3-2")
pytestmark = pytest.mark.compiled  # a few kernels for random trees do it all


def best(here: Position, values: list[float]) -> float:
    return min(values) if here.turn == 1 else max(values)


def assert_same_values(here: Position, full: list[float], pruned: list[float]) -> None:
    """The best value is the same; that of any other action is the same, or a bound between it and the best."""
    assert best(here, pruned) == pytest.approx(best(here, full), abs=TOLERANCE)
    sign = -1 if here.turn == 1 else 1
    for exact, found in zip(full, pruned, strict=True):
        assert sign * exact - TOLERANCE <= sign * found <= sign * best(here, full) + TOLERANCE


@EVERY_GAME
@EVERY_TABLE
@PRUNING
def test_exact_searches_find_the_same_values(name, table, prune_above):
    for number, here in enumerate(positions(name, 12)):
        options = {"table": table, "prune_above": prune_above, "leaf": LEAVES[number % 2]}
        full, *pruned = (Job(here, player, DEPTHS[name], **options).root() for player in EXACT)
        for values in pruned:
            assert_same_values(here, full, values)


@EVERY_GAME
@EVERY_TABLE
@PRUNING
@pytest.mark.parametrize("key", slow_but(["state"], ["state", "path"]))
@pytest.mark.parametrize("players", KINDS[1:])
def test_sampled_searches_find_the_same_values(name, table, prune_above, key, players):
    for number, here in enumerate(positions(name, 24)):
        options = {"table": table, "prune_above": prune_above, "key": key}
        options |= {"leaf": LEAVES[number % 2], "width": WIDTHS[number % 3]}
        full, *pruned = (Job(here, player, DEPTHS[name], seed=number, **options).root() for player in players)
        for values in pruned:
            assert_same_values(here, full, values)


@EVERY_KIND
@pytest.mark.parametrize("table", ["moves", "values"])
@pytest.mark.parametrize("prune_above", slow_but([0, 2], [0, 1, 2, 4]))
@pytest.mark.parametrize("count", slow_but([50], [50, 150]))
def test_searches_of_many_random_trees_find_the_same_values(players, table, prune_above, count):
    for number, here in enumerate(positions("tree", count, seed=1)):
        options = {"table": table, "prune_above": prune_above, "width": "3", "memory": 0.001}
        full, *pruned = (Job(here, player, 6, seed=number, **options).root() for player in players)
        for values in pruned:
            assert_same_values(here, full, values)


@EVERY_GAME
@pytest.mark.parametrize("player", ["exp", "expss"])
@pytest.mark.parametrize("leaf", LEAVES)
def test_expectimax_finds_what_the_definition_says(name, player, leaf):
    for number, here in enumerate(positions(name, 12)):
        for depth in range(1, DEPTHS[name] + 1):
            job = Job(here, player, depth, seed=number, leaf=leaf, width="5-3-2")
            assert best(here, job.root()) == pytest.approx(job.true_value(), abs=TOLERANCE)


@EVERY_GAME
@EVERY_KIND
def test_whole_searches_give_the_same_answer(name, players):
    """What a user sees of it: the value, and which action values are exact."""
    for here in positions(name, 4):
        full, *pruned = (search(here, player, DEPTHS[name], prune_above=0) for player in players)
        known = {action.number: action.value for action in full.actions}
        for result in pruned:
            assert result.value == pytest.approx(full.value, abs=TOLERANCE)
            for action in result.actions:
                assert action.bound != "at least"
                slack = np.inf if action.is_bound else TOLERANCE
                assert known[action.number] - TOLERANCE <= action.value <= known[action.number] + slack


@EVERY_GAME
def test_deepening_ends_at_the_same_values(name):
    for here in positions(name, 4):
        found = [
            search(here, player, DEPTHS[name], deepening=True, table=table).value
            for player in EXACT
            for table in ("off", "values")
        ]
        assert found == pytest.approx([found[0]] * len(found), abs=TOLERANCE)


# How much is searched


@EVERY_GAME
@pytest.mark.parametrize("sampled", slow_but([""], ["", "ss"]))
def test_star1_never_visits_more_nodes_than_expectimax(name, sampled):
    saved = 0
    for number, here in enumerate(positions(name, 16)):
        options = {"depth": DEPTHS[name], "seed": number, "prune_above": 0, "width": "4"}
        all_nodes, some_nodes = Job(here, f"exp{sampled}", **options), Job(here, f"star1{sampled}", **options)
        all_nodes.root()
        some_nodes.root()
        for kind in ("decisions", "chances", "leaves", "terminals"):
            assert some_nodes.counts[kind] <= all_nodes.counts[kind]
        saved += all_nodes.nodes - some_nodes.nodes
    assert saved > 0


@EVERY_GAME
@pytest.mark.parametrize("player", ["star2", "star2ss"])
def test_star2_reports_its_probes_and_how_many_of_them_cut(name, player):
    jobs = [Job(here, player, DEPTHS[name], prune_above=0, width="4") for here in positions(name, 30)]
    for job in jobs:
        job.root()
        assert 0 <= job.counts["probe_cuts"] <= job.counts["probes"]
        assert job.counts["probe_cuts"] <= job.counts["chance_cuts_high"] + job.counts["chance_cuts_low"]
        assert job.nodes == sum(job.counts[kind] for kind in ("decisions", "chances", "leaves", "terminals"))
    assert sum(job.counts["probes"] for job in jobs) > 0
    if name in ("ewn", "tree"):  # in Pig the first action, to hold, hardly ever decides
        assert sum(job.counts["probe_cuts"] for job in jobs) > 0


@pytest.mark.interpreted
def test_only_star2_probes_and_only_pruning_searches_cut():
    here = positions("tree", 1)[0]
    counts = {player: search(here, player, 4, prune_above=0, table="off").counts for player in EXACT + SAMPLED}
    cuts = ("decision_cuts", "chance_cuts_high", "chance_cuts_low")
    for player, counted in counts.items():
        assert (counted["probes"] > 0) == player.startswith("star2")
        assert (sum(counted[kind] for kind in cuts) > 0) == player.startswith("star")


@pytest.mark.interpreted
@pytest.mark.parametrize("player", ["star1", "star2"])
def test_nothing_is_pruned_at_the_depths_at_which_pruning_is_off(player):
    here = position("ewn", EWN_START)
    full, shallow = Job(here, "exp", 2), Job(here, player, 2, prune_above=2)
    assert shallow.root() == full.root()
    assert shallow.counts == full.counts


# Values known from elsewhere


@pytest.mark.slow
@pytest.mark.parametrize(("name", "width"), [("pig", 36), ("pig with one die", 6), ("ewn", 6)])
def test_sampling_every_outcome_in_proportion_is_the_exact_search(name, width):
    """One draw from each of c equal parts: 6 for a die, 36 for the two dice of Pig."""
    compare_whole_samples(name, width, DEPTHS[name], 10)


@pytest.mark.interpreted
@pytest.mark.parametrize(("name", "width"), [("pig", 36), ("ewn", 6)])
def test_sampling_every_outcome_in_proportion_is_the_exact_search_of_depth_2(name, width):
    compare_whole_samples(name, width, 2, 1)


def compare_whole_samples(name, width, depth, count):
    for number, here in enumerate(positions(name, count)):
        for exact, sampled in zip(EXACT, SAMPLED, strict=True):
            one = Job(here, exact, depth, prune_above=0).root()
            other = Job(here, sampled, depth, number, prune_above=0, sampling="stratified", width=width).root()
            assert_same_values(here, one, other)
            assert_same_values(here, other, one)


@pytest.mark.interpreted
def test_the_depth_1_value_of_pig_by_hand():
    """Player 1 has 8 points in this turn and nothing else. Evaluation: own score + turn total - opponent's."""
    weights = {4: 1, 5: 2, 6: 3, 7: 4, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}  # sums of two dice without a 1, of 36
    # Hold banks 8. Then the opponent rolls: 10 single 1s and the double 1 leave 0, a sum adds to the opponent's total.
    hold = sum(weight * (8 - total) for total, weight in weights.items()) / 36 + 11 / 36 * 8
    # Roll adds to the 8; 10 single 1s and the double 1 lose them.
    roll = sum(weight * (8 + total) for total, weight in weights.items()) / 36 + 11 / 36 * 0
    result = search(position("pig", "0 0 8 1 decide"), "star2", 1)
    assert {action.action: action.value for action in result.actions} == pytest.approx({"hold": hold, "roll": roll})
    assert result.value == pytest.approx(100 / 9, abs=TOLERANCE)


@pytest.mark.interpreted
@pytest.mark.parametrize("player", EXACT)
def test_the_depth_2_value_of_pig(player):
    assert search(position("pig", "0 0 8 1 decide"), player, 2).value == pytest.approx(9.876543209877, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("player", EXACT)
@pytest.mark.parametrize(("depth", "value"), [(3, 7.698902606310), (4, 6.189117036275)])
def test_deeper_values_of_pig(player, depth, value):
    assert search(position("pig", "0 0 8 1 decide"), player, depth).value == pytest.approx(value, abs=1e-11)


@pytest.mark.interpreted
@pytest.mark.parametrize(("depth", "value", "nodes"), [(1, 0, 4), (2, -25 / 6, 76), (3, 125 / 18, 1375)])
def test_values_and_node_counts_of_einstein(depth, value, nodes):
    """The fixed set-up with a 3 rolled; evaluations before the roll."""
    compare_with_einstein(depth, value, nodes)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "value", "nodes"), [(4, -850 / 216, 25774), (5, 10.185185185185, 489593)])
def test_deeper_values_and_node_counts_of_einstein(depth, value, nodes):
    compare_with_einstein(depth, value, nodes)


def compare_with_einstein(depth, value, nodes):
    here = position("ewn:setup=fixed", EWN_START)
    result = search(here, "exp", depth, table="off", leaf="afterstate")
    assert (result.value, result.nodes) == (pytest.approx(value, abs=1e-11), nodes)
    for player in ("star1", "star2"):
        assert search(here, player, depth, leaf="afterstate", prune_above=0).value == pytest.approx(value, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("row", read_rows("ewn_endgames.csv"), ids=lambda row: row["name"])
def test_einstein_endgames_are_searched_to_their_end(row):
    """The first player's chance of winning, from a solver with exact fractions."""
    result = search(position("ewn", row["position"]), "star1", 40, deepening=True, table="values", memory=16)
    assert result.complete
    assert result.value == pytest.approx(float(200 * Fraction(row["chance"]) - 100), abs=TOLERANCE)


# Compiled and interpreted


@EVERY_GAME
@pytest.mark.parametrize("player", slow_but([*EXACT, "expss", "star2ss"], EXACT + SAMPLED))
def test_compiled_and_interpreted_runs_agree_to_the_last_counter(name, player):
    for number, here in enumerate(positions(name, 3, seed=2)):
        for table in ("off", "values"):
            depth = 4 if name == "tree" else 2
            options = {
                "seed": number,
                "prune_above": number % 2,
                "table": table,
                "width": "3-2",
                "leaf": LEAVES[number % 2],
            }
            machine, python = Job(here, player, depth, **options), Job(here, player, depth, **options)
            assert machine.root() == python.interpreted_root()
            assert machine.counts == python.counts


UNCOMPILED = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from support.star_searches import Job
from support.tree_games import random_tree
job = Job(random_tree(5), "star2ss", 4, seed=3, prune_above=0, table="values", width="3-2")
print(json.dumps([job.interpreted_root(), job.counts]))
"""


@pytest.mark.slow
def test_a_process_without_compilation_finds_the_same():
    job = Job(random_tree(5), "star2ss", 4, seed=3, prune_above=0, table="values", width="3-2")
    expected = [job.root(), job.counts]
    folder = str(TESTS)
    process = subprocess.run(
        [sys.executable, "-c", UNCOMPILED, json.dumps([folder])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout) == expected


def test_in_random_trees_every_kind_of_node_follows_every_kind():
    seen = set()
    for number in range(40):
        links = random_tree(number).game.links
        for row in links:
            seen |= {(int(row[0]), int(links[child, 0])) for child in row[2 : 2 + row[1]]}
    kinds = {0, 1, -1}
    assert seen >= {(before, after) for before in kinds for after in kinds | {-2}}
