"""Threads that are to leave loops of users' methods: their search was asked to stop, and goes on all the same.

Machine code of users' games reads in a loop whether there is any such thread, and if so asks whether it is its own.
So the searches of other threads go on.
"""

from __future__ import annotations

import ctypes
import threading
from weakref import WeakKeyDictionary

LEAVING = ctypes.c_int64(0)  # how many threads are to leave; at an address that machine code has by name

leaving: set[threading.Thread] = set()
helped: WeakKeyDictionary[threading.Thread, threading.Thread] = WeakKeyDictionary()  # helper -> thread it works for
changing = threading.Lock()


def working_thread() -> threading.Thread:
    """This thread, or the one that it helps."""
    thread = threading.current_thread()
    return helped.get(thread, thread)


def is_leaving() -> bool:
    return working_thread() in leaving


def leave_loops(thread: threading.Thread, done: threading.Event) -> None:
    """Make a thread, and those that help it, leave their loops; unless it is done."""
    with changing:
        if not done.is_set():
            leaving.add(thread)
            LEAVING.value = len(leaving)


def end_work(thread: threading.Thread, done: threading.Event) -> None:
    """A thread is done."""
    with changing:
        done.set()
        leaving.discard(thread)
        LEAVING.value = len(leaving)
