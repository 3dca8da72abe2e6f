"""Exact values of Can't Stop's solitaire, against published values and against each other."""

from __future__ import annotations

import json
from functools import cache

import pytest

from astragal import Position, load_game, load_player, start
from astragal.base.errors import AstragalError
from astragal.games.cant_stop import solver
from astragal.games.cant_stop.rules import STOP
from astragal.games.cant_stop.solver import Solitaire, find_solitaire, on_demand, solve_solitaire
from astragal.rules.dice import Dice
from astragal.solvers.exact import exact_values
from astragal.solvers.sharing import taking_threads
from support.helpers import by_python, random_position, run_here, slow_but, solutions_in

# The least expected number of turns with n-sided dice and shortest column k; to three digits also in Glenn, Fang and
# Kruskal 2006.
KNOWN = {(2, 1): 1.297948, (2, 2): 1.347282, (2, 3): 1.400180, (3, 1): 1.480253, (3, 2): 1.722401, (3, 3): 1.890481}
SMALL = [(2, 1), (2, 2)]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path):
    with solutions_in(tmp_path):
        yield


@cache
def solitaire(sides: int, shortest: int) -> Solitaire:
    return solve_solitaire(load_game(f"cant_stop:players=1,sides={sides},shortest={shortest}"))


@pytest.mark.parametrize("size", by_python((2, 1), (3, 2)))
def test_any_number_of_threads_finds_the_same_turns(size, monkeypatch):
    monkeypatch.setattr(solver, "CHUNK", 2)
    game = load_game("cant_stop:players=1,sides={},shortest={}".format(*size))
    for threads in (2, 3):
        with taking_threads(threads):
            assert solve_solitaire(game).turns.tobytes() == solitaire(*size).turns.tobytes()


# Solitaire


def lost(position: Position) -> Position:
    """The position after a bust."""
    *markers, _, player, _ = position.text.split()
    after = int(player) % position.game.players + 1 if position.game.players > 1 else int(player) + 1
    return Position.parse(position.game, " ".join([*markers, "-", str(after), "roll"]))


@pytest.mark.few(1)
@pytest.mark.parametrize("size", slow_but(SMALL, KNOWN), ids=lambda size: f"{size[0]} sides, shortest {size[1]}")
def test_small_solitaires_take_the_known_number_of_turns(size):
    solution = solitaire(*size)
    assert solution.turns[0] == pytest.approx(KNOWN[size], abs=6e-7)
    assert solution.turns_left(start(solution.game)) == pytest.approx(solution.turns[0], abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("size", by_python((2, 2), (3, 1)))
@pytest.mark.parametrize("seed", range(4))
def test_values_of_the_solitaire_agree_with_each_other(seed, size):
    """Each position's turns are those of its best action or the mean over rolls, and a turn more after stopping."""
    solution = solitaire(*size)
    position = random_position(solution.game, seed)
    for step in range(12):
        if position.is_terminal:
            break
        left = solution.turns_left(position)
        if position.is_chance:
            after = [(o.probability, position.follow(o.number)) for o in position.outcomes()]
            busts = 1 + solution.turns_left(lost(position))
            mean = sum(p * (busts if rolled.is_chance else solution.turns_left(rolled)) for p, rolled in after)
            assert left == pytest.approx(mean)
            position = position.sample(Dice(seed + step))
        else:
            values = {a: solution.turns_left(position.follow(a)) + (a == STOP) for a in position.actions()}
            after = {action: solution.value(position.follow(action)) for action in values}
            assert solution.action_values(position) == pytest.approx(after)
            assert after == pytest.approx({a: 100 - position.state.turn - value for a, value in values.items()})
            assert left == pytest.approx(min(values.values()))
            position = position.play(min(values, key=lambda a: values[a]))


def test_a_solitaire_is_kept():
    game = load_game("cant_stop:players=1,sides=2,shortest=1")
    with pytest.raises(AstragalError, match="is not solved yet: run astragal solve cant_stop:players=1,sides=2"):
        on_demand(start(game))
    assert find_solitaire(game) is None
    reports: list[float] = []
    solution = solve_solitaire(game, report=lambda what, number: reports.append(number))
    assert reports == [16]
    kept = find_solitaire(game)
    assert kept is not None
    assert (kept.turns == solution.turns).all()
    assert kept.turns[-1] == 0
    assert (kept.turns[:-1] >= 1).all()


def test_what_is_no_small_solitaire_is_refused_in_a_sentence():
    with pytest.raises(AstragalError, match="the solitaire has one player; cant_stop:sides=3 has 2"):
        solve_solitaire(load_game("cant_stop:sides=3"))
    with pytest.raises(AstragalError, match="has 7,431,782,400 sets of markers, more than 2,000,000"):
        solve_solitaire(load_game("cant_stop:players=1"))
    with pytest.raises(AstragalError, match="was solved, not cant_stop:players=1,sides=3"):
        solitaire(2, 2).turns_left(start("cant_stop:players=1,sides=3"))


# Commands


@pytest.mark.slow
@pytest.mark.compiled
def test_solve_says_how_many_turns_the_solitaire_takes(capsys):
    ran = run_here(capsys, "solve", "cant_stop:players=1,sides=3,shortest=2")
    assert ran.code == 0
    assert "fewest turns                1.722401" in ran.out
    facts = json.loads(run_here(capsys, "solve", "cant_stop:players=1,sides=3,shortest=2", "--json").out)
    assert facts["kept"]
    assert facts["turns"] == pytest.approx(1.722401, abs=1e-6)
    assert facts["value"] == pytest.approx(100 - facts["turns"])
    game = load_game("cant_stop:players=1,sides=3,shortest=2")
    position = random_position(game, 2, decision=True)
    best = load_player("optimal").search(position)
    assert best.value == pytest.approx(exact_values(position).value(position))
