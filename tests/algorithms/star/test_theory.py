"""Theorem 1: the bound, the width it asks for, and that sampled values keep what it promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.algorithms.star.theory import log_failure, smallest_width, theorem1_bound
from astragal.base.errors import AstragalError
from support.star_searches import Job, position


@pytest.mark.parametrize(("depth", "width"), [(1, 69), (2, 124), (3, 183)])
def test_the_width_for_two_actions_and_half_the_range(depth, width):
    assert smallest_width(depth, actions=2, error=0.5, confidence=0.95, v_max=1) == width
    assert smallest_width(depth, actions=2, error=50, confidence=0.95, v_max=100) == width
    assert theorem1_bound(width, depth, 2, 0.5, 1) >= 0.95 > theorem1_bound(width - 1, depth, 2, 0.5, 1)


def test_the_bound_is_the_papers_formula():
    for width, depth in ((69, 1), (124, 2), (200, 3), (150, 2)):
        failure = (2 * width * 2) ** depth * math.exp(-(0.5**2) * width / 2)
        assert theorem1_bound(width, depth, 2, 0.5, 1) == pytest.approx(1 - failure)


def test_the_bound_says_nothing_where_it_would_be_negative():
    assert theorem1_bound(1, 1, 2, 0.5, 1) == 0
    assert theorem1_bound(10**6, 60, 1000, 1e-3, 1) == 0  # (2 c |A|)^d is too large for a float


def test_the_chance_of_failure_grows_with_the_width_at_first():
    """Up to 2 d v_max^2 / lambda^2, here 16: why the smallest width is looked for to the right of that."""
    logs = [log_failure(width, 2, 2, 0.5, 1) for width in range(1, 200)]
    assert logs[:16] == sorted(logs[:16])
    assert logs[15:] == sorted(logs[15:], reverse=True)


@given(
    st.integers(1, 6), st.integers(1, 200), st.floats(0.05, 2.0), st.floats(0.01, 0.999), st.sampled_from([1.0, 100.0])
)
def test_the_smallest_width_is_the_smallest_to_the_right_of_the_least_bound(depth, actions, error, confidence, v_max):
    width = smallest_width(depth, actions, error * v_max, confidence, v_max)
    least = 2 * depth / error**2
    assert width >= least
    assert theorem1_bound(width, depth, actions, error * v_max, v_max) >= confidence
    if width - 1 >= least:
        assert theorem1_bound(width - 1, depth, actions, error * v_max, v_max) < confidence


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 2, 0.5, 0.9, 1), "depth"),
        ((1, 0, 0.5, 0.9, 1), "action"),
        ((1, 2, 0, 0.9, 1), "error"),
        ((1, 2, 2.5, 0.9, 1), "error"),
        ((1, 2, 0.5, 0, 1), "confidence"),
        ((1, 2, 0.5, 1, 1), "confidence"),
        ((1, 2, 0.5, 0.9, 0), "value"),
        ((1, 2, 0.5, 0.9, math.inf), "value"),
        ((1, 2, math.nan, 0.9, 1), "error"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments, said):
    with pytest.raises(AstragalError, match=said):
        smallest_width(*arguments)


def test_a_width_of_nothing_is_refused():
    with pytest.raises(AstragalError, match="width"):
        theorem1_bound(0, 1, 2, 0.5, 1)


def failures(text: str, depth: int, width: int, error: float, seeds: int) -> float:
    """The share of seeds with which star1ss at a position of Pig is more than error * depth off the exact value."""
    here = position("pig:goal=40", text)
    true = Job(here, "exp", depth).true_value()
    job = Job(here, "star1ss", depth, width=width)
    found = np.array([max(job.set_seed(seed).root()) for seed in range(seeds)])
    return float(np.mean(np.abs(found - true) > error * depth))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("depth", "width", "seeds"), [(1, 69, 500), (2, 124, 300), (3, 183, 100)])
@pytest.mark.parametrize("text", ["10 10 8 1 decide", "30 35 10 1 decide", "0 38 20 1 decide"])
def test_failures_are_rarer_than_the_bound_allows(depth, width, seeds, text):
    assert failures(text, depth, width, 50, seeds) <= 1 - theorem1_bound(width, depth, 2, 50, 100)


@pytest.mark.slow
def test_failures_happen_where_the_bound_says_nothing():
    """With a single sample and a small error: that the share can be measured at all."""
    assert theorem1_bound(1, 1, 2, 5, 100) == 0
    assert failures("10 10 8 1 decide", 1, 1, 5, 500) > 0.5
