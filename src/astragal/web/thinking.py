"""Searches for the page: each in a thread of its own, told about as it goes on, and ended when nobody wants it.

One to three players think about a position, one after the other, so that each has the machine to itself. Over all
sessions only so many think at a time; others wait.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from astragal.errors import AstragalError
from astragal.game.history import History
from astragal.game.interruptible import Switch, stoppable_by
from astragal.game.position import Position
from astragal.players.analyst import tells_chances
from astragal.players.player import Player
from astragal.search.limits import Limits
from astragal.search.progress import Paced
from astragal.search.result import SearchResult
from astragal.web.compiling import told_what_is_compiled
from astragal.web.errors import TooMany
from astragal.web.views import found_view, seat

PACE_SECONDS = 0.2  # between reports of a search
TREE_SECONDS, TREE_GROWTH = 0.3, 1.5  # before a growing tree is shown again; factor from one time to the next
LOOK_SECONDS = 0.1  # how often one that waits looks whether it is still wanted

Event = tuple[str, dict[str, Any]]
Listener = Callable[[Event | None], None]  # None: the last one


class Slots:
    """Room for so many searches at a time, and for so many that wait."""

    def __init__(self, searches: int, waiting: int) -> None:
        self.free = threading.Semaphore(searches)
        self.most, self.waiting = waiting, 0
        self.lock = threading.Lock()

    def refuse_when_full(self) -> None:
        if self.waiting >= self.most:
            raise TooMany("too many searches are waiting for their turn; try again later")

    @contextmanager
    def one(self, switch: Switch, tell_waiting: Callable[[], None]) -> Iterator[bool]:
        """Wait for room; whether there was any before the switch ended the waiting."""
        got = self.free.acquire(blocking=False)
        if not got:
            tell_waiting()
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
    """What one player is asked."""

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
    """Players that think about a position. `on_result` hears of every answer, `on_end` may add a last event.

    `on_report` hears of what is found on the way, and says what the page is told beside it.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        slots: Slots,
        on_result: Callable[[int, SearchResult], dict[str, Any]],
        on_end: Callable[[], Event | None],
        quiet: bool = False,  # nothing is told of what was found, which others must not know yet
        on_report: Callable[[int, SearchResult], dict[str, Any]] = lambda index, found: {},
    ) -> None:
        slots.refuse_when_full()
        self.questions, self.slots, self.on_result, self.on_end, self.quiet = questions, slots, on_result, on_end, quiet
        self.on_report = on_report
        self.ended = threading.Event()
        self.started = self.abandoned = False  # abandoned: nobody wants an answer
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
        with self.slots.one(switch, lambda: self.tell(index, "wait")) as room:
            if not room or switch.is_off:
                self.tell(index, "failed", error="it was stopped before it could begin")
                return
            position = question.position.known()
            self.tell(index, "begin", player=question.name, position=position.text, mover=seat(position.turn))
            watching = Paced(lambda found: self.report(index, found), PACE_SECONDS, Growth().wants_tree)
            try:
                with (
                    told_what_is_compiled(lambda what, **far: self.tell(index, "compile", what=what, **far)),
                    stoppable_by(switch),
                    stopped_after(question.most_seconds, switch),
                ):
                    result = question.player.search(
                        question.position, question.seed, question.limits, watching, question.kept, question.history
                    )
                facts = self.on_result(index, result)
            except Exception as error:
                self.tell(index, "failed", error=sentence_of(error))
                return
        self.tell_found(index, "result", result, final=True, stopped=switch.is_off, **facts)

    def report(self, index: int, found: SearchResult) -> None:
        self.tell_found(index, "report", found, **self.on_report(index, found))

    def tell_found(self, index: int, name: str, found: SearchResult, **facts: Any) -> None:
        if not self.quiet:
            question = self.questions[index]
            view = found_view(found, question.position.game.utility_range)
            self.tell(index, name, **view, chances=tells_chances(question.player, found), **facts)

    def tell(self, index: int, name: str, **facts: Any) -> None:
        self.listener((name, {"index": index} | facts))


@contextmanager
def stopped_after(seconds: float | None, switch: Switch) -> Iterator[None]:
    """Turn a switch off after so many seconds of the block."""
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
        from astragal.game.compile_errors import compile_reason

        return f"the game cannot be compiled: {compile_reason(error)}"
    traceback.print_exception(error)
    return "there is not enough memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
