"""Bradley-Terry ratings of a tournament, on the Elo scale.

Player i beats player j with the probability 1 / (1 + 10^((r_j - r_i) / 400)). The ratings r are those that make the
results likeliest, with mean 0. A draw counts as half a win for each.

A player that won or lost everything has no finite rating of that kind, nor have two groups that never met. So each
player also plays `prior` games, all drawn, against an imaginary player of rating 0: one such game by default, which
weighs little against real ones. With prior=0 the ratings are plain maximum likelihood.

Standard errors come from the Fisher information, which takes games for independent. Draws, and pairs of games
with the same dice, make the true errors smaller as a rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from astragal.arena.statistics.estimates import normal_reach
from astragal.base.errors import AstragalError

Points = dict[tuple[str, str], list[float]]  # (player, opponent) -> the player's score in each game
ELO = 400.0 / math.log(10.0)  # one unit of log odds
MAX_STEPS = 200
STILL = 1e-7  # log odds; ratings that move by less have arrived


@dataclass(frozen=True)
class Rating:
    """A player's rating, on a scale where the players' mean is 0."""

    player: str
    elo: float
    standard_error: float
    low: float
    high: float
    points: float
    games: float


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, in the order of the results."""

    players: tuple[Rating, ...]
    covariance: NDArray[np.float64] = field(repr=False, compare=False)  # of the ratings, in squared Elo

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """How much better player number a is than number b, and the standard error of that.

        That error is not the sum of the two players' own: what both played against a third one cancels out.
        """
        variance = self.covariance[a, a] + self.covariance[b, b] - 2.0 * self.covariance[a, b]
        return self.players[a].elo - self.players[b].elo, math.sqrt(max(0.0, float(variance)))

    def p_value(self, a: int, b: int) -> float:
        """How likely a difference at least this large is between equal players (two-sided)."""
        difference, error = self.difference(a, b)
        return math.erfc(abs(difference) / error / math.sqrt(2.0)) if error else 1.0


def bradley_terry(
    points: ArrayLike, names: Sequence[str] | None = None, confidence: float = 0.95, prior: float = 1.0
) -> Ratings:
    """Ratings from the points that each player (row) scored against each other one (column)."""
    won = checked_points(points, prior)
    names = names or [str(i + 1) for i in range(len(won))]
    if len(names) != len(won):
        raise AstragalError(f"{len(won)} players have {len(names)} names")
    reach = normal_reach(confidence)
    strengths, covariance = likeliest(won, prior)
    errors = ELO * np.sqrt(np.diag(covariance))
    games = won + won.T
    return Ratings(
        tuple(
            Rating(name, r, e, r - reach * e, r + reach * e, float(won[i].sum()), float(games[i].sum()))
            for i, (name, r, e) in enumerate(zip(names, (ELO * strengths).tolist(), errors.tolist(), strict=True))
        ),
        ELO**2 * covariance,
    )


def rated(points: Points) -> Ratings:
    """Ratings from the scores of single games. A player's games against itself say nothing."""
    names = list(dict.fromkeys(name for pair in points for name in pair))
    won = np.zeros((len(names), len(names)))
    for (first, second), scores in points.items():
        if first != second:
            won[names.index(first), names.index(second)] = sum(scores)
    return bradley_terry(won, names)


def likeliest(won: NDArray[np.float64], prior: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The strengths (log odds, adding up to 0) that maximise the likelihood, by Newton's method; their covariance."""
    count = len(won)
    strengths = np.zeros(count)
    centre = np.eye(count) - 1.0 / count
    for _ in range(MAX_STEPS):
        gradient, information = slope(won, prior, strengths)
        inverse = np.linalg.inv(centre @ information @ centre + 1.0 / count)
        step = centre @ inverse @ centre @ gradient
        if np.abs(step).max() < STILL:
            return strengths, centre @ inverse @ centre
        reached = log_likelihood(won, prior, strengths)
        while log_likelihood(won, prior, strengths + step) < reached and np.abs(step).max() > STILL:
            step /= 2.0  # a whole step can overshoot where the results are one-sided
        strengths = strengths + step
    raise AstragalError("the ratings did not converge; a larger prior helps")


def log_likelihood(won: NDArray[np.float64], prior: float, strengths: NDArray[np.float64]) -> float:
    """The logarithm of how likely the results are, imaginary games included."""
    lead = strengths[:, None] - strengths[None, :]
    real = np.sum(won * np.logaddexp(0.0, -lead))
    imaginary = np.sum(np.logaddexp(0.0, -strengths) + np.logaddexp(0.0, strengths))
    return -float(real + prior / 2.0 * imaginary)


def slope(
    won: NDArray[np.float64], prior: float, strengths: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The gradient of the log-likelihood, and the Fisher information."""
    games = won + won.T
    expected = logistic(strengths[:, None] - strengths[None, :])
    alone = logistic(strengths)
    gradient = won.sum(axis=1) - (games * expected).sum(axis=1) + prior * (0.5 - alone)
    weights = games * expected * (1.0 - expected)
    information = np.diag(weights.sum(axis=1) + prior * alone * (1.0 - alone)) - weights
    return gradient, information


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + e^-x) without overflow."""
    result: NDArray[np.float64] = 0.5 * (1.0 + np.tanh(0.5 * x))
    return result


def checked_points(points: ArrayLike, prior: float) -> NDArray[np.float64]:
    """The points as a matrix, or a sentence about why no ratings come of them."""
    won = np.array(points, dtype=np.float64)
    if won.ndim != 2 or won.shape[0] != won.shape[1] or len(won) < 2:
        raise AstragalError("points must be a square matrix with a row for each of at least two players")
    if not np.isfinite(won).all() or won.min() < 0.0 or np.diag(won).any():
        raise AstragalError("points must be numbers from 0 up, and 0 of a player against itself")
    if not (prior >= 0.0 and math.isfinite(prior)):
        raise AstragalError(f"the prior must be a number of games from 0 up, not {prior:g}")
    if prior == 0.0 and not all_reach_all(won > 0.0):
        raise AstragalError("without a prior, no group of players may have lost every game against all the others")
    return won


def all_reach_all(beat: NDArray[np.bool_]) -> bool:
    """Whether a chain of wins leads from every player to every other one (Ford's condition)."""
    reach = beat | np.eye(len(beat), dtype=bool)
    for _ in range(len(beat).bit_length()):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return bool(reach.all())
