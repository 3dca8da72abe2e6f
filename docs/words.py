"""Habits of language that this project has dropped, and where they still stand: `python docs/words.py [FILE ...]`.

Prose is what people read: documents, docstrings, comments and texts in code. Each habit has the words to use in its
place. `docs/words.txt` has how many each file still had when it was last written; `--check` fails where a file has more
than that, and where a new file has any. `--store` writes the numbers anew, which may only fall. So a change leaves a
file no worse.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
COUNTS = ROOT / "docs" / "words.txt"
LEFT_OUT = ("docs/results/", "docs/notes/", "tests/data/", "docs/words.py", "docs/words.txt", "CHANGELOG.md")

HABITS = {  # a pattern, and what to write
    r"so many": "a number, or 'this many'",
    r"of yours|of theirs|of ours|of one's own": "'your game', 'a user's game'",
    r"of now|of before|of today": "'current', 'previous'",
    r"what is so": "'proven'",
    r"tells?|told": "'returns', 'reports', 'prints', 'says' of documents",
    r"hears?|heard": "'receives', 'reads'",
    r"knows?|knew": "'has', 'stores', 'computes'",
    r"believes?|believed|unbelievable": "'accepts', 'trusts', 'corrupt'",
    r"nobody|somebody|whoever": "name the user, the player or the caller",
    r"has to do with": "'concerns'",
    r"no more than that|there is no more|no more of it": "leave it out",
    r"is asked (?:of|for)|are asked (?:of|for)|is asked": "'is called', 'is evaluated', 'is given'",
    r"by then|thereupon|whereupon": "'before that', 'then'",
    r"which nobody": "a sentence of its own",
    r"as (?:they|it) (?:are|is) told": "'as given'",
    r"for itself to know": "'private to the game'",
    r"impatien\w+": "'timeout'",
    r"luck taken off|takes? luck off": "'luck-adjusted'",
}
HABIT = re.compile(r"\b(?:" + "|".join(f"(?P<h{i}>{pattern})" for i, pattern in enumerate(HABITS)) + r")\b", re.I)
ADVICE = list(HABITS.values())


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that people read, with their numbers: all of a document, comments and texts of code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                for i, line in enumerate(node.value.splitlines()):
                    yield node.lineno + i, line
    else:
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("```"):
                inside = not inside
            elif not inside:
                yield number, re.sub(r"`[^`]*`", "``", line)


def found(path: Path) -> Iterator[tuple[int, str, str]]:
    """The habits in a file: line, words, what to write instead."""
    for number, line in prose(path):
        for match in HABIT.finditer(line):
            yield number, match[0], ADVICE[int(str(match.lastgroup)[1:])]


def files() -> list[str]:
    names = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [name for name in names.splitlines() if not name.startswith(LEFT_OUT) and (ROOT / name).is_file()]


def stored() -> dict[str, int]:
    if not COUNTS.exists():
        return {}
    rows = (line.rsplit(" ", 1) for line in COUNTS.read_text(encoding="utf-8").splitlines())
    return {name: int(count) for name, count in rows}


def check() -> int:
    """How many files have more habits than they had; each is printed with its lines."""
    before, worse = stored(), 0
    for name in files():
        habits = list(found(ROOT / name))
        if len(habits) > before.get(name, 0):
            worse += 1
            print(f"{name} has {len(habits)} of the habits below; {before.get(name, 0)} are allowed (docs/words.txt)")
            show(name, habits)
    return worse


def show(name: str, habits: list[tuple[int, str, str]]) -> None:
    for number, words, advice in habits:
        print(f"  {name}:{number}: {words!r}: {advice}")


def store() -> int:
    """Write the present numbers, unless a file has more than it is allowed."""
    if COUNTS.exists() and check():
        print("nothing stored: mend these first")
        return 1
    counts = {name: len(list(found(ROOT / name))) for name in files()}
    COUNTS.write_text("".join(f"{name} {count}\n" for name, count in sorted(counts.items()) if count), encoding="utf-8")
    return 0


def main(words: list[str]) -> int:
    if words == ["--check"]:
        return int(check() > 0)
    if words == ["--store"]:
        return store()
    for name in words or files():
        show(name, list(found(ROOT / name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
