"""The luck of the dice: what it is by definition, that it is 0 on average, and that taking it off saves variance."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean, stdev

import pytest

from astragal import AstragalError, Position
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.luck import (
    LEARNED,
    Evaluator,
    luck_adjusted,
    luck_by_evaluation,
    luck_by_exact_values,
    luck_of_kind,
)
from astragal.arena.referee import play_game
from astragal.base.errors import SpecError
from astragal.solvers.solution import solve
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


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "evaluator"), [("ewn", LEARNED), ("ewn", Evaluator(depth=1)), ("cant_stop", Evaluator(depth=1))]
)
def test_over_the_outcomes_of_a_roll_the_mean_luck_is_nothing(game, evaluator):
    """By construction, and for any evaluator: each outcome of a roll in the place of the one that fell."""
    contest = Contest.of(game, ["random", "random"])
    record = play_game(contest, 0, 0)
    position, most = Position.start(contest.rules, record.seed), 0.0
    for ply, step in enumerate(record.steps[:10]):
        if position.is_chance:
            until = luck_by_evaluation(contest, replace(record, steps=record.steps[:ply]), evaluator)[0]
            lucks = [
                (o.probability, luck_by_evaluation(contest, with_step(record, ply, o.number), evaluator)[0] - until)
                for o in position.outcomes()
            ]
            assert sum(chance * luck for chance, luck in lucks) == pytest.approx(0.0, abs=1e-9)
            most = max(most, *(abs(luck) for _, luck in lucks))
        position = position.follow(step)
    assert most > 1.0


def with_step(record: GameRecord, ply: int, step: int) -> GameRecord:
    """A game until a step, and another one there."""
    return replace(record, steps=(*record.steps[:ply], step))


@pytest.mark.compiled
def test_an_evaluation_some_decisions_later_says_what_exact_values_do(tmp_path):
    """The score is the same within errors, and the error smaller than by what it says at once."""
    with solutions_in(tmp_path):
        exact = solve(PIG.rules)
    pairs = records(PIG, 150)
    scores = [[record.score_of(0) for record in pair] for pair in pairs]
    at_once, later, best = (
        luck_adjusted(scores, [[luck_of_kind(PIG, record, by) for record in pair] for pair in pairs])
        for by in (Evaluator(), Evaluator(depth=3), exact)
    )
    assert abs(best.mean - later.mean) < 3 * later.standard_error
    assert max(best.standard_error, later.standard_error) < 0.8 * at_once.standard_error
    assert later.coefficient == pytest.approx(1.0, abs=0.5)


@pytest.mark.compiled
def test_equal_players_get_half_and_the_look_ahead_is_what_sees_a_roll():
    """What EWN's learned evaluation says of a position does not depend on the roll."""
    contest = Contest.of("ewn", ["random", "random:"])
    pairs = records(contest, 100)
    scores = [[record.score_of(0) for record in pair] for pair in pairs]
    found = {
        depth: luck_adjusted(
            scores, [[luck_of_kind(contest, r, Evaluator("learned", depth)) for r in p] for p in pairs]
        )
        for depth in (0, 1, 2)
    }
    assert found[0].luck == pytest.approx(0.0, abs=1e-9)
    for depth in (1, 2):
        assert abs(found[depth].mean - 0.5) < 3 * found[depth].standard_error
        assert found[depth].variance_saved > 0.2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("guess", "luck is measured by evaluation, learned, a file of `astragal learn`, or exact, not by 'guess'"),
        ("learned:deep=2", "--luck has no setting 'deep'"),
        ("learned:depth=x", "--luck: depth=x is not a whole number"),
        ("learned:depth=10", "--luck: depth=10 is too large; the most is 9"),
    ],
)
def test_other_words_are_refused(text, message):
    with pytest.raises(SpecError, match=message):
        Evaluator.of(text)


def test_evaluators_by_name():
    assert Evaluator.of("evaluation") == Evaluator("own", 0)
    assert Evaluator.of("evaluation:depth=1") == Evaluator("own", 1)
    assert Evaluator.of("learned") == Evaluator("learned", 1)
    assert Evaluator.of("mine.npz:depth=2") == Evaluator("mine.npz", 2)


@pytest.mark.slow
def test_luck_is_nothing_on_average_and_exact_values_explain_most(tmp_path):
    with solutions_in(tmp_path):
        exact = solve(PIG.rules)
    pairs = records(PIG, 150)
    for evaluator in (Evaluator(), exact):
        luck = [luck_of_kind(PIG, record, evaluator) for pair in pairs for record in pair]
        assert abs(fmean(luck)) < 5 * stdev(luck) / len(luck) ** 0.5
        scores = [[record.score_of(0) for record in pair] for pair in pairs]
        adjusted = luck_adjusted(scores, [[luck_of_kind(PIG, record, evaluator) for record in pair] for pair in pairs])
        assert adjusted.variance_saved > (0.75 if evaluator is exact else 0.4)
    first = luck_by_exact_values(PIG, pairs[0][0], exact)
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
    total = exact.start_value + luck_by_exact_values(PIG, record, exact)[0] + given_away
    assert total == pytest.approx(record.utilities[0], abs=1e-6)


def test_games_without_dice_have_no_luck():
    contest = Contest.of("tic_tac_toe", ["random", "random"])
    with pytest.raises(AstragalError, match="tic_tac_toe has no dice to be lucky with"):
        luck_of_kind(contest, play_game(contest, 0, 0))
