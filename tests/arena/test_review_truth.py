"""How often the intervals of a review hold, in games whose truth is known: in nine of ten cases or more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from astragal import TERMINAL, game
from astragal.algorithms.limits import Limits
from astragal.algorithms.result import EXACT
from astragal.arena.review import Decision, Reviewer, Roll
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, exact_values, own_solver, solve
from support.plain_values import PlainValues, steps_of

POSITIONS = 40


@game
class TwentyOne:
    """Twenty-one: take one to three stones; who takes the last one wins."""

    players = 2
    state = np.dtype([("left", "i1"), ("turn", "i1")])
    max_actions = 3

    def start(self, state, dice):
        state.left = 21

    def turn(self, state):
        return state.turn if state.left > 0 else TERMINAL

    def actions(self, state, out):
        count = min(3, state.left)
        for i in range(count):
            out[i] = i + 1
        return count

    def play(self, state, action):
        state.left -= action
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return -1.0 if state.turn == player else 1.0


@cache
def solved(rules: Any) -> Exact:
    return solve(Position.start(rules)).values


def truth_of(position: Position) -> Exact | None:
    rules = position.game
    if rules.own_title().startswith("Pig"):
        return solved(rules)
    if own_solver(position) is not None:
        return exact_values(position)
    return None if hasattr(rules, "goal") else PlainValues(rules)


def spots(rules: Any, count: int) -> Iterator[tuple[Position, int]]:
    """Positions of random games in which something is open, each of another game, and a step at random."""
    dice = Dice(11)
    while count:
        here, path = Position.start(rules, dice.below(10**6)), []
        while not here.is_terminal:
            there = steps_of(here)
            if len(there) > 1 and (rules.own_title().startswith("EinStein") <= (own_solver(here) is not None)):
                path.append(here)
            here = here.follow(here.draw(dice) if here.is_chance else there[dice.below(len(there))])
        if path:
            chosen = path[dice.below(len(path))]
            there = steps_of(chosen)
            count -= 1
            yield chosen, there[dice.below(len(there))]


def reviewed(reviewer: Reviewer, here: Position, step: int) -> Decision | Roll | None:
    return reviewer.roll(1, here, step) if here.is_chance else reviewer.decision(1, here, step)


def holds(row: Decision | Roll | None, here: Position, step: int, truth: Exact) -> bool:
    if row is None or row.error is None:
        return False
    if isinstance(row, Roll):
        found, true = row.luck[0], truth.value(here.follow(step)) - truth.value(here)
    else:
        found, true = row.lost, truth.regret(here, step)
    return abs(found - true) <= row.error + 1e-9


def rules_of(spec: str) -> Any:
    return TwentyOne() if spec == "21" else load_game(spec)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "player", "limits"),
    [
        ("kalah:pits=4,stones=3", "alphabeta", Limits(depth=8)),
        ("pig:goal=30", "uct", Limits(sims=4000)),
        ("tic_tac_toe", "uct", Limits(sims=4000)),
    ],
)
def test_intervals_of_estimates_hold_in_nine_cases_of_ten(spec, player, limits):
    rules = rules_of(spec)
    reviewer = Reviewer(load_player(player, rules), limits)
    held = [
        holds(reviewer_without_truth(reviewer, here, step), here, step, truth_of(here))
        for here, step in spots(rules, POSITIONS)
    ]
    assert np.mean(held) >= 0.9


def reviewer_without_truth(reviewer: Reviewer, here: Position, step: int) -> Decision | Roll | None:
    """A review by the search alone, though the values of these positions may be kept on disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reviewer, "exactly", lambda *_: None)
        return reviewed(reviewer, here, step)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["21", "tic_tac_toe", "kalah:pits=4,stones=3"])
def test_small_games_are_reviewed_exactly(spec):
    """The usual reviewer searches to the end: what uct took for a loss of half a point is the whole game."""
    rules = rules_of(spec)
    reviewer = Reviewer.usual(rules, Limits(nodes=3_000_000))
    for here, step in spots(rules, 30):
        row = reviewer_without_truth(reviewer, here, step)
        assert isinstance(row, Decision)
        assert holds(row, here, step, truth_of(here))
        assert row.kind == EXACT


def test_twenty_one_stones():
    """Of 7 stones, 3 are the only move that wins; with 21, 1 is; all others lose everything."""
    rules = TwentyOne()
    reviewer = Reviewer.usual(rules, Limits(nodes=20_000))
    for left, best in ((7, 3), (10, 2), (5, 1)):
        here = Position.parse(rules, f"left={left} turn=1")
        for action in (1, 2, 3):
            row = reviewer.decision(1, here, action)
            assert (row.lost, row.error, row.kind) == (0.0 if action == best else 2.0, 0.0, EXACT)
