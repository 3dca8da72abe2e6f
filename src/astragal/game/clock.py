"""The clock that thinking time is counted by: the one on the wall, or the processor's.

By the processor's, a search has its time however busy the machine is: what other programs do meanwhile is not counted.
It counts the whole process, so that threads which search together share the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar

WALL = "wall"
CLOCKS: dict[str, Callable[[], float]] = {WALL: time.perf_counter, "processor": time.process_time}
clocks: ContextVar[str] = ContextVar("clocks", default=WALL)


class CountingBy:
    """Within this block, limits on time are by this clock, in what this thread begins."""

    def __init__(self, clock: str) -> None:
        self.clock = clock

    def __enter__(self) -> None:
        self.before = clocks.set(self.clock)

    def __exit__(self, *_: object) -> None:
        clocks.reset(self.before)


def thinking_clock() -> Callable[[], float]:
    """The clock that counts here."""
    return CLOCKS[clocks.get()]
