"""What is compiled for a search, told to its page: the first search of a kind takes a while, and only the first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from astragal.game.announce import Announcer, announcers, when_long

Tell = Callable[..., None]  # tell(what), and while it takes long tell(what, done=..., expected=...): functions


class Listening(threading.local):
    """Who hears of what a thread compiles; nobody but the terminal, if not set."""

    tell: Tell | None = None


listening = Listening()
installing = threading.Lock()
before: list[Announcer] = []  # who heard of everything until the first search


def announce(what: str) -> Any:
    tell = listening.tell
    if tell is None:
        return before[0](what)
    tell(what)
    watch = when_long(lambda done, expected: tell(what, done=done, expected=expected))
    return lambda done, expected: watch(done, expected) if done < expected else None


@contextmanager
def told_what_is_compiled(tell: Tell) -> Iterator[None]:
    """Within this block, tell what this thread compiles."""
    with installing:
        if not before:
            before.append(announcers[-1])
            announcers.append(announce)
    listening.tell = tell
    try:
        yield
    finally:
        listening.tell = None
