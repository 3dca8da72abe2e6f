"""The fingerprint changes with whatever a game's machine code depends on, and with nothing else."""

from __future__ import annotations

import math
from enum import Enum, IntEnum
from types import FunctionType, ModuleType

import numba
import numpy as np
import pytest

from astragal.algorithms.alphabeta.alphabeta import AlphaBetaVariant, best_value
from astragal.algorithms.depth_first.table import look_up, single_move
from astragal.compiler.fingerprint import Walk, fingerprint, is_ours, referred_values
from astragal.games import find_game_class, game_names, load_game
from astragal.rules.decorator import SHOWN as SHOWN_NAMES
from support.helpers import run_apart, slow_but

SOURCE = """
import numpy as np
from astragal import game

LIMIT = 3
PAIR = (1, 2)
TABLE = np.array([1, 2, 3])

def helper(x, more=1):
    return deeper(x) + more

def deeper(x):
    return x * 10

class Base:
    def inherited(self, state):
        return 5

def make(outer):
    class Thing(Base):
        attribute = 7

        def method(self, state):
            return LIMIT + PAIR[0] + TABLE[0] + helper(state) + outer + tools.number + tools.inner.deepest

        def loop(self, state):
            return sum(3 * i for i in range(state))

        @property
        def derived(self):
            return 11

    return Thing

Thing = make(100)
"""


def modules() -> ModuleType:
    """A module without a file that holds another one."""
    tools, inner = ModuleType("tools"), ModuleType("inner")
    tools.number, tools.inner, inner.deepest = 1, inner, 2
    return tools


def fingerprint_of(source: str, tools: ModuleType | None = None) -> str:
    scope = {"__name__": "a_notebook", "tools": tools or modules()}
    exec(source, scope)
    return fingerprint(scope["Thing"])


def test_the_same_definition_has_the_same_fingerprint():
    assert fingerprint_of(SOURCE) == fingerprint_of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("PAIR = (1, 2)", "PAIR = (2, 2)"),
        ("TABLE = np.array([1, 2, 3])", "TABLE = np.array([1, 2, 4])"),
        ("TABLE = np.array([1, 2, 3])", "TABLE = np.array([1, 2, 3], np.int32)"),
        ("TABLE = np.array([1, 2, 3])", "TABLE = np.array([[1, 2, 3]])"),
        ("attribute = 7", "attribute = 8"),
        ("3 * i", "4 * i"),
        ("LIMIT + PAIR", "LIMIT - PAIR"),
        ("return 11", "return 12"),
        ("x * 10", "x * 11"),
        ("more=1", "more=2"),
        ("return 5", "return 6"),
        ("make(100)", "make(101)"),
        ("make(100)", "make(np.array([100]))"),
        ("sum(", "max("),
    ],
)
def test_whatever_machine_code_depends_on_changes_it(old, new):
    assert SOURCE.count(old) == 1
    assert fingerprint_of(SOURCE.replace(old, new)) != fingerprint_of(SOURCE)


@pytest.mark.parametrize("path", ["number", "inner.deepest"])
def test_values_reached_through_modules_change_it(path):
    changed = modules()
    holder = changed.inner if path.startswith("inner.") else changed
    setattr(holder, path.rpartition(".")[2], 99)
    assert fingerprint_of(SOURCE, changed) != fingerprint_of(SOURCE)


def test_a_function_that_another_function_encloses_changes_it():
    def make(number):
        def inner(x):
            return x + number

        class Thing:
            def method(self, state):
                return inner(state)

        return Thing

    assert fingerprint(make(1)) != fingerprint(make(2))
    assert fingerprint(make(1)) == fingerprint(make(1))


def test_what_the_code_does_not_use_leaves_it_alone():
    assert fingerprint_of(SOURCE + "\nUNUSED = 1\n") == fingerprint_of(SOURCE)
    other = modules()
    other.unused = np.arange(3)
    assert fingerprint_of(SOURCE, other) == fingerprint_of(SOURCE)


