"""Bradley-Terry ratings: against a published example, SciPy, and tournaments whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from astragal.arena.statistics.estimates import elo, holm
from astragal.arena.statistics.ratings import ELO, bradley_terry, rated
from astragal.base.errors import AstragalError

# How often statistics journals cite each other (Stigler 1994; Agresti 2002, page 448): the cited one "wins". The fit of
# the model is in Turner & Firth 2012, "Bradley-Terry models in R", section 2.1, with Biometrika at 0.
JOURNALS = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
CITATIONS = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]
PUBLISHED = [(0.0, 0.0), (-2.94907, 0.10255), (-0.47957, 0.06059), (0.26895, 0.07083)]

CHAMPION = [[0, 10, 10], [0, 0, 5], [0, 5, 0]]  # the first player won everything


def tournament(rng, ratings, games):
    """The points in a round robin of players with known ratings."""
    lead = np.subtract.outer(ratings, ratings)
    wins = np.triu(rng.binomial(games, 1.0 / (1.0 + 10.0 ** (-lead / 400.0))), 1)
    return wins + np.tril(games - wins.T, -1)


def test_ratings_of_the_published_example():
    ratings = bradley_terry(CITATIONS, JOURNALS, prior=0.0)
    for journal, (log_odds, error) in enumerate(PUBLISHED):
        difference, its_error = ratings.difference(journal, 0)
        assert difference / ELO == pytest.approx(log_odds, abs=6e-6)
        assert its_error / ELO == pytest.approx(error, abs=6e-6)
    assert [rating.player for rating in ratings.players] == JOURNALS
    assert sum(rating.elo for rating in ratings.players) == pytest.approx(0.0, abs=1e-9)
    assert (ratings.players[1].points, ratings.players[1].games) == (118, 118 + 730 + 813 + 276)


@pytest.mark.few(1)
@pytest.mark.parametrize("prior", [0.0, 0.5, 4.0])
def test_ratings_are_those_that_a_general_maximiser_finds(prior):
    optimize = pytest.importorskip("scipy.optimize")
    points = np.random.default_rng(1).integers(1, 12, size=(6, 6)) / 2.0
    np.fill_diagonal(points, 0.0)

    def unlikelihood(free):
        strengths = np.append(free, -free.sum())
        total = 0.0
        for i in range(6):
            for j in range(6):
                total += points[i, j] * math.log1p(math.exp(strengths[j] - strengths[i]))
            total += prior / 2.0 * (math.log1p(math.exp(strengths[i])) + math.log1p(math.exp(-strengths[i])))
        return total

    found = optimize.minimize(unlikelihood, np.zeros(5), tol=1e-10).x
    ours = [rating.elo for rating in bradley_terry(points, prior=prior).players]
    assert ours == pytest.approx(list(ELO * np.append(found, -found.sum())), abs=0.01)


def test_games_of_a_player_against_itself_say_nothing():
    points = {("a", "b"): [1.0, 0.5, 0.0, 1.0], ("b", "a"): [0.0, 0.5, 1.0, 0.0]}
    assert rated(points | {("a", "a"): [1.0, 0.0]}) == rated(points)


def test_two_players_differ_by_the_elo_of_their_score():
    ratings = bradley_terry([[0, 30], [10, 0]], prior=0.0)
    difference, error = ratings.difference(0, 1)
    assert difference == pytest.approx(elo(0.75))
    assert error == pytest.approx(ELO / math.sqrt(40 * 0.75 * 0.25))
    first, second = ratings.players
    assert (first.elo, second.elo) == (pytest.approx(difference / 2), pytest.approx(-difference / 2))
    assert first.standard_error == pytest.approx(error / 2)
    assert (first.high - first.low) / 2 == pytest.approx(1.959964 * error / 2, rel=1e-6)


@pytest.mark.few(1)
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_true_ratings_lie_in_their_intervals_in_the_right_share_of_tournaments(prior):
    rng = np.random.default_rng(2)
    truth = np.array([-150.0, -50.0, 50.0, 150.0])
    runs = 250
    inside, pairs = 0, 0
    for _ in range(runs):
        ratings = bradley_terry(tournament(rng, truth, 50), prior=prior)
        inside += sum(r.low <= t <= r.high for r, t in zip(ratings.players, truth, strict=True))
        difference, error = ratings.difference(0, 2)
        pairs += abs(difference + 200.0) <= 1.959964 * error
    assert inside / (4 * runs) == pytest.approx(0.95, abs=4.5 * math.sqrt(0.95 * 0.05 / (2 * runs)))
    assert pairs / runs == pytest.approx(0.95, abs=4.5 * math.sqrt(0.95 * 0.05 / runs))


def test_a_player_that_won_everything_has_a_finite_rating_and_a_wide_interval():
    first, second, third = bradley_terry(CHAMPION).players
    assert 200.0 < first.elo < 1000.0
    assert first.standard_error > 1.5 * second.standard_error
    assert second.elo == pytest.approx(third.elo)
    weaker = bradley_terry(CHAMPION, prior=0.01).players[0]
    assert weaker.elo > first.elo
    with pytest.raises(AstragalError, match="without a prior"):
        bradley_terry(CHAMPION, prior=0.0)


def test_a_thousand_wins_to_nothing_still_converge():
    ratings = bradley_terry([[0, 1000, 1000], [0, 0, 1000], [0, 0, 0]], prior=0.001)
    assert ratings.players[0].elo > ratings.players[1].elo > ratings.players[2].elo
    assert all(math.isfinite(rating.standard_error) for rating in ratings.players)


def test_one_sided_results_in_a_thin_schedule_still_converge():
    """Whole steps of Newton's method run away here."""
    wins = {(1, 0): 383, (1, 4): 286, (2, 0): 25, (2, 3): 142, (3, 0): 127, (4, 2): 2}
    points = np.zeros((5, 5))
    for pair, won_by_the_first in wins.items():
        points[pair] = won_by_the_first
    ratings = bradley_terry(points, prior=0.1)
    won, games = points.sum(axis=1), points + points.T
    lead = np.subtract.outer(*[[rating.elo for rating in ratings.players]] * 2)
    expected = (games / (1.0 + 10.0 ** (-lead / 400.0))).sum(axis=1)
    assert expected == pytest.approx(won, abs=0.1)  # but for the prior, everybody scored what its rating expects


