"""What Numba's long error messages come down to, in a sentence for the author of a game."""

from __future__ import annotations

import re

NOISE = re.compile(
    r"""(\w+Error:\s)?Failed\ in | During | File\  | Overload | There\ are | -\ | Rejected | raised\ from | >>> | \^
    | With\ argument | No\ implementation\ of\ function\ Function\(<function\ choose | None$
    | <source\ elided> | def\ """,
    re.VERBOSE,
)


def compile_reason(error: Exception) -> str:
    """The line of a Numba error that says what is wrong, and the place that it names next."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [i for i, line in enumerate(lines) if not NOISE.match(line)]
    if not telling:
        return lines[0] if lines else type(error).__name__
    at = telling[0]
    places = [line.removeprefix("File ").rstrip(":") for line in lines[at:] if line.startswith('File "')]
    return f"{lines[at]}{f' ({places[0]})' if places else ''}"
