"""Numba's long error messages, reduced to a sentence for the author of a game."""

from __future__ import annotations

import linecache
import os
import re
from pathlib import Path

from astragal.compiler.interpreted import SELF

PACKAGE = Path(__file__).parents[1]
MACHINERY = [
    os.path.join(PACKAGE, ""),
    os.path.join("site-packages", "numba", ""),
    os.path.join("site-packages", "numpy", ""),
]
GAMES = os.path.join(PACKAGE / "games", "")
PLACES = re.compile(r'File "([^"]+)", line (\d+)| (?:at|from) (\S.*) \((\d+)\)')
NOISE = re.compile(
    r"""(\w+Error:\s)?Failed\ in | During | File\  | Overload | There\ are | -\ | Rejected | raised\ from | >>> | \^
    | With\ argument | No\ implementation\ of\ function\ Function\(<function\ choose | None$
    | <source\ elided> | def\ """,
    re.VERBOSE,
)


CAUSES = [  # what Numba says -> what the author of a game can do about it
    (r"re-?entrant|[Rr]ecursi", "a method or function calls itself, which compiled code cannot: use a loop"),
    (r"Cannot resolve setattr: \(\w+#.*\)\.(\w+) =", "self.{} cannot be set: " + SELF),
    (r"Cannot resolve setattr: \(\w+\)\.(\w+) = Literal\[str\]", "the field {} holds numbers, not texts"),
    (
        r"No conversion from none to|>>> \w+\([^)]*\bnone\b|expected \w+, got None|can't unify return type.*none",
        "a method returns nothing in some case, or never (is a return missing?)",
    ),
    (r"setitem\(readonly array|[Cc]annot modify readonly array", "an array of the module cannot be changed: " + SELF),
    (r"STORE_GLOBAL", "a variable of the module cannot be changed: " + SELF),
    (r"has no attribute 'literal_value'", "a parameter must be constant in compiled code: annotate it Constant[int]"),
    (
        r"Unknown attribute '(\w+)' of type \S+#",
        "compiled code has no '{}' of the game: a text parameter is for Python only (choose by a property that gives "
        "a number), and a method or parameter of that name must exist",
    ),
    (
        r"type of <class '(?:list|dict)'>|reflected list|Untyped global name '\w+':.*(?:list|dict)",
        "a table that compiled code reads must be a NumPy array or a tuple of numbers, not a list or dict",
    ),
    (r"Untyped global name '(\w+)'", "compiled code cannot use '{}': only numbers, NumPy arrays and plain functions"),
    (r"[Nn]ame '(\w+)' is not defined", "there is no '{}'"),
    (r"print\(\) function implementation does not support keyword", "print takes no sep, end or file in compiled code"),
    (
        r"No implementation of function Function\((?!<function choose).*found for signature:\s*>>> (.+)",
        "compiled code has no {}",
    ),
]


def cause_of(text: str) -> str:
    """The cause behind a message of Numba's, if it is a usual one."""
    for pattern, sentence in CAUSES:
        found = re.search(pattern, text)
        if found:
            return sentence.format(next((group for group in found.groups() if group), ""))
    return ""


COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # which Numba adds where colorama is installed


def compile_reason(error: Exception) -> str:
    """The cause of a Numba error, or its most useful line, and the first place in a game that it names."""
    text = COLOUR.sub("", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not NOISE.match(line)]
    reason = cause_of(text) or next(iter(telling or lines), type(error).__name__)
    place = place_in(text)
    return f"{reason}{f' ({place})' if place else ''}"


def place_in(text: str) -> str:
    """``my_game.py line 12, in play``: where the game is that a message of Numba's is about, not what calls it."""
    for quoted, its_line, called, called_line in PLACES.findall(text):
        path, line = os.path.abspath(quoted or called), int(its_line or called_line)
        if path.startswith(GAMES) or not any(folder in path for folder in MACHINERY):
            method = enclosing_function(quoted or called, line)
            return f"{os.path.basename(path)} line {line}{f', in {method}' if method else ''}"
    return ""


def enclosing_function(path: str, line: int) -> str:
    """The name of the function that a line of a file is in, as the nearest ``def`` above says."""
    for above in range(line, 0, -1):
        found = re.match(r"\s*def (\w+)", linecache.getline(path, above))
        if found:
            return found.group(1)
    return ""
