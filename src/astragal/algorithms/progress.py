"""The reports of a running search, and how often they come: the result if it were stopped at that moment.

Searches that deepen report after each finished iteration. Searches by simulation report each time the simulations have
doubled. A listener with a pace in seconds (`Paced`) receives both about that often: from a search that deepens, how
many nodes it has searched since its last new result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from astragal.algorithms.result import SearchResult

Progress = Callable[[SearchResult], None]


@dataclass(frozen=True)
class Paced:
    """A listener that receives reports about this often, and perhaps the tree that a search keeps."""

    hear: Progress
    every: float  # seconds
    wants_tree: Callable[[], bool] = lambda: False  # asked before each report

    def __call__(self, found: SearchResult) -> None:
        self.hear(found)


def tree_wanted(progress: Progress | None) -> bool:
    """Whether a search that keeps its tree is to show it with the next report."""
    return isinstance(progress, Paced) and progress.wants_tree()


FIRST = 16  # simulations before the first report to a paced listener, however slow they are


def first_report(progress: Progress | None, usual: int) -> int:
    """The number of simulations before the first report."""
    return FIRST if isinstance(progress, Paced) else usual


def next_report(progress: Progress | None, simulations: int, seconds: float) -> int:
    """The number of simulations at the next report, given how many there were in how many seconds."""
    doubled = max(1, 2 * simulations)
    if not isinstance(progress, Paced) or seconds <= 0.0:
        return doubled
    return min(doubled, simulations + max(1, int(progress.every * simulations / seconds)))


@contextmanager
def counting(progress: Progress | None, nodes: Callable[[], int], started: float) -> Iterator[Progress | None]:
    """The listener of finished iterations; a paced one receives the last one again as nodes are searched."""
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
