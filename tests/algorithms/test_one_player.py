"""Searches of games for one: all of them find the value of the definition, without a minimising player."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from astragal import AstragalError, Position, load_player
from astragal.rules.decorator import game
from astragal.solvers.exact import solve
from support import solos
from support.broken_games import GOAL, Sound
from support.helpers import run_here, run_support, solutions_in
from support.solos import Press, Walk, best_of_press, best_walk
from support.uncompiled_solving import solve_uncompiled


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch):
    solve_uncompiled(monkeypatch)


@pytest.mark.slow
@pytest.mark.interpreted
def test_every_search_to_the_end_finds_the_value():
    ran = run_support("solos", NUMBA_DISABLE_JIT="1")
    assert ran.code == 0, ran.err
    found = [line.split() for line in ran.out.splitlines()]
    assert len(found) == 12
    truth = {"Press": best_of_press(0, 0, 3), "Walk": float(best_walk())}
    for played, name, value, bound in found:
        assert (name, float(value), bound) == (name, pytest.approx(truth[played]), "exact")


def test_the_solved_value_is_the_expected_score(tmp_path):
    with solutions_in(tmp_path):
        for rules, truth in ((Press(), best_of_press(0, 0, 3)), (Walk(), best_walk())):
            start = Position.start(rules)
            values = solve(start).values
            assert values.value(start) == pytest.approx(truth, abs=1e-9)
            assert values.win_chance(start) is None
            assert values.stage(start) is None
        here = Position.parse(Press(), "score=700 drawn=2 phase=0")
        assert solve(here).values.action_values(here) == {0: 700.0, 1: (900 + 1000 + 1100) / 4}
        assert load_player("optimal", Press()).search(here).action == "draw"


def test_solving_says_what_is_expected_and_nothing_of_winning(tmp_path, capsys):
    with solutions_in(tmp_path):
        said = run_here(capsys, "solve", f"{Path(solos.__file__)}:Walk").out
    assert f"expected score              {best_walk():.9f}" in said
    assert "wins" not in said
    assert "first player" not in said


@pytest.mark.parametrize("name", ["exp", "star2", "alphabeta", "uct", "mcs"])
def test_a_range_without_an_end_is_refused(name):
    endless = game(type("Endless", (Walk,), {"utility_range": (0.0, math.inf), "__module__": __name__}))()
    with pytest.raises(
        AstragalError, match=rf"{name} needs a utility_range with two ends, and Endless declares 0 to inf"
    ):
        load_player(name, endless)
    assert load_player("maxn", endless) is not None


def test_the_chance_of_winning_does_not_depend_on_the_declared_range(tmp_path):
    wide = game(type("Wide", (Sound,), {"utility_range": (-3.0, 3.0), "__module__": __name__}))()
    methods = {"utility_range": (-3.0, 3.0), "utility": worth_two_beyond_the_goal, "__module__": __name__}
    doubled = game(type("Doubled", (Sound,), methods))()
    with solutions_in(tmp_path):
        plain, other, margins = (solve(Position.start(rules)).values for rules in (Sound(), wide, doubled))
        again = solve(Position.start(wide)).values  # from the file
    start = Position.start(Sound())
    assert plain.value(start) == pytest.approx(other.value(Position.start(wide)), abs=1e-8)
    assert plain.win_chance(start) == pytest.approx((1 + plain.value(start)) / 2)
    assert other.win_chance(Position.start(wide)) == pytest.approx(plain.win_chance(start), abs=1e-8)
    assert again.win_chance(Position.start(wide)) == other.win_chance(Position.start(wide))
    assert margins.win_chance(Position.start(doubled)) is None


def worth_two_beyond_the_goal(self, state, player):
    won = 2.0 if state.total > GOAL else 1.0
    return -won if state.turn == player else won
