"""Games for one player: scores over the same seeds, in matches, tournaments and tuning; utilities beside wins."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from astragal import AstragalError, Position, load_player
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.meeting import Meetings
from astragal.arena.referee import play_game, replayed
from astragal.arena.run import Plan
from astragal.arena.space import parse_space
from astragal.arena.statistics.solo import SoloMeeting, estimate_text, mean_of
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.overview import contest_row, game_row
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import Standing
from astragal.arena.tables import standing_text
from astragal.arena.tournament import play_tournament
from astragal.arena.tuning import Tuner, find_settings
from astragal.arena.workers import InProcessExecutor
from astragal.rules.ending import ending, score_text
from support import solos
from support.helpers import run_here
from support.solos import Press

GAME = f"{Path(solos.__file__)}:Press"


def record(pair: int, game: int, seats: tuple[int, ...], *utilities: float) -> GameRecord:
    return GameRecord(pair, game, seats, 0, (), (), utilities)


def played(contest: Contest, pairs: int) -> tuple[Standing, list[GameRecord]]:
    records = [play_game(contest, pair, game) for pair in range(pairs) for game in range(len(contest.seatings))]
    standing = Standing(contest)
    standing.add(records)
    return standing, records


# Means


def test_a_mean_of_five_numbers_by_hand():
    """Their standard error is 1/sqrt(2); 97.5% of Student's t, with 4 degrees of freedom, lie below 2.776445."""
    found = mean_of([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.mean, found.spread) == pytest.approx((3.0, 2.5**0.5))
    assert (found.low, found.high) == pytest.approx((3 - 2.776445 / 2**0.5, 3 + 2.776445 / 2**0.5), abs=1e-6)
    assert (found.p_value(), found.superiority()) == pytest.approx((0.013236, 0.993382), abs=1e-6)


@pytest.mark.slow  # importing SciPy's statistics takes a second
@pytest.mark.parametrize("seed", range(5))
def test_means_are_students(seed):
    from scipy import stats

    numbers = np.random.default_rng(seed).normal(30, 100, 3 + 4 * seed)
    found = mean_of(numbers.tolist())
    low, high = stats.t.interval(0.95, len(numbers) - 1, numbers.mean(), stats.sem(numbers))
    assert (found.mean, found.spread) == pytest.approx((numbers.mean(), numbers.std(ddof=1)))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.worst, found.best, found.count) == (numbers.min(), numbers.max(), len(numbers))
    assert found.p_value() == pytest.approx(stats.ttest_1samp(numbers, 0.0).pvalue)
    assert found.superiority() == pytest.approx(stats.ttest_1samp(numbers, 0.0, alternative="less").pvalue)


def test_one_number_and_equal_ones():
    one = mean_of([5.0])
    assert (one.mean, one.low, one.high, one.p_value()) == (5.0, -math.inf, math.inf, 1.0)
    assert estimate_text(one) == "5"
    same = mean_of([2.0] * 6)
    assert (same.low, same.high, same.standard_error) == (2.0, 2.0, 0.0)
    assert same.p_value() == 2 * 0.5**6
    assert mean_of([0.0] * 6).p_value() == 1.0
    with pytest.raises(AstragalError, match="no games to compute from"):
        mean_of([])


def test_scores_in_words():
    assert [score_text(score) for score in (2048.0, 0.0, -3.25, 0.125, 1234.56, 1e6)] == [
        *("2,048", "0", "-3.25", "0.125", "1,234.6", "1,000,000")
    ]
    assert (score_text(7.0, signed=True), score_text(-7.0, signed=True)) == ("+7", "-7")


@pytest.mark.parametrize(
    ("utilities", "persons", "sentence"),
    [
        ((2048.0,), (0,), "You scored 2,048."),
        ((2048.0,), (), "The score is 2,048."),
        ((0.0, 0.0), (0,), "A draw."),
        ((1.0, -1.0), (0,), "You win."),
        ((1.0, -1.0), (1,), "Player 1 wins."),
        ((1.0, -1.0), (), "Player 1 wins."),
        ((1.0, 1.0, -2.0), (0,), "Players 1 and 2 share the win."),
    ],
)
def test_endings(utilities, persons, sentence):
    assert ending(utilities, persons) == sentence


# Contests


