"""Who is told that a kernel is being compiled, and how far it is.

An announcer hears what is compiled, once, when that begins. It may give back a watcher, which hears after each function
how many are compiled, and how many there were the last time that such a kernel was compiled: that is remembered in a
small file in the cache. At the end both numbers are the same.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from astragal.folders import cache_folder, new_file
from astragal.terminal import width

Watcher = Callable[[int, int], None]
Announcer = Callable[[str], Any]  # a watcher, or something else that means none

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
    """Hear nothing of a compile within its first second, and not too often then."""
    due = time.monotonic() + LONG

    def watch(done: int, expected: int) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + PACE
            watcher(done, expected)

    return watch


announcers: list[Announcer] = [announce_on_stderr]  # the last one speaks


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
    """Whatever is announced within this block is over at its end, also by an error."""
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


# How many functions there were the last time


def counts_file() -> Path:
    return cache_folder() / "functions.json"


def remembered_counts() -> dict[str, int]:
    try:
        counts = json.loads(counts_file().read_text())
        return {str(what): int(count) for what, count in counts.items()}
    except (OSError, ValueError, AttributeError, TypeError):  # none yet, or not ours
        return {}


def expected_functions(what: str) -> int:
    """As many as the last time, or as the last entry of the same name had for another game."""
    counts = remembered_counts()
    return counts.get(what, counts.get(what.partition(":")[0], USUAL))


def remember_functions(what: str, count: int) -> None:
    """Of two processes that do so at once, one is forgotten; it is an estimate."""
    counts = remembered_counts() | {what: count, what.partition(":")[0]: count}
    with contextlib.suppress(OSError), new_file(counts_file(), "w") as file:
        json.dump(dict(list(counts.items())[-REMEMBERED:]), file)
