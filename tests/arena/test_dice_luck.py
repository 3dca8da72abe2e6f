"""The luck of the dice: what it is by definition, that it is 0 on average, and that taking it off saves variance."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from astragal import AstragalError, Position
from astragal.arena.contest import Contest
from astragal.arena.dice_luck import luck_by_evaluation, luck_by_exact_values, luck_of_kind
from astragal.arena.luck import luck_adjusted
from astragal.arena.record import GameRecord
from astragal.arena.referee import play_game
from astragal.solve.solution import solve
from support.helpers import solutions_in

PIG = Contest.of("pig:goal=20", ["hold:n=10", "hold:n=18"])


def records(contest: Contest, pairs: int) -> list[list[GameRecord]]:
    games = range(len(contest.seatings))
    return [[play_game(contest, pair, game) for game in games] for pair in range(pairs)]


def luck_by_definition(contest: Contest, record: GameRecord) -> list[float]:
    """Each seat's sum over chance events of what came less what was to be expected."""
    luck = [0.0] * contest.rules.players
    position = Position.start(contest.rules, record.seed)
    for step in record.steps:
        after = position.follow(step)
        if position.is_chance:
            values = [(o.probability, position.deal(o.number).evaluations()) for o in position.outcomes()]
            for seat in range(len(luck)):
                luck[seat] += after.evaluations()[seat] - sum(p * value[seat] for p, value in values)
        position = after
    return luck


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "contest",
    [
        PIG,
        Contest.of("ewn", ["random", "random"]),
        Contest.of("cant_stop:players=3,sides=3,shortest=1,goal=2", ["rule28", "random"]),
    ],
    ids=lambda contest: contest.game,
)
def test_luck_is_its_definition(contest):
    for pair in records(contest, 1):
        for record in pair:
            assert luck_by_evaluation(contest, record) == pytest.approx(luck_by_definition(contest, record))


@pytest.mark.slow
def test_luck_is_nothing_on_average_and_exact_values_explain_most(tmp_path):
    with solutions_in(tmp_path):
        exact = solve(PIG.rules)
    pairs = records(PIG, 150)
    for evaluator in (None, exact):
        luck = [luck_of_kind(PIG, record, evaluator) for pair in pairs for record in pair]
        assert abs(fmean(luck)) < 5 * stdev(luck) / len(luck) ** 0.5
        scores = [[record.score_of(0) for record in pair] for pair in pairs]
        adjusted = luck_adjusted(scores, [[luck_of_kind(PIG, record, evaluator) for record in pair] for pair in pairs])
        assert adjusted.variance_saved > (0.75 if evaluator else 0.4)
    first = luck_by_exact_values(pairs[0][0], PIG, exact)
    assert first[0] == -first[1]


@pytest.mark.compiled
def test_a_result_is_its_luck_and_the_play(tmp_path):
    """With exact values: start value + luck + what the players' moves gave away = the result."""
    with solutions_in(tmp_path):
        exact = solve(PIG.rules)
    record = play_game(PIG, 0, 0)
    given_away = 0.0
    position = Position.start(PIG.rules, record.seed)
    for step in record.steps:
        after = position.follow(step)
        if not position.is_chance:
            given_away += exact.value(after) - exact.value(position)
        position = after
    total = exact.start_value + luck_by_exact_values(record, PIG, exact)[0] + given_away
    assert total == pytest.approx(record.utilities[0], abs=1e-6)


def test_games_without_dice_have_no_luck():
    contest = Contest.of("tic_tac_toe", ["random", "random"])
    with pytest.raises(AstragalError, match="tic_tac_toe has no dice to be lucky with"):
        luck_of_kind(contest, play_game(contest, 0, 0))
