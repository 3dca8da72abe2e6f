"""The luck-adjusted estimate, on a race whose truth is known: unbiased, its errors honest, better than plain scores."""

from __future__ import annotations

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest

from astragal.arena.luck import luck_adjusted, slopes_of_the_others
from astragal.arena.statistics.estimates import paired
from astragal.base.errors import AstragalError

ROUNDS = 4
STEPS = np.array([-2, -1, 0, 1, 2])  # what the dice of a round move the race by, all equally likely
SKILL = np.array([-1, 0, 1, 2])  # what the player's own moves add in the end, all equally likely

normal_cdf = np.vectorize(NormalDist().cdf)


def value(lead, rounds_left):
    """A rough evaluator's value of a lead: it ignores skill, and takes sums of dice as normal."""
    return normal_cdf(lead / math.sqrt(2.0 * rounds_left + 1.0))


TABLE = np.array([value(np.arange(-20.0, 21.0), left) for left in range(ROUNDS + 1)])  # by rounds left and lead + 20


def race(dice, skill):
    """The player's score and luck in races, given the dice of their rounds (last axis) and its skill."""
    lead = np.zeros(dice.shape[:-1], dtype=int)
    luck = np.zeros(dice.shape[:-1])
    for round_ in range(ROUNDS):
        values = TABLE[ROUNDS - 1 - round_]
        expected = np.mean([values[lead + step + 20] for step in STEPS], axis=0)
        lead = lead + dice[..., round_]
        luck += values[lead + 20] - expected
    return (np.sign(lead + skill) + 1.0) / 2.0, luck


def races(rng, *shape):
    return race(rng.choice(STEPS, size=(*shape, ROUNDS)), rng.choice(SKILL, size=shape))


def truth():
    """The player's expected score, over all dice and skills."""
    dice = np.array(list(product(STEPS, repeat=ROUNDS)))
    return float(np.mean([race(dice, skill)[0].mean() for skill in SKILL]))


def test_luck_is_zero_on_average_with_this_rough_evaluator_too():
    dice = np.array(list(product(STEPS, repeat=ROUNDS)))
    assert race(dice, 0)[1].mean() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.few(2)
@pytest.mark.parametrize("games", [2, 3, 5, 12])
def test_the_estimate_is_unbiased_over_few_games(games):
    runs = 2000 // games
    scores, lucks = races(np.random.default_rng(games), runs, games, 1)
    means = np.array([luck_adjusted(s, x).mean for s, x in zip(scores, lucks, strict=True)])
    assert abs(means.mean() - truth()) < 4.5 * means.std() / math.sqrt(runs)


@pytest.mark.slow
def test_fitting_to_the_same_games_would_be_biased_and_leaving_each_out_is_not():
    """Luck that comes rarely but then decides, seen in three games: the textbook's control variate misses the mean."""
    rng = np.random.default_rng(1)
    runs = 20_000
    luck = rng.choice([-0.1, 0.9], p=[0.9, 0.1], size=(runs, 3))
    scores = np.where(luck > 0.0, 1.0, rng.random((runs, 3)) ** 8)
    mean = 0.1 + 0.9 / 9.0
    fitted = [x.mean() * slope(x, y) for x, y in zip(luck, scores, strict=True)]
    biased = scores.mean(axis=1) - fitted
    ours = np.array([luck_adjusted(y[:, None], x[:, None]).mean for x, y in zip(luck, scores, strict=True)])
    assert abs(biased.mean() - mean) > 10.0 * biased.std() / math.sqrt(runs)
    assert abs(ours.mean() - mean) < 4.5 * ours.std() / math.sqrt(runs)


def slope(x, y):
    spread = np.sum((x - x.mean()) ** 2)
    return np.sum((x - x.mean()) * (y - y.mean())) / spread if spread > 1e-12 else 0.0


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 2])
def test_the_truth_lies_in_the_interval_in_the_right_share_of_runs_and_the_saving_is_real(games):
    rng = np.random.default_rng(3)
    runs, pairs = 2000, 60
    scores, lucks = races(rng, runs, pairs, games)
    adjusted = [luck_adjusted(s, x) for s, x in zip(scores, lucks, strict=True)]
    plain_variance = scores.mean(axis=(1, 2)).var()
    variance = np.var([a.mean for a in adjusted])
    inside = np.mean([a.low <= truth() <= a.high for a in adjusted])
    assert inside == pytest.approx(0.95, abs=4.5 * math.sqrt(0.95 * 0.05 / runs))
    assert np.mean([a.standard_error**2 for a in adjusted]) == pytest.approx(variance, rel=0.15)
    saved = np.mean([a.variance_saved for a in adjusted])
    assert saved == pytest.approx(1.0 - variance / plain_variance, abs=0.06)
    assert saved > 0.4


