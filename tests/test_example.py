"""The example in the README: a whole game in under 60 lines, and everything that can be done with it."""

from __future__ import annotations

import json

import pytest

from astragal import Limits, Position, load_game, load_player, player_classes, search, start
from astragal.rules.checks import check_game
from astragal.solvers.solution import solve
from support.helpers import EXAMPLE, fewer, is_interpreted, random_position, run_here, solutions_in

GAME = load_game(f"{EXAMPLE}:MyGame")
EXACT, SAMPLED = ("exp", "star1", "star2"), ("expss", "star1ss", "star2ss")


def test_it_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 60


def test_it_keeps_its_promises():
    assert all(check.passed for check in check_game(GAME, games=5))


def test_its_rules():
    """Two different bones add up, a pair throws back but not below the start, the first to the end wins."""
    position = Position.parse(GAME, "square=10,3 turn=0 bones=0")
    assert position.play("one").deal(1).text == "square=13,3 turn=1 bones=0"
    assert position.play("two").deal(1).text == "square=14,3 turn=1 bones=0"  # 3 and 1
    assert position.play("two").deal(15).text == "square=4,3 turn=1 bones=0"  # a pair of 6
    assert Position.parse(GAME, "square=2,3 turn=0").play("two").deal(15).text == "square=0,3 turn=1 bones=0"
    won = Position.parse(GAME, "square=22,3 turn=0").play("one").deal(1)
    assert won.utilities() == (1.0, -1.0)


def test_its_bones_fall_as_a_knucklebone_does():
    one, two = start(GAME).play("one"), start(GAME).play("two")
    assert [o.probability for o in one.outcomes()] == pytest.approx([0.1, 0.4, 0.4, 0.1])
    pairs = sum(o.probability for o in two.outcomes() if o.number % 5 == 0)
    assert pairs == pytest.approx(0.34)


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("group", [EXACT, SAMPLED], ids=["exact", "sampled"])
def test_every_search_runs_on_it_and_those_of_a_kind_agree(group):
    depth = 3 if is_interpreted() else 4
    for seed in range(fewer(6, 6)):
        position = random_position(GAME, seed, decision=True)
        results = [search(position, f"{name}:depth={depth},prune_above=0", seed) for name in group]
        assert {result.depth for result in results} == {depth}
        assert [result.value for result in results] == pytest.approx([results[0].value] * 3, abs=1e-9)
        best = {row.action: row.value for row in results[0].actions}
        for result in results:
            assert best[result.action] == pytest.approx(max(best.values()), abs=1e-9)


def test_every_player_that_can_play_it_gives_a_legal_move(tmp_path):
    game = load_game(f"{EXAMPLE}:MyGame:track=6") if is_interpreted() else GAME
    position = start(game)
    with solutions_in(tmp_path):
        solve(game)
        for name, cls in player_classes().items():
            if not cls.only_for and name not in (
                "alphabeta",
                "mm",
                "hybrid",
                "engine",
            ):  # not for it
                found = load_player(name, game).search(position, limits=Limits(nodes=fewer(500, 5)))
                assert found.action in ("one", "two")


@pytest.mark.slow
@pytest.mark.compiled
def test_it_can_be_solved_and_deeper_searches_come_nearer(tmp_path, capsys):
    with solutions_in(tmp_path):
        facts = json.loads(run_here(capsys, "solve", EXAMPLE, "--json").out)
        solution = solve(GAME)
    assert facts["game"] == f"{EXAMPLE}:MyGame"
    assert facts["value"] == solution.start_value
    assert 0.5 < facts["first_player_wins"] < 0.7
    positions = [random_position(GAME, seed, decision=True) for seed in range(20)]

    def error(depth: int) -> float:
        sign = (1, -1)
        return sum(abs(search(p, f"star2:depth={depth}").value - sign[p.turn] * solution.value(p)) for p in positions)

    assert error(4) < error(2) < error(1)
