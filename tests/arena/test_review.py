"""Reviews: what moves lost and what luck rolls brought, against what can be worked out by hand."""

from __future__ import annotations

import pytest

from astragal.arena.review import Decision, Review, Reviewer, Roll, roll
from astragal.game.position import Position
from astragal.games import load_game
from astragal.players import load_player
from astragal.search.limits import Limits


def reviewed(game: str, player: str, steps: list[str], **limits: int) -> Review:
    """A review of a game that is played by names from its start."""
    rules = load_game(game)
    positions, numbers = [Position.start(rules, 1)], []
    for name in steps:
        before = positions[-1]
        numbers.append(before.find_action(name))
        positions.append(before.follow(numbers[-1]))
    found = Review(rules)
    found.rows += Reviewer(load_player(player, rules), Limits(**limits)).rows(positions, numbers)
    return found


@pytest.mark.parametrize(("player", "limits"), [("alphabeta", {"depth": 5}), ("exp", {"depth": 3})])
def test_a_win_that_is_missed_and_a_loss_that_is_allowed(player, limits):
    """Player 1 has two in a row and plays elsewhere: all was lost that a win is worth beyond what is left."""
    found = reviewed("tic_tac_toe", player, ["a1", "a3", "b1", "b3", "a2"], **limits)
    missed = found.rows[-1]
    assert isinstance(missed, Decision)
    assert (missed.ply, missed.player, missed.best) == (5, 1, "c1")
    assert missed.lost == pytest.approx(2 * max(found.game.utility_range))  # now the other one wins at once
    assert found.worst is missed
    assert found.of(1)["accuracy"] < 1.0


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_best_moves_lose_nothing():
    found = reviewed("tic_tac_toe", "alphabeta", ["b2", "a1", "c3"], depth=9)
    assert [row.lost for row in found.decisions] == [0.0, 0.0, 0.0]
    assert found.worst is None
    assert found.of(1)["accuracy"] == 1.0


def test_luck_is_none_on_average():
    """Over all outcomes the luck of a roll is 0 for everybody."""
    position = Position.parse(load_game("pig:goal=20"), "5 3 4 1 roll")
    for seat in range(2):
        total = 0.0
        for outcome in position.outcomes():
            row = roll(1, position, outcome.number, None)
            assert isinstance(row, Roll)
            total += outcome.probability * row.luck[seat]
        assert total == pytest.approx(0.0, abs=1e-9)


def test_forced_moves_and_what_nobody_wants_any_more_are_left_out():
    rules = load_game("tic_tac_toe")
    start = Position.start(rules, 1)
    reviewer = Reviewer(load_player("alphabeta", rules), Limits(depth=1), is_over=lambda: True)
    assert list(reviewer.rows([start, start.follow(0)], [0])) == []
