"""What Numba's long error messages come down to, in a sentence for the author of a game."""

from __future__ import annotations

import re

NOISE = re.compile(
    r"""(\w+Error:\s)?Failed\ in | During | File\  | Overload | There\ are | -\ | Rejected | raised\ from | >>> | \^
    | With\ argument | No\ implementation\ of\ function\ Function\(<function\ choose | None$
    | <source\ elided> | def\ """,
    re.VERBOSE,
)


NOT_THE_GAMES = "site-packages", "astragal/search/", "astragal/game/"
CAUSES = [  # what Numba says -> what the author of a game can do about it
    (r"re-?entrant|[Rr]ecursi", "a method or function calls itself, which compiled code cannot: use a loop"),
    (
        r"has no attribute 'literal_value'",
        "players, max_actions and max_outcomes must be known to compiled code: annotate such a parameter Constant[int]",
    ),
    (
        r"Unknown attribute '(\w+)' of type \S+#",
        "compiled code knows no '{}' of the game: a text parameter is for Python only (choose by a property that gives "
        "a number), and a method or parameter of that name must exist",
    ),
    (
        r"type of <class '(?:list|dict)'>|reflected list|Untyped global name '\w+':.*(?:list|dict)",
        "a table that compiled code reads must be a NumPy array or a tuple of numbers, not a list or dict",
    ),
    (r"Untyped global name '(\w+)'", "compiled code cannot use '{}': only numbers, NumPy arrays and plain functions"),
    (r"[Nn]ame '(\w+)' is not defined", "there is no '{}'"),
]


def cause_of(text: str) -> str:
    """What is behind a message of Numba's, where it is a known one."""
    for pattern, sentence in CAUSES:
        found = re.search(pattern, text)
        if found:
            return sentence.format(next((group for group in found.groups() if group), ""))
    return ""


def compile_reason(error: Exception) -> str:
    """The line of a Numba error that says what is wrong, and the place that it names next."""
    cause = cause_of(str(error))
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [i for i, line in enumerate(lines) if not NOISE.match(line)]
    if cause:
        files = [line for line in lines if line.startswith('File "')]
        own = [line for line in files if not any(folder in line for folder in NOT_THE_GAMES)]
        place = own[0].removeprefix("File ").rstrip(":") if own else ""
        return f"{cause}{f' ({place})' if place else ''}"
    if not telling:
        return lines[0] if lines else type(error).__name__
    at = telling[0]
    places = [line.removeprefix("File ").rstrip(":") for line in lines[at:] if line.startswith('File "')]
    return f"{lines[at]}{f' ({places[0]})' if places else ''}"
