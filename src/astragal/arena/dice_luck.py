"""How lucky each side was with the dice of a game, by a common evaluator.

At every chance event the evaluator says what the outcome is worth, less what all outcomes are worth on average.
Whatever the evaluator, that is 0 in expectation, so it can be taken off a result without bias (`astragal.arena.luck`);
the better it knows the game, the more of the variance goes with it. An evaluator is an evaluation, the game's own or a
learned one, of the positions that best play comes to some decisions later: learned ones are of positions before a roll,
and do not see what was rolled. In a game that was solved, exact values do better.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.errors import AstragalError, SpecError
from astragal.game.decorator import CHANCE
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.position import Position
from astragal.learn.look_ahead import value_ahead
from astragal.learn.model import OWN, SHIPPED, evaluated_game
from astragal.parameters import build, parameter, split_settings
from astragal.search.star.outcomes import listed_outcomes
from astragal.solve.exact import Exact

EVALUATION = "evaluation"  # what a game's own one is called here


@dataclass(frozen=True)
class Evaluator:
    """An evaluation, and how far after a roll it is asked."""

    evaluation: str = parameter(OWN, "own, learned, or a file of `astragal learn`")
    depth: int = parameter(0, "decisions after a roll, by best play, at which it is asked", low=0, high=9)

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
