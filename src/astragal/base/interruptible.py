"""Run a task, mostly in kernels, so that it can be stopped: at a deadline, by Ctrl-C, or by a caller.

A kernel cannot receive a signal. The task runs in its own thread, with the GIL released inside kernels, while this
thread keeps the time and sets the flag that kernels poll.

Ctrl-C ends a task with `KeyboardInterrupt`, but for a search under ``with answered_when_interrupted()``, which answers
with what it has.

Another thread can end a search: what runs in a ``with stoppable_by(switch)`` ends soon after `Switch.stop`. A search
then returns what it has; a task that has no result until it is done raises `Stopped`.

Thinking time is wall-clock time or processor time. In processor time, a search has its full time
however busy the machine is. It counts the whole process, so that threads which search together share the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar
from weakref import WeakSet

from astragal.base.errors import GameError, Stopped
from astragal.base.leaving import end_work, helped, leave_loops, working_thread

T = TypeVar("T")

WALL, PROCESSOR = "wall", "processor"
CLOCKS: dict[str, Callable[[], float]] = {WALL: time.perf_counter, PROCESSOR: time.process_time}
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
    """The clock that limits are measured by."""
    return CLOCKS[clocks.get()]


STACK_BYTES = 256 * 2**20  # addresses: deep recursion with large states needs more than systems usually give a thread
PATIENCE_SECONDS = 0.5  # how long a kernel may go on that was asked to stop, before it is to leave loops of methods
GRACE_SECONDS = 0.5  # how long Ctrl-C waits then
LOOK_SECONDS = 0.5  # how long Ctrl-C may go unnoticed at most
SHORTEST_LOOK = 1e-4


class Switch:
    """Ends what runs under it from another thread, now or as soon as it begins."""

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
        """Within this block, the switch calls `stop`; at once if it is off already."""
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
    """A search in this block returns what it has found on Ctrl-C; a search that has found nothing raises."""
    before = answers_interrupts.set(True)
    try:
        yield
    finally:
        answers_interrupts.reset(before)


NEVER = Switch()
switches: ContextVar[Switch] = ContextVar("switches", default=NEVER)
hurried: WeakSet[threading.Thread] = WeakSet()  # threads that were asked to stop
starting = threading.Lock()  # guards the stack size, which is set for the whole process


@contextmanager
def stoppable_by(switch: Switch) -> Iterator[None]:
    """What this thread runs within this block ends when the switch is turned off."""
    before = switches.set(switch)
    try:
        yield
    finally:
        switches.reset(before)


def is_stoppable() -> bool:
    """Whether another thread may end what this one runs."""
    return switches.get() is not NEVER


def is_stopped() -> bool:
    """Whether another thread has stopped this task, which may have no kernel whose flag could be set."""
    return switches.get().is_off


def is_hurried() -> bool:
    """Whether this thread's task was asked to stop: for slow Python code that kernels call."""
    return working_thread() in hurried


def helping_thread(task: Callable[[], None]) -> threading.Thread:
    """A thread, not started yet, that does a part of this thread's work and is stopped with it."""
    thread = threading.Thread(target=task, daemon=True)
    helped[thread] = threading.current_thread()
    return thread


def start_deep(thread: threading.Thread) -> None:
    """Start a thread with room for deep recursion."""
    with starting:
        previous = threading.stack_size(STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(previous)


def run_interruptible(
    task: Callable[[], T], stop: Callable[[], None], seconds: float | None = None, partial: bool = False
) -> T:
    """The task's result; `stop` is called after `seconds`, on Ctrl-C or by a switch, and must make the task end soon.

    With `partial`, the result of a task that a switch stopped is what it has.
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
            end_work(thread, done)

    def hurry() -> None:
        hurried.add(thread)
        stop()

    def was_hurried() -> bool:
        return thread in hurried

    thread = threading.Thread(target=work, name="kernel", daemon=True)
    try:  # Ctrl-C may come while the thread is being started
        with switch.ending(hurry):
            start_deep(thread)
            asked = seconds is not None and not is_done_before(done, clock, started + seconds, was_hurried)
            if asked:
                hurry()
            while not done.wait(PATIENCE_SECONDS if asked else LOOK_SECONDS):
                if asked:
                    leave_loops(thread, done)
                asked = was_hurried()
    except BaseException as error:
        hurry()
        if thread.ident is not None and not done.wait(PATIENCE_SECONDS):
            leave_loops(thread, done)
            done.wait(GRACE_SECONDS)
            if isinstance(error, KeyboardInterrupt) and errors and isinstance(errors[0], GameError):
                raise Stopped(f"interrupted: {errors[0]}") from errors[0]
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def is_done_before(
    done: threading.Event, clock: Callable[[], float], deadline: float, was_hurried: Callable[[], bool]
) -> bool:
    """Wait for an event until the deadline, or until the task was asked to stop for another reason.

    It waits in short steps: Ctrl-C just before a wait begins does not end the wait. With several threads the
    processor's clock runs faster than the wall's, so it is read after half of the rest.
    """
    part = 1.0 if clock is CLOCKS[WALL] else 0.5
    while not done.wait(max(SHORTEST_LOOK, min(LOOK_SECONDS, part * (deadline - clock())))):
        if clock() >= deadline or was_hurried():
            return False
    return True


def in_background(task: Callable[[], T], name: str) -> Future[T]:
    """The task's future result or exception; its thread does not delay the end of the program."""
    result: Future[T] = Future()

    def work() -> None:
        try:
            result.set_result(task())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=work, name=name, daemon=True).start()
    return result
