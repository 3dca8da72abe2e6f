"""Duels: complete and partial games compared board by board, and searches that did not have their seconds dropped."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.arena.contest import Finish
from astragal.arena.record import GameRecord, SearchStats
from astragal.arena.workers import local_workers
from astragal.lab.attention import attended_pairs, had_its_time, share_of_time
from astragal.lab.claims import AverageAbove
from astragal.lab.findings import AGREES, Section
from astragal.lab.laboratory import BusyLaboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.estimation import attended
from astragal.lab.scores import board_entry, difference_entry
from astragal.lab.size import Size
from astragal.lab.study import Measurement, Study
from astragal.search.limits import Limits

WON, LOST, SKEWED = [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]


def test_a_difference_on_the_same_boards_is_that_of_the_shares_with_a_smaller_error():
    generator = np.random.default_rng(2)
    complete = {n: [WON, LOST, SKEWED][k] for n, k in enumerate(generator.integers(0, 3, 300))}
    partial = {n: WON if n % 10 == 0 else pair for n, pair in complete.items()}  # a tenth of the boards turned
    both = [board_entry(boards, None) for boards in (partial, complete)]
    found = difference_entry(partial, complete)
    assert all(both)
    assert found.mean == pytest.approx(both[0].mean - both[1].mean)
    assert found.low > 0.0
    assert found.error < 0.5 * np.hypot(both[0].error, both[1].error)
    assert difference_entry(complete, complete).mean == 0.0
    assert difference_entry(complete, {}) is None


def test_four_points_of_games_are_more_of_the_boards_that_are_not_set_aside():
    quarter = {number: WON if number % 8 == 0 else LOST if number % 8 == 1 else SKEWED for number in range(80)}
    by_boards, by_games = (Duels("d", lambda size: [], score=score) for score in ("boards", "games"))
    assert by_boards.margin([quarter]) == pytest.approx(0.04 / 0.25)
    assert by_games.margin([quarter]) == by_games.margin([]) == by_boards.margin([]) == 0.04


def test_boards_are_matched_by_number_where_some_are_missing():
    complete = {0: WON, 1: LOST, 2: WON, 3: LOST}
    partial = {number: pair for number, pair in complete.items() if number != 1} | {7: LOST}
    found = difference_entry(partial, complete)
    assert (found.mean, found.count) == (0.0, 3)


def test_the_error_of_a_difference_is_what_repeated_experiments_show():
    generator, found = np.random.default_rng(4), []
    for _ in range(100):
        kinds = generator.integers(0, 3, 80)
        mine = {n: [WON, LOST, SKEWED][k] for n, k in enumerate(kinds)}
        others = np.where(generator.random(80) < 0.7, kinds, generator.integers(0, 3, 80))
        theirs = {n: [WON, LOST, SKEWED][k] for n, k in enumerate(others)}
        found.append(difference_entry(mine, theirs))
    spread = np.std([entry.mean for entry in found])
    assert np.mean([entry.error for entry in found]) == pytest.approx(spread, rel=0.15)


@pytest.mark.slow
@pytest.mark.interpreted
def test_complete_and_partial_games_begin_alike(tmp_path):
    board = "kalah:pits=3,stones=2,setup=random"
    end = Finish(("random", "random"), ply=4)

    def duels(size: Size) -> list[Duel]:
        return [
            Duel(row, "1", board, "mm:depth=1", "mm:depth=2", finish=finish)
            for row, finish in (("complete", None), ("partial", end))
        ]

    part = Duels(
        "Part",
        duels,
        score="boards",
        differences={"both": ("partial", "complete")},
        difference_claims=(AverageAbove("partial is better", "both", level=-1.01),),
    )
    with Notebook(tmp_path / "n.db") as notebook:
        section = part.carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), Size(games=24))
        complete, partial = (list(notebook.games(stored.id)) for stored in notebook.contests())
    assert [record.steps[:4] for record in complete] == [record.steps[:4] for record in partial]
    assert section.tables[-1].entries["both", "1"].count == 12
    assert [judged.verdict for judged in section.judgements] == [AGREES]


# Seconds


def searched(*shares: float, seat: int = 0) -> tuple[SearchStats, ...]:
    return tuple(SearchStats(0.1, 1, 1, None, 0.0, None, seat, 0.1 * share) for share in shares)


def test_a_share_of_seconds():
    assert share_of_time(searched(1.0, 0.5)) == pytest.approx(0.75)
    assert [had_its_time(search) for search in searched(1.0, 0.91, 0.89)] == [True, True, False]
    assert share_of_time([SearchStats(0.1, 1, 1, None, 0.0, None)]) == 1.0  # an older file does not say
    assert share_of_time([]) == 1.0


def test_pairs_in_which_a_player_had_too_little_are_dropped():
    def game(pair: int, number: int, *searches: SearchStats) -> GameRecord:
        return GameRecord(pair, number, ((0, 1), (1, 0))[number], 0, (0,), searches, (1.0, -1.0))

    records = [
        game(0, 0, *searched(1.0), *searched(1.0, seat=1)),
        game(0, 1, *searched(1.0), *searched(0.97, seat=1)),
        game(1, 0, *searched(1.0), *searched(0.6, seat=1)),  # kind 1 has 80% of its time in this pair
        game(1, 1, *searched(1.0), *searched(1.0, seat=1)),
    ]
    assert attended_pairs(records) == {0}
    section = Section("s")
    duel = Duel("row", "25", "tic_tac_toe", "random", "random", Limits(time=0.1))
    assert Duels("d", lambda size: [duel]).drop_unattended(section, duel, records) == records[:2]
    assert section.notes == [
        "row, 25: the processor gave searches 95% of their seconds; 2 of 4 had too little and are dropped."
    ]


def test_searches_of_a_study_that_had_too_little_are_dropped_where_there_is_a_clock():
    runs = [Measurement("x", run, 0.0, 0, 1, 1, 0.1, 0.1 * share) for run, share in enumerate((1.0, 0.5))]
    section = Section("s")
    timed = Study("pig", "exp", Limits(time=0.1))
    assert attended(section, "exp", timed, {"x": runs}) == {"x": runs[:1]}
    assert "75% of their seconds; 1 of 2" in section.notes[0]
    assert attended(section, "exp", Study("pig", "exp:nodes=5"), {"x": runs}) == {"x": runs}
