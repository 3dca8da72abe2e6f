"""Monte Carlo Search: its two phases, what is certain, and what it converges to."""

from __future__ import annotations

import math

import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import fewer
from support.star_searches import positions
from support.tree_games import leaf, low, random_tree, roll, top, tree


def search(here: Position, settings: str = "", seed: int = 0, sims: int = 1000) -> SearchResult:
    return load_player(f"mcs:{settings}" if settings else "mcs", here.game).search(here, seed, Limits(sims=sims))


def random_value(here: Position) -> float:
    """Player 0's expected utility when everybody plays at random."""
    if here.is_terminal:
        return here.utilities()[0]
    if here.is_chance:
        return sum(o.probability * random_value(here.deal(o.number)) for o in here.outcomes())
    values = [random_value(here.play(action)) for action in here.actions()]
    return sum(values) / len(values)


def expanded_value(here: Position, levels: int, searcher: int) -> float:
    """What Monte Carlo Search converges to: the best and worst of random play after this many levels."""
    sign = 1.0 if searcher == 0 else -1.0
    if here.is_terminal or levels == 0:
        return sign * random_value(here)
    if here.is_chance:
        after = [(o.probability, here.deal(o.number)) for o in here.outcomes()]
        return sum(p * expanded_value(child, levels - child.is_chance, searcher) for p, child in after)
    values = [expanded_value(here.play(action), levels - 1, searcher) for action in here.actions()]
    return max(values) if here.turn == searcher else min(values)


def small_trees(count: int) -> list[Position]:
    return [random_tree(500 + seed, layers=4, breadth=3 + seed % 3, ends=15) for seed in range(count)]


@pytest.mark.compiled
@pytest.mark.parametrize("levels", [0, 1, 2, 3])
def test_converges_to_the_best_of_random_play_after_its_levels(levels):
    for here in small_trees(8):
        if here.is_chance:
            continue
        result = search(here, f"levels={levels}", 1, 400_000)
        for row in result.actions:
            if row.bound == "not searched":
                assert result.value == 10.0  # a certain win ended the search
                continue
            expected = expanded_value(here.play(row.number), levels, here.turn)
            assert row.value == pytest.approx(expected, abs=0.25)
        best = max((row for row in result.actions if row.value is not None), key=lambda row: row.value)
        assert result.value == best.value


@pytest.mark.compiled
def test_a_chance_root_is_worth_the_mean_of_its_outcomes():
    here = tree(roll(top(leaf(4.0), leaf(8.0)), -2.0, weights=(1, 3)))
    assert search(here, "levels=1").value == pytest.approx(0.25 * 8.0 - 0.75 * 2.0)
    assert search(here, "levels=1").action is None
    assert search(here, "levels=0", sims=40_000).value == pytest.approx(0.25 * 6.0 - 0.75 * 2.0, abs=0.1)


def test_a_tree_within_the_levels_needs_no_probe():
    here = tree(top(low(3.0, 5.0), low(roll(2.0, 9.0), 6.0), 4.0))
    result = search(here, "levels=2")
    assert result.simulations == 0
    assert result.complete
    assert [(row.value, row.bound) for row in result.actions] == [(5.5, "proven"), (4.0, "proven"), (3.0, "proven")]


def test_levels_to_the_end_of_tic_tac_toe_are_minimax():
    here = Position.start(load_game("tic_tac_toe")).play("a1").play("b1").play("b2")
    result = search(here, "levels=9")
    assert result.complete
    assert result.value == -1.0  # two ways to win are open


def test_a_certain_best_score_is_returned_at_once():
    here = tree(top(leaf(10.0), top(low(1.0, 2.0), 3.0)))
    result = search(here, "levels=0")
    assert (result.value, result.simulations) == (10.0, 0)
    assert [row.bound for row in result.actions] == ["proven", "not searched"]
    deeper = tree(top(low(top(leaf(10.0), low(0.0, 1.0)), leaf(10.0)), leaf(1.0)))
    assert search(deeper, "levels=2").simulations == 0


@pytest.mark.compiled
def test_a_mean_of_the_best_score_is_not_certain():
    """The book's `if (result==100)` takes a lucky mean for a sure win; here only ends of the game are sure."""
    here = tree(top(low(10.0, 10.0, 10.0, -10.0), leaf(1.0)))
    for seed in range(20):
        once = search(here, "probes=1", seed, 1)  # a mean of 10 for three of four seeds
        assert once.simulations == 1
        assert "not searched" not in [row.bound for row in once.actions]
    result = search(here, "probes=1", 0, 40_000)
    assert result.simulations == 40_000
    assert max(row.value for row in result.actions) == pytest.approx(5.0, abs=0.2)


def test_each_state_of_the_fringe_gets_its_probes():
    here = Position.start(load_game("ewn"), 3).settled(3)
    count = len(here.actions())
    result = search(here, "probes=4", 1, 4 * count)
    assert [row.visits for row in result.actions] == [4] * count
    assert result.simulations == 4 * count
    more = search(here, "probes=4", 1, 12 * count)
    assert [row.visits for row in more.actions] == [12] * count


def test_a_search_that_is_stopped_in_its_first_pass_says_what_it_knows():
    here = Position.start(load_game("ewn"), 3).settled(3)
    result = search(here, "probes=10", 1, 12)
    assert result.simulations == 12
    assert [row.bound for row in result.actions].count("estimate") == 1
    nothing = search(here, "probes=10", 1, 3)
    assert nothing.value is None
    assert nothing.action_number in here.actions()


def test_the_same_seed_gives_the_same_answer():
    for here in [p for p in positions("pig", 4) if not p.is_chance][: fewer(4, 4)]:
        first, again, other = (search(here, "levels=1", seed, fewer(1000, 5)) for seed in (5, 5, 6))
        assert first.actions == again.actions != other.actions


@pytest.mark.slow
def test_flat_search_of_pig_agrees_with_random_games():
    here = Position.parse(load_game("pig:goal=30"), "10 12 8 1 decide")
    result = search(here, "", 3, 200_000)
    dice = Dice(1)
    for row in result.actions:
        total, games = 0.0, 3000
        for _ in range(games):
            end = here.play(row.number)
            while not end.is_terminal:
                actions = end.actions()
                end = end.play(actions[dice.below(len(actions))]) if actions else end.sample(dice)
            total += end.utilities()[0]
        assert row.value == pytest.approx(total / games, abs=5 * 100 / math.sqrt(games))


def test_a_full_tree_is_probed_where_it_ends():
    here = Position.start(load_game("ewn"), 3).settled(3)
    result = search(here, "levels=4,memory=0.05", 1, fewer(5000))
    assert result.simulations == fewer(5000)
    assert result.counts["slots"] <= 0.05 * 2**20 / 24


@pytest.mark.slow
def test_random_games_by_the_order_come_to_an_end():
    """A random game of Focus takes more than a thousand moves, one by the order about thirty."""
    position = Position.start(load_game("focus:cap=5000"))
    moves = {}
    for policy in ("uniform", "order"):
        found = load_player(f"mcs:policy={policy},epsilon=0.05", position.game).search(position, 1, Limits(sims=200))
        moves[policy] = found.counts["rollout_moves"] / found.counts["sims"]
    assert moves["uniform"] > 500
    assert 20 < moves["order"] < 45
