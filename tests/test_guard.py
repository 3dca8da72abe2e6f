"""The guard of speed: which ratios are too low, how often a row is tried, and what is said without a compiler."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def guard(monkeypatch, tmp_path):
    """The program, with a file of its own to store in, and without measuring."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import guard as program

    monkeypatch.setattr(program, "STORED", tmp_path / "guard.json")
    monkeypatch.setattr(program, "use_one_core", lambda: None)
    monkeypatch.setattr(program, "machine", lambda programs: {"processor": "abacus"})
    monkeypatch.setattr(program, "build_programs", lambda console, names: {program.SAME_LOGIC: Path("yardstick")})
    return program


def run(program, monkeypatch, ratios, *options, steady=(True, True, True)):
    """Its exit code and how many tries there were, when the tries of each row find these ratios one after the other."""
    tried = []

    def try_row(measure, task, yardstick, clock):
        tried.append(measure.name)
        number = tried.count(measure.name) - 1
        return program.Try(ratios[number], steady[number])

    monkeypatch.setattr(program, "try_row", try_row)
    monkeypatch.setattr(program, "guarded", lambda only, stored: rows_without_games(program, stored))
    monkeypatch.setattr(sys, "argv", ["guard.py", *options])
    return program.main(), len(tried)


def rows_without_games(program, stored):
    measure = program.Measure("star1", "Star1", "nodes", lambda: lambda: None)
    return [program.Row(measure, stored["ratios"].get("star1"), stored["spreads"].get("star1", 0.0))], measure


def test_what_is_stored_is_the_median_of_three(guard, monkeypatch):
    assert run(guard, monkeypatch, [0.5, 0.9, 0.8], "--store") == (0, 3)
    (stored,) = json.loads(guard.STORED.read_text())
    assert stored["ratios"] == {"star1": 0.8}
    assert stored["spreads"] == {"star1": 0.5}
    assert stored["machine"] == {"processor": "abacus"}
    assert stored["commit"]


@pytest.mark.parametrize(
    ("ratios", "code", "tries"),
    [
        ([0.86], 0, 1),  # a little lower is chance
        ([0.84, 0.86], 0, 2),
        ([0.2, 0.3, 2.0], 0, 3),
        ([0.84, 0.84, 0.84], 1, 3),
    ],
)
def test_a_row_fails_if_the_best_of_three_tries_is_too_low(guard, monkeypatch, capsys, ratios, code, tries):
    run(guard, monkeypatch, [1.0] * 3, "--store")
    assert run(guard, monkeypatch, ratios) == (code, tries)
    said = capsys.readouterr()
    assert ("FELL" in said.out) == (code == 1)
    assert ("15% slower" in said.err) == (code == 1)


def test_a_row_whose_ratio_was_never_the_same_may_fall_further(guard, monkeypatch):
    run(guard, monkeypatch, [0.9, 1.0, 0.95], "--store")
    stored = guard.stored_of(guard.machine({}))
    assert guard.guarded("", stored)[0][0].spread == pytest.approx(0.1 / 0.95, abs=1e-3)
    assert run(guard, monkeypatch, [0.75]) == (0, 1)
    assert run(guard, monkeypatch, [0.7] * 3) == (1, 3)


def test_a_machine_that_is_never_quiet_fails_nothing(guard, monkeypatch, capsys):
    run(guard, monkeypatch, [1.0] * 3, "--store")
    assert run(guard, monkeypatch, [0.5] * 3, steady=(False, False, False)) == (0, 3)
    assert "too busy to decide" in capsys.readouterr().out
    assert run(guard, monkeypatch, [0.5] * 3, steady=(False, True, False)) == (1, 3)


def test_a_try_is_steady_if_both_rates_are(guard, monkeypatch):
    measure = guard.Measure("star1", "Star1", "nodes", lambda: lambda: None)
    same, restless = [10, 9, 8, 10, 9, 8], [10, 6, 5, 9, 6, 6]
    for ours, theirs in product((same, restless), repeat=2):
        turns, others = iter(ours), iter(theirs)
        monkeypatch.setattr(guard, "best_rate", lambda seconds, task, turns=turns: next(turns))
        monkeypatch.setattr(guard, "run_program", lambda *asked, others=others: (next(others), {}))
        steady = ours is same and theirs is same
        assert guard.try_row(measure, lambda: None, Path("yardstick"), measure) == (1.0, steady)


def test_a_row_of_which_nothing_is_stored_is_shown(guard, monkeypatch, capsys):
    assert run(guard, monkeypatch, [0.1]) == (0, 1)
    assert "nothing stored" in capsys.readouterr().out


def test_without_a_compiler_it_says_so(guard, monkeypatch, capsys):
    monkeypatch.setattr(guard, "build_programs", lambda console, names: {})
    assert run(guard, monkeypatch, []) == (0, 0)
    assert "SKIPPED" in capsys.readouterr().out


def test_what_is_guarded_can_be_measured(guard):
    rows, clock = guard.guarded("", {"ratios": {}, "spreads": {}})
    assert [row.measure.name for row in rows] == list(guard.NAMES)
    assert clock.name == guard.CLOCK


def test_ratios_of_another_machine_are_not_compared(guard, monkeypatch, capsys):
    run(guard, monkeypatch, [1.0] * 3, "--store")
    monkeypatch.setattr(guard, "machine", lambda programs: {"processor": "slide rule"})
    assert run(guard, monkeypatch, [0.1]) == (0, 0)
    assert "SKIPPED" in capsys.readouterr().out


def test_each_kind_of_machine_has_ratios_of_its_own(guard, monkeypatch):
    run(guard, monkeypatch, [1.0] * 3, "--store")
    abacus = guard.machine({})
    monkeypatch.setattr(guard, "machine", lambda programs: {"processor": "slide rule"})
    run(guard, monkeypatch, [0.5] * 3, "--store")
    assert run(guard, monkeypatch, [0.5]) == (0, 1)
    run(guard, monkeypatch, [0.6] * 3, "--store")
    monkeypatch.setattr(guard, "machine", lambda programs: abacus)
    assert run(guard, monkeypatch, [0.5] * 3) == (1, 3)
    assert [kept["ratios"]["star1"] for kept in guard.read_stored()] == [1.0, 0.6]
