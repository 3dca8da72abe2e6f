"""Proven intervals never exclude the truth, however little was searched; and they close where they can."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from astragal import TERMINAL, AstragalError, Limits, Position, game, load_game, load_player, start
from astragal.algorithms.interval import Interval, in_words, loss_between, printed
from astragal.algorithms.result import BETWEEN, PROVEN, SearchResult
from astragal.rules.decorator import CHANCE
from astragal.solvers.exact import exact_values
from astragal.solvers.solution import solve, solve_position
from support.helpers import by_python, random_positions, solutions_in
from support.simultaneous_games import Pennies
from support.tree_games import CHANCES, CHILD, COUNT, LIMIT, TURN, VALUE, Tree, leaf, low, random_tree, roll, top, tree

BUDGETS = (1, 4, 12, 40, 10**6)  # nodes


def prove(here: Position, nodes: int | None = None, **settings: Any) -> SearchResult:
    text = ",".join(f"{name}={value}" for name, value in {"tolerance": 0, **settings}.items())
    return load_player(f"prove:{text}", here.game).search(here, limits=Limits(nodes=nodes or 10**9))


def interval(here: Position, nodes: int | None = None, **settings: Any) -> Interval:
    """What the first player gets at least and at most."""
    found = prove(here, nodes, **settings).interval
    assert found is not None
    return Interval(-found.upper, -found.lower) if here.turn == 1 else found


def true_values(rules: Tree) -> list[Fraction]:
    """What the first player gets at each node of a tree without loops, in fractions."""

    @cache
    def worth(node: int) -> Fraction:
        turn, count = rules.links[node, TURN], rules.links[node, COUNT]
        if turn == TERMINAL:
            return Fraction(rules.numbers[node, VALUE])
        below = [worth(int(child)) for child in rules.links[node, CHILD : CHILD + count]]
        if turn != CHANCE:
            return max(below) if turn == 0 else min(below)
        weights = [Fraction(chance) for chance in rules.numbers[node, CHANCES : CHANCES + count]]
        return sum((w * v for w, v in zip(weights, below, strict=True)), Fraction(0)) / sum(weights)

    return [worth(node) for node in range(len(rules.links))]


def at(rules: Tree, node: int) -> Position:
    return Position.parse(rules, f"node={node}")


@pytest.mark.parametrize("seeds", by_python(range(2), range(300)))
def test_an_interval_never_excludes_the_truth_and_closes_on_it(seeds):
    for seed in seeds:
        rules = random_tree(seed, layers=5 + seed % 4, breadth=4, ends=5 + seed % 20).game
        for node, truth in list(enumerate(true_values(rules)))[:: 1 + len(rules.links) // 8]:
            if rules.links[node, TURN] == TERMINAL:
                continue
            before = Interval(-LIMIT, LIMIT)
            for nodes in BUDGETS:
                found = interval(at(rules, node), nodes)
                assert before.lower <= found.lower <= truth <= found.upper <= before.upper
                before = found
            assert before.width < 1e-12


@pytest.mark.parametrize("seeds", by_python(range(3), range(200)))
def test_what_every_action_is_worth_lies_in_its_interval(seeds):
    for seed in seeds:
        here = random_tree(seed, layers=4, breadth=4)
        values, sign = true_values(here.game), -1 if here.turn == 1 else 1
        for nodes in BUDGETS[1:]:
            found = prove(here, nodes)
            for row in found.actions:
                assert row.interval.lower <= sign * values[row.number] <= row.interval.upper
            if found.best_proven:
                assert values[found.action_number] == (min if here.turn == 1 else max)(
                    values[row.number] for row in found.actions
                )


@pytest.mark.parametrize("seeds", by_python(range(3), range(200)))
def test_what_an_action_loses_lies_between_two_bounds(seeds):
    for seed in seeds:
        here = random_tree(seed, layers=4, breadth=4)
        if here.turn < 0:
            continue
        values, sign = true_values(here.game), -1 if here.turn == 1 else 1
        for nodes in BUDGETS[1:]:
            known = {row.number: row.interval for row in prove(here, nodes).actions}
            truth = {action: sign * values[action] for action in known}
            for action in known:
                least, most = loss_between(known, action)
                assert 0.0 <= least <= max(truth.values()) - truth[action] <= most


@pytest.mark.parametrize("seeds", by_python(range(2), range(60)))
def test_games_whose_positions_come_back_agree_with_the_solver(seeds, tmp_path):
    with solutions_in(tmp_path):
        for seed in seeds:
            here = random_tree(seed, layers=3, breadth=4, ends=20, loops=True)
            if here.is_terminal:
                continue
            try:
                truth = solve(here.game).value(here)
            except AstragalError:  # the solver says where play without end leaves a value open
                continue
            for nodes in (5, 10**6):
                found = interval(here, nodes)
                assert found.lower - 1e-7 <= truth <= found.upper + 1e-7


def test_six_certain_wins_are_a_certain_win():
    child = top(LIMIT, 0.0)
    certain = prove(tree(roll(*[top(child, 1.0, value=i) for i in range(5)], weights=(1.0, 1.0, 1.0, 1.0, 1.0))))
    assert certain.interval == (LIMIT, LIMIT)
    assert certain.bound == PROVEN


def test_sums_are_rounded_outwards():
    """A third of 1 and two thirds of nothing is no double: the interval is not empty, and holds the fraction."""
    here = tree(roll(top(leaf(1.0), leaf(0.5)), low(leaf(0.0)), weights=(1.0, 2.0)))
    truth = true_values(here.game)[0]
    found = interval(here)
    assert found.lower < truth < found.upper
    assert found.width < 1e-14


def test_probabilities_that_add_up_to_a_little_more_or_less():
    for weights in ((0.1, 0.2, 0.7), (1 / 6, 1 / 3, 0.5), (0.3, 0.3, 0.4)):
        here = tree(roll(leaf(0.1), leaf(0.7), leaf(-0.3), weights=weights))
        for scale in (1.0, 1.0 + 3e-16, 1.0 - 3e-16):
            rules = here.game
            rules.numbers[0, CHANCES : CHANCES + 3] = np.array(weights) * scale
            assert interval(here).lower < true_values(rules)[0] < interval(here).upper


def test_of_a_loop_without_chance_the_interval_stays_open():
    rules = top(value=0.0)
    rules.children = [low(value=0.0), leaf(1.0)]
    rules.children[0].children = [rules]
    found = prove(tree(rules))
    assert found.interval == (1.0, LIMIT)
    assert found.bound == BETWEEN
    assert "play without end" in found.note
    assert not found.complete


def test_a_line_that_stays_where_it_is_has_an_end():
    rules = top()
    rules.children = [rules, leaf(-1.0)]
    found = prove(tree(rules))
    assert found.interval == (-1.0, LIMIT)
    assert set(found.line) == {found.action}


def test_a_loop_with_chance_closes():
    """Half of the time it ends with 1, else it begins again."""
    again = roll(value=0.0)
    again.children, again.weights = [leaf(1.0), top(again)], [1.0, 1.0]
    found = interval(tree(again))
    assert found.lower <= 1.0 <= found.upper
    assert found.width < 1e-12


def test_a_tiny_memory_stops_the_search_and_says_so():
    here = start("ewn")
    found = prove(here, memory=0.001)
    assert "fills the 0.001 MB" in found.note
    assert found.interval == (-100.0, 100.0)


def test_in_a_small_memory_it_holds_the_truth():
    here = random_tree(3, layers=20, breadth=20, ends=3, rolls=70)
    found = interval(here, memory=0.02)
    assert found.lower <= true_values(here.game)[0] <= found.upper
    assert found.width > 1.0


def test_arrays_grow_as_they_fill(monkeypatch):
    monkeypatch.setattr("astragal.algorithms.prove.search.SMALLEST", 16)
    here = random_tree(3, layers=8, breadth=20, ends=3, rolls=70)
    found = prove(here)
    assert found.nodes > 4 * 16
    assert found.complete or found.interval.width < 1e-12
    assert interval(here).lower <= true_values(here.game)[0] <= interval(here).upper


@game
@dataclass(frozen=True)
class Overpaid(Tree):
    """A tree that says less of its ends than is true."""

    utility_range = (-1.0, 1.0)


def test_a_utility_outside_the_range_stops_the_search():
    here = tree(top(low(0.5, 3.0), 0.25), kind=Overpaid)
    with pytest.raises(AstragalError, match=r"utility of 3, which is outside its utility_range of -1 to 1"):
        prove(here)


def test_choices_made_at_once_are_refused():
    with pytest.raises(AstragalError, match="proves nothing where players choose at once"):
        prove(Position.start(Pennies(2)))


@pytest.mark.parametrize(
    ("spec", "why"), [("focus:players=3", "needs one or two players"), ("chinese_checkers:players=3", "needs one")]
)
def test_more_players_are_refused(spec, why):
    with pytest.raises(AstragalError, match=why):
        load_player("prove", load_game(spec))


def test_a_search_can_be_repeated_and_stops_at_its_nodes():
    here = start("ewn", seed=3)
    first, second = prove(here, 60), prove(here, 60)
    assert (first.counts, first.interval, first.action) == (second.counts, second.interval, second.action)
    assert first.nodes <= 60 + here.game.max_actions + here.game.max_outcomes
    unproven = prove(Position.parse(here.game, "123../45.../6...f/...ed/..cba 1 3"), 60)
    assert unproven.best_proven is False  # every action may still be as good


def test_it_ends_at_the_tolerance():
    here = Position.parse(load_game("pig:goal=12,dice=1"), "8 9 2 1 decide")
    wide, narrow = prove(here, tolerance=0.2), prove(here, tolerance=0.01)
    assert 2.0 < wide.interval.width <= 40.0
    assert narrow.interval.width <= 2.0
    assert wide.nodes <= narrow.nodes


# In words


def test_printed_digits_are_rounded_outwards():
    for lower, upper in ((0.12016869523, 0.12016869527), (1 / 3, 1 / 3 + 1e-5), (-2 / 3, 2 / 3), (0.1, 0.1)):
        least, most = printed(Fraction(lower), Fraction(upper))
        assert Fraction(least) <= Fraction(lower) <= Fraction(upper) <= Fraction(most)
        assert float(most - least) <= 3 * (upper - lower) + 1e-11
    assert str(Interval(100.0, 100.0)) == "+100.00"
    assert str(Interval(-1.0, math.nextafter(1.0, 0.0))) == "between -1.00 and +1.00"


def test_intervals_in_words():
    pig = load_game("pig")
    assert in_words(pig, 0, Interval(12.003, 12.037)) == "player 1 wins between 56.00% and 56.02%, proven"
    assert in_words(pig, 1, Interval(100.0, 100.0)) == "player 2 wins, proven"
    assert in_words(pig, -1, Interval(-100.0, -100.0)) == "player 1 loses, proven"
    assert in_words(pig, 0, Interval(0.0, 0.0)) == "player 1 wins with a chance of 50.00%, proven"
    points = in_words(load_game("kalah"), 1, Interval(-2.0, 4.5))
    assert points == "the value for player 2 is between -2.00 and +4.50, proven"


def test_a_result_says_its_interval():
    here = Position.parse(load_game("pig:goal=20,dice=1"), "12 14 2 1 decide")
    found = prove(here, 60)
    assert re.search(r"value +[+-]\d+\.\d+ \(between [+-][\d.]+ and [+-][\d.]+\)", str(found))
    assert found.value == pytest.approx((found.interval.lower + found.interval.upper) / 2)
    assert re.search(r"proven +player 1 wins between [\d.]+% and [\d.]+%, proven", str(found))
    assert found.as_dict()["interval"] == found.interval


# Against solved games


def solved_positions(spec: str, text: str | None, seeds: range) -> list[Position]:
    rules = load_game(spec)
    here = Position.start(rules) if text is None else Position.parse(rules, text)
    found = [here]
    for seed in seeds:
        found += [each for each in random_positions(rules, seed) if not each.is_terminal]
    return found


SOLVED = [
    "pig:goal=20,dice=1",
    "pig:goal=14",
    "tic_tac_toe",
    "kalah:pits=3,stones=2",
]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SOLVED)
def test_positions_of_solved_games(spec, tmp_path):
    with solutions_in(tmp_path):
        solution = solve(load_game(spec))
        span = load_game(spec).utility_range[1] - load_game(spec).utility_range[0]
        for here in solved_positions(spec, None, range(20)):
            truth = solution.value(here)
            for nodes in (10, 200, 10**7):
                found = interval(here, nodes, tolerance=1e-9)
                assert found.lower - 1e-9 * span <= truth <= found.upper + 1e-9 * span
            assert found.width <= 1e-8 * span
            tiny = interval(here, memory=0.05)
            assert tiny.lower - 1e-9 * span <= truth <= tiny.upper + 1e-9 * span


ENDS = [
    ("pig", "90 93 0 1 roll"),
    ("pig:dice=1", "88 90 4 2 decide"),
    ("backgammon", "EwAAsAAAAAAAAA 1 -"),
    ("backgammon", "ZwAAwCYAAAAAAA 1 -"),
    ("ewn", "..1../...../..2.f/.e.../.a... 1 2"),
    ("ewn", "1.2../.3.../...../...d./.e.f. 1 3"),
    ("ewn", "...../.1.2./...3f/.e..d/..... 2 -"),
    ("kalah:pits=4,stones=3", None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "text"), ENDS)
def test_positions_near_the_end(spec, text, tmp_path):
    with solutions_in(tmp_path):
        rules = load_game(spec)
        here = Position.start(rules) if text is None else Position.parse(rules, text)
        if spec.partition(":")[0] in ("pig", "backgammon"):
            solve_position(here)
        truth = exact_values(here).value(here)
        span = rules.utility_range[1] - rules.utility_range[0]
        for nodes in (100, 5_000, 500_000):
            found = interval(here, nodes)
            assert found.lower - 1e-9 * span <= truth <= found.upper + 1e-9 * span
