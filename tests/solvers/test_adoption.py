"""Solutions kept under another fingerprint: used again where they fit the current rules, and only there."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astragal import Position, load_game
from astragal.games.ewn import solver as ewn
from astragal.solvers import adoption, solution
from astragal.solvers.exact import exact_values
from astragal.solvers.exact import solve as solve_exactly
from astragal.solvers.solution import file_for
from support.helpers import DATA, define, solutions_in
from support.simultaneous_games import Pennies

RACE = (DATA / "kept" / "race.py").read_text(encoding="utf-8")
FORMER = "0123456789abcdef"
OTHER_RULES = {
    "an outcome is likelier": ("return 0.5", "return 0.6 if outcome else 0.4"),
    "a step is longer": ("+= 2 * outcome", "+= 1 + outcome"),
    "an action has gone": ("out[0], out[1] = 1, 2\n        return 2", "out[0] = 1\n        return 1"),
    "a win is worth something else": ("return 1.0 if", "return 0.5 if"),
    "the winner is another": ("square[player] >=", "square[1 - player] >="),
    "the order of turns": ("state.thrown = 0\n        state.turn = 1 - state.turn", "state.thrown = 0"),
    "states are others": ('("turn", "i1")', '("turn", "i4")'),
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path):
    adoption.refused.clear()
    ewn.last_solved.clear()
    with solutions_in(tmp_path) as folder:
        yield folder


def race(old: str = "", new: str = "") -> Any:
    assert old in RACE
    return define(RACE.replace(old, new) if old else RACE)["Race"]()


def made_former(file: Path) -> Path:
    """A kept solution as if the code of its game had been another."""
    former = file.with_name(f"{file.stem.rpartition('-')[0]}-{FORMER}.npz")
    file.rename(former)
    return former


POSITIONS = {
    "chance": lambda: Position.start(race()),
    "not from the start": lambda: Position.start(load_game("pig:goal=5,dice=1")).settled(0),
    "choices made at once": lambda: Position.start(Pennies(2)),
    "a solver of its own": lambda: Position.parse(load_game("ewn"), "...../...../..1../...../a...b 1 -"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_solution_of_the_same_rules_is_taken_over(name):
    position = POSITIONS[name]()
    solved = solve_exactly(position)
    former = made_former(solved.file)
    ewn.last_solved.clear()
    with pytest.warns(UserWarning, match="fit its current rules, so the solution is kept"):
        again = solve_exactly(position)
    assert again.kept_before
    assert again.values.value(position) == solved.values.value(position)
    assert again.file.exists()
    assert not former.exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solve_exactly(position).kept_before


@pytest.mark.parametrize("what", OTHER_RULES)
def test_a_solution_of_other_rules_is_not(what):
    other = solve_exactly(Position.start(race(*OTHER_RULES[what])))
    former = made_former(other.file)
    here = Position.start(race())
    with pytest.warns(UserWarning, match=f"{former.name} is of other rules than Race has now"):
        solved = solve_exactly(here)
    assert not solved.kept_before
    assert solved.values.value(here) == pytest.approx(0.175925926, abs=1e-8)
    assert former.exists()
    adopted = solution.find_kept(here)
    assert adopted is not None
    assert adopted.value(here) == solved.values.value(here)


@pytest.mark.parametrize("place", range(0, 60, 7))
def test_a_wrong_value_anywhere_in_a_small_table_is_noticed(place):
    """Every state of so small a game is among those compared."""
    game = race("int = parameter(6", "int = parameter(3")
    solved = solve_exactly(Position.start(game))
    with np.load(solved.file) as file:
        arrays = dict(file)
    place %= len(arrays["values"])
    ends = np.abs(arrays["values"]) == 1.0
    place = int(np.flatnonzero(~ends)[place % (~ends).sum()])
    arrays["values"][place] += 1e-3
    solved.file.unlink()
    np.savez(solved.file.with_name(f"Race-{FORMER}.npz"), **arrays)
    with pytest.warns(UserWarning, match="is of other rules"):
        assert solution.find_kept(Position.start(game)) is None


def test_what_does_not_fit_is_looked_at_once():
    other = solve_exactly(Position.start(race(*OTHER_RULES["a step is longer"])))
    made_former(other.file)
    game = race()
    with pytest.warns(UserWarning, match="other rules"):
        assert solution.find_solution(game) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solution.find_solution(game) is None


def test_players_take_a_former_solution_over_too():
    here = Position.start(race())
    value = solve_exactly(here).values.value(here)
    made_former(solution.solution_path(here.game))
    with pytest.warns(UserWarning, match="solution is kept"):
        assert exact_values(here).value(here) == value


def test_other_settings_and_purposes_are_other_solutions(elsewhere):
    game = race()
    path = solution.solution_path(game)
    for name in (f"Race-track5-{FORMER}.npz", f"Race-at-{FORMER}-{FORMER}.npz", f"Races-{FORMER}.npz", path.name):
        path.parent.mkdir(exist_ok=True)
        (path.parent / name).touch()
    assert adoption.former_files(path, game.own_identity()) == []
    made = path.with_name(f"Race-{FORMER}.npz")
    made.touch()
    assert adoption.former_files(path, game.own_identity()) == [made]
    at = file_for(game, f"at-{FORMER}")
    assert [each.name for each in adoption.former_files(at, game.own_identity())] == [f"Race-at-{FORMER}-{FORMER}.npz"]


def test_a_broken_former_file_is_passed_over():
    here = Position.start(race())
    solved = solve_exactly(here)
    made_former(solved.file).write_bytes(b"nothing")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solution.find_kept(here) is None
