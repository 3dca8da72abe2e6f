"""Verdicts on numbers and claims of a work, from planted numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from astragal.lab.claims import (
    Above,
    AverageAbove,
    BestNear,
    Beyond,
    Claim,
    Every,
    HighestAt,
    More,
    Near,
    Ours,
    Rises,
    Together,
    judged,
    trend,
)
from astragal.lab.findings import AGREES, DISAGREES, EQUAL, TOO_WIDE, UNDECIDED, Entry, Paper, Table
from astragal.lab.report.document import plain_table


def entry(mean: float, reach: float = 0.01, paper: Paper | None = None) -> Entry:
    return Entry(mean, mean - reach, mean + reach, 100, paper)


def table(**rows: list[float]) -> Table:
    """Rows of means with intervals of a hundredth to either side; columns are called 1, 2, ..."""
    made = Table("Score", "player", "x")
    for row, means in rows.items():
        made.entries |= {(row, str(place)): entry(mean) for place, mean in enumerate(means, 1)}
    return made


def verdict(claim: Claim, planted: Table) -> str:
    judgement = claim.judge(planted)
    assert judgement is not None
    return judgement.verdict


def test_a_papers_number_agrees_where_both_errors_allow_their_distance():
    assert entry(0.60, 0.03, Paper(0.62)).verdict == AGREES
    assert entry(0.60, 0.03, Paper(0.64)).verdict == DISAGREES
    assert entry(0.60, 0.03, Paper(0.56)).verdict == DISAGREES
    assert entry(0.60, 0.03).verdict is None
    low, high = Paper(0.64, 400).interval  # 256 of 400 games: Wilson's interval
    assert (low, high) == pytest.approx((0.59183, 0.68550), abs=1e-5)
    assert entry(0.60, 0.03, Paper(0.64, 400)).verdict == AGREES  # 0.04 is less than sqrt(0.03^2 + 0.048^2)


def test_agreement_needs_an_interval_that_is_narrow_enough():
    wide = Entry(0.286, 0.018, 0.897, 6, Paper(0.668))
    assert wide.verdict == TOO_WIDE
    assert wide.needs == pytest.approx((0.4395 / 0.05) ** 2)
    assert entry(0.6, 0.049, Paper(0.62)).verdict == AGREES
    assert entry(0.6, 0.051, Paper(0.62)).verdict == TOO_WIDE
    assert entry(0.6, 0.051, Paper(0.62, within=0.1)).verdict == AGREES
    assert entry(0.6, 0.2, Paper(0.9)).verdict == DISAGREES  # however wide
    assert entry(0.6, 0.01, Paper(0.6)).needs is None


def test_a_number_that_only_stands_beside_ours_has_no_verdict():
    beside = entry(0.6, 0.01, Paper(0.9, judged=False))
    assert beside.verdict is None
    planted = Table("Score")
    planted.entries["a", "1"] = beside
    assert plain_table(planted).splitlines()[-1].split() == ["paper", "90.0"]


def test_a_number_over_states_has_the_error_that_ours_would_have_with_as_many():
    ours = Entry(80.0, 76.0, 84.0, 100, Paper(85.0, within=12.0))
    assert ours.verdict == DISAGREES  # were it exact: 5 is more than 4
    few, many = (replace(ours, paper=Paper(85.0, states=count, within=12.0)) for count in (100, 2500))
    assert few.verdict == AGREES  # 5 is less than sqrt(2) 4
    assert many.verdict == DISAGREES  # 5 is more than sqrt(1 + 1/25) 4


def test_an_interval_that_is_longer_to_one_side_counts_on_the_side_where_the_paper_is():
    lopsided = Entry(0.5, 0.3, 0.51, 10, Paper(0.45))
    assert lopsided.verdict == TOO_WIDE
    assert Entry(0.5, 0.3, 0.51, 10, Paper(0.55)).verdict == DISAGREES


@pytest.mark.parametrize(
    ("means", "expected"), [([0.6, 0.7], AGREES), ([0.6, 0.505], UNDECIDED), ([0.6, 0.4], DISAGREES)]
)
def test_above_is_judged_by_the_worst_column(means, expected):
    assert verdict(Above("better", "a"), table(a=means)) == expected


def test_above_is_undecided_where_the_interval_holds_the_level_however_it_lies():
    lopsided = Table("Score")
    lopsided.entries["a", "1"] = Entry(0.69, 0.48, 0.72, 32)
    assert verdict(Above("better", "a"), lopsided) == UNDECIDED


def test_above_one_column_or_below_it():
    planted = table(a=[0.6, 0.4])
    assert verdict(Above("better", "a", "1"), planted) == AGREES
    assert verdict(Above("worse", "a", "2", below=True), planted) == AGREES
    assert verdict(Above("worse", "a", "1", below=True), planted) == DISAGREES
    assert Above("better", "a", "7").judge(planted) is None
    assert Above("better", "z").judge(planted) is None


@pytest.mark.parametrize(("mean", "expected"), [(0.5, AGREES), (0.525, UNDECIDED), (0.56, DISAGREES)])
def test_near(mean, expected):
    assert verdict(Near("equal", "a", "1", 0.5, 0.03), table(a=[mean])) == expected


def test_trends_by_least_squares():
    slope, error = trend([entry(0.1), entry(0.2), entry(0.3), entry(0.4)])
    assert slope == pytest.approx(0.1)
    assert error == pytest.approx((0.01 / 1.96) / 5**0.5)  # of equal errors: sigma / sqrt(sum (x - mean)^2)
    assert verdict(Rises("up", "a"), table(a=[0.1, 0.3, 0.2, 0.5])) == AGREES
    assert verdict(Rises("down", "a", falls=True), table(a=[0.1, 0.3, 0.2, 0.5])) == DISAGREES
    assert verdict(Rises("up", "a"), table(a=[0.5, 0.501, 0.499, 0.5])) == UNDECIDED
    assert Rises("up", "a").judge(table(a=[0.5])) is None


def test_a_point_with_a_small_error_weighs_more():
    sure, unsure = Entry(0.5, 0.499, 0.501, 9), Entry(0.9, 0.4, 1.4, 9)
    slope, _ = trend([sure, unsure, sure])
    assert abs(slope) < 1e-3


@pytest.mark.parametrize(
    ("column", "expected"), [("2", UNDECIDED), ("1", DISAGREES), ("3", UNDECIDED)], ids=["there", "elsewhere", "nearly"]
)
def test_highest_at_is_undecided_while_another_may_be_as_high(column, expected):
    assert verdict(HighestAt("peak", "a", column), table(a=[0.5, 0.7, 0.695])) == expected


def test_highest_at_agrees_where_the_intervals_exclude_all_others():
    assert verdict(HighestAt("peak", "a", "2"), table(a=[0.5, 0.7, 0.65])) == AGREES


def test_a_trend_without_the_columns_that_a_work_does_not_show():
    planted = table(a=[0.9, 0.5, 0.55, 0.6])
    assert verdict(Rises("up", "a"), planted) == DISAGREES
    judged_without = Rises("up", "a", without=("1",)).judge(planted)
    assert judged_without is not None
    assert (judged_without.verdict, "without 1" in judged_without.because) == (AGREES, True)


def test_the_best_of_several_rows_is_the_one_that_is_near():
    planted = table(a=[0.3], b=[0.51], c=[0.4])
    found = BestNear("equal", ("a", "b", "c"), "1").judge(planted)
    assert found is not None
    assert (found.verdict, found.because.startswith("the best of 3 is b")) == (AGREES, True)
    assert verdict(BestNear("equal", ("a", "c"), "1"), planted) == DISAGREES
    assert BestNear("equal", ("z",), "1").judge(planted) is None


def test_one_column_beyond_another_and_a_row_above_a_level_on_average():
    planted = table(a=[0.6, 0.5, 0.49])
    assert verdict(Beyond("more", "a", "1", "2"), planted) == AGREES
    assert verdict(Beyond("more", "a", "2", "1"), planted) == DISAGREES
    assert verdict(Beyond("more", "a", "2", "3"), planted) == UNDECIDED
    assert verdict(AverageAbove("more", "a", 0.5), planted) == AGREES  # one column is below
    assert verdict(AverageAbove("more", "a", 0.53), planted) == UNDECIDED
    assert verdict(AverageAbove("more", "a", 0.6), planted) == DISAGREES


def test_what_is_undecided_says_how_many_times_as_many_games_it_would_take():
    planted = Table("Score")
    planted.entries["a", "1"] = entry(0.51, 0.04)
    found = Above("better", "a").judge(planted)
    assert found is not None
    assert found.needs == pytest.approx(16.0)  # an interval a quarter as wide
    sure = Above("better", "a").judge(table(a=[0.9]))
    assert sure is not None
    assert sure.needs is None


def test_one_row_above_another_on_average():
    planted = table(a=[0.6, 0.5], b=[0.5, 0.55], c=[0.549, 0.55])
    assert verdict(Together("a above b", ("a",), ("b",)), planted) == AGREES
    assert verdict(Together("b above a", ("b",), ("a",)), planted) == DISAGREES
    assert verdict(Together("a above c", ("a",), ("c",)), planted) == UNDECIDED
    assert verdict(More("a above b at 1", "a", "b", "1"), planted) == AGREES
    assert verdict(More("a above b at 2", "a", "b", "2"), planted) == DISAGREES


def test_several_rows_at_once_have_a_smaller_error():
    planted = table(a=[0.506], b=[0.509], c=[0.50], d=[0.50])
    assert verdict(Above("a", "a"), planted) == UNDECIDED  # within a hundredth
    assert verdict(Together("a and b above the middle", ("a", "b"), level=0.5), planted) == AGREES  # 0.75 ± 0.71 points
    assert verdict(Together("below it", ("a", "b"), level=0.5, below=True), planted) == DISAGREES
    against = Together("above c and d", ("a", "b"), ("c", "d"))
    judgement = against.judge(planted)
    assert judgement is not None
    assert judgement.verdict == UNDECIDED  # 0.75 ± 1
    assert judgement.needs == pytest.approx((1.0 / 0.75) ** 2)
    assert verdict(Together("a and a", ("a", "b", "b"), ("c", "d", "d")), planted) == UNDECIDED
    assert Together("nothing", ("e",)).judge(planted) is None
    assert Together("one is missing", ("a", "b"), ("c", "e")).judge(planted) is None


def test_claims_without_numbers_are_left_out():
    assert [each.sentence for each in judged([Above("yes", "a"), Above("no", "b")], table(a=[0.9]))] == ["yes"]


def test_a_table_as_text():
    planted = Table("Score", "W", "players")
    planted.entries["1", "2 players"] = entry(0.66, 0.016, Paper(0.66, 3360))
    planted.entries["1", "3 players"] = entry(0.5, 0.02)
    planted.entries["5", "3 players"] = Entry(0.25, 0.25, 0.25, 100)
    lines = [line.split("  ") for line in plain_table(planted).splitlines()]
    words = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert words == [
        ["Score, over players"],
        ["W", "2 players", "3 players"],
        ["1", "66.0 [64.4, 67.6] (100)", "50.0 [48.0, 52.0] (100)"],
        ["paper", "66.0 agrees"],
        ["5", "25.0"],
    ]


# A margin: differences that do not matter


def close(*means: float, reach: float = 0.01, margin: float = 0.04) -> Table:
    made = Table("Score", "player", "x", margin=margin)
    made.entries |= {("a", str(place)): entry(mean, reach) for place, mean in enumerate(means, 1)}
    made.entries |= {("b", str(place)): entry(0.5, reach) for place in range(1, len(means) + 1)}
    return made


@pytest.mark.parametrize(
    "claim",
    [
        Above("a", "a"),
        AverageAbove("a", "a", 0.5),
        Together("a", ("a",), ("b",)),
        More("a", "a", "b", "1"),
    ],
    ids=lambda claim: type(claim).__name__,
)
def test_a_difference_that_is_surely_within_the_margin_is_about_equal_whichever_way_it_goes(claim):
    for mean in (0.495, 0.5, 0.505):
        assert verdict(claim, close(mean)) == EQUAL
        assert verdict(claim, close(mean, margin=0.0)) == UNDECIDED
        assert verdict(claim, close(mean, reach=0.05)) == UNDECIDED  # it may well be beyond the margin
    assert verdict(claim, close(0.53)) == AGREES  # small, and yet sure
    assert verdict(claim, close(0.47)) == DISAGREES


def test_the_interval_that_lies_within_the_margin_is_that_of_two_one_sided_tests():
    reach = 0.04 * 1.96 / 1.645  # whose 90% interval is as long as the margin
    assert verdict(Above("a", "a"), close(0.5, reach=0.999 * reach)) == EQUAL
    assert verdict(Above("a", "a"), close(0.5, reach=1.001 * reach)) == UNDECIDED


def test_a_difference_at_the_margin_is_seldom_called_about_equal():
    """Of players who are four points apart 5% of all runs, one that is long enough, may say that they are equal."""
    generator, runs, error = np.random.default_rng(3), 4000, 0.01
    found = [verdict(Above("a", "a"), close(mean, reach=1.96 * error)) for mean in generator.normal(0.54, error, runs)]
    assert found.count(EQUAL) <= 0.06 * runs


def test_a_row_is_about_level_if_it_changes_by_less_than_the_margin_from_end_to_end():
    assert verdict(Rises("up", "a"), close(0.50, 0.501, 0.499, 0.502)) == EQUAL
    assert verdict(Rises("up", "a"), close(0.50, 0.501, 0.499, 0.502, reach=0.06)) == UNDECIDED
    assert verdict(HighestAt("peak", "a", "1"), close(0.60, 0.605, 0.5)) == EQUAL
    assert verdict(HighestAt("peak", "a", "3"), close(0.60, 0.605, 0.5)) == DISAGREES


def test_columns_that_are_about_equal_are_named():
    found = Above("a", "a").judge(close(0.7, 0.5))
    assert found is not None
    assert (found.verdict, found.because.endswith("less than 4.0 from 50.0 either way at 2")) == (EQUAL, True)


def test_what_is_open_is_said_and_how_many_games_would_tell_that_it_is_small():
    found = Above("a", "a").judge(close(0.7, 0.5, reach=0.08))
    assert found is not None
    assert (found.verdict, found.open_at) == (UNDECIDED, (("a", "2"),))
    assert found.rests_on == (("a", "1"), ("a", "2"))
    assert found.needs == pytest.approx((0.08 * 1.645 / 1.96 / 0.04) ** 2)
    trend_of_all = Rises("up", "a").judge(close(0.5, 0.5, 0.5, reach=0.1))
    assert trend_of_all is not None
    assert trend_of_all.open_at == (("a", "1"), ("a", "2"), ("a", "3"))
    peak = HighestAt("peak", "a", "1").judge(close(0.6, 0.2, 0.59, reach=0.08))
    assert peak is not None
    assert peak.open_at == (("a", "1"), ("a", "3"))


def test_while_another_is_ahead_every_number_that_may_be_above_is_open():
    """Else those that happened to be behind at one look would never get the games that separate them."""
    peak = HighestAt("peak", "a", "1").judge(close(0.6, 0.59, 0.62, 0.2, reach=0.08))
    assert peak is not None
    assert (peak.verdict, peak.open_at) == (UNDECIDED, (("a", "1"), ("a", "2"), ("a", "3")))


# What counts, and where


def test_one_sentence_about_several_numbers_counts_once_and_is_what_the_worst_of_them_is():
    def every(*levels: float) -> Every:
        return Every("all", tuple(Above(f"above {level}", "a", level=level) for level in levels))

    planted = table(a=[0.6])
    assert verdict(every(0.5, 0.55), planted) == AGREES
    assert verdict(every(0.5, 0.605), planted) == UNDECIDED
    assert verdict(every(0.605, 0.7), planted) == DISAGREES
    found = judged([every(0.5, 0.605, 0.7)], planted)
    assert len(found) == 1
    assert found[0].because.count("above") == 3
    assert found[0].open_at == (("a", "1"),)  # games may go on for the part that is open
    assert every(0.5).judge(table(b=[0.6])) is None


def test_own_hypotheses_are_marked():
    mine, theirs = judged([Ours(Above("a guess", "a")), Above("a claim", "a")], table(a=[0.6]))
    assert (mine.ours, theirs.ours) == (True, False)
    assert mine.verdict == theirs.verdict == AGREES
    assert Ours(Above("a guess", "z")).judge(table(a=[0.6])) is None


def test_no_claim_is_judged_on_numbers_of_two_versions():
    planted = table(a=[0.6], b=[0.5])
    claim = More("more", "a", "b", "1")
    planted.earlier = {("a", "1"): "star version 0"}
    (mixed,) = judged([claim], planted)
    assert (mixed.verdict, "two versions" in mixed.because) == (UNDECIDED, True)
    planted.earlier |= {("b", "1"): "star version 0"}
    assert [found.verdict for found in judged([claim], planted)] == [AGREES]
    assert [line.split()[1] for line in plain_table(planted).splitlines()[2:]] == ["60.0", "50.0"]
    assert plain_table(planted).count("†") == 2


def test_claims_of_a_column_do_not_look_at_others():
    planted = table(a=[0.6, 0.4], b=[0.5, 0.5])
    assert verdict(Together("more at 1", ("a",), ("b",), column="1"), planted) == AGREES
    assert verdict(Together("more at 2", ("a",), ("b",), column="2"), planted) == DISAGREES
