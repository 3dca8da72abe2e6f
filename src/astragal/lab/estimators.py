"""How good a search's values and moves are, against exact ones: the columns of Table 1 of Lanctot et al. 2013.

For each state the runs of a search are an estimator of its exact value V: MSE = mean (v - V)^2 = variance + bias^2,
with the variance of the runs about their own mean. Each column is the mean over states, but for the bias: what the work
prints is the root of the mean squared bias, so that MSE = variance + bias^2 in every row. Taken as they are, the
variance of n runs is too small by a factor of (n - 1) / n on average, and the squared bias too large by as much: little
with the work's 50 runs, a quarter with four. So both are corrected for it; their sum stays. A single run has none.

Intervals are over states. Those of one game are alike, and so are those of two that share their dice: where it is said
which a state is from, the error of a mean is that of sums over games (Liang & Zeger 1986). For values that makes
intervals a third wider, for regrets hardly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.lab.findings import REACH, Entry, Paper

COLUMNS = ("MSE", "Variance", "Bias", "Regret")
Rows = Sequence[Sequence[float]]  # [state][run]
Numbers = npt.NDArray[np.float64]  # [state]


@dataclass(frozen=True)
class Properties:
    """Of an estimator, each with its interval."""

    mse: Entry
    variance: Entry
    bias: Entry
    regret: Entry

    def by_column(self, paper: Sequence[Paper | None] = ()) -> dict[str, Entry]:
        entries = (self.mse, self.variance, self.bias, self.regret)
        printed = paper or (None,) * len(entries)
        return {
            column: replace(entry, paper=number)
            for column, entry, number in zip(COLUMNS, entries, printed, strict=True)
        }


@dataclass(frozen=True)
class OfStates:
    """An estimator's variance, squared bias and regret in each state, and the game that each state is from."""

    variances: Numbers
    squared_biases: Numbers
    regrets: Numbers
    games: Sequence[str] | None = None

    @classmethod
    def of(cls, values: Rows, exact: Sequence[float], regrets: Rows, games: Sequence[str] | None = None) -> OfStates:
        """Of a search of states that were each searched several times."""
        if not len(values):
            raise AstragalError("there are no states to compute from")
        means = np.array([np.mean(runs) for runs in values])
        variances = np.array([np.var(runs, ddof=min(1, len(runs) - 1)) for runs in values])
        counts = np.array([len(runs) for runs in values])
        squared_biases = (means - np.asarray(exact, float)) ** 2 - variances / counts
        return cls(variances, squared_biases, np.array([np.mean(runs) for runs in regrets]), games)

    @property
    def squared_errors(self) -> Numbers:
        return self.variances + self.squared_biases

    @property
    def bias(self) -> float:
        return math.sqrt(max(0.0, float(self.squared_biases.mean())))

    def mean(self, numbers: Numbers, least: float = -math.inf) -> Entry:
        return mean_entry(numbers, least, games=self.games)


def properties(found: OfStates) -> Properties:
    """The properties of a search over states."""
    squared = found.mean(found.squared_biases)
    low, high = (math.sqrt(max(0.0, end)) for end in (squared.low, squared.high))
    return Properties(
        found.mean(found.squared_errors, least=0.0),
        found.mean(found.variances, least=0.0),
        Entry(found.bias, low, high, squared.count),
        found.mean(found.regrets, least=0.0),
    )


def differences(mine: OfStates, theirs: OfStates) -> Properties:
    """How much larger the properties of one search are than those of another of the same states, with the errors that
    are left where both err alike. To first order a bias changes by its square over twice the bias."""
    biases = [each.squared_biases / (2 * each.bias) if each.bias else 0 * each.variances for each in (mine, theirs)]
    around, bias = mine.mean(biases[0] - biases[1]), mine.bias - theirs.bias
    return Properties(
        mine.mean(mine.squared_errors - theirs.squared_errors),
        mine.mean(mine.variances - theirs.variances),
        Entry(bias, bias + around.low - around.mean, bias + around.high - around.mean, around.count),
        mine.mean(mine.regrets - theirs.regrets),
    )


def mean_entry(
    values: npt.ArrayLike, least: float = -math.inf, most: float = math.inf, games: Sequence[str] | None = None
) -> Entry:
    """A mean with its normal interval, cut where no mean can be; one number alone, or one game, says nothing of its
    error."""
    numbers = np.asarray(values, float)
    mean, count = float(numbers.mean()), len(numbers)
    of_game = np.unique(games, return_inverse=True)[1] if games is not None else np.arange(count)
    sums = np.bincount(of_game, numbers - mean)
    independent = len(sums)
    spread = float((sums**2).sum()) * independent / max(1, independent - 1)
    reach = REACH * math.sqrt(spread) / count if independent > 1 else math.inf
    return Entry(mean, max(least, mean - reach), min(most, mean + reach), count)


def share_entry(shares: npt.ArrayLike) -> Entry:
    """A mean of shares, one for each state."""
    return mean_entry(shares, 0.0, 1.0)


def ratio_entry(mine: npt.ArrayLike, theirs: npt.ArrayLike) -> Entry:
    """The ratio of two means over the same states, with the interval of the difference that it leaves in each state."""
    numerators, denominators = np.asarray(mine, float), np.asarray(theirs, float)
    below = float(denominators.mean())
    if below == 0.0:
        raise AstragalError("a ratio to 0 is not defined")
    ratio = float(numerators.mean()) / below
    left = mean_entry(numerators - ratio * denominators)
    reach = (left.high - left.mean) / below
    return Entry(ratio, ratio - reach, ratio + reach, left.count)
