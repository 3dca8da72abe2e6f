"""Duels: complete and partial games compared board by board, and what stands under a table."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish, GameRecord, SearchStats
from astragal.arena.workers import local_workers
from astragal.lab.claims import AverageAbove
from astragal.lab.findings import AGREES
from astragal.lab.laboratory import BusyLaboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.rows import costs_of, full_settings, match_line, of_contest
from astragal.lab.scores import board_entry, difference_entry
from astragal.lab.size import Size
from support.helpers import run_here

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


# What stands under a table


def contests() -> list[Contest]:
    """Of every kind of circumstances that an experiment has."""
    finish = Finish(("mm:depth=2", "mm:depth=2"), None, 0.003, 1)
    kalah = "kalah:pits=3,stones=2,setup=random"
    return [
        Contest.of("pig:goal=20", ["expss:nodes=100000,width=20", "exp:depth=2"], seed=2**63),
        Contest.of("ewn", ["star1ss", "mcts"], Limits(time=0.0125), 7, clock="processor"),
        Contest.of(kalah, ["uct_h", "mm:depth=4,order=reversed"], None, 3, 0, finish, "interior"),
        Contest.of(kalah, ["uct:final=visits,c=0.1", "uct"], Limits(nodes=5), 3, None, Finish(("greedy",) * 2, 4)),
    ]


@pytest.mark.parametrize("number", range(4))
def test_the_line_under_a_row_plays_its_contest(number, capsys, monkeypatch):
    contest, met = contests()[number], []
    monkeypatch.setattr("astragal.arena.api.play_match", lambda contest, games, *more: met.append((contest, games)))
    run_here(capsys, *shlex.split(match_line(contest, 48))[1:], "--db", "none")
    assert [(found.key, games) for found, games in met] == [(contest.key, 48)]


def test_what_a_node_took_is_the_processors_seconds_over_the_nodes_of_each_player():
    contest = contests()[0]
    searches = tuple(SearchStats(9.0, 1000 * (1 + seat), 1, None, 0.0, None, seat, 2e-5) for seat in (0, 1, 0, 1))
    games = [GameRecord(0, game, contest.seatings[game], 0, (0,), searches, (1.0, -1.0)) for game in (0, 1)]
    assert costs_of(contest, games[:1]) == ["20 ns a node, 0.02 ms a move", "10 ns a node, 0.02 ms a move"]
    assert costs_of(contest, games) == ["13.3 ns a node, 0.02 ms a move"] * 2
    row = of_contest("row", contest, games, 400)
    assert (row.done, row.planned, row.seconds) == (2, 400, pytest.approx(1.6e-4))
    assert row.cost == "expss 13.3 ns a node, 0.02 ms a move; exp 13.3 ns a node, 0.02 ms a move"


def test_players_are_told_with_all_their_settings():
    assert full_settings("expss:nodes=5", "pig").startswith("expss:")
    assert {"width=20", "unfinished=better"} <= set(full_settings("expss:nodes=5", "pig").split(","))
    assert full_settings("nobody:x=1", "pig") == "nobody:x=1"
