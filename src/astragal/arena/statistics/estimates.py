"""What the scores of games say about two players: rates, intervals, Elo, and how sure one can be.

A player's score in a game lies between 0 and 1: a win is 1, a loss 0, a draw 1/2 (1/k each in a game of k seats). A
pair is a few games with the same dice and the seats exchanged; all pairs have the same number of games.

What equal players score, the fair share:
- Two kinds of player, in any number of seats, over all mixed seatings: the score of kind A is the sum over its seats.
  The seatings come in complementary pairs, so whatever a seat is worth, equal kinds score 1/2.
- k different players in k seats, over all orders: 1/k.

Games of one pair are not independent of each other, pairs are. So `paired` takes the pair as its unit;
`win_rate` is for games that were played independently.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from astragal.base.errors import AstragalError

Pairs = Sequence[Sequence[float]] | NDArray[np.float64]  # a player's score in each game of each pair
SAME = 1e-12  # scores of pairs that differ by less differ only by rounding


class Bounded(Protocol):
    """Any estimate of a mean score with its interval."""

    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Estimate:
    """A mean score over independent games, with its interval."""

    mean: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class PairedEstimate:
    """A mean score over pairs, with its standard error and interval."""

    mean: float
    standard_error: float  # 0 where all pairs scored the same
    low: float
    high: float
    pairs: int
    games: int
    variance_ratio: float  # how much pairing helped: the variance of the mean were the games independent, to the actual

    def p_value(self, fair: float = 0.5) -> float:
        """How likely a mean at least this far from the fair share is if that is the truth (two-sided).

        It tests what the interval shows: p is below 5% where the fair share lies outside the 95% interval.
        """
        check_share("the fair share", fair)
        if self.standard_error == 0.0:
            return min(1.0, 2.0 * most_of_one_score(self.mean, fair) ** self.pairs)
        t = (self.mean - fair) / math.sqrt(fair * (1.0 - fair) / self.worth)
        return t_tails(t, self.pairs - 1)

    def superiority(self, fair: float = 0.5) -> float:
        """The likelihood that the player is better than the fair share, given what was seen."""
        half = self.p_value(fair) / 2.0
        return 1.0 - half if self.mean > fair else half

    @property
    def worth(self) -> float:
        """How many independent games without draws would have had the same standard error."""
        spread = self.mean * (1.0 - self.mean)
        return spread / self.standard_error**2 if self.standard_error else math.inf


@dataclass(frozen=True)
class EloDifference:
    """A difference in Elo with its interval; infinite where a side won everything."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class DuplicateScore:
    """Boards taken by each player, boards set aside, and player A's share of those taken."""

    taken_by_a: int
    taken_by_b: int
    set_aside: int
    share_set_aside: float
    rate: Estimate | None  # None if no board was taken


def win_rate(scores: Sequence[float] | NDArray[np.float64], confidence: float = 0.95) -> Estimate:
    """The mean score of independent games with its Wilson interval.

    Draws go into Wilson's formula through the mean alone. That errs on the safe side: scores between 0 and 1 with mean
    m have a variance of at most m(1 - m), and reach it only without draws.
    """
    checked = as_scores(np.asarray(scores, dtype=np.float64).reshape(1, -1))[0]
    mean, games = float(checked.mean()), len(checked)
    low, high = wilson(mean, games, normal_reach(confidence))
    return Estimate(mean, low, high, games)


def paired(pairs: Pairs, confidence: float = 0.95) -> PairedEstimate:
    """The mean score over pairs, with the standard error that the pairs' own scores show.

    The interval is Wilson's, for as many independent games as would have had this standard error, with Student's t in
    place of the normal since that error is estimated. Where all n pairs scored the same there is no spread to go by:
    other scores then have a probability of at most q with (1 - q)^n = (1 - confidence) / 2, and the interval
    holds every mean that allows.
    """
    scores = as_scores(pairs)
    check_share("the confidence", confidence)
    per_match = scores.mean(axis=1)
    mean, count = float(per_match.mean()), len(per_match)
    if float(np.ptp(per_match)) < SAME:
        other = 1.0 - ((1.0 - confidence) / 2.0) ** (1.0 / count)
        low = mean * (1.0 - other)
        return PairedEstimate(mean, 0.0, low, low + other, count, scores.size, independent_to_actual(scores, 0.0))
    variance = float(per_match.var(ddof=1)) / count
    low, high = wilson(mean, mean * (1.0 - mean) / variance, t_reach(confidence, count - 1))
    ratio = independent_to_actual(scores, variance)
    return PairedEstimate(mean, math.sqrt(variance), low, high, count, scores.size, ratio)


def estimated(pairs: Pairs, confidence: float = 0.95) -> Estimate | PairedEstimate:
    """The mean score over pairs; of one pair alone, over its games."""
    return paired(pairs, confidence) if len(pairs) > 1 else win_rate(as_rows(pairs)[0], confidence)


def independent_to_actual(scores: NDArray[np.float64], actual: float) -> float:
    """The variance that the mean score would have were all games independent, to the actual one."""
    independent = float(scores.var(ddof=1)) / scores.size if scores.size > 1 else 0.0
    if independent < SAME**2:
        return 1.0
    return independent / actual if actual else math.inf


def most_of_one_score(score: float, mean: float) -> float:
    """How often pairs with that mean can have this score at most: all others are then lost, or won, in full."""
    if score > mean:
        return mean / score
    return (1.0 - mean) / (1.0 - score) if score < mean else 1.0


