"""Searches for the page: each in a thread of its own, reported as it goes on, and ended when it is no longer needed.

One to three players think about a position, one after the other, so that each has the machine to itself. Over all
sessions a limited number think at a time; others wait.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.progress import Paced
from astragal.algorithms.result import SearchResult
from astragal.base.cores import taking_spare_cores
from astragal.base.errors import AstragalError
from astragal.base.interruptible import Switch, stoppable_by
from astragal.compiler.announce import Announcer, announcers, when_long
from astragal.players.analyst import are_chances
from astragal.players.player import Player
from astragal.rules.position import History, Position
from astragal.web.requests import TooMany
from astragal.web.views import found_view, seat

Send = Callable[..., None]  # send(what), and while it takes long send(what, done=..., expected=...): functions


class Listening(threading.local):
    """The receiver of a thread's compile messages; only the terminal, if not set."""

    send: Send | None = None


listening = Listening()
installing = threading.Lock()
before: list[Announcer] = []  # the receiver of all messages until the first search


def announce(what: str) -> Any:
    send = listening.send
    if send is None:
        return before[0](what)
    send(what)
    watch = when_long(lambda done, expected: send(what, done=done, expected=expected))
    return lambda done, expected: watch(done, expected) if done < expected else None


@contextmanager
def sending_compile_messages(send: Send) -> Iterator[None]:
    """Within this block, report what this thread compiles."""
    with installing:
        if not before:
            before.append(announcers[-1])
            announcers.append(announce)
    listening.send = send
    try:
        yield
    finally:
        listening.send = None


PACE_SECONDS = 0.2  # between reports of a search
TREE_SECONDS, TREE_GROWTH = 0.3, 1.5  # before a growing tree is shown again; factor from one time to the next
LOOK_SECONDS = 0.1  # how often one that waits looks whether it is still wanted

Event = tuple[str, dict[str, Any]]
Listener = Callable[[Event | None], None]  # None: the last one


class Slots:
    """Room for a number of searches at a time, and for a number that wait."""

    def __init__(self, searches: int, waiting: int) -> None:
        self.free = threading.Semaphore(searches)
        self.most, self.waiting = waiting, 0
        self.lock = threading.Lock()

    def refuse_when_full(self) -> None:
        if self.waiting >= self.most:
            raise TooMany("too many searches are waiting for their turn; try again later")

    @contextmanager
    def one(self, switch: Switch, on_waiting: Callable[[], None]) -> Iterator[bool]:
        """Wait for room; whether there was any before the switch ended the waiting."""
        got = self.free.acquire(blocking=False)
        if not got:
            on_waiting()
            with self.lock:
                self.waiting += 1
            while not got and not switch.is_off:
                got = self.free.acquire(timeout=LOOK_SECONDS)
            with self.lock:
                self.waiting -= 1
        try:
            yield got
        finally:
            if got:
                self.free.release()


@dataclass(frozen=True)
class Question:
    """The task of one player."""

    player: Player
    name: str  # what the page calls it
    position: Position
    limits: Limits
    seed: int = 0
    kept: Any = None  # what the player keeps from move to move
    history: History | None = None
    most_seconds: float | None = None  # after which it is stopped, where its own limits do not do that


class Growth:
    """When a growing tree is shown: seldom enough that copies of it take little of the search's time."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.due = 0.0

    def wants_tree(self) -> bool:
        seconds = time.monotonic() - self.started
        if seconds < self.due:
            return False
        self.due = max(TREE_SECONDS, TREE_GROWTH * seconds)
        return True


class Thinking:
    """Players that think about a position. `on_result` receives every answer, `on_end` may add a last event.

    `on_report` receives what is found on the way, and returns what is sent to the page beside it.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        slots: Slots,
        on_result: Callable[[int, SearchResult], dict[str, Any]],
        on_end: Callable[[], Event | None],
        quiet: bool = False,  # what was found is not sent, since others must not see it yet
        on_report: Callable[[int, SearchResult], dict[str, Any]] = lambda index, found: {},
    ) -> None:
        slots.refuse_when_full()
        self.questions, self.slots, self.on_result, self.on_end, self.quiet = questions, slots, on_result, on_end, quiet
        self.on_report = on_report
        self.ended = threading.Event()
        self.started = self.abandoned = False  # abandoned: the answer is no longer needed
        self.lock = threading.Lock()
        self.switch = Switch()  # of the player that thinks
        self.all_stopped = False
        self.listener: Listener = lambda event: None

    def start(self, listener: Listener) -> None:
        self.listener, self.started = listener, True
        threading.Thread(target=self.run, name="search", daemon=True).start()

    def stop(self, all: bool = True) -> bool:
        """Have the player that thinks answer at once, and the others not at all; whether there was one."""
        with self.lock:
            self.all_stopped |= all
            self.switch.stop()
        return not self.ended.is_set()

    def abandon(self) -> None:
        self.abandoned = True
        self.stop()
        if not self.started:
            self.ended.set()

    def run(self) -> None:
        try:
            for index, question in enumerate(self.questions):
                with self.lock:
                    self.switch = Switch()
                    if self.all_stopped:
                        self.switch.stop()
                self.think(index, question)
            last = None if self.abandoned else self.on_end()
        except Exception as error:
            last = "failed", {"index": 0, "error": sentence_of(error)}
        self.ended.set()
        if last is not None:
            self.listener(last)
        self.listener(None)

    def think(self, index: int, question: Question) -> None:
        switch = self.switch
        with self.slots.one(switch, lambda: self.send(index, "wait")) as room:
            if not room or switch.is_off:
                self.send(index, "failed", error="it was stopped before it could begin")
                return
            position = question.position.known()
            self.send(index, "begin", player=question.name, position=position.text, mover=seat(position.turn))
            watching = Paced(lambda found: self.report(index, found), PACE_SECONDS, Growth().wants_tree)
            try:
                with (
                    sending_compile_messages(lambda what, **far: self.send(index, "compile", what=what, **far)),
                    stoppable_by(switch),
                    stopped_after(question.most_seconds, switch),
                    taking_spare_cores(),
                ):
                    result = question.player.search(
                        question.position, question.seed, question.limits, watching, question.kept, question.history
                    )
                facts = self.on_result(index, result)
            except Exception as error:
                self.send(index, "failed", error=sentence_of(error))
                return
        self.send_found(index, "result", result, final=True, stopped=switch.is_off, **facts)

    def report(self, index: int, found: SearchResult) -> None:
        self.send_found(index, "report", found, **self.on_report(index, found))

    def send_found(self, index: int, name: str, found: SearchResult, **facts: Any) -> None:
        if not self.quiet:
            question = self.questions[index]
            view = found_view(found, question.position.game)
            self.send(index, name, **view, chances=are_chances(question.player, found), **facts)

    def send(self, index: int, name: str, **facts: Any) -> None:
        self.listener((name, {"index": index} | facts))


@contextmanager
def stopped_after(seconds: float | None, switch: Switch) -> Iterator[None]:
    """Turn a switch off after a number of seconds of the block."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, switch.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def sentence_of(error: Exception) -> str:
    """What the page shows of an error: a user's in its own words, and what is no user's fault in the log too."""
    if isinstance(error, AstragalError):
        return str(error)
    if type(error).__module__.startswith("numba"):
        from astragal.compiler.compile_errors import compile_reason

        return f"the game cannot be compiled: {compile_reason(error)}"
    traceback.print_exception(error)
    return "there is not enough memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