@pytest.mark.parametrize("shared", [2, ROUNDS])
def test_pairs_with_the_same_dice_and_exchanged_seats_are_adjusted_by_match(shared):
    rng = np.random.default_rng(4)
    dice = rng.choice(STEPS, size=(4000, 2, ROUNDS))
    dice[:, 1, :shared] = -dice[:, 0, :shared]
    scores, lucks = race(dice, rng.choice(SKILL, size=(4000, 2)))
    plain, adjusted = paired(scores), luck_adjusted(scores, lucks)
    assert abs(adjusted.mean - truth()) < 4.5 * adjusted.standard_error
    assert adjusted.pairs == 4000
    assert adjusted.variance_saved == pytest.approx(1.0 - (adjusted.standard_error / plain.standard_error) ** 2)
    if shared < ROUNDS:
        assert adjusted.variance_saved > 0.3
    else:  # the luck of the two games cancels out but for rounding, which is not to be fitted to
        assert (adjusted.coefficient, adjusted.variance_saved) == (0.0, pytest.approx(0.0, abs=1e-12))


def test_luck_that_decides_everything_leaves_nothing_else():
    luck = np.random.default_rng(5).choice([-0.4, 0.6], p=[0.6, 0.4], size=(200, 1))
    adjusted = luck_adjusted(luck + 0.4, luck)
    assert adjusted.mean == pytest.approx(0.4)
    assert adjusted.coefficient == pytest.approx(1.0)
    assert adjusted.variance_saved == pytest.approx(1.0)
    assert adjusted.luck == pytest.approx(luck.mean())
    assert (adjusted.low, adjusted.high) == (paired(luck + 0.4).low, paired(luck + 0.4).high)


def test_a_clean_sweep_is_not_taken_for_certain():
    luck = np.random.default_rng(8).standard_normal((5, 1))
    adjusted = luck_adjusted(np.ones((5, 1)), luck)
    assert (adjusted.mean, adjusted.standard_error, adjusted.variance_saved) == (1.0, 0.0, 0.0)
    assert adjusted.low == paired(np.ones((5, 1))).low < 0.6


def test_luck_that_says_nothing_costs_next_to_nothing():
    rng = np.random.default_rng(6)
    scores, noise = (rng.random((500, 1)) < 0.6).astype(float), rng.standard_normal((500, 1))
    assert luck_adjusted(scores, noise).variance_saved == pytest.approx(0.0, abs=0.03)
    without = luck_adjusted(scores, np.zeros((500, 1)))
    assert (without.mean, without.variance_saved) == (pytest.approx(scores.mean()), pytest.approx(0.0))


def test_rounding_is_no_luck():
    """Of an evaluator that does not look at the dice; it may go with results."""
    generator = np.random.default_rng(3)
    scores = generator.integers(0, 2, (200, 2)).astype(float)
    found, plain = luck_adjusted(scores, 1e-16 * (scores + 1.0)), paired(scores)
    assert found.mean == pytest.approx(plain.mean)
    assert found.coefficient == 0.0


def test_each_slope_is_that_of_the_other_points():
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal(9), rng.standard_normal(9)
    for i, ours in enumerate(slopes_of_the_others(x, y)):
        assert ours == pytest.approx(np.polyfit(np.delete(x, i), np.delete(y, i), 1)[0])
    lone = slopes_of_the_others(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]))
    assert lone[3] == 0.0  # the others had no luck to learn from
    assert lone[0] != 0.0


@pytest.mark.parametrize(
    ("scores", "lucks", "sentence"),
    [
        ([[1.0], [0.0]], [[0.1]], "every game needs its score and its luck"),
        ([[1.0]], [[0.1]], "at least two pairs"),
        ([[1.0], [0.0]], [[0.1], [math.nan]], "luck must be a finite number"),
        ([[1.0], [2.0]], [[0.1], [0.1]], "scores must lie between 0 and 1"),
        ([], [], "no games"),
    ],
)
def test_what_cannot_be_adjusted_is_refused_in_a_sentence(scores, lucks, sentence):
    with pytest.raises(AstragalError, match=sentence):
        luck_adjusted(scores, lucks)
