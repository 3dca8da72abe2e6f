"""Work in a thread of its own that nobody has to wait for, not even at the end of the program."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def in_background(task: Callable[[], T], name: str) -> Future[T]:
    """What the task will have given or raised."""
    result: Future[T] = Future()

    def work() -> None:
        try:
            result.set_result(task())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=work, name=name, daemon=True).start()
    return result
