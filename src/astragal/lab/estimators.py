"""How good a search's values and moves are, against exact ones: the columns of Table 1 of Lanctot et al. 2013.

For each state the runs of a search are an estimator of its exact value V: MSE = mean (v - V)^2 = variance + bias^2,
with the variance of the runs about their own mean. Each column is the mean over states, but for the bias: what the work
prints is the root of the mean squared bias, so that MSE = variance + bias^2 in every row. Taken as they are, the
variance of n runs is too small by a factor of (n - 1) / n on average, and the squared bias too large by as much: little
with the work's 50 runs, a quarter with four. So both are corrected for it; their sum stays. A single run has none.

Intervals are over states, as if they were independent; those of one game are not quite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError
from astragal.lab.findings import REACH, Entry, Paper

COLUMNS = ("MSE", "Variance", "Bias", "Regret")
Rows = Sequence[Sequence[float]]  # [state][run]


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


def properties(values: Rows, exact: Sequence[float], regrets: Rows) -> Properties:
    """The properties of a search over states that were each searched several times."""
    if not values:
        raise AstragalError("there are no states to go by")
    means = np.array([np.mean(runs) for runs in values])
    variances = np.array([np.var(runs, ddof=min(1, len(runs) - 1)) for runs in values])
    counts = np.array([len(runs) for runs in values])
    squared_biases = (means - np.asarray(exact, float)) ** 2 - variances / counts
    squared = mean_entry(squared_biases)
    mean, low, high = (math.sqrt(max(0.0, end)) for end in (squared.mean, squared.low, squared.high))
    bias = Entry(mean, low, high, squared.count)
    return Properties(
        mean_entry(variances + squared_biases, least=0.0),
        mean_entry(variances, least=0.0),
        bias,
        mean_entry([float(np.mean(runs)) for runs in regrets], least=0.0),
    )


def mean_entry(values: npt.ArrayLike, least: float = -math.inf, most: float = math.inf) -> Entry:
    """A mean with its normal interval, cut where no mean can be; one number alone says nothing of its error."""
    numbers = np.asarray(values, float)
    mean, count = float(numbers.mean()), len(numbers)
    reach = REACH * float(numbers.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf
    return Entry(mean, max(least, mean - reach), min(most, mean + reach), count)


def share_entry(shares: npt.ArrayLike) -> Entry:
    """A mean of shares, one for each state."""
    return mean_entry(shares, 0.0, 1.0)


def ratio_entry(mine: npt.ArrayLike, theirs: npt.ArrayLike) -> Entry:
    """The ratio of two means over the same states, with the interval of the difference that it leaves in each state."""
    numerators, denominators = np.asarray(mine, float), np.asarray(theirs, float)
    below = float(denominators.mean())
    if below == 0.0:
        raise AstragalError("there is no ratio to nothing")
    ratio = float(numerators.mean()) / below
    left = mean_entry(numerators - ratio * denominators)
    reach = (left.high - left.mean) / below
    return Entry(ratio, ratio - reach, ratio + reach, left.count)
