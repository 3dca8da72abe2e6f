"""Means of numbers of any size, such as the scores of games for one player, and of their differences.

Where players are compared by seeds that all of them play, the unit is the seed: differences are taken seed by seed, so
that what the seeds themselves are worth cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from astragal.arena.distributions import t_reach, t_tails
from astragal.errors import AstragalError
from astragal.game.ending import score_text


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its interval by Student's t, and what the numbers were like; one number says nothing of the mean's
    error, which is infinite then."""

    mean: float
    standard_error: float
    low: float
    high: float
    spread: float  # standard deviation
    worst: float
    best: float
    count: int

    def p_value(self) -> float:
        """How likely a mean at least this far from 0 is if that is the truth (two-sided)."""
        if self.mean == 0.0 or self.count < 2:
            return 1.0
        if self.standard_error == 0.0:
            return float(0.5 ** (self.count - 1))  # all alike, as signs could be
        return t_tails(self.mean / self.standard_error, self.count - 1)

    def superiority(self) -> float:
        """The likelihood that the true mean is above 0, given what was seen."""
        half = self.p_value() / 2.0
        return 1.0 - half if self.mean > 0.0 else half


def mean_of(numbers: Sequence[float], confidence: float = 0.95) -> MeanEstimate:
    """The mean of independent numbers."""
    if not numbers:
        raise AstragalError("there are no games to go by")
    found = np.asarray(numbers, dtype=np.float64)
    mean, count = float(found.mean()), len(found)
    spread = float(found.std(ddof=1)) if count > 1 else 0.0
    error = spread / math.sqrt(count) if count > 1 else math.inf
    reach = error * t_reach(confidence, count - 1) if count > 1 else math.inf
    return MeanEstimate(mean, error, mean - reach, mean + reach, spread, float(found.min()), float(found.max()), count)


def estimate_text(estimate: MeanEstimate, signed: bool = False) -> str:
    """A mean with its interval, where there is one."""
    mean = score_text(estimate.mean, signed)
    if math.isinf(estimate.standard_error):
        return mean
    return f"{mean} [{score_text(estimate.low, signed)}, {score_text(estimate.high, signed)}]"
