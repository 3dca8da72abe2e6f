"""Adaptive multistage sampling against the same written out in Python, and against the values that it tends to."""

from __future__ import annotations

import math

import pytest

from astragal import Limits, Position, load_game, load_player
from support.helpers import by_python, random_positions


def tries_of(here: Position, depth: int, samples: int, spread: float) -> tuple[float, dict[int, float]]:
    """The mean of all tries at a decision without chance, and those of its actions, for player 0."""
    actions = here.actions()
    sums, tried = dict.fromkeys(actions, 0.0), dict.fromkeys(actions, 0)
    sign = -1.0 if here.turn == 1 else 1.0
    tries = max(samples, len(actions)) if len(actions) > 1 else 1
    for n in range(tries):
        hopes = {
            action: sign * sums[action] / tried[action] + spread * math.sqrt(2 * math.log(n) / tried[action])
            for action in actions
            if tried[action]
        }
        action = actions[n] if n < len(actions) else max(actions, key=lambda each: hopes[each])
        after = here.play(action)
        if after.is_terminal or depth == 1:
            value = after.evaluations()[0]
        else:
            value = tries_of(after, depth - 1, samples, spread)[0]
        sums[action] += value
        tried[action] += 1
    return math.fsum(sums.values()) / tries, {action: sums[action] / tried[action] for action in actions}


@pytest.mark.parametrize("count", by_python(2, 60))
@pytest.mark.parametrize("c", [0.0, 0.05, 1.0])
def test_without_chance_it_is_what_is_written(count, c):
    rules = load_game("kalah:pits=3,stones=2")
    low, high = rules.utility_range
    found = [here for seed in range(count) for here in random_positions(rules, seed, 10)]
    open_ = [here for here in found if not here.is_terminal and len(here.actions()) > 1]
    for number, here in enumerate(open_[-3 * count :]):
        depth = 1 + number % 3
        _, means = tries_of(here, depth, 7, c * (high - low))
        found = load_player(f"ams:samples=7,c={c},depth={depth},deepening=off", rules).search(here)
        sign = -1.0 if here.turn == 1 else 1.0
        assert {each.number: each.value for each in found.actions} == pytest.approx(
            {action: sign * mean for action, mean in means.items()}, abs=1e-9
        )
        assert found.value == max(each.value for each in found.actions if each.value is not None)


def test_one_unit_deep_it_tends_to_expectimax():
    """Means of draws with a standard error of 0.3."""
    here = Position.parse(load_game("pig"), "20 30 8 1 decide")
    exact = {each.action: each.value for each in load_player("exp:depth=1").search(here).actions}
    found = load_player("ams:samples=2000,c=10,depth=1,deepening=off").search(here, 4)
    for each in found.actions:
        assert each.value == pytest.approx(exact[each.action], abs=1.2)


def test_what_looks_good_is_tried_more_often():
    """With little exploration, nearly all tries are of the action that wins at once."""
    rules = load_game("pig")
    here = Position.parse(rules, "80 30 20 1 decide")
    few = load_player("ams:samples=40,c=0.01,depth=2,deepening=off").search(here, 1)
    many = load_player("ams:samples=40,c=10,depth=2,deepening=off").search(here, 1)
    assert few.action == many.action == "hold"
    assert few.nodes < 0.2 * many.nodes


def test_an_iteration_that_is_not_finished_counts_for_nothing():
    here = Position.parse(load_game("pig"), "20 30 8 1 decide")
    found = load_player("ams:samples=8").search(here, 2, Limits(nodes=500))
    whole = load_player(f"ams:samples=8,depth={found.depth}").search(here, 2)
    assert (found.value, found.action) == (whole.value, whole.action)


def test_a_chance_node_is_estimated_by_several_tries():
    here = Position.start(load_game("pig"), 1)
    assert here.is_chance
    found = load_player("ams:samples=500,depth=1,deepening=off").search(here, 3)
    exact = load_player("exp:depth=1").search(here)
    assert found.value == pytest.approx(exact.value, abs=1.0)
    assert found.action is None
