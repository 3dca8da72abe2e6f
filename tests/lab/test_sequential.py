"""Looks at a pairing: when they are, when they end it, how often they are wrong, and that a report stops there too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from astragal.arena.workers import local_workers
from astragal.lab.budget import limited, limits_of
from astragal.lab.findings import Entry
from astragal.lab.laboratory import BusyLaboratory, Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels, game_entry
from astragal.lab.sequential import STRICT, USUAL, Stop, looks
from astragal.lab.size import Size
from astragal.search.limits import Limits


def test_looks_double_and_end_at_all_pairs():
    assert list(looks(1200, 2)) == [25, 50, 100, 200, 400, 800, 1200]
    assert list(looks(10, 2)) == [10]
    assert list(looks(100, 14)) == [4, 8, 16, 32, 64, 100]
    assert list(looks(100, 100)) == [1, 2, 4, 8, 16, 32, 64, 100]


@pytest.mark.parametrize(
    ("usual", "strict", "levels", "enough"),
    [
        (0.05, 0.08, (0.5,), True),  # 0.6 +- 0.08 excludes 0.5
        (0.05, 0.12, (0.5,), False),
        (0.05, 0.08, (0.5, 0.65), False),  # one of two levels is still possible
        (0.05, 0.08, (), False),  # no claim: only the width counts
        (0.019, 0.12, (0.5,), True),  # narrow enough, decided or not
    ],
)
def test_a_pairing_ends_when_its_claim_is_decided_or_its_interval_is_narrow(usual, strict, levels, enough):
    reach = {USUAL: usual, STRICT: strict}
    stop = Stop(0.02, levels)
    assert stop.is_enough(lambda c: Entry(0.6, 0.6 - reach[c], 0.6 + reach[c], 10)) == enough
    assert not stop.is_enough(lambda confidence: None)


def test_equal_players_are_seldom_told_apart_however_often_one_looks():
    """5% for the last look and at most 0.1% for each of the others; without the strictness it would be some 15%."""
    generator, wrong, trials = np.random.default_rng(11), 0, 400
    for _ in range(trials):
        scores = generator.integers(0, 2, (400, 2)).astype(float).tolist()
        stop, final = Stop(0.0, (0.5,)), None
        for pairs in looks(400, 2):
            seen = dict(enumerate(scores[:pairs]))
            final = game_entry(seen, None)
            if stop.is_enough(lambda confidence, seen=seen: game_entry(seen, None, confidence)):
                break
        assert final is not None
        wrong += not final.low <= 0.5 <= final.high
    assert wrong <= 0.09 * trials


def part(levels: tuple[float, ...] = (0.5,)) -> Duels:
    duel = Duel("row", "column", "tic_tac_toe", "mm:depth=2", "random", levels=levels)
    return Duels("A part", lambda size: [duel])


def test_a_run_and_its_report_stop_at_the_same_look(tmp_path):
    size = Size(games=400, reach=0.02)
    with Notebook(tmp_path / "n.db") as notebook:
        ran = part().carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), size)
        (entry,) = ran.tables[0].entries.values()
        assert entry.count == 50  # the first look leaves no doubt
        reading = Laboratory(notebook)
        read = part().carry_out(reading, size)
        assert (read.tables, reading.missing) == (ran.tables, 0)
        all_of_them = Laboratory(notebook)
        part().carry_out(all_of_them, replace(size, reach=0.0))
        assert all_of_them.missing == 350
        by_width = Laboratory(notebook)
        part(levels=()).carry_out(by_width, size)
        assert by_width.missing == 50  # up to the next look, which is not there


def test_a_player_has_nodes_or_simulations_in_place_of_seconds():
    work = Size(nodes=1000, sims=200)
    assert limits_of(work) == Limits()
    assert limited("exp", "pig", work) == "exp:nodes=1000"
    assert limited("star1ss:width=3", "ewn", work) == "star1ss:width=3,nodes=900"
    assert limited("mcts", "pig:rolls=36", work) == "mcts:sims=200"
    assert limited("dpw:c=3", "ra", work) == "dpw:c=3,sims=140"
    assert limited("greedy", "ra", work) == "greedy"
    assert limited("exp:depth=3", "pig", work) == "exp:depth=3"
    seconds = Size(time=0.1, nodes=1000)
    assert limited("exp", "pig", seconds) == "exp"
    assert limits_of(seconds) == Limits(time=0.1)


def test_what_is_smaller_about_work():
    published = Size(games=1000, time=0.2)
    assert Size(games=400, nodes=30_000, sims=10, reach=0.02).smaller_than(published) == [
        "work in place of 0.2 seconds a move",
        "games a pairing: 400 instead of 1000",
        "a pairing ends at ±2 points, or once its claim is decided",
    ]
