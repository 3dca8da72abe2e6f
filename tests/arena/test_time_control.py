"""Clocks of a game: what they give each move, who loses by them, and what they do not go with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from astragal import AstragalError, load_player, match
from astragal.arena.contest import Contest
from astragal.arena.referee import Referee
from astragal.arena.store.overview import limits_text
from astragal.arena.time_control import TimeControl
from support.helpers import run_here

GIVEN: list[float] = []


@pytest.mark.parametrize(("text", "seconds"), [("60+1", (60.0, 1.0)), ("0.5", (0.5, 0.0)), ("300+2.5", (300.0, 2.5))])
def test_time_controls_are_seconds_and_an_increment(text, seconds):
    assert TimeControl.parse(text) == TimeControl(*seconds)


@pytest.mark.parametrize("text", ["", "60+", "+1", "0+1", "-3", "1:00", "nan", "60+1+1", "1e3", "9" * 12])
def test_others_are_refused(text):
    with pytest.raises(AstragalError, match="is not a time control; write seconds a game, or 60"):
        TimeControl.parse(text)


def test_a_clock_without_an_increment_never_runs_out_by_its_own_limits():
    control, left = TimeControl(10.0), 10.0
    for _ in range(100):
        given = control.for_move(left)
        assert 0 < given <= left / 2 + 0.001
        left -= given
    assert TimeControl(60.0, 1.0).for_move(60.0) == pytest.approx(3.75)
    assert TimeControl(60.0, 10.0).for_move(1.0) == 0.5


def refereed(monkeypatch: Any, control: str, thought: float) -> Referee:
    """A game in which each move takes `thought` seconds by a clock that only moves."""
    contest = Contest.of("pig:goal=12", ["random", "random"], control=control)
    referee = Referee(contest, 0, 0, grace=0.0)
    now = [0.0]

    def search(self: Any, position: Any, seed: int = 0, limits: Any = None, **more: Any) -> Any:
        GIVEN.append(limits.time)
        now[0] += thought
        return replace(plain(self, position, seed), seconds=thought)

    kind = type(load_player("random"))
    plain = kind.search
    monkeypatch.setattr(kind, "search", search)
    monkeypatch.setattr("astragal.arena.referee.time.perf_counter", lambda: now[0])
    GIVEN.clear()
    return referee


def test_clocks_run_down_by_what_moves_take_and_gain_the_increment(monkeypatch):
    referee = refereed(monkeypatch, "20+1", 0.25)
    record = referee.play(strict=False)
    moves = [sum(search.seat == seat for search in record.searches) for seat in range(2)]
    assert record.forfeit is None
    assert referee.left == pytest.approx([20.0 + 0.75 * count for count in moves])
    assert GIVEN[0] == pytest.approx(1.75)
    assert all(given >= 1.75 for given in GIVEN)


def test_who_runs_out_of_time_loses(monkeypatch):
    record = refereed(monkeypatch, "1", 0.6).play(strict=False)
    assert record.forfeit is not None
    assert record.fault == "ran out of time: its clock of 1 is at -0.20 s"
    assert record.utilities[record.forfeit] == -100.0


def test_it_is_part_of_the_contest_and_of_nothing_before():
    plain = Contest.of("pig", ["random", "random"])
    assert "control" not in plain.to_json()
    timed = Contest.of("pig", ["random", "random"], control="2+0.1")
    assert timed.key != plain.key
    assert replace(Contest.from_json(timed.to_json()), given=None) == timed
    assert limits_text(timed) == "control=2+0.1"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"control": "60+1", "time": 0.1}, "exclude each other: --time, --control"),
        ({"control": "60+1", "node_matched": 1}, "budgets are not matched"),
        ({"control": "soon"}, "'soon' is not a time control"),
    ],
)
def test_what_does_not_go_with_it_is_refused(words, sentence):
    with pytest.raises(AstragalError, match=sentence):
        match("pig:goal=12", ["random", "hold"], games=2, **words)


def test_the_command_plays_by_it(capsys, tmp_path):
    db = tmp_path / "r.db"
    line = ["match", "pig:goal=12", "star2:depth=1", "random", "--control", "5+0.1", "--games", "2", "--jobs", "1"]
    assert run_here(capsys, *line, "--db", db).code == 0
    assert "control=5+0.1" in run_here(capsys, "results", "show", "1", "--db", db).out
