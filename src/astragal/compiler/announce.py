"""Progress messages while a kernel is compiled.

An announcer is called once, when a compile begins, with what is compiled. It may return a watcher, which is called
after each function with the number of functions compiled and the number of the last such compile, which is stored in a
small file in the cache. At the end both numbers are the same.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from astragal.base.folders import cache_folder, new_file
from astragal.base.parameters import spell
from astragal.base.terminal import width
from astragal.compiler.fingerprint import is_compiled, value_text

Watcher = Callable[[int, int], None]
Announcer = Callable[[str], Any]  # returns a watcher, or anything else for none

LONG = 1.0  # seconds after which progress is shown
PACE = 0.1  # seconds between two lines of it
REMEMBERED = 2000  # entries whose functions are remembered
USUAL = 80  # functions in an entry that was never compiled before


def announce_on_stderr(what: str) -> Watcher | None:
    """One line; on a terminal it is written anew while functions are compiled."""
    line = f"compiling {what} (once; kept for next time)"
    if not sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)
        return None
    rewrite(line)

    def end_or_show(done: int, expected: int) -> None:
        if done == expected:
            rewrite(line)
            print(file=sys.stderr, flush=True)
        else:
            show(done, expected)

    show = when_long(lambda done, expected: rewrite(f"compiling {what}: {progress_text(done, expected)}"))
    return end_or_show


def rewrite(line: str) -> None:
    print(f"\r\x1b[K{line[: width()]}", end="", file=sys.stderr, flush=True)


def progress_text(done: int, expected: int) -> str:
    """How far it is. The machine code of all functions is made together, after the last of them."""
    if done + 1 >= expected:
        return f"{done} functions, then their machine code"
    return f"{done} of about {expected} functions"


def when_long(watcher: Watcher) -> Watcher:
    """Call the watcher only after a second of compiling, and at most ten times a second."""
    due = time.monotonic() + LONG

    def watch(done: int, expected: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + PACE
            watcher(done, expected)

    return watch


announcers: list[Announcer] = [announce_on_stderr]  # the last one is called


class Compiling:
    """An entry while it is compiled."""

    def __init__(self, what: str) -> None:
        self.what, self.done = what, 0
        self.expected = expected_functions(what)
        watcher = announcers[-1](what)
        self.watcher: Watcher = watcher if callable(watcher) else lambda done, expected: None

    def one_more(self) -> None:
        """A function was compiled; there is always at least one more to come, the entry itself."""
        self.done += 1
        self.watcher(self.done, max(self.expected, self.done + 1))

    def end(self) -> None:
        self.watcher(self.done, self.done)


class UnderWay(threading.local):
    """What each thread is compiling."""

    entry: Compiling | None = None


under_way = UnderWay()


@contextlib.contextmanager
def compiling_may_begin() -> Iterator[None]:
    """What is announced within this block ends with it, also if there is an error."""
    outer, under_way.entry = under_way.entry, None
    try:
        yield
    finally:
        if under_way.entry is not None:
            under_way.entry.end()
        under_way.entry = outer


def begin_compiling(what: str) -> None:
    under_way.entry = Compiling(what)


def function_compiled() -> None:
    if under_way.entry is not None:
        under_way.entry.one_more()


def functions_done() -> int:
    """How many functions were compiled for the entry that is under way."""
    return under_way.entry.done if under_way.entry is not None else USUAL


# How many functions there were the last time


def counts_file() -> Path:
    return cache_folder() / "functions.json"


def remembered_counts() -> dict[str, int]:
    try:
        counts = json.loads(counts_file().read_text())
        return {str(what): int(count) for what, count in counts.items()}
    except (OSError, ValueError, AttributeError, TypeError):  # no file yet, or a damaged one
        return {}


def expected_functions(what: str) -> int:
    """The number of the last time, or of the last entry of the same name for another game."""
    counts = remembered_counts()
    return counts.get(what, counts.get(what.partition(":")[0], USUAL))


def remember_functions(what: str, count: int) -> None:
    """If two processes write at once, one entry is lost; it is an estimate."""
    counts = remembered_counts() | {what: count, what.partition(":")[0]: count}
    with contextlib.suppress(OSError), new_file(counts_file(), "w") as file:
        json.dump(dict(list(counts.items())[-REMEMBERED:]), file)


# The name of an instance in that line


def label(instance: Any, constants: dict[str, Any]) -> str:
    """``Pig:squash=on``: the class, and the constants by which this compile differs from that of the defaults.

    Properties follow from fields; they are shown where no constant field differs, as where they follow from a text.
    """
    if hasattr(instance, "_label_"):  # its own name
        return str(instance._label_)
    changed = {name: value for name, value in changed_fields(instance).items() if name in constants}
    if not changed:
        simple = {name: value for name, value in constants.items() if isinstance(value, (bool, int, float))}
        with contextlib.suppress(Exception):  # a field without a default, or the user's own code
            default = type(instance)()
            changed = {name: value for name, value in simple.items() if value != getattr(default, name)}
    settings = ",".join(f"{name}={spell_constant(value)}" for name, value in changed.items())
    return f"{type(instance).__name__}{':' if settings else ''}{settings}"


def changed_fields(instance: Any) -> dict[str, Any]:
    values = {field: getattr(instance, field.name) for field in dataclasses.fields(instance)}
    return {field.name: value for field, value in values.items() if value_text(value) != value_text(field.default)}


def spell_constant(value: Any) -> str:
    """A constant in few words: a step by its class and what is changed in it, a table by its shape."""
    if is_compiled(value):
        changed = " ".join(f"{name}={spell_constant(inner)}" for name, inner in changed_fields(value).items())
        return f"{type(value).__name__}({changed})" if changed else type(value).__name__
    if isinstance(value, np.ndarray):
        return f"array{list(value.shape)}"
    return f"({' '.join(map(spell_constant, value))})" if isinstance(value, tuple) else spell(value)