def test_every_player_plays_the_same_seeds():
    contest = Contest.of(GAME, ["random", "random", "greedy"], seed=3)
    assert contest.seatings == [(0,), (1,), (2,)]
    assert [contest.pairs_in_words(count) for count in (1, 2)] == ["seed", "seeds"]
    _, records = played(contest, 3)
    assert [len({game.seed for game in records if game.pair == pair}) for pair in range(3)] == [1, 1, 1]
    for game in records:
        assert replayed(contest, game)[-1].utilities() == game.utilities


def test_a_player_alone_has_a_mean_score():
    standing, records = played(Contest.of(GAME, ["greedy"], seed=1), 25)
    scores = [game.utilities[0] for game in records]
    facts = standing.as_dict()
    assert facts["measure"] == "score"
    assert facts["players"][0]["rate"] is None
    assert facts["players"][0]["utility"] == vars(mean_of(scores))
    assert facts["differences"] == []
    said = standing_text(standing)
    assert "25 games, 25 seeds" in said
    assert f"mean {estimate_text(mean_of(scores))}  spread {score_text(np.std(scores, ddof=1))}  worst 0  best" in said
    assert "%" not in said


def test_players_are_compared_seed_by_seed():
    contest = Contest.of(GAME, ["random", "greedy", "exp:depth=8"], seed=1)
    scores = {0: [1.0, 2.0, 4.0, 3.0], 1: [2.0, 5.0, 5.0, 4.0], 2: [1.0, 2.0, 4.0, 3.0]}
    standing = Standing(contest)
    standing.add([record(pair, kind, (kind,), scores[kind][pair]) for kind in scores for pair in range(4)])
    standing.add([record(4, 0, (0,), 100.0)])  # a seed that the others have not played counts for the mean alone
    facts = standing.as_dict()
    assert [player["utility"]["count"] for player in facts["players"]] == [5, 4, 4]
    first, second, third = facts["differences"]
    truth = mean_of([one - other for one, other in zip(scores[0], scores[1], strict=True)])
    assert (first["mean"], first["p"]) == pytest.approx((-1.5, truth.p_value()))
    assert (first["low"], first["high"]) == pytest.approx((truth.low, truth.high))
    assert first["p_holm"] == pytest.approx(min(1.0, 3 * truth.p_value()))
    assert (second["mean"], second["low"], second["p"]) == (0.0, 0.0, 1.0)
    assert third["mean"] == 1.5
    assert "random - greedy: -1.5 [" in standing_text(standing)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_player_who_searches_scores_more():
    standing, _ = played(Contest.of(GAME, ["exp:depth=8", "random"], seed=2), 60)
    (difference,) = standing.as_dict()["differences"]
    assert difference["low"] > 0.0
    mean = standing.mean_utility(0)
    assert mean is not None
    assert mean.low - 50 < solos.best_of_press(0, 0, 3) < mean.high + 50


def test_rows_of_results_have_scores(tmp_path):
    with ResultsStore(tmp_path / "r.db") as store:
        contest = Contest.of(GAME, ["random", "greedy"])
        number = store.enter(contest)
        _, records = played(contest, 4)
        store.add(number, store.begin_session(number, ""), records)
        (stored,) = store.contests()
        row = contest_row(store, stored)
        assert (row["measure"], row["first"]) == ("score", np.mean([game.utilities[0] for game in records[::2]]))
        assert [game["first"] for game in (game_row(contest, record) for record in records)] == [
            game.utilities[0] if game.seats == (0,) else None for game in records
        ]


def test_what_makes_no_sense_alone_is_refused(tmp_path, capsys):
    with pytest.raises(AstragalError, match="budgets can be matched between two players only"):
        Contest.of(GAME, ["random", "greedy"], matched=0)
    for command in (["match", GAME, "random", "greedy"], ["tune", GAME, "uct", "--param", "c=1..9"]):
        done = run_here(capsys, *command, "--sprt", "0:20", "--db", str(tmp_path / "r.db"), "--nodes", "5")
        assert done.code == 2
        assert "a sequential test counts wins, and games for one player have scores" in done.err
    plotted = run_here(capsys, "tournament", GAME, "random", "greedy", "--plot", str(tmp_path / "r.svg"))
    assert plotted.code == 2
    assert "have mean scores, not ratings to plot" in plotted.err