def test_groups_that_never_met_are_compared_by_the_prior_alone():
    points = [[0, 9, 0, 0], [3, 0, 0, 0], [0, 0, 0, 9], [0, 0, 3, 0]]
    ratings = bradley_terry(points)
    assert ratings.difference(0, 2)[0] == pytest.approx(0.0, abs=1e-6)
    assert ratings.difference(0, 2)[1] > ratings.difference(0, 1)[1]
    with pytest.raises(AstragalError, match="without a prior"):
        bradley_terry(points, prior=0.0)


def test_the_default_prior_moves_ratings_little():
    points = tournament(np.random.default_rng(3), np.array([-100.0, 0.0, 100.0]), 200)
    with_prior, without = bradley_terry(points), bradley_terry(points, prior=0.0)
    for a, b in zip(with_prior.players, without.players, strict=True):
        assert abs(a.elo - b.elo) < 0.1 * b.standard_error


def test_equal_players_are_seldom_told_apart_when_all_pairs_are_compared():
    rng = np.random.default_rng(4)
    runs, mistaken = 300, 0
    for _ in range(runs):
        ratings = bradley_terry(tournament(rng, np.zeros(5), 40))
        p_values = [ratings.p_value(a, b) for a in range(5) for b in range(a)]
        mistaken += min(holm(p_values)) < 0.05
    assert mistaken / runs < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bradley_terry([[0, 1, 2], [1, 0, 2]]), "square matrix"),
        (lambda: bradley_terry([[0]]), "at least two players"),
        (lambda: bradley_terry([[0, -1], [1, 0]]), "numbers from 0 up"),
        (lambda: bradley_terry([[0, math.nan], [1, 0]]), "numbers from 0 up"),
        (lambda: bradley_terry([[1, 1], [1, 0]]), "0 of a player against itself"),
        (lambda: bradley_terry([[0, 1], [1, 0]], names=["one"]), "2 players have 1 names"),
        (lambda: bradley_terry([[0, 1], [1, 0]], prior=-1), "the prior must be"),
    ],
)
def test_what_cannot_be_rated_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(AstragalError, match=sentence):
        call()