SHOWN = """
import numpy as np
from astragal import game

NAMES = {0: "stay", 1: "go"}

@game
class Race:
    "The first to get there."
    state = np.dtype([("place", "i1", 2), ("turn", "i1")])
    max_actions = 2

    def turn(self, state):
        "Whose turn it is."
        return state.turn if max(state.place) < 5 else -2

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, action):
        state.place[state.turn] += action  # a step
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return 1.0 if state.place[player] == 5 else -1.0

    def action_name(self, state, action):
        return NAMES[action]

    def show(self, state):
        return self._line(state) + "!"

    def _line(self, state):
        return f"{state.place[0]} {state.place[1]}"

    def _step(self):
        return 1
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('+ "!"', '+ "?"'),
        ("{state.place[0]} {", "{state.place[0]}:{"),
        ('"stay"', '"wait"'),
        ("The first", "Who is first"),
        ('        "Whose turn it is."\n', ""),
        ("  # a step", ""),
        ("    def play(", "\n    # Playing\n\n    def play("),
        ("if max(state.place) < 5 else -2", "if (\n            max(state.place) < 5\n        ) else -2"),
        ("return NAMES[action]", "return f'{NAMES[action]}'"),
        ("    def show(", "    def outcome_name(self, state, outcome):\n        return ''\n\n    def show("),
        ("def utility(self, state, player):", "def utility(self, state, player) -> float:"),
    ],
)
def test_what_is_only_shown_or_said_of_a_game_leaves_it_alone(old, new):
    assert SHOWN.count(old) == 1
    assert identity_of(SHOWN.replace(old, new)) == identity_of(SHOWN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def utility(self, state, player):", "def utility(self, state, player=0):"),
        ("+= action", "+= action * self._step()"),
        ("max_actions = 2", "max_actions = 3"),
        ("    def show(", "    def start(self, state, dice):\n        state.turn = 1\n\n    def show("),
        ("Race", "Walk"),
    ],
)
def test_what_is_compiled_or_where_a_game_starts_changes_it(old, new):
    assert identity_of(SHOWN.replace(old, new)) != identity_of(SHOWN)


def test_what_a_compiled_method_calls_changes_it_whatever_its_name():
    calling = SHOWN.replace("+= action", "+= action * self._step()")
    assert identity_of(calling.replace("return 1\n", "return 2\n")) != identity_of(calling)
    assert identity_of(SHOWN.replace("return 1\n", "return 2\n")) == identity_of(SHOWN)


def identity_of(source: str, name: str = "a_notebook") -> str:
    scope = {"__name__": name}
    exec(source, scope)
    return next(value for value in scope.values() if hasattr(value, "max_actions")).__identity__


def test_the_name_of_its_file_and_a_cell_run_again_leave_it_alone():
    named = SHOWN.replace("return state.turn if", "return state.turn + Race.max_actions - 2 if")
    assert identity_of(named) == identity_of(named, "another")
    scope = {"__name__": "a_notebook"}
    for _ in range(3):
        exec(named, scope)  # the second time, the methods refer to the class of the first
        assert scope["Race"].__identity__ == identity_of(named)


def test_which_name_a_function_has_changes_it():
    def make(first, second):
        return lambda x: first(x) - second(x)

    def one(x):
        return x + 1

    def two(x):
        return x + 2

    assert len({fingerprint(make(one, two)), fingerprint(make(two, one)), fingerprint(make(one, one))}) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (math.sqrt, math.sin),
        (np.sqrt, np.sin),
        (np.int32, np.int64),
        (numba.int32, numba.int64),
        ((1, (2, 3)), (1, (2, 4))),
        ([1, 2], [1, 3]),
        ({1: 2}, {1: 3}),
        ({1, 2}, {1, 3}),
        (1, True),
        (0.0, -0.0),
        (b"1", b"2"),
        (IntEnum("Colour", ["RED", "BLUE"]).RED, IntEnum("Colour", ["RED", "BLUE"]).BLUE),
        (Enum("Colour", ["RED", "BLUE"]).RED, Enum("Colour", ["RED", "BLUE"]).BLUE),
        (Enum("Colour", {"RED": 1}), Enum("Colour", {"RED": 2})),
    ],
)
def test_the_values_of_names_change_it(one, other):
    def make(value):
        def function(x):
            return value

        return function

    assert fingerprint(make(one)) != fingerprint(make(other))
    assert fingerprint(make(one)) == fingerprint(make(one))


def compiled_functions(name: str) -> list[FunctionType]:
    """The methods of a built-in game that kernels call, and all functions that these call."""
    cls = find_game_class(name)[0]
    names = [name for name in dir(cls) if not name.startswith("_") and name not in SHOWN_NAMES]
    found, pending = [], [getattr(cls, name) for name in names if isinstance(getattr(cls, name), FunctionType)]
    while pending:
        function = pending.pop()
        if function not in found and is_ours(function):
            found.append(function)
            pending += [one for one in referred_values(function).values() if isinstance(one, FunctionType)]
    return found


@pytest.mark.parametrize("name", slow_but(["pig"], game_names()))
def test_every_function_that_is_compiled_of_a_game_is_part_of_its_fingerprint(name, monkeypatch):
    cls = find_game_class(name)[0]
    before, functions = fingerprint(cls, SHOWN_NAMES), compiled_functions(name)
    assert len(functions) > 8
    for function in functions:
        with monkeypatch.context() as patch:
            code = function.__code__
            patch.setattr(function, "__code__", code.replace(co_names=(*code.co_names, "edited")))
            assert fingerprint(cls, SHOWN_NAMES) != before, function


CACHED = """
from functools import cache

