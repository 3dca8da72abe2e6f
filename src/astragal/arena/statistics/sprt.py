"""The sequential probability ratio test on the scores of pairs: playing stops as soon as the answer is known.

H0 says that the player is elo0 better than its opponent, H1 that it is elo1 better. The pair is the unit: with pairs
of games and draws this is the pentanomial test of Fishtest and fastchess, with logistic Elo. How the scores of
pairs are distributed is unknown, so both hypotheses take the distribution with their mean that makes the data
likeliest (the generalised test). Of all distributions over the scores a_i with the mean s, that is

    p_i = f_i / (1 + x (a_i - s)),   with the x at which   sum_i f_i (a_i - s) / (1 + x (a_i - s)) = 0,

for observed shares f_i (Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution"). Scores never seen count a thousandth of a pair, as in Fishtest: without them a hypothesis
could be outside what the scores seen allow. The bounds on the log-likelihood ratio are Wald's.

The mean score of pairs that were stopped by the test leans towards the hypothesis it accepted; for an unbiased
estimate play a number of pairs that was fixed beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from astragal.arena.statistics.estimates import Pairs, as_scores, check_share, expected_score
from astragal.base.errors import AstragalError

Decision = Literal["accept H1", "accept H0"]
Counts = Sequence[float] | NDArray[np.int64] | NDArray[np.float64]
UNSEEN = 1e-3  # pairs that a score which was never seen counts as
HALVINGS = 60  # of the bracket around x, which is then as narrow as floats allow


@dataclass(frozen=True)
class Sprt:
    """A test of H0 (elo0) against H1 (elo1).

    alpha is the probability of accepting H1 where H0 is true, beta that of accepting H0 where H1 is true.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise AstragalError(f"elo0 must be below elo1: {self.elo0:g} and {self.elo1:g}")
        check_share("alpha", self.alpha)
        check_share("beta", self.beta)
        if self.alpha + self.beta >= 1.0:
            raise AstragalError(f"alpha and beta must add up to less than 1: {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """H0 is accepted once the log-likelihood ratio is at most this."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted once the log-likelihood ratio is at least this."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """The logarithm of how much likelier H1 makes the pairs than H0.

        Counts are numbers of pairs by score, in equal steps from all games lost to all won (see `tally`).
        """
        return float(self.llrs(np.asarray(counts, dtype=np.float64)))

    def llrs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """`llr` for many sets of counts at once: one along the last axis."""
        bins = counts.shape[-1]
        if bins < 2 or counts.min() < 0:
            raise AstragalError("counts of pairs must be at least two numbers, none of them negative")
        pairs = np.where(counts == 0, UNSEEN, counts)
        scores = np.linspace(0.0, 1.0, bins)
        fit0 = log_likelihood(pairs, scores - expected_score(self.elo0))
        fit1 = log_likelihood(pairs, scores - expected_score(self.elo1))
        return np.where(counts.any(axis=-1), fit1 - fit0, 0.0)

    def decision(self, counts: Counts) -> Decision | None:
        """The hypothesis to accept, or None while more pairs are needed."""
        llr = self.llr(counts)
        return "accept H1" if llr >= self.upper else "accept H0" if llr <= self.lower else None


def log_likelihood(pairs: NDArray[np.float64], distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely the pairs are at best, given the distances of the scores from the mean, but for a constant.

    The sum in x falls from plus to minus infinity between the two poles at the outermost scores.
    """
    low = np.full(pairs.shape[:-1], -1.0 / distances[-1])
    high = np.full(pairs.shape[:-1], -1.0 / distances[0])
    for _ in range(HALVINGS):
        x = (low + high) / 2.0
        above = np.sum(pairs * distances / (1.0 + x[..., None] * distances), axis=-1) > 0.0
        low, high = np.where(above, x, low), np.where(above, high, x)
    x = (low + high) / 2.0
    fit: NDArray[np.float64] = -np.sum(pairs * np.log1p(x[..., None] * distances), axis=-1)
    return fit


def tally(pairs: Pairs, steps: int = 2) -> tuple[int, ...]:
    """How many pairs had each score, from all games lost to all won.

    A win is worth `steps` steps: 2 where a draw is half a win; k in a game of k seats, where a draw gives 1/k to
    each. A pair of games in steps of a half has five scores.
    """
    scores = as_scores(pairs)
    points = scores.sum(axis=1) * steps
    bins = np.rint(points).astype(np.int64)
    if np.abs(points - bins).max() > 1e-6:
        raise AstragalError(f"scores of games must be multiples of 1/{steps}")
    return tuple(np.bincount(bins, minlength=scores.shape[1] * steps + 1).tolist())
