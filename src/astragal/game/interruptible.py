"""Running a task that kernels do most of, so that it can be stopped: at a deadline, on Ctrl-C, or by a caller.

A kernel cannot hear a signal. The task runs in a thread of its own, with the GIL released inside kernels, while this
thread keeps the time and sets the flag that kernels poll.

Ctrl-C ends a task with `KeyboardInterrupt`, but for a search under ``with answered_when_interrupted()``, which answers
with what it has.

Whoever starts a search may want to end it from another thread: what runs in a ``with stoppable_by(switch)`` ends soon
after `Switch.stop`. A search answers with what it has; what has no answer until it is done raises `Stopped`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar
from weakref import WeakKeyDictionary, WeakSet

from astragal.errors import Stopped
from astragal.game.clock import CLOCKS, WALL, thinking_clock

T = TypeVar("T")

STACK_BYTES = 64 * 2**20  # deep recursion in a kernel needs more than the half megabyte some systems give a thread
GRACE_SECONDS = 1.0  # how long Ctrl-C waits for a kernel to notice
LOOK_SECONDS = 0.5  # how long Ctrl-C may go unnoticed at most
SHORTEST_LOOK = 1e-4


class Switch:
    """With which another thread ends what runs under it, now or as soon as it begins."""

    def __init__(self) -> None:
        self.is_off = False
        self._lock = threading.Lock()
        self._stops: list[Callable[[], None]] = []

    def stop(self) -> None:
        with self._lock:
            self.is_off = True
            for stop in self._stops:
                stop()

    @contextmanager
    def ending(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within this block, `stop` is what the switch does; at once if it is off already."""
        with self._lock:
            self._stops.append(stop)
            if self.is_off:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)


answers_interrupts: ContextVar[bool] = ContextVar("answers_interrupts", default=False)


@contextmanager
def answered_when_interrupted() -> Iterator[None]:
    """A search that is run within this block answers Ctrl-C with what it has found; one that has nothing raises."""
    before = answers_interrupts.set(True)
    try:
        yield
    finally:
        answers_interrupts.reset(before)


NEVER = Switch()
switches: ContextVar[Switch] = ContextVar("switches", default=NEVER)
hurried: WeakSet[threading.Thread] = WeakSet()  # threads that were told to end
helped: WeakKeyDictionary[threading.Thread, threading.Thread] = WeakKeyDictionary()  # by those that share their task
starting = threading.Lock()  # the size of stacks is set for the whole process


@contextmanager
def stoppable_by(switch: Switch) -> Iterator[None]:
    """What is run within this block, by this thread, ends when the switch says so."""
    before = switches.set(switch)
    try:
        yield
    finally:
        switches.reset(before)


def is_stoppable() -> bool:
    """Whether another thread may want to end what this one runs."""
    return switches.get() is not NEVER


def is_stopped() -> bool:
    """Whether another thread has ended what this one runs, which may have no kernel to tell."""
    return switches.get().is_off


def is_hurried() -> bool:
    """Whether the task that this thread runs was told to end: for Python that kernels call, and that takes long."""
    thread = threading.current_thread()
    return helped.get(thread, thread) in hurried


def helping_thread(task: Callable[[], None]) -> threading.Thread:
    """A thread, not started yet, that does a part of what this one does, and is told to end with it."""
    thread = threading.Thread(target=task, daemon=True)
    helped[thread] = threading.current_thread()
    return thread


def run_interruptible(
    task: Callable[[], T], stop: Callable[[], None], seconds: float | None = None, partial: bool = False
) -> T:
    """The task's result; `stop`, called after so many seconds, on Ctrl-C or by a switch, must make it end soon.

    With partial, what the task has when a switch ends it is its result.
    """
    switch = switches.get()
    try:
        return run_within_seconds(task, stop, seconds, switch)
    finally:
        if switch.is_off and not partial:  # whatever came of it, or went wrong
            raise Stopped("it was stopped before it was done") from None


def run_within_seconds(task: Callable[[], T], stop: Callable[[], None], seconds: float | None, switch: Switch) -> T:
    clock = thinking_clock()
    started = clock()
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

    def hurry() -> None:
        hurried.add(thread)
        stop()

    thread = threading.Thread(target=work, name="kernel", daemon=True)
    try:  # Ctrl-C may come while the thread is being started
        with switch.ending(hurry):
            with starting:
                previous = threading.stack_size(STACK_BYTES)
                try:
                    thread.start()
                finally:
                    threading.stack_size(previous)
            if seconds is not None and not is_done_before(done, clock, started + seconds):
                hurry()
            while not done.wait(LOOK_SECONDS):
                pass
    except BaseException:
        hurry()
        if thread.ident is not None:
            done.wait(GRACE_SECONDS)
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def is_done_before(done: threading.Event, clock: Callable[[], float], deadline: float) -> bool:
    """Wait so long for an event, a little at a time: Ctrl-C that comes just before a wait begins does not end it.

    The processor's clock may run as many times as fast as there are threads, so it is looked at after half of the rest.
    """
    part = 1.0 if clock is CLOCKS[WALL] else 0.5
    while not done.wait(max(SHORTEST_LOOK, min(LOOK_SECONDS, part * (deadline - clock())))):
        if clock() >= deadline:
            return False
    return True
