"""What compiled code cannot do is said in a sentence about the cause, with file, line and method."""

from __future__ import annotations

import re

import pytest

from astragal import Constant, game, parameter, start
from astragal.base.errors import GameError
from astragal.rules.perft import count_sequences
from support.broken_games import Sound
from support.helpers import slow_but

pytestmark = pytest.mark.compiled
LISTS = [[1, 2], [3]]
NAMES = {1: 2}


@game
class CallsItself(Sound):
    def product(self, number):
        return 1 if number <= 0 else number * self.product(number - 1)

    def play(self, state, action):
        state.total += action + self.product(0)
        state.tossing = 1


@game
class ListOfLists(Sound):
    def play(self, state, action):
        state.total += LISTS[0][action - 1]
        state.tossing = 1


@game
class Dictionary(Sound):
    def play(self, state, action):
        state.total += NAMES[1]
        state.tossing = 1


@game
class Text(Sound):
    rules: str = parameter("long", "which rules", choices=("long", "short"))

    def play(self, state, action):
        state.total += action if self.rules == "long" else 2
        state.tossing = 1


@game
class NotConstant(Sound):
    max_actions: int = parameter(2, "how many", low=2, high=3)


@game
class Opens(Sound):
    def play(self, state, action):
        state.total += len(open("file").read())  # noqa: SIM115
        state.tossing = 1


@game
class Separates(Sound):
    def play(self, state, action):
        print("total", state.total, sep=": ")
        state.tossing = 1


PLACE = r" \(test_uncompilable\.py line \d+"
IN_PLAY = rf"{PLACE}, in play\)$"
CASES = {
    CallsItself: rf"a method or function calls itself, which compiled code cannot: use a loop{PLACE}, in product\)$",
    ListOfLists: f"a table that compiled code reads must be a NumPy array or a tuple of numbers, .*{IN_PLAY}",
    Dictionary: f"a table that compiled code reads must be a NumPy array or a tuple of numbers, .*{IN_PLAY}",
    Text: f"compiled code has no 'rules' of the game: a text parameter is for Python only .*{IN_PLAY}",
    NotConstant: rf"max_actions must be constant in compiled code: annotate it Constant\[int\]{PLACE}\)$",
    Opens: f"compiled code cannot use 'open': .*{IN_PLAY}",
    Separates: f"print takes no sep, end or file in compiled code{IN_PLAY}",
}


@pytest.mark.parametrize("cls", slow_but([CallsItself, NotConstant], list(CASES)), ids=lambda cls: cls.__name__)
def test_what_cannot_be_compiled_is_said_with_its_cause_and_its_place(cls):
    with pytest.raises(GameError) as caught:
        count_sequences(start(cls()), 3)
    said = str(caught.value)
    assert re.match(f"the game cannot be compiled: {CASES[cls]}", said), said


@game
class IsConstant(Sound):
    max_actions: Constant[int] = parameter(2, "how many", low=2, high=3)


@pytest.mark.slow
def test_the_annotation_that_is_asked_for_is_enough():
    assert count_sequences(start(IsConstant()), 3) == 2 * 2 * 2
