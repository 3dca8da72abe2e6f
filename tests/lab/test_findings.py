"""Verdicts on numbers and claims of a work, from planted numbers."""

from __future__ import annotations

import pytest

from astragal.lab.claims import Above, Higher, HighestAt, More, Near, Rises, judged, trend
from astragal.lab.findings import AGREES, DISAGREES, UNDECIDED, Entry, Paper, Table
from astragal.lab.text import plain_table


def entry(mean: float, reach: float = 0.01, paper: Paper | None = None) -> Entry:
    return Entry(mean, mean - reach, mean + reach, 100, paper)


def table(**rows: list[float]) -> Table:
    """Rows of means with intervals of a hundredth to either side; columns are called 1, 2, ..."""
    made = Table("Score", "player", "x")
    for row, means in rows.items():
        made.entries |= {(row, str(place)): entry(mean) for place, mean in enumerate(means, 1)}
    return made


def verdict(claim: Above | Near | Rises | HighestAt | Higher | More, planted: Table) -> str:
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


def test_an_interval_that_is_longer_to_one_side_counts_on_the_side_where_the_paper_is():
    lopsided = Entry(0.5, 0.3, 0.51, 10, Paper(0.45))
    assert lopsided.verdict == AGREES
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
    ("column", "expected"), [("2", AGREES), ("1", DISAGREES), ("3", UNDECIDED)], ids=["there", "elsewhere", "nearly"]
)
def test_highest_at(column, expected):
    assert verdict(HighestAt("peak", "a", column), table(a=[0.5, 0.7, 0.695])) == expected


def test_one_row_above_another_on_average():
    planted = table(a=[0.6, 0.5], b=[0.5, 0.55], c=[0.549, 0.55])
    assert verdict(Higher("a above b", "a", "b"), planted) == AGREES
    assert verdict(Higher("b above a", "b", "a"), planted) == DISAGREES
    assert verdict(Higher("a above c", "a", "c"), planted) == UNDECIDED
    assert verdict(More("a above b at 1", "a", "b", "1"), planted) == AGREES
    assert verdict(More("a above b at 2", "a", "b", "2"), planted) == DISAGREES


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
        ["Score, over players (n = 100)"],
        ["W", "2 players", "3 players"],
        ["1", "66.0 [64.4, 67.6]", "50.0 [48.0, 52.0]"],
        ["paper", "66.0 agrees"],
        ["5", "25.0"],
    ]
