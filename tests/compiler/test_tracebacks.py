"""Errors that machine code raises name the file and the line as they are now, not as they were when it was compiled."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

from astragal import load_game
from astragal.compiler import kernel as kernels
from astragal.compiler.kernel import kernel
from astragal.rules.faults import MethodError
from support.helpers import add_up

pytestmark = pytest.mark.compiled

SOURCE = """from astragal.compiler.kernel import kernel

LIMIT = 5

@kernel
def checked(x):
    if x == LIMIT:
        raise IndexError("five")
    return x

@kernel(entry="outer")
def outer(x):
    "Adds up."
    total = 0
    for i in range(x, 9):
        total += checked(i)
        if i == 7:
            raise ValueError("seven")
    return total
"""


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """How many kernels were compiled, in a cache that is empty at first."""
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "cache"))
    heard = []
    kernels.announcers.append(heard.append)
    yield heard
    kernels.announcers.pop()


def run(path, source):
    path.write_text(source)
    scope = {"__name__": "a_script"}
    exec(compile(source, str(path), "exec", dont_inherit=True), scope)
    return scope


def place(call, *arguments):
    """File, line and function that an error came from."""
    with pytest.raises((ValueError, IndexError, MethodError)) as caught:
        call(*arguments)
    error = caught.value.__cause__ if isinstance(caught.value, MethodError) else caught.value
    last = traceback.extract_tb(error.__traceback__)[-1]
    return last.filename, last.lineno, last.name


def line_of(source, text):
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 5", "# A comment\n\nLIMIT = 5"),
        ('    "Adds up."\n', ""),
        ('"Adds up."', '"""Adds up.\n\n    All of them.\n    """'),
        ("    if x ==", "    # within\n\n    if x =="),
        ("        if i == 7", "\n        # within a loop\n        if i == 7"),
    ],
)
def test_an_error_is_where_it_is_in_a_file_that_was_edited_and_renamed(old, new, tmp_path, compiled):
    for name, source in (("script.py", SOURCE), ("renamed.py", SOURCE.replace(old, new))):
        outer = run(tmp_path / name, source)["outer"]
        assert place(outer, 3) == (str(tmp_path / name), line_of(source, '"five"'), "checked")
        assert place(outer, 6) == (str(tmp_path / name), line_of(source, '"seven"'), "outer")
        assert outer(8) == 8
    assert compiled == ["outer"]


def test_an_error_in_a_method_is_where_it_is_now(tmp_path, compiled):
    def play(game, states):
        game.play(states[0], 2)

    source = add_up("helper(action)", "def helper(x):\n    if x == 2:\n        raise ValueError('two')\n    return 1\n")
    for text in (source, f"# A comment\n{source}", source.replace("    if x == 2", "    # here\n    if x == 2")):
        (tmp_path / "game.py").write_text(text)
        game = load_game(str(tmp_path / "game.py"))
        found = place(kernel(play, entry="play"), game, np.zeros(1, game.state))
        assert found == (str(tmp_path / "game.py"), line_of(text, "'two'"), "helper")
    assert compiled == ["play: AddUp"]
