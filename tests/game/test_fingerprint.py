"""The fingerprint changes with whatever a game's machine code depends on, and with nothing else."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import numpy as np
import pytest

from astragal.game import fingerprint as hashing
from astragal.game.fingerprint import fingerprint
from astragal.games import find_game_class, game_names
from support.helpers import PACKAGE, run_apart

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


def test_the_source_file_is_part_of_it(tmp_path, monkeypatch):
    """What runs may depend on the file in ways that code objects do not show."""
    found = []
    for number, text in enumerate(["def f(x): return x", "def f(x): return x\n# edited"]):
        path = tmp_path / f"module{number}.py"
        path.write_text(text)
        module = ModuleType("the_module")
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, "the_module", module)
        exec(text, vars(module))
        found.append(fingerprint(module.f))
    assert found[0] != found[1]


def game_files() -> list[tuple[str, str]]:
    """Every built-in game, with every file that its code comes from; of one with tables alone their values count."""
    games, found = PACKAGE / "games", []
    for name in game_names():
        files = sorted((games / name).glob("*.py")) or [games / f"{name}.py"]
        code = [path for path in files if re.search(r"^(def|class) ", path.read_text(encoding="utf-8"), re.MULTILINE)]
        found += [(name, str(path.relative_to(games))) for path in code]
    return found


@pytest.mark.parametrize(("name", "file"), game_files())
def test_every_file_of_a_games_code_is_part_of_its_fingerprint(name, file, monkeypatch):
    cls, read = find_game_class(name)[0], hashing._read
    before = fingerprint(cls)
    monkeypatch.setattr(hashing, "_read", lambda path: read(path) + b"# edited" * path.endswith(f"games/{file}"))
    assert fingerprint(cls) != before


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


def test_it_is_the_same_in_every_process():
    script = "import astragal; print([type(astragal.load_game(name)).__identity__ for name in astragal.game_names()])"
    runs = [run_apart(script=script, PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert runs[0].out == runs[1].out != ""
