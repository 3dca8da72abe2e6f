"""When a search stops: on time, nodes or depth, whichever comes first; and at once on Ctrl-C."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from astragal.errors import SpecError

T = TypeVar("T")

STACK_BYTES = 64 * 2**20  # deep recursion in a kernel needs more than the half megabyte some systems give a thread
INLINE_NODES = 200_000  # a budget over in a few milliseconds needs no thread and no timer


@dataclass(frozen=True)
class Limits:
    """Seconds, nodes and depth; None is no limit."""

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("time", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise SpecError(f"{name} must be more than 0, not {value:g}")

    @property
    def is_short(self) -> bool:
        return self.time is None and self.nodes is not None and self.nodes <= INLINE_NODES


def run_within(limits: Limits, task: Callable[[], T], stop: Callable[[], None]) -> T:
    """Run a task that kernels do most of, telling it to stop at the deadline or on Ctrl-C.

    The task runs in a thread of its own, with the GIL released inside kernels, so that this thread can keep the time
    and hear Ctrl-C.
    """
    if limits.is_short:
        return task()
    started = time.perf_counter()
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(task())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    previous = threading.stack_size(STACK_BYTES)
    try:
        thread = threading.Thread(target=work, name="search", daemon=True)
        thread.start()
    finally:
        threading.stack_size(previous)
    try:
        remaining = None if limits.time is None else max(0.0, limits.time - (time.perf_counter() - started))
        if not done.wait(remaining):
            stop()
            done.wait()
    except BaseException:
        stop()
        done.wait(1.0)
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
