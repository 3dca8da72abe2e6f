"""MSE, variance, bias and regret against cases that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from astragal import AstragalError
from astragal.lab.estimators import COLUMNS, OfStates, differences, mean_entry, ratio_entry
from astragal.lab.estimators import properties as properties_of_states
from astragal.lab.findings import Paper
from astragal.lab.parts.theorem import quantile_entry
from astragal.rules.dice import Dice


def properties(values, exact, regrets):
    return properties_of_states(OfStates.of(values, exact, regrets))


def test_two_states_by_hand():
    # state 1: runs 1 and 3 of a value 0: MSE 5 = variance 2 + squared bias 2^2 - 2/2; state 2: 5 and 5 of a value 6
    found = properties([[1.0, 3.0], [5.0, 5.0]], [0.0, 6.0], [[0.0, 2.0], [4.0, 4.0]])
    assert found.mse.mean == pytest.approx((5 + 1) / 2)
    assert found.variance.mean == pytest.approx((2 + 0) / 2)
    assert found.bias.mean == pytest.approx(math.sqrt((3 + 1) / 2))  # not the mean of the roots
    assert found.regret.mean == pytest.approx((1 + 4) / 2)
    assert found.mse.count == 2


@pytest.mark.few(1)
@pytest.mark.parametrize(("states", "runs"), [(400, 200), (20000, 4)])
def test_a_biased_coin_in_closed_form(states, runs):
    """Runs are V + b + s or V + b - s, each with probability 1/2: variance s^2, bias b, MSE b^2 + s^2."""
    dice, b, s = Dice(1), 3.0, 2.0
    exact = [float(dice.below(100)) for _ in range(states)]
    values = [[value + b + (s if dice.below(2) else -s) for _ in range(runs)] for value in exact]
    found = properties(values, exact, [[0.0]] * states)
    assert found.variance.mean == pytest.approx(s * s, rel=0.02)
    assert found.bias.mean == pytest.approx(b, rel=0.02)
    assert found.mse.mean == pytest.approx(b * b + s * s, rel=0.02)
    assert found.mse.low < b * b + s * s < found.mse.high


def test_mse_is_variance_and_squared_bias_in_every_case():
    generator = np.random.default_rng(5)
    values = generator.normal(10.0, 4.0, (50, 7))
    found = properties(values.tolist(), generator.normal(9.0, 2.0, 50).tolist(), values.tolist())
    assert found.mse.mean == pytest.approx(found.variance.mean + found.bias.mean**2)


def test_columns_carry_the_papers_numbers():
    columns = properties([[1.0]], [0.0], [[0.5]]).by_column(tuple(map(Paper, (78.7, 0.71, 8.83, 0.41))))
    assert tuple(columns) == COLUMNS
    assert [entry.paper.value for entry in columns.values() if entry.paper] == [78.7, 0.71, 8.83, 0.41]
    assert all(entry.paper is None for entry in properties([[1.0]], [0.0], [[0.5]]).by_column().values())


def test_nothing_to_go_by():
    with pytest.raises(AstragalError, match="there are no states"):
        properties([], [], [])
    with pytest.raises(AstragalError, match="a ratio to 0 is not defined"):
        ratio_entry([1.0], [0.0])


def test_means_and_ratios_with_their_intervals():
    entry = mean_entry([1.0, 2.0, 3.0, 4.0])
    assert entry.mean == 2.5
    assert entry.high - entry.mean == pytest.approx(1.96 * np.std([1, 2, 3, 4], ddof=1) / 2)
    ratio = ratio_entry([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((0.5, 0.5, 0.5))  # the same in every state
    assert ratio_entry([1.0, 5.0], [2.0, 4.0]).low < 1.0 < ratio_entry([1.0, 5.0], [2.0, 4.0]).high


def test_states_of_one_game_that_are_all_alike_are_worth_one():
    generator = np.random.default_rng(8)
    of_games = generator.normal(5.0, 1.0, 40)
    states, games = np.repeat(of_games, 10), np.repeat(np.arange(40).astype(str), 10)
    alone = mean_entry(of_games)
    assert mean_entry(states, games=games).error == pytest.approx(alone.error)
    assert mean_entry(states).error == pytest.approx(alone.error / math.sqrt(10), rel=0.02)
    independent = generator.normal(5.0, 1.0, 400)
    assert mean_entry(independent, games=games).error == pytest.approx(mean_entry(independent).error, rel=0.25)
    assert math.isinf(mean_entry([1.0, 2.0], games=["a", "a"]).high)


def test_differences_on_the_same_states_leave_out_what_both_err_in():
    """The same states are hard for both; one has 0.5 more bias, more variance, and no more regret."""
    generator, states = np.random.default_rng(9), 300
    exact = generator.normal(0.0, 30.0, states)
    hard = np.abs(generator.normal(9.0, 4.0, states))
    mine = OfStates.of(np.add((exact + hard * 1.05)[:, None], [[1.0, -1.0]]), exact, hard[:, None])
    theirs = OfStates.of((exact + hard)[:, None].repeat(2, 1), exact, hard[:, None])
    found, both = differences(mine, theirs), [properties_of_states(each) for each in (mine, theirs)]
    assert found.bias.mean == pytest.approx(both[0].bias.mean - both[1].bias.mean)
    assert found.bias.mean == pytest.approx(0.05 * both[1].bias.mean, rel=0.15)  # the correction for two runs aside
    assert found.bias.error < 0.1 * both[0].bias.error
    assert found.variance.mean == pytest.approx(2.0)
    assert found.mse.mean == pytest.approx(both[0].mse.mean - both[1].mse.mean)
    assert (found.regret.low, found.regret.high) == (0.0, 0.0)


def test_the_interval_of_a_ratio_covers_the_truth_as_often_as_it_says():
    generator, hits = np.random.default_rng(3), 0
    for _ in range(300):
        below = generator.gamma(4.0, 1.0, 60)
        above = 0.7 * below + generator.normal(0.0, 0.5, 60)
        found = ratio_entry(above, below)
        hits += found.low <= 0.7 <= found.high
    assert 270 <= hits <= 297  # 95% of 300 is 285


def test_quantiles():
    entry = quantile_entry([float(n) for n in range(1001)], 0.95)
    assert entry.mean == pytest.approx(950.0)
    assert entry.low == pytest.approx(950 - 1960 * math.sqrt(0.95 * 0.05 / 1001), abs=1.0)


def test_one_state_alone_says_nothing_of_its_error():
    assert math.isinf(mean_entry([3.0]).high)
    assert mean_entry([3.0], least=0.0).low == 0.0
