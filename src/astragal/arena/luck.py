"""Luck: how much the dice of a game gave each side, by a common evaluator, and scores from which it is taken off."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from astragal.algorithms.star.outcomes import listed_outcomes
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.statistics.estimates import SAME, Pairs, as_rows, as_scores, paired, t_reach
from astragal.base.errors import AstragalError, SpecError
from astragal.base.parameters import build, parameter, split_settings
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.learn.look_ahead import value_ahead
from astragal.learn.model import OWN, SHIPPED, evaluated_game
from astragal.rules.decorator import CHANCE
from astragal.rules.position import Position
from astragal.solvers.exact import Exact

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


EVALUATION = "evaluation"  # what a game's own one is called here


@dataclass(frozen=True)
class Evaluator:
    """An evaluation, and how far after a roll it is applied."""

    evaluation: str = parameter(OWN, "own, learned, or a file written by `astragal learn`")
    depth: int = parameter(0, "decisions of best play between a roll and its evaluation", low=0, high=9)

    @classmethod
    def of(cls, text: str) -> Evaluator:
        """``evaluation``, ``learned`` or a file, with ``:depth=2`` if not at once, learned ones after one decision."""
        name, _, settings = text.partition(":")
        if name not in (EVALUATION, SHIPPED) and not name.endswith(".npz"):
            raise SpecError(
                f"luck is measured by evaluation, learned, a file of `astragal learn`, or exact, not by '{name}'"
            )
        usual = {"evaluation": OWN} if name == EVALUATION else {"evaluation": name, "depth": "1"}
        return build(cls, usual | split_settings(settings, "--luck"), "--luck")


LEARNED = Evaluator(SHIPPED, 2)  # what the laboratory judges by: each decision more takes off more luck, and more time


@kernel(entry="luck of the dice")
def sum_of_luck(game, start, steps, depth, leaves, luck):
    """Add up, for the first players, what the outcomes among the steps were worth beyond the average.

    Outcomes that leave the same choices have one value, so what is averaged is what came, and the mean of luck is 0.
    """
    state = local_copy(start[0])
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    for i in range(len(steps)):
        if game.turn(state) != CHANCE:
            game.play(state, steps[i])
            continue
        came = np.int64(game.representative(state, steps[i]))
        for k in range(listed_outcomes(game, state, True, outcomes, chances)):
            outcome = np.int64(outcomes[k])
            after = local_copy(state)
            game.deal(after, outcome)
            beyond = (1.0 if outcome == came else 0.0) - chances[k]
            for player in range(len(luck)):
                worth, _ = value_ahead(game, after, player, depth, -np.inf, np.inf, np.uint64(0), leaves)
                luck[player] += beyond * worth
        game.deal(state, steps[i])


def luck_by_evaluation(contest: Contest, record: GameRecord, evaluator: Evaluator = Evaluator()) -> list[float]:
    """Seat -> luck in utilities, by an evaluation."""
    game = evaluated_game(contest.rules, evaluator.evaluation)
    mirrored = game.players == 2 and game.zero_sum
    luck = np.zeros(1 if mirrored else game.players)
    leaves = np.zeros(evaluator.depth + 1, game.state)
    start = Position.start(contest.rules, record.seed)
    sum_of_luck(game, start.memory, np.array(record.steps, np.int64), evaluator.depth, leaves, luck)
    return [float(luck[0]), -float(luck[0])] if mirrored else [float(each) for each in luck]


def luck_by_exact_values(contest: Contest, record: GameRecord, exact: Exact) -> list[float]:
    """Seat -> luck in utilities, by the exact values of a two-player zero-sum game."""
    total = 0.0
    position = Position.start(contest.rules, record.seed)
    for step in record.steps:
        after = position.follow(step)
        if position.is_chance:
            total += exact.value(after) - exact.value(position)
        position = after
    return [total, -total]


def luck_of_kind(contest: Contest, record: GameRecord, by: Exact | Evaluator = Evaluator()) -> float:
    """How much luckier the first kind's seats were than the others', on the scale of scores from 0 to 1."""
    if not contest.rules.max_outcomes:
        raise AstragalError(f"{contest.game} has no dice to be lucky with")
    if isinstance(by, Evaluator):
        luck = luck_by_evaluation(contest, record, by)
    else:
        luck = luck_by_exact_values(contest, record, by)
    low, high = contest.rules.utility_range
    own = [each for each, kind in zip(luck, record.seats, strict=True) if kind == 0]
    others = [each for each, kind in zip(luck, record.seats, strict=True) if kind != 0]
    return float((np.mean(own) - np.mean(others)) / (2 * (high - low)))
