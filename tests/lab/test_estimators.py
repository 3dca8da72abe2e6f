"""MSE, variance, bias and regret against cases that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from astragal import AstragalError
from astragal.game.dice import Dice
from astragal.lab.estimators import COLUMNS, mean_entry, properties, ratio_entry
from astragal.lab.findings import Paper
from astragal.lab.parts.theorem import quantile_entry


def test_two_states_by_hand():
    # state 1: runs 1 and 3 of a value 0: MSE 5 = variance 2 + squared bias 2^2 - 2/2; state 2: 5 and 5 of a value 6
    found = properties([[1.0, 3.0], [5.0, 5.0]], [0.0, 6.0], [[0.0, 2.0], [4.0, 4.0]])
    assert found.mse.mean == pytest.approx((5 + 1) / 2)
    assert found.variance.mean == pytest.approx((2 + 0) / 2)
    assert found.bias.mean == pytest.approx(math.sqrt((3 + 1) / 2))  # not the mean of the roots
    assert found.regret.mean == pytest.approx((1 + 4) / 2)
    assert found.mse.count == 2


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
    with pytest.raises(AstragalError, match="no ratio to nothing"):
        ratio_entry([1.0], [0.0])


def test_means_and_ratios_with_their_intervals():
    entry = mean_entry([1.0, 2.0, 3.0, 4.0])
    assert entry.mean == 2.5
    assert entry.high - entry.mean == pytest.approx(1.96 * np.std([1, 2, 3, 4], ddof=1) / 2)
    ratio = ratio_entry([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((0.5, 0.5, 0.5))  # the same in every state
    assert ratio_entry([1.0, 5.0], [2.0, 4.0]).low < 1.0 < ratio_entry([1.0, 5.0], [2.0, 4.0]).high


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