# Tournaments and tuning


def meetings_in(path: Path, games: int = 12, **more) -> Meetings:
    return Meetings(GAME, Limits(), 0, Plan(games), ResultsStore(path), InProcessExecutor, **more)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_tournament_plays_every_seed_once_for_each_player(tmp_path):
    meetings = meetings_in(tmp_path / "r.db")
    done = play_tournament("round-robin", ["random", "greedy", "exp:depth=8"], meetings.meet)
    stored = list(meetings.store.contests())
    assert [(each.contest.kinds, each.games) for each in stored] == [
        *((("random",), 6), (("greedy",), 6), (("exp:depth=8",), 6))
    ]
    assert len({each.contest.seed for each in stored}) == 1
    scores = {each.contest.kinds[0]: [game.utilities[0] for game in meetings.store.games(each.id)] for each in stored}
    for meeting in done.meetings:
        assert isinstance(meeting, SoloMeeting)
        assert meeting.scores == tuple(tuple(scores[player]) for player in meeting.players)
        assert meeting.games == 12
    assert {player: mean.mean for player, mean in done.mean_scores.items()} == {
        player: np.mean(found) for player, found in scores.items()
    }
    facts = done.as_dict()
    assert facts["ratings"] == []
    assert [row["mean"] for row in facts["scores"]] == sorted(map(np.mean, scores.values()), reverse=True)
    assert json.dumps(facts["rounds"])


def test_an_elimination_is_won_by_the_higher_mean(tmp_path):
    done = play_tournament("elimination", ["random", "exp:depth=8"], meetings_in(tmp_path / "r.db", 40).meet)
    assert done.champion == "exp:depth=8"


def test_settings_are_tuned_by_their_scores(tmp_path):
    default = load_player("exp:depth=8", Press())
    space = parse_space(type(default), ["leaf=decision|afterstate"])
    tuner = Tuner(default, Press(), space, candidates=2)
    tuned = find_settings("elimination", tuner, meetings_in(tmp_path / "r.db", 10).meet)
    assert tuned.choice == "exp:depth=8"  # equal, so the higher seed goes on
    assert all(isinstance(meeting, SoloMeeting) for meeting in tuned.meetings)
    assert json.dumps(tuned.as_dict())


def test_a_sequential_test_needs_wins(tmp_path):
    with pytest.raises(AstragalError, match="a sequential test counts wins"):
        meetings_in(tmp_path / "r.db", sprt=Sprt(0.0, 20.0)).prepare(["random"])


# Utilities beside wins


def test_mean_utility_is_shown_where_wins_are_worth_more_or_less():
    contest = Contest.of("pig", ["random", "random"])
    plain, doubled = Standing(contest), Standing(contest)
    results = [(1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (0.0, 0.0)]
    plain.add([record(i // 2, i % 2, contest.seatings[i % 2], *result) for i, result in enumerate(results)])
    results[0] = (2.0, -2.0)
    doubled.add([record(i // 2, i % 2, contest.seatings[i % 2], *result) for i, result in enumerate(results)])
    assert (plain.margins, doubled.margins) == (False, True)
    assert doubled.mean_utility(0) == mean_of([1.5, 0.5])  # pair by pair, and in either seat
    assert doubled.mean_utility(1) == mean_of([-1.5, -0.5])
    assert "utility" not in standing_text(plain)
    assert "   utility +1 [" in standing_text(doubled)
    assert doubled.as_dict()["players"][0]["utility"]["mean"] == 1.0


def test_a_forfeit_is_no_margin():
    contest = Contest.of("pig", ["random", "random"])
    standing = Standing(contest)
    standing.add([record(0, 0, (0, 1), 1.0, -1.0), GameRecord(0, 1, (1, 0), 0, (), (), (9.0, -9.0), 1, "late")])
    assert not standing.margins


# The page's and the terminal's ends


def test_the_end_of_a_game_played_alone(monkeypatch, capsys):
    from astragal.cli.play import Table
    from astragal.rules.dice import Dice

    monkeypatch.setattr("builtins.input", lambda prompt: "stop")
    Table(Position.parse(Press(), "score=500 drawn=1 phase=0"), load_player("random", Press()), 0, Dice(1)).run()
    assert capsys.readouterr().out.endswith("You scored 500.\n")