def inner(x):
    return x * 10

@cache
def table(x):
    return inner(x) + 20

class Thing:
    @property
    def values(self):
        return table(3)
"""


@pytest.mark.parametrize("number", ["10", "20"])
def test_a_cached_function_and_what_it_calls_are_part_of_it(number):
    assert fingerprint_of(CACHED.replace(number, "30")) != fingerprint_of(CACHED) == fingerprint_of(CACHED)


@pytest.mark.slow
def test_it_is_the_same_in_every_process():
    script = "import astragal; print([type(astragal.load_game(name)).__identity__ for name in astragal.game_names()])"
    here = [type(load_game(name)).__identity__ for name in game_names()]
    assert run_apart(script=script, PYTHONHASHSEED="1").out == f"{here}\n"


# When it is made


BELOW = """
from dataclasses import dataclass
from astragal.rules.decorator import compiled

@compiled
@dataclass(frozen=True)
class First:
    def method(self, x):
        return below(x) + Second().other(x)

@compiled
@dataclass(frozen=True)
class Second:
    def other(self, x):
        return beside(First, x)

def below(x):
    return x + 1

def beside(kind, x):
    return x + 2
"""


def identities(source: str, *names: str) -> list[str]:
    """Those of the classes, asked for in this order."""
    scope: dict[str, type] = {"__name__": "a_notebook"}
    exec(source, scope)
    return [scope[name].__identity__ for name in names]


def test_functions_below_a_class_are_part_of_it():
    (before, _), (after, _) = (identities(text, "First", "Second") for text in (BELOW, BELOW.replace("x + 1", "x + 3")))
    assert before != after


def test_classes_that_refer_to_each_other_have_both_in_them_whoever_is_asked_first():
    first, second = identities(BELOW, "First", "Second")
    assert identities(BELOW, "Second", "First") == [second, first]
    for old, new in (("x + 1", "x + 3"), ("x + 2", "x + 3")):
        changed = identities(BELOW.replace(old, new), "First", "Second")
        assert changed[0] != first
        assert changed[1] != second


def test_a_function_that_has_the_name_of_a_field_is_no_part_of_what_reads_the_field():
    scope: dict[str, object] = {"total": 5, "__name__": "a_notebook"}
    exec("def read(state): return state.total + limit\nlimit = 3", scope)
    assert referred_values(scope["read"]) == {"limit": 3}


def test_all_that_a_search_calls_is_part_of_its_variant():
    """Some of it stands below the variant, in the same file."""
    walk = Walk(AlphaBetaVariant, frozenset())
    walk.text(AlphaBetaVariant)
    assert {best_value.py_func, look_up.py_func, single_move.py_func} <= set(walk.reached)
