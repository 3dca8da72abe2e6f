"""What a running search tells, and how often: what it would answer if it were stopped at that moment.

Searches that deepen tell after each finished iteration. Searches by simulation tell each time the simulations have
doubled. Someone who says how many seconds may pass (`Paced`) hears of both about that often: of one that deepens, how
many nodes it has searched since it last had something new to tell.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from astragal.search.result import SearchResult

Progress = Callable[[SearchResult], None]


@dataclass(frozen=True)
class Paced:
    """Someone who wants to hear of a search about so often, and perhaps to see the tree that a search keeps."""

    hear: Progress
    every: float  # seconds
    wants_tree: Callable[[], bool] = lambda: False  # asked before each report

    def __call__(self, found: SearchResult) -> None:
        self.hear(found)


def tree_wanted(progress: Progress | None) -> bool:
    """Whether a search that keeps its tree is to show it with the next report."""
    return isinstance(progress, Paced) and progress.wants_tree()


FIRST = 16  # simulations after which a paced listener first hears of a search, however slow it may be


def first_report(progress: Progress | None, usual: int) -> int:
    """After how many simulations to tell for the first time."""
    return FIRST if isinstance(progress, Paced) else usual


def next_report(progress: Progress | None, simulations: int, seconds: float) -> int:
    """At how many simulations to tell next, after so many in so many seconds."""
    doubled = max(1, 2 * simulations)
    if not isinstance(progress, Paced) or seconds <= 0.0:
        return doubled
    return min(doubled, simulations + max(1, int(progress.every * simulations / seconds)))


@contextmanager
def counting(progress: Progress | None, nodes: Callable[[], int], started: float) -> Iterator[Progress | None]:
    """Whom to tell of finished iterations; a paced listener hears of the last one again as nodes are searched."""
    if not isinstance(progress, Paced):
        yield progress
        return
    last: list[SearchResult] = []
    over, telling = threading.Event(), threading.Lock()

    def tell(found: SearchResult) -> None:
        with telling:
            last[:] = [found]
            progress(found)

    def count() -> None:
        while not over.wait(progress.every):
            with telling:
                if last and not over.is_set():
                    progress(replace(last[0], nodes=nodes(), seconds=time.perf_counter() - started))

    counter = threading.Thread(target=count, name="counting", daemon=True)
    counter.start()
    try:
        yield tell
    finally:
        with telling:
            over.set()
