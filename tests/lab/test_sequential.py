"""Looks at a pairing: when they are, when they end it, how often they are wrong, and that a report stops there too."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from astragal.algorithms.limits import Limits
from astragal.arena.workers import local_workers
from astragal.lab.budget import limited, limits_of
from astragal.lab.claims import Above, Claim, More, Near
from astragal.lab.findings import Entry
from astragal.lab.laboratory import BusyLaboratory, Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.scores import game_entry
from astragal.lab.sequential import (
    STRICT,
    USUAL,
    Stop,
    again_note,
    last_confidence,
    looks,
    play_by_looks,
    with_confidence,
)
from astragal.lab.size import Size


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
    entries = [Entry(0.6, 0.6 - reach, 0.6 + reach, 10) for reach in (usual, strict)]
    assert Stop(0.02, levels).is_enough(*entries) == enough


def test_equal_players_are_seldom_told_apart_however_often_one_looks():
    """5% for the last look and at most 0.1% for each of the others; without the strictness it would be some 15%."""
    generator, wrong, trials = np.random.default_rng(11), 0, 150
    for _ in range(trials):
        scores = generator.integers(0, 2, (400, 2)).astype(float).tolist()
        stop, final = Stop(0.0, (0.5,)), None
        for pairs in looks(400, 2):
            seen = dict(enumerate(scores[:pairs]))
            final, strict = (game_entry(seen, None, confidence) for confidence in (USUAL, STRICT))
            assert final is not None
            if stop.is_enough(final, strict):
                break
        wrong += not final.low <= 0.5 <= final.high
    assert wrong <= 0.09 * trials


def test_making_a_run_larger_until_something_shows_does_not_find_it():
    """Equal players, four times as many games each time a claim is open: 5%, 2.5% and 1.25% at most."""
    generator, wrong, trials = np.random.default_rng(5), 0, 200
    for _ in range(trials):
        scores = generator.integers(0, 2, (640, 2)).astype(float).tolist()
        for again, pairs in enumerate((40, 160, 640)):
            entry = game_entry(dict(enumerate(scores[:pairs])), None, last_confidence(again))
            assert entry is not None
            if not entry.low <= 0.5 <= entry.high:
                wrong += 1
                break
    assert wrong <= 0.125 * trials  # 8.75% and two standard errors; by 95% intervals it is some 13%


def test_claims_are_wrong_half_as_often_each_time_a_run_is_made_larger():
    """So that with however many enlargements they are wrong in less than one of ten experiments."""
    wrong = [1.0 - last_confidence(again) for again in range(12)]
    assert wrong[0] == pytest.approx(1.0 - USUAL)
    assert wrong[1:] == pytest.approx([each / 2 for each in wrong[:-1]])
    assert sum(wrong) < 0.1
    assert f"{100 * (1.0 - wrong[2]):g}% intervals" in again_note(2)


def test_a_larger_run_of_the_same_counts_as_seen_before(tmp_path):
    size = Size(games=100, sims=50, reach=0.2)
    with Notebook(tmp_path / "n.db") as notebook:

        def begin(size: Size, scale: str = "equivalent") -> int:
            found = notebook.seen_before("name", scale, size, seed=0)
            notebook.begin_experiment("name", scale, found, 0, 1, "")
            return found.again

        assert begin(size) == 0
        assert begin(size) == 0  # the same, gone on with
        assert begin(replace(size, games=400)) == 1
        assert begin(replace(size, games=400)) == 1
        assert begin(replace(size, games=1600, reach=0.1)) == 2
        assert begin(replace(size, games=3200, sims=100)) == 0  # other players
        assert begin(replace(size, games=6400, sims=100, again=3)) == 3  # by hand, where that is not in the notebook
        assert begin(replace(size, games=1600), scale="paper") == 0


@pytest.mark.slow
@pytest.mark.interpreted
def test_claims_about_a_run_that_was_made_larger_are_judged_more_strictly(tmp_path):
    with Notebook(tmp_path / "n.db") as notebook:
        lab = BusyLaboratory(notebook, workers=lambda: local_workers(1))
        usual, strict = (claimed(Above("weak", "weak")).carry_out(lab, Size(games=40, again=again)) for again in (0, 2))
        assert usual.tables == strict.tables
        assert usual.judgements[0].because != strict.judgements[0].because
        assert "98.75% intervals" in strict.notes[-1]


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
        assert by_width.missing == 350  # as many as there may be


def claimed(*claims: Claim) -> Duels:
    """A strong player and one as weak as its opponent, and what is said of them."""
    duels = [
        Duel("strong", "x", "tic_tac_toe", "mm:depth=2", "random"),
        Duel("weak", "x", "tic_tac_toe", "random", "random:", levels=(0.5,)),
    ]
    return Duels("A part", lambda size: duels, claims=claims)


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("claims", "counts"),
    [
        ((Above("strong", "strong"),), (50, 400)),
        ((Above("strong", "strong"), Above("weak", "weak", level=0.1)), (50, 50)),
        ((Above("strong", "strong"), Above("weak", "weak")), (50, 400)),  # open to the end, or about equal
        ((Above("strong", "strong"), More("a", "strong", "weak", "x")), (50, 50)),
        ((Above("strong", "strong"), Near("w", "weak", "x", 0.5, 0.3)), (50, 50)),
        ((), (400, 400)),  # both end by width, which is not reached
    ],
)
def test_games_go_where_claims_are_open(tmp_path, claims, counts):
    size = Size(games=400, reach=0.001)
    with Notebook(tmp_path / "n.db") as notebook:
        ran = claimed(*claims).carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), size)
        assert tuple(entry.count for entry in ran.tables[0].entries.values()) == counts
        reading = Laboratory(notebook)
        assert claimed(*claims).carry_out(reading, size).tables == ran.tables
        assert reading.missing == 0


def test_a_wider_interval_about_the_same_mean():
    usual = Entry(0.6, 0.5, 0.65, 10)
    assert with_confidence(usual, USUAL) == usual
    strict = with_confidence(usual, STRICT)
    assert (strict.mean, strict.low, strict.high) == pytest.approx(
        (0.6, 0.6 - 0.1 * 1.6789, 0.6 + 0.05 * 1.6789), rel=1e-4
    )


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
        "limit of a move: 30,000 nodes in Pig or 10 simulations instead of 0.2 seconds",
        "games a pairing: 400 instead of 1000",
        "end of a pairing: claims decided; without claims ±2 points instead of all games",
    ]


class CountingLaboratory:
    """A laboratory that hands out numbers for games."""

    missing, plays = 0, True

    def games(self, contest, games):
        return list(range(games))


def test_a_pairing_that_was_enough_goes_on_where_another_has_moved():
    contest = SimpleNamespace(seatings=("AB", "BA"))

    def is_enough(found):
        """`b` is enough after the first look, and in question again once `a` has 200 games."""
        return {"a": len(found["a"]) == 400, "b": len(found["b"]) == 100 or len(found["a"]) < 200}.__getitem__

    found = play_by_looks(CountingLaboratory(), dict.fromkeys("ab", (contest, 400)), is_enough)
    assert {name: len(games) for name, games in found.items()} == {"a": 400, "b": 100}
