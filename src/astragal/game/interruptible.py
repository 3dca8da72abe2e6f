"""Running a task that kernels do most of, so that it can be stopped: at a deadline, on Ctrl-C, or by a caller.

A kernel cannot hear a signal. The task runs in a thread of its own, with the GIL released inside kernels, while this
thread keeps the time and sets the flag that kernels poll.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

STACK_BYTES = 64 * 2**20  # deep recursion in a kernel needs more than the half megabyte some systems give a thread
GRACE_SECONDS = 1.0  # how long Ctrl-C waits for a kernel to notice


def run_interruptible(task: Callable[[], T], stop: Callable[[], None], seconds: float | None = None) -> T:
    """The task's result; `stop` is called after so many seconds, or on Ctrl-C, and must make the task end soon."""
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
        thread = threading.Thread(target=work, name="kernel", daemon=True)
        thread.start()
    finally:
        threading.stack_size(previous)
    try:
        remaining = None if seconds is None else max(0.0, seconds - (time.perf_counter() - started))
        if not done.wait(remaining):
            stop()
            done.wait()
    except BaseException:
        stop()
        done.wait(GRACE_SECONDS)
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
