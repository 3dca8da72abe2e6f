"""A luck-adjusted estimate of a player's score: what the dice gave is taken off.

The luck of a game is the sum, over its chance events, of value(after) - expected value(before), where one evaluator
values the positions for the player, whoever plays. Its mean is 0 by construction, for good evaluators and bad ones. So

    score - b * luck

has the same mean as the score for every b fixed beforehand; the better the evaluator, the less it varies (a control
variate; Zinkevich et al. 2006 do so in poker). The best b is the slope of the score on the luck. Fitting it to the same
games would bias the estimate, so the b of each pair is fitted to all other pairs: they know nothing of this pair's
luck, and the estimate is unbiased for any number of pairs. Its interval takes a few dozen pairs to be right;
with fewer it is too narrow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from astragal.arena.distributions import t_reach
from astragal.arena.statistics import SAME, Pairs, as_rows, as_scores, paired
from astragal.errors import AstragalError

NONE = 1e-9  # of a win, or of the largest luck of a game: what is smaller than that is rounding


@dataclass(frozen=True)
class Adjusted:
    """A mean score without the luck, with its standard error and interval."""

    mean: float
    standard_error: float
    low: float
    high: float
    variance_saved: float  # the share of the plain estimate's variance that is gone; below 0 if luck explains nothing
    coefficient: float  # b, on average
    luck: float  # the mean luck of a game that was taken off, before the coefficient
    pairs: int


def luck_adjusted(pairs: Pairs, luck: Pairs, confidence: float = 0.95) -> Adjusted:
    """The mean score over pairs, less what the luck of their games explains.

    Give both numbers for each game of each pair; games that were played alone are rows of one game. Where nothing
    is left to vary, the interval is that of the plain scores: a few pairs that agree are no proof.
    """
    scores, lucks = as_scores(pairs), as_rows(luck)
    if scores.shape != lucks.shape:
        raise AstragalError("every game needs its score and its luck")
    if not np.isfinite(lucks).all():
        raise AstragalError("luck must be a finite number")
    count = len(scores)
    if count < 2:
        raise AstragalError("adjusting for luck needs at least two pairs")
    score, x = scores.mean(axis=1), lucks.mean(axis=1)
    x[np.abs(x) < NONE * max(1.0, np.abs(lucks).max())] = 0.0  # exchanged seats, or an evaluator that does not look
    slopes = slopes_of_the_others(x, score)
    adjusted = score - slopes * x
    mean, error = float(adjusted.mean()), math.sqrt(float(adjusted.var(ddof=1)) / count)
    plain = paired(scores, confidence)
    if float(np.ptp(adjusted)) < SAME:
        low, high = plain.low, plain.high
    else:
        half = t_reach(confidence, count - 1) * error
        low, high = max(0.0, mean - half), min(1.0, mean + half)
    saved = 1.0 - (error / plain.standard_error) ** 2 if plain.standard_error else 0.0
    return Adjusted(mean, error, low, high, saved, float(slopes.mean()), float(x.mean()), count)


def slopes_of_the_others(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each point the least-squares slope of y on x through all the others; 0 where their x are all the same."""
    count = len(x)
    dx, dy = x - x.mean(), y - y.mean()
    weight = count / (count - 1.0)  # what leaving a point out takes from the sums around the mean
    squares = np.sum(dx * dx) - weight * dx * dx
    products = np.sum(dx * dy) - weight * dx * dy
    usable = squares > NONE**2 * np.sum(dx * dx)
    return np.where(usable, products / np.where(usable, squares, 1.0), 0.0)
