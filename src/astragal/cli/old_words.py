"""Old names of commands, from before 0.1.0: they work for one release, with a note that prints the new names."""

from __future__ import annotations

import shlex
import sys

from astragal.base.terminal import paint
from astragal.cli.app import COMMANDS, GROUPS

RENAMED = {
    "perft": "dev perft",
    "bench": "dev bench",
    "probcut": "dev probcut",
    "compile": "cache build",
    "plot": "results plot",
    "replay": "results replay",
    "ggp-match": "ggp match",
}
VALUED = ("--db", "--game", "--player", "--export", "--luck")  # options that a word follows


def translated(words: list[str], silent: bool = False) -> list[str]:
    """A command line in the current words. A group alone, or with options, means its usual command; but while a shell
    completes a line (silent), the group's commands may still follow."""
    first, *rest = words
    if silent and not rest:
        return RENAMED.get(first, first).split()
    if first in GROUPS and rest and (f"{first} {rest[0]}" in COMMANDS or rest[0] == "--help"):
        return words
    now = renamed(first, rest)
    if now is None:
        is_alone = not rest or rest[0].startswith("-")
        return [first, GROUPS[first].place, *rest] if GROUPS[first].place and is_alone else words
    if not silent:
        new, old = (shlex.join(["astragal", *each]) for each in (now, words))
        note = f"note: '{old}' is '{new}' now; the old name works for this release"
        print(f"{paint('astragal:', 'yellow', sys.stderr)} {note}", file=sys.stderr)
    return now


def renamed(first: str, rest: list[str]) -> list[str] | None:
    """The new words for old ones; None where there are none."""
    before = ["", *rest]
    numbers = [place for place, word in enumerate(rest) if word.isdigit() and before[place] not in VALUED]
    if first == "replay" and "--verify" in rest:
        others = [word for place, word in enumerate(rest) if word != "--verify" and place not in numbers[1:]]
        return ["results", "verify", *others]
    if first in RENAMED:
        return [*RENAMED[first].split(), *rest]
    if first == "results" and "--export" in rest[:-1]:
        place = rest.index("--export")
        return ["results", "export", rest[place + 1], *rest[:place], *rest[place + 2 :]]
    if first == "results" and numbers:
        return ["results", "show", *rest]
    for option in ("--trim", "--clear"):
        if first == "cache" and option in rest:
            return ["cache", option[2:], *(word for word in rest if word != option)]
    return None
