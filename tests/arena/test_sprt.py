"""The sequential test: against Fishtest's numbers, an independent maximisation, and its own promised error rates."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest

from astragal.arena.statistics.estimates import expected_score
from astragal.arena.statistics.sprt import Sprt, tally
from astragal.base.errors import AstragalError

# Pairs of games by score with elo0, elo1 and what Fishtest's own LLR_logistic computes for them.
FISHTEST = [
    ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
    ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
    ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
    ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ((0, 3, 65, 4, 2), 0, 5, 0.6755509925),
    ((141, 593, 1112, 666, 158), 0, 5, 2.1466073915),
    ((30, 40, 50), 0, 20, 1.4333717997704136),
]


def shifted(shares, elo):
    """The distribution of this shape (tilted exponentially) whose mean is the expected score at that Elo."""
    scores = np.linspace(0.0, 1.0, len(shares))
    low, high = -100.0, 100.0
    for _ in range(100):
        tilt = (low + high) / 2.0
        tilted = np.asarray(shares) * np.exp(tilt * (scores - 0.5))
        tilted /= tilted.sum()
        low, high = (tilt, high) if tilted @ scores < expected_score(elo) else (low, tilt)
    return tilted


def outcomes(sprt, distribution, runs, rng, most=5000):
    """The shares of tests that accepted H1 and H0, and how many pairs they took on average."""
    counts = np.zeros((runs, len(distribution)))
    going = np.arange(runs)
    accepted = [0, 0]
    played = 0
    for _ in range(most):
        played += len(going)
        counts[going, rng.choice(len(distribution), p=distribution, size=len(going))] += 1
        llrs = sprt.llrs(counts[going])
        above, below = llrs >= sprt.upper, llrs <= sprt.lower
        accepted[0] += np.count_nonzero(above)
        accepted[1] += np.count_nonzero(below)
        going = going[~(above | below)]
        if not len(going):
            break
    return accepted[0] / runs, accepted[1] / runs, played / runs


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), FISHTEST)
def test_the_log_likelihood_ratio_is_fishtests(counts, elo0, elo1, llr):
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=1e-9)


@pytest.mark.few(1)
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")  # SciPy 1.13 to 1.15
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((3, 20, 50, 22, 5), 0, 20),
        ((1, 4, 9, 12, 7, 5, 2), -30, 60),
        ((5, 1, 2, 9, 30, 1, 1, 4, 2, 3, 1, 1, 8), 0, 100),
    ],
)
def test_the_log_likelihood_ratio_is_that_of_a_numerical_maximisation(counts, elo0, elo1):
    optimize = pytest.importorskip("scipy.optimize")
    observed, scores = np.array(counts, dtype=float), np.linspace(0.0, 1.0, len(counts))

    def best(elo):
        mean = expected_score(elo)
        start = np.full(len(counts), 1.0 / len(counts))
        limits = (
            {"type": "eq", "fun": lambda p: p.sum() - 1.0},
            {"type": "eq", "fun": lambda p: p @ scores - mean},
        )
        found = optimize.minimize(
            lambda p: -observed @ np.log(p) / observed.sum(),
            start,
            jac=lambda p: -observed / p / observed.sum(),
            bounds=[(1e-9, 1.0)] * len(counts),
            constraints=limits,
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        assert found.success
        return -found.fun * observed.sum()

    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(best(elo1) - best(elo0), abs=1e-5)


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("shares", "elo0", "elo1"),
    [
        ((0.1, 0.2, 0.4, 0.2, 0.1), 0.0, 60.0),  # pairs with draws
        ((0.05, 0.0, 0.9, 0.0, 0.05), -40.0, 40.0),  # pairs whose dice decide nearly everything
        ((0.5, 0.0, 0.5), 0.0, 100.0),  # single games
        ([comb(6, i) for i in range(7)], 0.0, 40.0),  # pairs of six games
    ],
)
def test_the_error_rates_are_as_promised(shares, elo0, elo1):
    rng = np.random.default_rng(1)
    sprt, runs = Sprt(elo0, elo1, alpha=0.05, beta=0.1), 240
    wrong_h1, right_h0, _ = outcomes(sprt, shifted(shares, elo0), runs, rng)
    right_h1, wrong_h0, _ = outcomes(sprt, shifted(shares, elo1), runs, rng)
    assert wrong_h1 + right_h0 == right_h1 + wrong_h0 == pytest.approx(1.0)  # every test came to its end
    assert wrong_h1 < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / runs)
    assert wrong_h0 < 0.10 + 3.5 * math.sqrt(0.10 * 0.90 / runs)
    assert wrong_h0 > 0.0  # it does not buy its safety by playing on for ever


@pytest.mark.slow
@pytest.mark.interpreted
def test_it_stops_early():
    """A test of fixed length with these error rates needs n = (z_alpha + z_beta)^2 variance / distance^2 pairs."""
    shares = (0.1, 0.2, 0.4, 0.2, 0.1)
    sprt = Sprt(0.0, 60.0)
    variance = np.asarray(shares) @ (np.linspace(0.0, 1.0, 5) - 0.5) ** 2
    fixed = (2 * 1.645) ** 2 * variance / (expected_score(60.0) - 0.5) ** 2
    rng = np.random.default_rng(2)
    for elo in (0.0, 60.0):
        assert outcomes(sprt, shifted(shares, elo), 60, rng)[2] < 0.7 * fixed


def test_bounds_are_walds():
    sprt = Sprt(0, 10, alpha=0.05, beta=0.05)
    assert (sprt.lower, sprt.upper) == (pytest.approx(-2.9444390), pytest.approx(2.9444390))
    uneven = Sprt(0, 10, alpha=0.05, beta=0.2)
    assert (uneven.lower, uneven.upper) == (pytest.approx(math.log(4 / 19)), pytest.approx(math.log(16)))


def test_decisions():
    sprt = Sprt(0, 20)
    assert sprt.decision((0, 0, 0, 0, 0)) is None
    assert sprt.decision((3, 20, 50, 22, 5)) is None
    assert sprt.decision((12, 40, 60, 30, 8)) == "accept H0"
    assert sprt.decision((8, 30, 60, 60, 40)) == "accept H1"
    assert sprt.decision((0, 0, 0, 0, 300)) == "accept H1"
    assert sprt.decision((300, 0, 0, 0, 0)) == "accept H0"


def test_many_tests_at_once_are_as_one_after_the_other():
    counts = np.random.default_rng(3).integers(0, 40, size=(4, 3, 5)).astype(float)
    counts[0, 0] = 0.0
    at_once = Sprt(0, 30).llrs(counts)
    assert at_once.shape == (4, 3)
    assert at_once[0, 0] == 0.0
    assert at_once.tolist() == [[pytest.approx(Sprt(0, 30).llr(run)) for run in row] for row in counts]


def test_exchanging_the_players_mirrors_the_test():
    assert Sprt(-10, 30).llr((3, 20, 50, 22, 5)) == pytest.approx(-Sprt(-30, 10).llr((5, 22, 50, 20, 3)))


def test_matches_are_tallied_by_score():
    pairs = [[0, 0], [0, 0.5], [0.5, 0], [1, 0], [0.5, 0.5], [0.5, 1], [1, 1]]
    assert tally(pairs) == (1, 2, 2, 1, 1)
    assert tally([[1], [0], [1]], steps=1) == (1, 2)
    third = 1 / 3
    assert tally([[third, 2 * third], [1, third], [0, 0]], steps=3) == (1, 0, 0, 1, 1, 0, 0)
    assert len(tally([[1] * 14])) == 29
    with pytest.raises(AstragalError, match="multiples of 1/2"):
        tally([[third, 1]])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Sprt(20, 0), "elo0 must be below elo1: 20 and 0"),
        (lambda: Sprt(0, math.inf), "elo0 must be below elo1"),
        (lambda: Sprt(alpha=0.0), "alpha must lie between 0 and 1"),
        (lambda: Sprt(beta=5), "beta must lie between 0 and 1, not be 5"),
        (lambda: Sprt(alpha=0.6, beta=0.4), "add up to less than 1"),
        (lambda: Sprt().llr((5,)), "at least two numbers"),
        (lambda: Sprt().llr((5, -1, 2)), "none of them negative"),
    ],
)
def test_what_makes_no_test_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(AstragalError, match=sentence):
        call()
