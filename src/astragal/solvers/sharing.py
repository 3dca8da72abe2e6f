"""Threads of solvers: how many there are, and how they share out pieces of work that do not depend on each other.

A solver gives the same values with any number of threads: each piece writes what no other piece of its layer reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TypeVar

from astragal.base.cores import Threads, spare_cores
from astragal.base.errors import SpecError

Piece = TypeVar("Piece")
Found = TypeVar("Found")

threads_taken: ContextVar[int] = ContextVar("threads_taken", default=1)


@contextmanager
def taking_threads(threads: int | str) -> Iterator[None]:
    """What is solved within this block takes this many threads; ``auto`` is all cores but one."""
    try:
        number = Threads(str(threads))
    except ValueError as error:
        raise SpecError(f"threads={threads} is not {error}") from None
    before = threads_taken.set(number or spare_cores())
    try:
        yield
    finally:
        threads_taken.reset(before)


class Team:
    """The threads of one solver, the calling one among them; a number for each."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.others = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def __enter__(self) -> Team:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.others is not None:
            self.others.shutdown()

    def share(self, task: Callable[[int, Piece], Found], pieces: Sequence[Piece]) -> list[Found]:
        """What a task, called with the number of a thread and a piece, returns for each piece."""
        if self.others is None or len(pieces) < 2:
            return [task(0, piece) for piece in pieces]
        waiting, found = itertools.count(), dict[int, Found]()

        def work(thread: int) -> None:
            for place in waiting:
                if place >= len(pieces):
                    return
                found[place] = task(thread, pieces[place])

        helpers = [self.others.submit(work, thread) for thread in range(1, min(self.threads, len(pieces)))]
        try:
            work(0)
        finally:
            for helper in helpers:
                helper.result()
        return [found[place] for place in range(len(pieces))]