def wilson(mean: float, games: float, reach: float) -> tuple[float, float]:
    """Wilson's interval: the true means from which the observed one lies at most `reach` standard deviations away."""
    extra = reach * reach / games
    centre = (mean + extra / 2.0) / (1.0 + extra)
    half = reach / (1.0 + extra) * math.sqrt(mean * (1.0 - mean) / games + extra / (4.0 * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def elo(mean: float) -> float:
    """The Elo difference at which the expected score is this one: 400 log10(m / (1 - m)), infinite at 0 and 1."""
    if mean <= 0.0:
        return -math.inf
    if mean >= 1.0:
        return math.inf
    return 400.0 * math.log10(mean / (1.0 - mean))


def expected_score(difference: float) -> float:
    """The expected score of the player that is better by this much Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


def elo_interval(estimate: Bounded) -> EloDifference:
    """An estimate of the score against one opponent (fair share 1/2) as a difference in Elo."""
    return EloDifference(elo(estimate.mean), elo(estimate.low), elo(estimate.high))


def likelihood_of_superiority(wins: float, losses: float) -> float:
    """How likely it is that the player wins more often than it loses, from independent games; draws say nothing.

    Exact, with every share of wins among decided games equally likely beforehand. For games in pairs take
    `PairedEstimate.superiority`.
    """
    if min(wins, losses) < 0:
        raise AstragalError(f"wins and losses cannot be negative: {wins:g} and {losses:g}")
    return regularized_beta(0.5, losses + 1.0, wins + 1.0)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's p values for several comparisons, in the order given.

    Calling all those below 5% real makes even one mistake among them with a probability of at most 5%, however the
    comparisons depend on each other.
    """
    if not all(0.0 <= p <= 1.0 for p in p_values):
        raise AstragalError("p values must lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return tuple(adjusted)


def duplicate_score(pairs: Pairs, confidence: float = 0.95) -> DuplicateScore:
    """Duplicate scoring: a player takes a board if it wins one of its two games and does not lose the other.

    Every other board (one game each, or two draws) is set aside (Ramanujan & Selman 2011).
    """
    by_a, by_b = taken_boards(pairs)
    a, b, boards = int(by_a.sum()), int(by_b.sum()), len(by_a)
    aside = boards - a - b
    rate = win_rate(np.repeat([1.0, 0.0], [a, b]), confidence) if a + b else None
    return DuplicateScore(a, b, aside, aside / boards, rate)


def taken_boards(pairs: Pairs) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which boards a player takes, and which its opponent does."""
    scores = as_scores(pairs)
    if scores.shape[1] != 2:
        raise AstragalError(f"duplicate scoring needs two games a pair, not {scores.shape[1]}")
    points = scores.sum(axis=1)  # 3/2 or 2 is a win and no loss
    return points > 1.0 + SAME, points < 1.0 - SAME


def as_scores(pairs: Pairs) -> NDArray[np.float64]:
    """Pairs as an array with a row each, or a sentence about what is wrong with them."""
    scores = as_rows(pairs)
    if not (float(scores.min()) >= 0.0 and float(scores.max()) <= 1.0):
        raise AstragalError("scores must lie between 0 and 1")
    return scores


def as_rows(pairs: Pairs) -> NDArray[np.float64]:
    """One number for each game as an array with a row for each pair."""
    lengths = {len(pair) for pair in pairs}
    if not lengths or 0 in lengths:
        raise AstragalError("there are no games to compute from")
    if len(lengths) > 1:
        raise AstragalError(f"all pairs must have the same number of games, not {sorted(lengths)}")
    return np.asarray(pairs, dtype=np.float64)


def normal_reach(confidence: float) -> float:
    """How far from its mean, in standard deviations, a normal variable lies at most with this probability."""
    check_share("the confidence", confidence)
    return NormalDist().inv_cdf((1.0 + confidence) / 2.0)


def check_share(what: str, share: float) -> None:
    if not 0.0 < share < 1.0:
        raise AstragalError(f"{what} must lie between 0 and 1, not be {share:g}")


TINY = 1e-300
PRECISION = 1e-15
MAX_STEPS = 100_000  # the fraction converges in about the square root of a or b


def regularized_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b): the probability that a Beta(a, b) variable is at most x."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # where the fraction converges slowly, the other tail's is fast
        return 1.0 - regularized_beta(1.0 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / (a * beta_fraction(x, a, b))


def beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1 + d1/(1 + d2/(1 + ...)) of I_x(a, b), from the front until it stands still."""
    value = c = 1.0
    d = 0.0
    for step in range(1, MAX_STEPS):
        m = step // 2
        if step % 2:
            numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / (1.0 + numerator * d or TINY)
        c = 1.0 + numerator / c or TINY
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            return value
    raise ArithmeticError(f"I_x(a, b) did not converge at x = {x:g}, a = {a:g}, b = {b:g}")


def t_tails(t: float, freedom: int) -> float:
    """The probability that a Student variable lies at least as far from 0, on either side, as t does."""
    if math.isinf(t):
        return 0.0
    return regularized_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)
def t_reach(confidence: float, freedom: int) -> float:
    """How far from 0 a Student variable lies at most with this probability: 1.96 for 95% and a large sample."""
    high = 1.0
    while t_tails(high, freedom) > 1.0 - confidence:
        high *= 2.0
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if t_tails(middle, freedom) > 1.0 - confidence else (low, middle)
    return high
