"""Sparse sampling: what is drawn at a chance node, from what key, and what the draws say of the true value."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from astragal.algorithms.star.outcomes import state_key
from astragal.algorithms.star.settings import Widths
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.rules.position import Position
from astragal.rules.random import keyed, upper
from support.helpers import by_python, slow_but
from support.star_searches import Job, draws, position, positions
from support.tree_games import Tree, leaf, low, roll, top, tree

ROLLING = position("pig:goal=40", "20 12 8 1 roll")
SEEDS = pytest.mark.parametrize("seeds", by_python(300, 4000))


# One chance node


@pytest.mark.parametrize("width", [1, 7, 200])
@pytest.mark.parametrize("sampling", ["independent", "stratified", "antithetic"])
def test_equal_samples_are_merged_with_their_multiplicity(width, sampling):
    legal = {outcome.number for outcome in ROLLING.outcomes()}
    for seed in range(20):
        drawn = draws(ROLLING, width, seed, sampling=sampling)
        assert drawn.keys() <= legal
        assert sum(drawn.values()) == pytest.approx(1)
        for share in drawn.values():
            assert share * width == pytest.approx(round(share * width))


@pytest.mark.parametrize("options", [{}, {"key": "path"}, {"common": True}, {"merge": True}, {"sampling": "distinct"}])
def test_a_node_that_draws_one_outcome_is_worth_what_the_definition_says(options):
    """It is searched by a path of its own, with and without bounds, whatever the widths above and below it are."""
    for widths in ("1", "3-1", "1-2-1"):
        for seed in range(3):
            jobs = [Job(ROLLING, name, 3, seed, width=widths, **options) for name in ("expss", "star1ss", "star2ss")]
            assert [job.window(-100.0, 100.0) for job in jobs] == pytest.approx([jobs[0].true_value()] * 3, abs=1e-9)


def crowded() -> Position:
    """A roll of five outcomes, four of whose numbers have the same lowest three bits; the fifth is the place after."""
    ends = [leaf(0) for _ in range(33)]
    fate = roll(*(ends[number - 1] for number in (1, 9, 2, 17, 33)))
    return Position.start(Tree("crowded", [fate, *ends]))


@pytest.mark.parametrize("here", [ROLLING, crowded()], ids=["pig", "crowded"])
def test_outcomes_are_told_apart_that_share_a_place(here):
    """Where more than a few are drawn, one is looked up by the lowest bits of its number."""
    rules, state = here.game._twin_, State(here.memory)
    for width, seed in [(2, 1), (30, 2), (500, 3)]:
        work = State(Job(here, "expss", 2, seed, width=width).work)
        with np.errstate(over="ignore"):
            key = interpreted(state_key)(work, state)
            one_by_one = [rules.draw(state, interpreted(upper)(interpreted(keyed)(key, i))) for i in range(width)]
        drawn = draws(here, width, seed)
        assert list(drawn) == list(dict.fromkeys(one_by_one))
        assert drawn == {outcome: number / width for outcome, number in Counter(one_by_one).items()}


def test_a_search_looks_at_an_outcome_once_however_often_it_was_drawn():
    job = Job(ROLLING, "expss", 1, width=1000)
    job.root()
    assert job.counts["leaves"] <= len(ROLLING.outcomes())


def test_the_same_key_draws_the_same_and_others_draw_others():
    assert draws(ROLLING, 20, seed=3) == draws(ROLLING, 20, seed=3)
    assert len({tuple(sorted(draws(ROLLING, 20, seed).items())) for seed in range(20)}) == 20


def test_a_wider_sample_begins_with_the_narrower_one():
    """Samples are numbered: the first three of ten are the three."""
    for seed in range(20):
        few, many = draws(ROLLING, 3, seed), draws(ROLLING, 10, seed)
        assert all(many[outcome] * 10 >= share * 3 - 1e-9 for outcome, share in few.items())


@pytest.mark.parametrize("key", ["state", "path"])
def test_draws_follow_the_probabilities_over_seeds(key):
    assert_shares([draws(ROLLING, 4, seed, key=key) for seed in range(300)], 4, ROLLING)


@pytest.mark.parametrize("scores", slow_but([5], [5, 40]))
def test_draws_follow_the_probabilities_over_states(scores):
    """Within one search, where all that differs is the state."""
    states = [position("pig:goal=40", f"{mine} {other} 0 1 roll") for mine, other in product(range(40), range(scores))]
    assert_shares([draws(here, 4, seed=9) for here in states], 4, ROLLING)


def test_the_samples_of_a_node_are_independent():
    """The chance that two samples are equal is the sum of the squared probabilities."""
    count = 600
    equal = sum(max(draws(ROLLING, 2, seed).values()) == 1 for seed in range(count)) / count
    expected = sum(outcome.probability**2 for outcome in ROLLING.outcomes())
    assert abs(equal - expected) < 4 * np.sqrt(expected * (1 - expected) / count)


def assert_shares(samples: list[dict[int, float]], width: int, here: Position) -> None:
    """Each outcome was drawn as often as its probability says, within 4 standard errors."""
    drawn: Counter[int] = Counter()
    for sample in samples:
        drawn.update({outcome: round(share * width) for outcome, share in sample.items()})
    total = width * len(samples)
    for outcome in here.outcomes():
        error = np.sqrt(outcome.probability * (1 - outcome.probability) / total)
        assert abs(drawn[outcome.number] / total - outcome.probability) < 4 * error


# The estimate of depth 1


def estimates(here: Position, width: int, count: int, **options: object) -> np.ndarray:
    job = Job(here, "expss", 1, width=width, **options)
    return np.array([job.set_seed(seed).root()[0] for seed in range(count)])


def moments(here: Position) -> tuple[float, float]:
    """The mean and the variance of the evaluation after one outcome."""
    chances = np.array([outcome.probability for outcome in here.outcomes()])
    values = np.array([here.deal(outcome.number).evaluations()[0] for outcome in here.outcomes()])
    mean = float(chances @ values)
    return mean, float(chances @ (values - mean) ** 2)


UNEVEN = tree(roll(-10, 3, 10, weights=(1, 5, 2)))


@pytest.mark.few(4)
@pytest.mark.parametrize("here", [ROLLING, UNEVEN], ids=["pig", "tree"])
@pytest.mark.parametrize("width", [1, 5, 20])
@pytest.mark.parametrize("key", ["state", "path"])
@SEEDS
def test_the_estimate_is_unbiased_and_has_the_variance_of_a_mean(here, width, key, seeds):
    mean, variance = moments(here)
    found = estimates(here, width, seeds, key=key)
    squares = (found - mean) ** 2
    assert abs(np.mean(found) - mean) < 4 * np.sqrt(variance / width / seeds)
    assert abs(np.mean(squares) - variance / width) < 4 * np.std(squares) / np.sqrt(seeds)


@SEEDS
def test_the_estimate_of_an_action_is_unbiased_at_a_decision(seeds):
    here = position("pig:goal=40", "20 12 8 1 decide")
    job = Job(here, "expss", 1, width=5)
    found = np.array([job.set_seed(seed).root() for seed in range(seeds)])
    for action, values in zip(here.actions(), found.T, strict=True):
        mean, variance = moments(here.play(action))
        assert abs(np.mean(values) - mean) < 4 * np.sqrt(variance / 5 / seeds)


@SEEDS
def test_stratified_samples_are_unbiased_and_vary_less(seeds):
    mean, variance = moments(ROLLING)
    found = estimates(ROLLING, 6, seeds, sampling="stratified")
    assert abs(np.mean(found) - mean) < 4 * np.sqrt(np.var(found) / seeds)
    assert np.var(found) < 0.5 * variance / 6


# Keys and transpositions


def transposing() -> Position:
    """Two actions whose only replies lead to the same roll."""
    fate = roll(-10, -3, 1, 4, 10)
    return tree(top(low(fate), low(fate)))


def test_keyed_by_state_a_roll_brings_the_same_on_every_path():
    for seed in range(20):
        first, second = Job(transposing(), "expss", 2, seed, width=2, key="state").root()
        assert first == second


def test_keyed_by_path_a_roll_brings_something_else_on_another_path():
    job = Job(transposing(), "expss", 2, width=2, key="path")
    found = np.array([job.set_seed(seed).root() for seed in range(200)])
    assert np.mean(found[:, 0] != found[:, 1]) > 0.5
    assert abs(np.corrcoef(found.T)[0, 1]) < 4 / np.sqrt(len(found))
    mean = 0.4
    assert np.abs(found.mean(axis=0) - mean).max() < 4 * found.std() / np.sqrt(len(found))


@pytest.mark.parametrize("key", ["state", "path"])
@SEEDS
def test_different_rolls_are_drawn_independently(key, seeds):
    """The rolls after two actions have the same outcomes, but do not come out the same."""
    here = position("pig:goal=40", "0 0 8 1 decide")
    job = Job(here, "expss", 1, width=2, key=key)
    found = np.array([job.set_seed(seed).root() for seed in range(seeds)])
    assert abs(np.corrcoef(found.T)[0, 1]) < 4 / np.sqrt(len(found))


# Widths


def test_each_level_has_the_width_that_is_its_own():
    """One action and one roll a level, all outcomes different: the leaves are the product of the widths."""
    here = position("pig:goal=1000", "0 0 500 1 decide")
    for width, most in (("1", (1, 1, 1)), ("3-2-1", (3, 2, 1)), ("2", (2, 2, 2)), ("1-3", (1, 3, 3))):
        largest = 0
        for seed in range(8):
            job = Job(here, "expss", 3, seed, width=width)
            job.root()
            leaves = 2**3 * most[0] * most[1] * most[2]
            assert job.counts["leaves"] <= leaves
            largest = max(largest, job.counts["leaves"])
        assert largest > leaves / 2


def test_widths_are_read_from_the_root_downwards():
    widths = Widths("20-10-5")
    assert [widths.at_level(level) for level in range(5)] == [20, 10, 5, 5, 5]
    job = Job(positions("pig", 1)[0], "expss", 5, width="20-10-5")
    assert job.work["widths"][0, :5].tolist() == [5, 5, 5, 10, 20]  # by remaining depth
