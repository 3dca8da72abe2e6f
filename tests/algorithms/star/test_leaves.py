"""Leaves that a game evaluates without playing the action or dealing the outcome: never another value than with it."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.base.errors import GameError
from astragal.games import load_game
from astragal.games.ewn import EWN
from astragal.games.pig.rules import Pig
from astragal.rules.checks.positions import check_position
from astragal.rules.checks.promise import Broken
from astragal.rules.decorator import game
from astragal.rules.position import Position
from support.star_searches import Job, position

POSITIONS = [
    "123../45.../6...f/...ed/..cba 1 3",
    "..1../...2./..a../.3.../b.... 1 2",
    ".a1../..2../b.3../4..../..... 2 5",
    "....1/...a./...../.2.../..... 2 1",
]


@game
class Silent(EWN):
    """The same game without `heuristic_after`: every action is played."""

    def heuristic_after(self, state, action, player):
        return np.nan


@game
class Wrong(EWN):
    """One that evaluates the state before the action."""

    def heuristic_after(self, state, action, player):
        return self.heuristic(state, player)


@game
class Modest(EWN):
    """One that takes its evaluation before the move for that after the best one."""

    def best_after(self, state, player):
        return self.heuristic(state, player), 3


@game
class Unfinished(EWN):
    """One whose evaluation is sometimes not a number."""

    def heuristic_after(self, state, action, player):
        return np.nan

    def heuristic(self, state, player):
        return np.nan if state.theirs >> 16 & 31 == 7 else 0.0  # player 1's cube 3 has moved to c4


@game
class Attentive(EWN):
    """The same game, whose evaluation looks at the die."""

    def heuristic_dealt(self, state, outcome, player):
        return self.heuristic(state, player) + 0.0 * outcome


THROWS = ["0 0 8 1 decide", "91 40 30 1 decide", "90 95 12 2 decide", "3 97 2 2 roll"]


@game
class SilentPig(Pig):
    """Pig without `heuristic_dealt`: every outcome is dealt."""

    def heuristic_dealt(self, state, outcome, player):
        return np.nan


@game
class WrongPig(Pig):
    """Pig that forgets that a double 1 loses the score."""

    def heuristic_dealt(self, state, outcome, player):
        return np.nan if outcome > 1 else self.scaled(state.score[player] - state.score[1 - player])


@game
class Generous(Pig):
    """Pig in which every outcome is worth another point, without a word of what that does to evaluations."""

    settle = Pig.deal

    def deal(self, state, outcome):
        self.settle(state, outcome)
        state.score[0] += 1


def test_what_a_parent_tells_ahead_is_forgotten_where_its_subject_is_another():
    here = Position.parse(Generous(), "0 0 8 1 roll")
    assert np.isnan(here.rules.heuristic_dealt(here._state, 0, 0))
    assert not np.isnan(Position.parse(Pig(), "0 0 8 1 roll").rules.heuristic_dealt(here._state, 4, 0))
    assert Silent().heuristic_after.__func__ is not EWN().heuristic_after.__func__
    assert Unfinished().heuristic_after.__func__ is Unfinished.heuristic_after


def every_position_after(here, decisions):
    """A position and all that can follow within this many decisions."""
    yield here
    if here.is_chance:
        for outcome in here.outcomes():
            yield from every_position_after(here.deal(outcome.number), decisions)
    elif not here.is_terminal and decisions > 0:
        for action in here.actions():
            yield from every_position_after(here.play(action), decisions - 1)


def job(kind, text, player, depth, **options):
    return Job(Position.parse(kind, text), player, depth, leaf="afterstate", prune_above=0, **options)


@pytest.mark.parametrize("player", ["exp", "star1", "star2", "star1ss"])
@pytest.mark.parametrize("text", POSITIONS)
def test_values_are_those_of_the_definition_and_nodes_those_of_a_game_that_tells_nothing(player, text):
    for depth in (1, 2):
        told = job(load_game("ewn"), text, player, depth, width=2)
        silent = job(Silent(), text, player, depth, width=2)
        value = told.window(-100.0, 100.0)
        assert value == silent.window(-100.0, 100.0)
        assert value == pytest.approx(told.true_value(), abs=1e-9)
        assert told.counts == silent.counts


@pytest.mark.parametrize(("alpha", "beta"), [(-30.0, -10.0), (-5.0, 5.0), (10.0, 40.0)])
def test_windows_cut_at_the_last_decision(alpha, beta):
    for text in POSITIONS:
        one = job(load_game("ewn"), text, "star1", 1)
        value, true = one.window(alpha, beta), one.true_value()
        assert value == true if alpha < true < beta else (value >= beta) == (true >= beta)


def test_check_finds_a_game_that_tells_something_else():
    check_position(load_game("ewn"), position("ewn", POSITIONS[1]))
    with pytest.raises(Broken, match="heuristic_after of player 1 is"):
        check_position(Wrong(), Position.parse(Wrong(), POSITIONS[1]))
    with pytest.raises(Broken, match="best_after of player 1 is -25 of 3 actions and not 0 of 3"):
        check_position(Modest(), Position.parse(Modest(), POSITIONS[1]))


@pytest.mark.few(1)
@pytest.mark.parametrize("text", POSITIONS)
def test_the_best_of_all_actions_is_told_wherever_none_ends_the_game(text):
    told = 0
    for here in every_position_after(Position.parse(load_game("ewn"), text), 2):
        if here.turn >= 0:
            check_position(here.game, here)
            ends = any(here.play(action).is_terminal for action in here.actions())
            assert np.isnan(here.rules.best_after(here._state, 0)[0]) == ends
            told += not ends
    assert told > 5


@pytest.mark.parametrize("player", ["exp", "star1", "star2", "expss", "star1ss"])
@pytest.mark.parametrize("rolls", ["11", "21", "36"])
def test_of_outcomes_too(player, rolls):
    sampled = {"width": 5} if player.endswith("ss") else {}
    for text in THROWS:
        told, silent = (
            Job(Position.parse(kind(rolls=rolls), text), player, 1, prune_above=0, **sampled)
            for kind in (Pig, SilentPig)
        )
        value = told.window(-100.0, 100.0)
        assert value == silent.window(-100.0, 100.0)
        assert value == pytest.approx(told.true_value(), abs=1e-9)
        assert told.counts == silent.counts


def test_nothing_is_drawn_for_evaluations_that_do_not_look_at_it():
    assert [kind.ignores_outcomes for kind in (EWN, Attentive, Unfinished, Pig, Generous)] == [True] + [False] * 4
    for text in POSITIONS:
        for player in ("expss", "star1ss"):
            once, drawn = (
                Job(Position.parse(kind(), text), player, 2, prune_above=0, width=1) for kind in (EWN, Attentive)
            )
            assert once.window(-100.0, 100.0) == drawn.window(-100.0, 100.0) == pytest.approx(once.true_value())
            assert once.counts == drawn.counts


def test_check_finds_a_game_that_tells_something_else_of_an_outcome():
    for kind in ("pig", "pig:dice=1", "pig:rolls=36,evaluation=tanh"):
        check_position(load_game(kind), position(kind, THROWS[3]))
    with pytest.raises(Broken, match="heuristic_dealt of player 1 is"):
        check_position(WrongPig(), Position.parse(WrongPig(), THROWS[3]))


def test_one_leaf_that_is_not_a_number_ends_the_search():
    with pytest.raises(GameError):
        job(Unfinished(), POSITIONS[0], "exp", 1).window(-100.0, 100.0)
