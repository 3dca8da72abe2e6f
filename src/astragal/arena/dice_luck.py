"""How lucky each side was with the dice of a game, by a common evaluator.

At every chance event the evaluator says what the outcome is worth, less what all outcomes are worth on average.
Whatever the evaluator, that is 0 in expectation, so it can be taken off a result without bias (`astragal.arena.luck`);
the better it knows the game, the more of the variance goes with it. The game's own evaluation is used, by a kernel; in
a game that was solved, exact values do better.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.errors import AstragalError
from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.position import Position
from astragal.solve.exact import Exact


@kernel
def worth(game, state, player):
    return game.utility(state, player) if game.turn(state) == TERMINAL else game.heuristic(state, player)


@kernel(entry="luck of the dice")
def sum_of_luck(game, start, steps, luck):
    """Add up, for each player, what the outcomes among the steps were worth beyond the average."""
    state = local_copy(start[0])
    outcomes = scratch(np.uint32, game.max_outcomes)
    for i in range(len(steps)):
        if game.turn(state) != CHANCE:
            game.play(state, steps[i])
            continue
        count = game.outcomes(state, outcomes)
        for player in range(game.players):
            expected = 0.0
            for k in range(count):
                after = local_copy(state)
                game.deal(after, np.int64(outcomes[k]))
                expected += game.probability(state, np.int64(outcomes[k])) * worth(game, after, player)
            luck[player] -= expected
        game.deal(state, steps[i])
        for player in range(game.players):
            luck[player] += worth(game, state, player)


def luck_by_evaluation(contest: Contest, record: GameRecord) -> list[float]:
    """Seat -> luck in utilities, by the game's evaluation."""
    game = contest.rules
    luck = np.zeros(game.players)
    start = Position.start(game, record.seed)
    sum_of_luck(game, start.memory, np.array(record.steps, np.int64), luck)
    return [float(each) for each in luck]


def luck_by_exact_values(record: GameRecord, contest: Contest, exact: Exact) -> list[float]:
    """Seat -> luck in utilities, by the exact values of a two-player zero-sum game."""
    total = 0.0
    position = Position.start(contest.rules, record.seed)
    for step in record.steps:
        after = position.follow(step)
        if position.is_chance:
            total += exact.value(after) - exact.value(position)
        position = after
    return [total, -total]


def luck_of_kind(contest: Contest, record: GameRecord, exact: Exact | None = None) -> float:
    """How much luckier the first kind's seats were than the others', on the scale of scores from 0 to 1."""
    if not contest.rules.max_outcomes:
        raise AstragalError(f"{contest.game} has no dice to be lucky with")
    luck = luck_by_exact_values(record, contest, exact) if exact else luck_by_evaluation(contest, record)
    low, high = contest.rules.utility_range
    own = [each for each, kind in zip(luck, record.seats, strict=True) if kind == 0]
    others = [each for each, kind in zip(luck, record.seats, strict=True) if kind != 0]
    return float((np.mean(own) - np.mean(others)) / (2 * (high - low)))
