"""The larger example: Farkle keeps its promises, scores as its rules say, and samples what it lists."""

from __future__ import annotations

from itertools import islice

import pytest

from astragal import Position, load_game, search, start
from astragal.rules.checks import check_game
from support.helpers import EXAMPLE, random_positions, run_here

FILE = EXAMPLE.with_name("farkle.py")
GAMES = [load_game(f"{FILE}:players={players}") for players in (2, 3, 4)]
QUICK = 2  # checks before those that sample and compile


def after(dice: str) -> Position:
    """The first player has thrown these dice."""
    return start(GAMES[0]).deal(dice)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.players} players")
def test_it_keeps_its_promises(game):
    assert [check for check in islice(check_game(game, 1), QUICK) if not check.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES[:2], ids=lambda game: f"{game.players} players")
def test_it_keeps_its_promises_compiled(game):
    assert [check for check in check_game(game, 2) if not check.passed] == []


@pytest.mark.slow
def test_it_is_searched_and_played(capsys, tmp_path):
    position = after("111222")
    for player in ("star2:depth=1", "uct:sims=200"):
        assert search(position, player).action in position.action_names()
    three = start(GAMES[1]).settled(1)
    assert search(three, "maxn:depth=1").action in three.action_names()
    line = ["match", FILE, "uct:sims=50", "random", "--games", 4, "--jobs", 1, "--db", tmp_path / "games.db"]
    assert run_here(capsys, *line).code == 0


@pytest.mark.parametrize(
    ("dice", "kept", "points"),
    [
        ("123456", "1", 100),
        ("123456", "15", 150),
        ("112346", "11", 200),
        ("111234", "111", 1000),
        ("222346", "222", 200),
        ("222246", "2222", 400),
        ("555556", "55555", 2000),
        ("666666", "666666", 4800),
        ("111555", "111555", 1500),
    ],
)
def test_what_dice_score(dice, kept, points):
    assert after(dice).play(f"{kept}-throw").state.pot == points
    banked = after(dice).play(f"{kept}-bank")
    assert (banked.state.score[0], banked.state.pot, banked.state.turn, banked.state.left) == (points, 0, 1, 6)


def test_what_can_be_kept():
    assert after("123446").action_names() == ["1-throw", "1-bank"]
    assert after("222346").action_names() == ["222-throw", "222-bank"]
    assert len(after("111555").actions()) == GAMES[0].max_actions
    assert after("123455").play("15-throw").state.left == 4
    assert after("111555").play("111555-throw").state.left == 6  # none is left: all six again


def test_a_throw_that_scores_nothing_loses_the_turn():
    lost = after("123446").play("1-throw").deal("22346")
    assert (lost.state.turn, lost.state.pot, lost.state.left, lost.is_chance) == (1, 0, 6, True)


@pytest.mark.parametrize("dice", range(1, 7))
def test_a_draw_is_a_throw(dice):
    """Each of the 6^n equally likely throws gives the outcome that it is, which makes outcomes as likely as listed."""
    position = start(GAMES[0]).state
    position.left = dice
    rules, total = start(GAMES[0]).rules, 6**dice
    counts: dict[int, int] = {}
    for throw in range(total) if dice < 5 else range(0, total, 97):
        outcome = rules.draw(position, -(-throw * 2**32 // total))
        counts[outcome] = counts.get(outcome, 0) + 1
    if dice < 5:
        assert all(count / total == pytest.approx(rules.probability(position, n)) for n, count in counts.items())
        assert sum(counts.values()) == total
    first = rules.draw(position, 0)
    assert rules.outcome_name(position, first) == "1" * dice


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_pick_takes_each_action_of_the_list(seed):
    for position in islice(random_positions(GAMES[0], seed), 60):
        listed = position.actions()
        words = [-(-index * 2**32 // len(listed)) for index in range(len(listed))]
        assert [position.rules.pick(position.state, word) for word in words] == listed


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.players} players")
def test_values_cancel_out(game):
    *path, end = random_positions(game, 5, 2000)
    assert end.is_terminal
    assert sorted(end.utilities())[-1] == 1.0
    for position in [*path[::7], end]:
        assert sum(position.evaluations()) == pytest.approx(0.0)
        assert all(-1.0 <= value <= 1.0 for value in position.evaluations())
