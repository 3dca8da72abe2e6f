"""Iterative deepening: same seed and budget, same answer; limits that hold; what an unfinished iteration says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.algorithms.star.search import StarSearch
from astragal.base.errors import AstragalError
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import TESTS, fewer, is_interpreted, slow_but
from support.star_searches import (
    DEPTHS,
    EXACT,
    KINDS,
    SAMPLED,
    TOLERANCE,
    Job,
    position,
    positions,
    random_position,
    random_step,
    search,
    settings_of,
)
from support.tree_games import low, random_tree, roll, top, tree

PLAYERS = EXACT + SAMPLED
EVERY_GAME = pytest.mark.parametrize("name", slow_but(["tree"], DEPTHS))
CASES = [("pig", "12 30 8 1 decide"), ("ewn:setup=fixed", "123../45.../6...f/...ed/..cba 1 3")]
pytestmark = pytest.mark.compiled  # a few kernels for random trees do most of it


def budgeted(here: Position, player: str, nodes: int, seed: int = 0, **options: Any) -> SearchResult:
    return search(here, player, seed=seed, nodes=nodes, deepening=True, **options)


def found(result: SearchResult) -> dict[str, Any]:
    """All that a search found but how long it took."""
    return asdict(result) | {"seconds": 0.0}


# Determinism


@pytest.mark.few(2)
@pytest.mark.interpreted
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("table", ["moves", "values"])
def test_the_same_seed_and_node_budget_give_the_same_result(player, table):
    for spec, text in CASES:
        here = position(spec, text)
        first = budgeted(here, player, fewer(30_000, 50), seed=5, table=table)
        for other in positions("ewn", 3)[: fewer(3, 3)]:
            budgeted(other, player, fewer(20_000, 100), table=table)  # what was searched in between leaves no trace
        assert found(budgeted(here, player, fewer(30_000, 50), seed=5, table=table)) == found(first)


ANOTHER_PROCESS = """
import json, sys
sys.path[:0] = sys.argv[2:]
from test_deepening import CASES, budgeted, found
from support.star_searches import position
print(json.dumps([found(budgeted(position(*case), "star2ss", int(sys.argv[1]), seed=5)) for case in CASES]))
"""


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.interpreted
def test_the_same_seed_and_node_budget_give_the_same_result_in_another_process():
    nodes = fewer(30_000)
    process = subprocess.run(
        [sys.executable, "-c", ANOTHER_PROCESS, str(nodes), str(TESTS), str(Path(__file__).parent)],
        env=os.environ | {"PYTHONHASHSEED": "77", "NUMBA_DISABLE_JIT": str(int(is_interpreted()))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    here = [found(budgeted(position(*case), "star2ss", nodes, seed=5)) for case in CASES]
    assert json.loads(process.stdout) == json.loads(json.dumps(here))


@pytest.mark.few(1)
@pytest.mark.interpreted
@pytest.mark.parametrize("player", SAMPLED)
def test_different_seeds_draw_different_samples(player):
    here = position(*CASES[0])
    assert len({search(here, player, 3, seed, width=3).value for seed in range(10)}) > 5


@pytest.mark.interpreted
@pytest.mark.parametrize("player", EXACT)
def test_the_seed_does_not_matter_to_an_exact_search(player):
    here = position(*CASES[0])
    assert len({search(here, player, 2, seed).value for seed in range(5)}) == 1


def test_iterations_draw_different_samples():
    """The roll after the first action is the same in both; what it brings is not."""
    here = tree(top(roll(-10, -3, 1, 4, 10)))
    differ = [
        search(here, "expss", 1, seed, width=2).value != search(here, "expss", 2, seed, width=2).value
        for seed in range(40)
    ]
    assert sum(differ) > 20


@pytest.mark.few(2)
@pytest.mark.parametrize("player", PLAYERS)
@EVERY_GAME
def test_the_value_does_not_depend_on_the_size_of_the_table(name, player):
    for here in positions(name, 12 if name == "tree" else 3, seed=9):
        results = [search(here, player, DEPTHS[name], deepening=True, memory=memory) for memory in (0.001, 0.05, 4)]
        for result in results[1:]:
            assert result.value == pytest.approx(results[0].value, abs=TOLERANCE)


# Limits


@pytest.mark.few(2)
@pytest.mark.parametrize("player", PLAYERS)
@EVERY_GAME
def test_the_node_limit_is_passed_by_no_more_than_the_children_of_one_node(name, player):
    """Whatever the settings; `test_fair_limits` has every game."""
    for number, here in enumerate(positions(name, 10, seed=10)):
        for nodes in (1, 30, 100, 317, 1000, 5000):
            options = {
                "prune_above": number % 3,
                "width": 4 + number,
                "table": ("off", "moves", "values")[number % 3],
            }
            children = max(here.game.max_actions, here.game.max_outcomes)
            assert budgeted(here, player, nodes, **options).nodes <= nodes + children


@pytest.mark.few(2)
@pytest.mark.interpreted
@pytest.mark.parametrize("player", PLAYERS)
def test_most_of_a_node_budget_is_used(player):
    here = position(*CASES[1])
    assert budgeted(here, player, fewer(20_000)).nodes >= fewer(20_000)


@pytest.mark.interpreted
@pytest.mark.parametrize("player", PLAYERS)
def test_the_depth_limit_is_reached_and_not_passed(player):
    for name in ("pig", "ewn"):
        for here in positions(name, 3):
            assert search(here, player, 2, deepening=True).depth == 2


def test_a_time_limit_gives_the_answer_of_some_finished_depth():
    here = random_tree(3, breadth=9, loops=True)
    quick = StarSearch(SearchRequest(here, limits=Limits(time=0.1)), settings_of("star1", deepening=True)).answer()
    if quick.depth > 0:  # on a machine with nothing better to do
        assert_same_answer(quick, search(here, "star1", quick.depth, deepening=True))


def test_limits_of_nothing_and_finished_games_are_refused():
    for limits in ({"depth": 0}, {"nodes": 0}, {"time": 0.0}, {"time": -1.0}):
        with pytest.raises(AstragalError, match="must be more than 0"):
            Limits(**limits)
    with pytest.raises(AstragalError, match="over"):
        search(position("pig", "100 3 0 2"), "exp", 1)


# Unfinished iterations


def assert_same_answer(one: SearchResult, other: SearchResult) -> None:
    assert (one.depth, one.action, one.value, one.actions) == (other.depth, other.action, other.value, other.actions)


@pytest.mark.few(2)
@pytest.mark.parametrize("player", PLAYERS)
@EVERY_GAME
def test_a_stop_in_an_iteration_leaves_the_previous_ones_answer(name, player):
    """Whatever the budget, the answer is that of a search limited to the depth that was finished."""
    depths = set()
    for number, here in enumerate(positions(name, 12 if name == "tree" else 3, seed=11)):
        for nodes in (40, 150, 600, 2500, 9000):
            result = budgeted(here, player, nodes, seed=number, unfinished="previous")
            depths.add(result.depth)
            if result.depth > 0 and result.searches == 1:
                assert_same_answer(result, search(here, player, result.depth, number, deepening=True))
    assert len(depths) > 2


@pytest.mark.interpreted
def test_without_a_finished_iteration_nothing_is_claimed():
    result = budgeted(position(*CASES[0]), "star1", 1)
    assert (result.depth, result.action, result.nodes, result.value) == (0, "hold", 1, None)
    assert {(action.bound, action.value) for action in result.actions} == {("not searched", None)}


def better_late() -> Position:
    """Three actions. At depth 1 the first looks best; at depth 2 the second is, and the third takes long to search."""
    first = low(top(-4, value=5.0), value=5.0)
    second = low(top(6, value=0.0), value=0.0)
    third = low(*[top(*[roll(-9, -8, -7, -6, -5) for _ in range(5)], value=-5.0) for _ in range(5)], value=-5.0)
    return tree(top(first, second, third))


@pytest.mark.parametrize("player", ["exp", "star1"])
def test_a_better_action_of_an_unfinished_iteration_is_taken_unless_asked_not_to(player):
    here = better_late()
    first, second, third = here.actions()
    shallow, deep = search(here, player, 1), search(here, player, 3)
    assert (shallow.action_number, deep.action_number) == (first, second)
    answers = set()
    for nodes in range(100, 400, 3):
        careful = budgeted(here, player, nodes, unfinished="previous")
        bold = budgeted(here, player, nodes, unfinished="better")
        assert careful.nodes == bold.nodes
        if bold.depth == careful.depth:
            assert_same_answer(bold, careful)
        else:
            assert (careful.action_number, bold.action_number) == (first, second)
            assert [(action.number, action.bound) for action in bold.actions][-1] == (third, "not searched")
            assert not bold.complete
        answers.add((careful.depth, careful.action_number, bold.depth, bold.action_number))
    unfinished = [answer for answer in answers if answer[0] != answer[2]]
    assert unfinished
    assert all(bold_depth == careful_depth + 1 for careful_depth, _, bold_depth, _ in unfinished)


@pytest.mark.parametrize("player", slow_but(["star2"], ["exp", "star2", "expss", "star1ss"]))
@pytest.mark.parametrize("name", slow_but(["tree"], ["tree", "ewn"]))
def test_the_better_rule_holds_at_random_positions(name, player):
    """What an unfinished iteration changes the answer to is better than the previous answer, at its depth."""
    taken = 0
    for number, here in enumerate(positions(name, 60 if name == "tree" else 25, seed=12)):
        for nodes in (40, 160, 900) if name == "tree" else (300, 900, 2700, 8100):
            careful, bold = (budgeted(here, player, nodes, number, unfinished=rule) for rule in ("previous", "better"))
            if bold.depth == careful.depth:
                assert_same_answer(bold, careful)
                continue
            taken += 1
            assert bold.depth == careful.depth + 1
            assert bold.action != careful.action
            reference = "expss" if player in SAMPLED else "exp"
            whole = search(here, reference, bold.depth, number)
            values = {action.action: action.value for action in whole.actions}
            assert values[bold.action] > values[careful.action] - TOLERANCE
            assert bold.value == pytest.approx(values[bold.action], abs=TOLERANCE)
    assert taken > 0


# The end of the game


def test_a_search_that_has_seen_the_whole_game_stops_and_says_so():
    here = tree(top(roll(3, low(4, roll(-2, 6))), 1))
    for player in EXACT:
        result = search(here, player, 30, deepening=True)
        assert (result.complete, result.value) == (True, 2.5)
        assert result.depth < 6


@pytest.mark.interpreted
def test_a_sampled_search_has_not_seen_the_whole_game():
    here = tree(top(roll(3, low(4, roll(-2, 6))), 1))
    assert not any(search(here, player, 30, deepening=True).complete for player in SAMPLED)


@pytest.mark.parametrize("player", EXACT)
@pytest.mark.parametrize("table", ["off", "moves", "values"])
def test_a_game_that_can_go_on_for_ever_is_never_searched_to_its_end(player, table):
    circle = top(value=1.0)
    circle.children = [roll(circle, 2, value=0.5)]
    result = search(tree(circle), player, 12, deepening=True, table=table)
    assert (result.complete, result.depth) == (False, 12)


def test_a_certain_win_is_an_answer_and_says_at_most_of_the_rest():
    here = tree(top(low(-3, 4), low(10, roll(10, 10)), low(roll(7, 8), 9)))
    for player in ("star1", "star2"):
        result = search(here, player, 3, prune_above=0)
        assert result.value == 10
        assert {action.number: action.bound for action in result.actions}[here.actions()[2]] == "at most"
        assert all(action.value <= 10 for action in result.actions)


# Sampled searches that reach the end of the game


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("spec", "text", "seed", "options"),
    [
        ("pig", "96 96 0 1 roll", 405679, {"width": "2", "key": "path"}),
        ("pig:dice=1", "13 98 0 2 roll", 907006, {"width": "4-2-1", "sampling": "distinct", "key": "path"}),
    ],
)
def test_a_win_that_was_drawn_is_not_the_end_of_a_sampled_search(spec, text, seed, options):
    """Star1SS once stopped here with a certain win, having cut what ExpSS went on to search."""
    here = position(spec, text)
    options |= {"table": "off", "prune_above": 0, "deepening": True}
    found = {player: search(here, player, 4, seed, **options) for player in SAMPLED}
    assert {result.depth for result in found.values()} == {4}
    assert found["star1ss"].value == found["star2ss"].value == pytest.approx(found["expss"].value, abs=TOLERANCE)


@EVERY_GAME
@pytest.mark.parametrize("key", slow_but(["state"], ["state", "path"]))
@pytest.mark.parametrize("players", KINDS[1:])
def test_sampled_searches_that_deepen_find_the_same_near_the_end_of_games(name, key, players):
    for number, here in enumerate(last_positions(name, 20)):
        options = {"deepening": True, "key": key, "width": ("1", "2", "4-2-1")[number % 3], "prune_above": number % 2}
        full, *pruned = (search(here, player, 6, number, **options) for player in players)
        for result in pruned:
            assert (result.depth, result.value) == (6, pytest.approx(full.value, abs=TOLERANCE))


def last_positions(name: str, count: int) -> list[Position]:
    """Positions of random games shortly before their end."""
    found = []
    for number in range(count):
        dice = Dice(number)
        path = [random_position(name, number)]
        while not path[-1].is_terminal and len(path) < 400:
            path.append(random_step(path[-1], dice))
        found.append(path[max(0, len(path) - 2 - number % 5)])
    return [here for here in found if not here.is_terminal]


@pytest.mark.parametrize("player", slow_but(["expss", "star2ss"], SAMPLED))
def test_a_sampled_search_that_reaches_the_end_of_the_game_uses_its_whole_budget(player):
    here = tree(top(roll(3, low(4, roll(-2, 6))), roll(1, 2, 0)))
    result = budgeted(here, player, 5_000, width=2)
    assert result.searches > 100
    assert (result.complete, result.bound) == (False, f"sampled, depth {result.depth}, mean of {result.searches:,}")
    assert 5_000 <= result.nodes <= 5_005


@pytest.mark.few(1)
@pytest.mark.parametrize("player", SAMPLED)
@pytest.mark.parametrize("sampling", ["independent", "stratified", "antithetic", "distinct"])
def test_the_mean_of_repeated_searches_is_unbiased(player, sampling):
    """Each action is followed by a roll and then by nothing to choose, so that one sample is an unbiased estimate.

    The first action is best, if barely; bounds of the others, which pruning would leave, would lie above their values.
    """
    here = tree(top(roll(9, -7, 1, weights=(1, 2, 3)), roll(8, -9, weights=(1, 1)), roll(0, 3, -6, weights=(2, 2, 1))))
    true = {action.number: action.value for action in search(here, "exp", 2).actions}
    runs = [budgeted(here, player, 400, seed, width=2, sampling=sampling) for seed in range(300)]
    for number, value in true.items():
        found = [action.value for run in runs for action in run.actions if action.number == number]
        error = np.std(found) / np.sqrt(len(found))
        assert np.mean(found) == pytest.approx(value, abs=4 * error + TOLERANCE)


@pytest.mark.parametrize("key", slow_but(["state"], ["state", "path"]))
@pytest.mark.parametrize("count", slow_but([12], [12, 30]))
@pytest.mark.parametrize("players", KINDS[1:])
def test_repeated_searches_find_the_same_with_and_without_pruning(key, count, players):
    for number, here in enumerate(positions("tree", count, seed=13)):
        jobs = [Job(here, player, 5, number, width="2", key=key, prune_above=0) for player in players]
        full, *pruned = (job.repeated(3) for job in jobs)
        for values in pruned:
            assert values == pytest.approx(full, abs=TOLERANCE)


class Counted(int):
    """A number that counts how often one is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return int(self) == other

    __hash__ = int.__hash__


@pytest.mark.interpreted
@pytest.mark.parametrize("searched", [2000, 1200])
def test_iterations_are_taken_in_time_that_grows_with_the_number_of_actions(searched):
    made = StarSearch(SearchRequest(position(*CASES[0]), limits=Limits(depth=1)), settings_of("star2"))
    listed = list(map(Counted, range(2000)))
    made.actions, Counted.compared = listed, 0
    made.take(1, list(map(Counted, range(searched))), np.ones(searched), np.zeros(searched, np.uint8))
    assert Counted.compared < 10 * len(listed)
    assert sorted(made.answered.actions) == list(range(2000))
    assert made.answered.actions[:searched] == listed[:searched]
