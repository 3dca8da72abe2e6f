"""What a running search tells, and how often: what it would answer if it were stopped at that moment.

Searches that deepen tell after each finished iteration. Searches by simulation tell each time the simulations have
doubled, or, to someone who says how many seconds may pass (`Paced`), about that often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from astragal.search.result import SearchResult

Progress = Callable[[SearchResult], None]


@dataclass(frozen=True)
class Paced:
    """Someone who wants to hear of a search by simulation about so often."""

    hear: Progress
    every: float  # seconds

    def __call__(self, found: SearchResult) -> None:
        self.hear(found)


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
