"""Python code that does not come to an end, such as an endless loop in a user's method, is ended by an error in it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from astragal.base.errors import EndlessLoop


class Overdue(EndlessLoop):
    """Raised in a thread, by another one."""

    def __init__(self) -> None:
        super().__init__("an endless loop, or a very long one,")


@contextmanager
def ended_when_overdue(seconds: float, progress: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """Within this block, `Overdue` is raised in this thread once it has made no progress for this long."""
    thread = ctypes.c_ulong(threading.get_ident())
    over, lock = threading.Event(), threading.Lock()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        before = progress()
        while not over.wait(seconds):
            now = progress()
            with lock:
                if now == before and not over.is_set():
                    raise_in(thread, ctypes.py_object(Overdue))
                    return
            before = now

    threading.Thread(target=watch, name="watch", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        with lock:  # behind this nothing more is raised
            pass
        # Any call of a Python function delivers what is pending. To withdraw it instead would leave CPython's flag for
        # it set: slow from then on, and an endless loop in traced code of 3.11.
        over.is_set()
