"""The statistics of two players' games: against published numbers, SciPy, and games whose truth is known."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.arena.statistics.estimates import (
    DuplicateScore,
    Estimate,
    duplicate_score,
    elo,
    elo_interval,
    expected_score,
    holm,
    likelihood_of_superiority,
    paired,
    regularized_beta,
    t_reach,
    t_tails,
    win_rate,
)
from astragal.base.errors import AstragalError

HALF_POINTS = st.sampled_from([0.0, 0.5, 1.0])
PAIRS = st.lists(st.tuples(HALF_POINTS, HALF_POINTS), min_size=1, max_size=30)


def coin_games(rng, runs, games, wins):
    """Scores of games that are won with a known probability, a row for each run."""
    return (rng.random((runs, games)) < wins).astype(float)


def swapped_pairs(rng, pairs, skill, weight):
    """Pairs of games with the same dice: what they give a player in one game they give its opponent in the other.

    The player wins if skill, dice and the rest, which is new in each game, add up to more than 0.
    """
    dice = weight * rng.standard_normal((pairs, 1)) * np.array([1.0, -1.0])
    return (skill + dice + math.sqrt(1.0 - weight**2) * rng.standard_normal((pairs, 2)) > 0.0).astype(float)


def near(share, expected, runs, sigmas=4.5):
    return abs(share - expected) < sigmas * math.sqrt(expected * (1.0 - expected) / runs)


# Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_wilson_interval_is_the_published_one(wins, games, low, high):
    estimate = win_rate([1.0] * wins + [0.0] * (games - wins))
    assert (estimate.mean, estimate.games) == (wins / games, games)
    assert (estimate.low, estimate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.few(2)
@pytest.mark.parametrize("wins", [0.5, 0.63, 0.9])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_win_rate_of_a_biased_coin_lies_in_its_interval_in_the_right_share_of_runs(wins, confidence):
    runs = 3000
    games = coin_games(np.random.default_rng(1), runs, 400, wins)
    intervals = [win_rate(run, confidence) for run in games]
    inside = np.mean([i.low <= wins <= i.high for i in intervals])
    assert near(inside, confidence, runs)


def test_draws_make_the_wilson_interval_too_wide_never_too_narrow():
    rng = np.random.default_rng(2)
    games = rng.choice([0.0, 0.5, 1.0], p=[0.1, 0.6, 0.3], size=(2000, 200))
    inside = np.mean([i.low <= 0.6 <= i.high for i in map(win_rate, games)])
    assert inside > 0.98


@pytest.mark.few(1)
@pytest.mark.parametrize("pairs", [8, 30, 150])
@pytest.mark.parametrize("weight", [0.0, 0.8])
def test_the_paired_mean_lies_in_its_interval_in_the_right_share_of_runs(pairs, weight):
    runs, skill = 800, 0.4
    truth = NormalDist().cdf(skill)
    rng = np.random.default_rng(3)
    estimates = [paired(swapped_pairs(rng, pairs, skill, weight)) for _ in range(runs)]
    inside = np.mean([e.low <= truth <= e.high for e in estimates])
    assert near(inside, 0.95, runs) if pairs > 8 else inside > 0.93  # few scores are possible in few pairs
    assert np.mean([e.mean for e in estimates]) == pytest.approx(truth, abs=4.5 * 0.5 / math.sqrt(runs * pairs))


def test_the_standard_error_is_that_of_the_matches():
    estimate = paired([[1, 1], [1, 0], [0.5, 0.5], [1, 0]])
    assert (estimate.mean, estimate.pairs, estimate.games) == (0.625, 4, 8)
    assert estimate.standard_error == pytest.approx(0.25 / math.sqrt(4))  # of 1, 1/2, 1/2, 1/2
    # Games vary by 11/56 around their mean: eight independent ones by 11/448, the pairs by 1/64.
    assert estimate.variance_ratio == pytest.approx(11 / 448 * 64)


def test_pairing_is_said_to_help_as_much_as_it_does():
    rng = np.random.default_rng(4)
    runs, pairs = 1500, 100
    estimates = [paired(swapped_pairs(rng, pairs, 0.0, 0.8)) for _ in range(runs)]
    gain = 0.25 / (2 * pairs) / np.var([e.mean for e in estimates])
    # Two wins with the correlation -0.64 below: won both with 1/4 - asin(0.64) / (2 pi).
    both = 0.25 - math.asin(0.64) / (2.0 * math.pi)
    assert gain == pytest.approx(0.125 / (both / 2.0), rel=0.15)
    assert np.median([e.variance_ratio for e in estimates]) == pytest.approx(0.125 / (both / 2.0), rel=0.05)
    assert np.mean([e.standard_error for e in estimates]) == pytest.approx(math.sqrt(both / 2.0 / pairs), rel=0.02)


def test_without_swapped_seats_the_same_dice_hurt_and_only_the_paired_interval_knows():
    rng = np.random.default_rng(5)
    runs = 1000
    games = [np.repeat(coin_games(rng, 1, 100, 0.6).T, 2, axis=1) for _ in range(runs)]  # each game is played twice
    estimates = [paired(pairs) for pairs in games]
    assert np.median([e.variance_ratio for e in estimates]) == pytest.approx(0.5, abs=0.01)
    assert near(np.mean([e.low <= 0.6 <= e.high for e in estimates]), 0.95, runs)
    naive = [win_rate(pairs.ravel()) for pairs in games]
    assert np.mean([e.low <= 0.6 <= e.high for e in naive]) < 0.88


def test_pairs_of_independent_games_without_draws_are_worth_their_games():
    games = coin_games(np.random.default_rng(6), 1, 20_000, 0.7).reshape(-1, 2)
    estimate, plain = paired(games), win_rate(games.ravel())
    assert estimate.worth == pytest.approx(20_000, rel=0.05)
    assert (estimate.low, estimate.high) == (pytest.approx(plain.low, abs=3e-4), pytest.approx(plain.high, abs=3e-4))


@pytest.mark.parametrize("score", [0.0, 0.25, 0.5, 1.0])
def test_matches_that_all_score_the_same_do_not_make_the_interval_a_point(score):
    estimate = paired([[score, score]] * 20)
    assert (estimate.mean, estimate.standard_error) == (score, 0.0)
    assert estimate.high - estimate.low == pytest.approx(1.0 - 0.025 ** (1 / 20))
    assert estimate.low <= score <= estimate.high
    assert 0.0 <= estimate.low < estimate.high <= 1.0


def test_matches_that_all_split_show_equal_players_ever_more_surely():
    short, long = paired([[1, 0]] * 5), paired([[1, 0], [0, 1]] * 500)
    assert long.low > 0.49 > 0.3 > short.low
    assert long.p_value() == short.p_value() == 1.0
    assert long.superiority() == 0.5
    assert long.variance_ratio == math.inf


def test_a_clean_sweep_is_judged_like_a_sign_test():
    assert paired([[1, 1]] * 6).p_value() == pytest.approx(2 / 2**6)
    assert paired([[0, 0]] * 6).p_value() == pytest.approx(2 / 2**6)
    assert paired([[1, 1]] * 6).superiority() == pytest.approx(1 - 1 / 2**6)


@given(PAIRS, st.floats(0.01, 0.99), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_p_value_is_small_just_where_the_interval_leaves_the_fair_share_out(pairs, fair, confidence):
    estimate = paired(pairs, confidence)
    p = estimate.p_value(fair)
    if abs(p - (1.0 - confidence)) > 1e-9:
        assert (p < 1.0 - confidence) == (not estimate.low <= fair <= estimate.high)


@given(PAIRS)
def test_exchanging_the_players_mirrors_every_estimate(pairs):
    a, b = paired(pairs), paired([[1.0 - score for score in pair] for pair in pairs])
    assert (a.mean, a.low, a.high) == pytest.approx((1.0 - b.mean, 1.0 - b.high, 1.0 - b.low), abs=1e-9)
    assert a.p_value() == pytest.approx(b.p_value(), abs=1e-9)
    assert a.superiority() + b.superiority() == pytest.approx(1.0, abs=1e-9)


def three_seat_pairs(rng, seatings, pairs):
    """The scores of player or kind 0 when all are equal but the first seat wins half of the games, the last a fifth."""
    winners = rng.choice(3, p=[0.5, 0.3, 0.2], size=(pairs, len(seatings)))
    return (np.array(seatings)[np.arange(len(seatings)), winners] == 0).astype(float)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("seatings", "fair"),
    [
        ([s for s in itertools.product((0, 1), repeat=3) if len(set(s)) == 2], 1 / 2),
        (list(itertools.permutations(range(3))), 1 / 3),
    ],
    ids=["two kinds", "three players"],
)
def test_equal_players_in_three_seats_are_called_different_in_one_run_of_twenty(seatings, fair):
    rng = np.random.default_rng(7)
    runs = 800
    p_values = np.array([paired(three_seat_pairs(rng, seatings, 60)).p_value(fair) for _ in range(runs)])
    assert near(np.mean(p_values < 0.05), 0.05, runs)
    assert near(np.mean(p_values < 0.5), 0.5, runs)


def test_elo_of_known_scores():
    assert elo(0.5) == 0.0
    assert elo(0.75) == pytest.approx(190.85, abs=0.005)
    assert elo(10 / 11) == pytest.approx(400.0)
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)


@given(st.floats(-1500, 1500))
def test_elo_and_expected_score_undo_each_other(difference):
    assert elo(expected_score(difference)) == pytest.approx(difference, abs=1e-6)


def test_the_elo_interval_is_infinite_only_where_the_score_is_at_its_end():
    swept = elo_interval(win_rate([1.0] * 20))
    assert (swept.elo, swept.high) == (math.inf, math.inf)
    assert swept.low == pytest.approx(elo(20 / (20 + NormalDist().inv_cdf(0.975) ** 2)))
    paired_swept = elo_interval(paired([[1, 1]] * 20))
    assert 0.0 < paired_swept.low < math.inf
    even = elo_interval(Estimate(0.5, 0.4, 0.6, 100))
    assert even.low == pytest.approx(-even.high)


def test_superiority_without_games_is_even_and_follows_laplaces_rule():
    assert likelihood_of_superiority(0, 0) == 0.5
    assert likelihood_of_superiority(1, 0) == pytest.approx(0.75)
    assert likelihood_of_superiority(0, 3) == pytest.approx(1 / 16)
    assert likelihood_of_superiority(30, 20) + likelihood_of_superiority(20, 30) == pytest.approx(1.0)
    with pytest.raises(AstragalError, match="negative"):
        likelihood_of_superiority(-1, 3)


def test_superiority_agrees_with_the_usual_normal_formula_and_the_paired_one_over_many_games():
    wins, losses = 5200, 5000
    usual = NormalDist().cdf((wins - losses) / math.sqrt(wins + losses))
    assert likelihood_of_superiority(wins, losses) == pytest.approx(usual, abs=1e-4)
    assert paired([[1.0]] * wins + [[0.0]] * losses).superiority() == pytest.approx(usual, abs=1e-3)


def test_holms_p_values_are_those_of_r():
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.7]) == (0.7,)
    assert holm([]) == ()
    assert holm([0.6, 0.9]) == (1.0, 1.0)
    with pytest.raises(AstragalError, match="between 0 and 1"):
        holm([0.5, 1.5])


def test_holm_makes_a_mistake_among_ten_equal_players_in_one_run_of_twenty():
    rng = np.random.default_rng(8)
    runs = 4000
    mistaken = np.mean([min(holm(p_values.tolist())) < 0.05 for p_values in rng.random((runs, 10))])
    assert near(mistaken, 1.0 - 0.995**10, runs)


def test_a_board_is_taken_by_winning_one_game_and_not_losing_the_other():
    boards = [[1, 1], [1, 0.5], [0.5, 1], [1, 0], [0, 1], [0.5, 0.5], [0.5, 0], [0, 0]]
    score = duplicate_score(boards)
    assert (score.taken_by_a, score.taken_by_b, score.set_aside, score.share_set_aside) == (3, 2, 3, 3 / 8)
    assert score.rate == win_rate([1, 1, 1, 0, 0])
    assert duplicate_score([[1, 0]] * 3) == DuplicateScore(0, 0, 3, 1.0, None)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: win_rate([]), "no games"),
        (lambda: paired([]), "no games"),
        (lambda: paired([[], []]), "no games"),
        (lambda: paired([[1, 0], [1]]), r"same number of games, not \[1, 2\]"),
        (lambda: paired([[1, 1.5]]), "scores must lie between 0 and 1"),
        (lambda: win_rate([0.5, math.nan]), "scores must lie between 0 and 1"),
        (lambda: win_rate([0.5], confidence=1.0), "the confidence must lie between 0 and 1, not be 1"),
        (lambda: paired([[1.0], [0.0]], confidence=95), "the confidence must lie between 0 and 1, not be 95"),
        (lambda: paired([[1.0], [0.0]]).p_value(0.0), "the fair share must lie between 0 and 1"),
        (lambda: duplicate_score([[1, 0, 1]]), "two games a pair, not 3"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(AstragalError, match=sentence):
        call()


def test_students_t_is_that_of_the_tables():
    assert [t_reach(0.95, n) for n in (1, 2, 10, 30)] == pytest.approx([12.7062, 4.3027, 2.2281, 2.0423], abs=5e-5)
    assert t_reach(0.99, 5) == pytest.approx(4.0321, abs=5e-5)
    assert t_reach(0.95, 10**7) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-5)
    assert (t_tails(0.0, 7), t_tails(math.inf, 7)) == (1.0, 0.0)


@pytest.mark.slow
def test_beta_and_students_t_are_scipys():
    scipy_stats = pytest.importorskip("scipy.stats")
    for a, b in [(0.5, 0.5), (1, 1), (3, 8), (2000, 0.5), (0.5, 30), (70_000, 71_000)]:
        for x in (1e-9, 0.1, 0.4938, 0.5, 0.9, 1 - 1e-9):
            assert regularized_beta(x, a, b) == pytest.approx(scipy_stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-300)
    for freedom in (1, 2, 9, 400, 10**6):
        for t in (0.1, -1.5, 3.0, 30.0):
            assert t_tails(t, freedom) == pytest.approx(2 * scipy_stats.t.sf(abs(t), freedom), rel=1e-8)
