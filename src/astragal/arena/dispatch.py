"""Handing numbered tasks to workers, and keeping what they bring back as soon as it is there.

What comes of a task depends on its number alone, so it does not matter who does it, in which order, or whether an
earlier run was killed. Workers get tasks one by one, or, where they are short, as many at a time as take a third of a
second, or longer if there are many workers; towards the end fewer, so that all end together. Whatever kills this
process loses at most the games of each worker's bundle.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from astragal.arena.workers import end_at_once
from astragal.base.errors import AstragalError

AHEAD = 2  # bundles handed out for each worker: one to do, one to go on with
BUNDLE_SECONDS = 0.3  # short tasks are handed out together, as many as take so long
LAST_PART = 4  # towards the end bundles shrink to this part of that, no further: each of them costs time, too
MAX_TOGETHER = 1000
MAX_BUNDLES = 100  # that workers bring back in a second, so that who takes them in, or a scheduler between, keeps up
MAX_LOSSES = 3  # workers that may die with a task handed out before it is done with no other beside it
MAX_GIVEN_UP = 10  # tasks that kill their workers before no more are tried


def bundle_seconds(workers: int) -> float:
    """How long a worker should be busy with what it is handed at a time, if its tasks are short."""
    return max(BUNDLE_SECONDS, workers / MAX_BUNDLES)


class Timed(Protocol):
    """What comes of a task, with the time it took."""

    @property
    def seconds(self) -> float: ...


Number = TypeVar("Number")  # what a task is called
Result = TypeVar("Result", bound=Timed)


class Interrupt:
    """Ctrl-C as a wish: what is under way is finished first. A second one ends everything at once."""

    def __init__(self, things: str = "games") -> None:
        self.wished, self.things = False, things

    @contextmanager
    def heard(self) -> Iterator[Interrupt]:
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = signal.signal(signal.SIGINT, self.hear)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    def hear(self, number: int, frame: Any) -> None:
        if self.wished:
            raise KeyboardInterrupt
        self.wished = True
        line_end = "\n" if sys.stderr.isatty() else ""  # after ^C, or a line that says how it stands
        with suppress(RuntimeError, OSError):  # in the midst of writing another line
            print(
                f"{line_end}stopping after the {self.things} under way; Ctrl-C again ends at once",
                file=sys.stderr,
                flush=True,
            )


class Dispatcher(Generic[Number, Result]):
    """Hands out tasks to workers, and keeps a list of those that are not back yet."""

    def __init__(
        self,
        perform: Callable[[tuple[Number, ...]], list[Result]],  # what a worker does, and is sent
        jobs: int,
        make_workers: Callable[[], Executor],
        keep: Callable[[list[Result]], bool],  # says whether there is enough
        interrupt: Interrupt,
        name: Callable[[Number], str] = str,  # of a task, for people
    ) -> None:
        self.perform, self.jobs, self.make_workers, self.keep = perform, jobs, make_workers, keep
        self.interrupt, self.name = interrupt, name
        self.workers = make_workers()
        self.handed_out: dict[Future[list[Result]], tuple[Number, ...]] = {}
        self.done: SimpleQueue[Future[list[Result]]] = SimpleQueue()  # some may be handed out no more
        self.together = 1  # tasks in a bundle
        self.coming: deque[Number] = deque()  # the next tasks, as many as are handed out at a time if there are
        self.again: list[Number] = []  # tasks whose workers died
        self.losses: Counter[Number] = Counter()
        self.alone = False  # whether the one task handed out is under suspicion
        self.given_up: list[Number] = []

    def run(self, tasks: Iterator[Number]) -> bool:
        """Do all tasks; whether none is left, or there is enough."""
        try:
            while not self.interrupt.wished:
                self.fill(tasks)
                if not self.handed_out:
                    self.say_what_was_given_up()
                    return True
                if self.collect():
                    self.finish()
                    return True
            self.finish()
            return False
        except BaseException:
            end_at_once(self.workers)
            raise
        finally:
            self.workers.shutdown(wait=True, cancel_futures=True)

    def fill(self, tasks: Iterator[Number]) -> None:
        """Hand out tasks until each worker has some and others wait. One under suspicion is handed out alone."""
        while len(self.handed_out) < AHEAD * self.jobs and not self.interrupt.wished:
            suspect = bool(self.again) and self.losses[self.again[0]] >= MAX_LOSSES
            if self.handed_out and (suspect or self.alone):
                return
            bundle = (self.again.pop(0),) if self.again else self.next_bundle(tasks)
            if not bundle:
                return
            self.alone = suspect
            if self.hand_out(bundle).done():  # it was done in this process, and is kept before the next one
                return

    def next_bundle(self, tasks: Iterator[Number]) -> tuple[Number, ...]:
        """As many tasks as take long enough; fewer towards the end, when there are not as many for all."""
        bundles = AHEAD * self.jobs
        self.coming.extend(islice(tasks, max(0, bundles * self.together - len(self.coming))))
        share = max(len(self.coming) // bundles, self.together // LAST_PART, 1)
        return tuple(self.coming.popleft() for _ in range(min(share, self.together, len(self.coming))))

    def hand_out(self, bundle: tuple[Number, ...]) -> Future[list[Result]]:
        try:
            future = self.workers.submit(self.perform, bundle)
        except BrokenExecutor as error:  # a worker died since the last look
            future = Future()
            future.set_exception(error)
        self.handed_out[future] = bundle
        future.add_done_callback(self.done.put)  # asking thousands of them would cost more than all else here
        return future

    def wait(self) -> list[Future[list[Result]]]:
        """Those that are done, after a little waiting if there is none."""
        done = []
        with suppress(Empty):
            done.append(self.done.get(timeout=0.5))
            while True:
                done.append(self.done.get_nowait())
        return [future for future in done if future in self.handed_out]

    def collect(self) -> bool:
        """Keep what is done, waiting a little for it; whether there is enough. Tasks whose workers died come again."""
        enough, broken = False, False
        problems: list[BaseException] = []
        for future in self.wait():
            bundle = self.handed_out.pop(future)
            problem = future.exception()
            if problem is None:
                enough = self.take(future.result()) or enough
            elif isinstance(problem, BrokenExecutor):
                self.lose(bundle)
                broken = broken or isinstance(problem, BrokenProcessPool)
            else:
                problems.append(problem)
        if broken:
            self.renew_workers()
        if problems:
            self.finish()
            raise problems[0]
        return enough

    def take(self, results: list[Result]) -> bool:
        seconds = sum(result.seconds for result in results) / len(results)
        self.together = max(1, min(MAX_TOGETHER, int(bundle_seconds(self.jobs) / max(seconds, 1e-6))))
        return self.keep(results)

    def finish(self) -> None:
        """Wait for tasks under way, which are kept too: they were done."""
        for future in list(self.handed_out):
            if future.cancel():
                del self.handed_out[future]
        while self.handed_out:
            self.collect()

    def lose(self, bundle: tuple[Number, ...]) -> None:
        self.losses.update(bundle)
        (self.given_up if self.alone else self.again).extend(bundle)
        if len(self.given_up) >= MAX_GIVEN_UP:
            self.say_what_was_given_up()

    def renew_workers(self) -> None:
        """All processes end when one of them dies."""
        for bundle in self.handed_out.values():
            self.lose(bundle)
        self.handed_out.clear()
        self.workers.shutdown(wait=True)
        self.workers = self.make_workers()

    def say_what_was_given_up(self) -> None:
        if self.given_up:
            names = ", ".join(sorted(map(self.name, self.given_up)))
            raise AstragalError(
                f"the worker died each time that one of these was tried (out of memory?): {names}; "
                "all others that were done are kept"
            )
