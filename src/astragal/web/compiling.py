"""What is compiled for a search, told to its page: the first search of a kind takes a while, and only the first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tell = Callable[[str], None]


class Listening(threading.local):
    """Who hears of what a thread compiles; nobody but the terminal, if not set."""

    tell: Tell | None = None


listening = Listening()
installing = threading.Lock()
before: list[Tell] = []  # who heard of everything until the first search


def announce(what: str) -> None:
    (listening.tell or before[0])(what)


@contextmanager
def told_what_is_compiled(tell: Tell) -> Iterator[None]:
    """Within this block, tell what this thread compiles."""
    from astragal.game.kernel import announcers  # imports Numba

    with installing:
        if not before:
            before.append(announcers[-1])
            announcers.append(announce)
    listening.tell = tell
    try:
        yield
    finally:
        listening.tell = None
