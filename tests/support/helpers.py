"""What the tests of games, players and commands share."""

from __future__ import annotations

import importlib.util
import inspect
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from astragal.compiler.interpreted import run_interpreted
from astragal.rules.dice import Dice
from astragal.rules.position import Position

TESTS = Path(__file__).parents[1]
DATA = TESTS / "data"
EXAMPLE = TESTS.parent / "examples" / "my_game.py"
PACKAGE = TESTS.parent / "src" / "astragal"

ADD_UP = """
import numpy as np
from astragal import TERMINAL, game
{imports}

@game
class AddUp:
    \"\"\"Players in turn add to a total until it reaches the goal.\"\"\"

    goal: int = 9
    state = np.dtype([("total", "u1"), ("turn", "u1")])
    max_actions = 3

    def turn(self, state):
        return TERMINAL if state.total >= self.goal else state.turn

    def actions(self, state, out):
        for i in range(3):
            out[i] = i
        return 3

    def play(self, state, action):
        state.total += {added}
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return -1.0 if state.turn == player else 1.0
"""


TOO_DEEP = 300


@contextmanager
def calls_are_few() -> Iterator[None]:
    """A block in which Python lets functions call each other less than `TOO_DEEP` times: what goes so deep, fails."""
    limit, here = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(here + TOO_DEEP - 20)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@cache
def script(name: str) -> ModuleType:
    """A script of the documentation, not run."""
    specification = importlib.util.spec_from_file_location(f"docs_{name}", TESTS.parent / "docs" / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def add_up(added: str = "action + 1", imports: str = "") -> str:
    """The source of a small game without chance, in which an action adds what an expression says."""
    return ADD_UP.format(added=added, imports=imports)


def define(source: str) -> dict[str, Any]:
    """Run source that has no file, as a notebook does; the names it defines."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, "<cell>", "exec", dont_inherit=True), scope)
    return scope


def add_up_count(plies: int, added: tuple[int, ...] = (1, 2, 3), goal: int = 9, total: int = 0) -> int:
    """How many sequences of plies the small game has, counted without the package."""
    if total >= goal:
        return 0
    return len(added) if plies == 1 else sum(add_up_count(plies - 1, added, goal, total + more) for more in added)


def random_positions(game: Any, seed: int, plies: int = 300) -> Iterator[Position]:
    """The positions of a random game, from its start to its end or for a number of plies."""
    dice = Dice(seed)
    position = Position.start(game, seed)
    for _ in range(plies):
        yield position
        if position.is_terminal:
            return
        actions = position.actions()
        position = position.play(actions[dice.below(len(actions))]) if actions else position.sample(dice)


def random_position(game: Any, seed: int, decision: bool = False) -> Position:
    """A position from the middle of a random game that is not over."""
    path = [p for p in random_positions(game, seed) if not p.is_terminal and not (decision and p.is_chance)]
    return path[Dice(seed + 1).below(len(path))]


def inputs_at(position: Position, player: int) -> list[int]:
    """What a learned evaluation gets from a position, in order."""
    out = [0] * position.game.own_inputs()[1]
    return sorted(map(int, out[: position.rules.features(position.state, player, out)]))


def seen(position: Position) -> tuple[Any, ...]:
    """The values of evaluations and their inputs at a position, for every player."""
    worth = position.utilities() if position.is_terminal else position.evaluations()
    return position.turn, worth, [inputs_at(position, player) for player in range(position.game.players)]


def what_follows(position: Position) -> tuple[Any, ...]:
    """The same, and of all that can be done there."""
    return seen(position), sorted(seen(position.play(action)) for action in position.actions())


def is_interpreted() -> bool:
    """Whether this test's kernels are run by Python (see tests/conftest.py)."""
    from astragal.compiler.dispatchers import EntryDispatcher

    return EntryDispatcher.__call__ is run_interpreted


def fewer(count: int, share: int = 20) -> int:
    """This many if kernels are compiled, and a part of it if Python runs them."""
    return count // share if is_interpreted() else count


def countable(known: list[int], most: int = 10_000) -> list[int]:
    """Numbers of sequences to compare with: where Python counts them, no large ones."""
    return [count for count in known if count <= most] if is_interpreted() else known


def slow_but(default: Any, values: Any) -> list[Any]:
    """Values to parametrise a test by: all of them, those not among the default ones in the slow run only."""
    return [value if value in default else pytest.param(value, marks=pytest.mark.slow) for value in values]


def by_python(few: Any, many: Any) -> list[Any]:
    """Two values to parametrise a test by: a small one for Python in the default run, a large one for the slow run."""
    return [pytest.param(few, marks=pytest.mark.interpreted), pytest.param(many, marks=pytest.mark.slow)]


class Screen(io.StringIO):
    """A terminal that keeps what is written."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@dataclass
class Ran:
    """A command that has run."""

    code: int
    out: str
    err: str


def run_here(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command in this process."""
    from astragal.cli import run

    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return Ran(code, captured.out, captured.err)


def run_apart(
    *arguments: object, typed: str = "", cache: Path | None = None, script: str | None = None, **environment: str
) -> Ran:
    """Run a command, or a script, in a process of its own."""
    settings = os.environ | environment | ({"ASTRAGAL_CACHE": str(cache)} if cache else {})
    what = ["-c", script] if script is not None else ["-m", "astragal"]
    line = [sys.executable, *what, *map(str, arguments)]
    done = subprocess.run(line, input=typed, capture_output=True, text=True, env=settings, timeout=900, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def run_support(module: str, *arguments: object, **environment: str) -> Ran:
    """Run a module of this folder as a script, in a process of its own."""
    path = f"import runpy, sys; sys.path.insert(0, {str(TESTS)!r}); "
    return run_apart(
        *arguments, script=f"{path}runpy.run_module('support.{module}', run_name='__main__')", **environment
    )


@contextmanager
def solutions_in(folder: Path) -> Iterator[Path]:
    """Keep solved games in a folder of their own, and compiled kernels where they always are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("astragal.solvers.solution.cache_folder", lambda: folder)
        yield folder
    from astragal.solvers.solution import read_solution

    read_solution.cache_clear()  # that of Pig has 185 megabytes
