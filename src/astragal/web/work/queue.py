"""A queue of commands: one runs at a time, in a process of its own and with low priority; a stop is a Ctrl-C."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from astragal.base.interruptible import Switch
from astragal.web.caps import Caps
from astragal.web.requests import Conflict, Missing, TooMany
from astragal.web.thinking import stopped_after

WAITING, RUNNING, STOPPING, STOPPED, DONE, FAILED = "waiting", "running", "stopping", "stopped", "done", "failed"
KEPT_LINES = 80  # of what a command printed
KEPT_WORK = 50  # pieces of work in the list
ENDING_SECONDS = 5.0  # for a command to end when the server does
NICE = 10
INTERRUPTED = 130  # the exit code of a command after Ctrl-C


@dataclass(frozen=True)
class Order:
    """What to do: a command, and where its results will be."""

    kind: str  # match, tournament, learn, strong
    title: str
    command: tuple[str, ...]  # the words after `astragal`
    contests: tuple[str, ...] = ()  # their keys in the results file
    games: int = 0  # in all
    sprt: tuple[float, float] | None = None
    model: str = ""  # the name of a model's file

    @property
    def line(self) -> str:
        """The command as a person types it."""
        return shlex.join(["astragal", *self.command])


@dataclass
class Work:
    """A piece of work in the queue, with what its command printed last."""

    number: int
    order: Order
    state: str = WAITING
    note: str = ""  # why it ended, where nothing that was printed says so
    seconds: float = 0.0  # that it ran, over all its runs
    begun: float | None = None
    process: subprocess.Popen[str] | None = None
    printed: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))

    @property
    def is_going(self) -> bool:
        return self.state in (WAITING, RUNNING, STOPPING)

    @property
    def ran(self) -> float:
        return self.seconds + (time.monotonic() - self.begun if self.begun is not None else 0.0)

    def interrupt(self) -> None:
        """Ctrl-C: the command ends after what is under way, and at once at the second time."""
        if self.process is None or self.process.poll() is not None:
            return
        if os.name == "posix":
            self.process.send_signal(signal.SIGINT)
        else:
            self.process.terminate()  # games in the file stay there


class WorkQueue:
    """All pieces of work since the server began, at most one of them running."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.lock = threading.Lock()
        self.numbers = count(1)
        self.items: dict[int, Work] = {}
        self.waiting: deque[Work] = deque()
        self.runner: threading.Thread | None = None
        self.is_closed = False

    def all(self) -> list[Work]:
        """The latest first."""
        with self.lock:
            return list(self.items.values())[::-1]

    def find(self, number: int) -> Work:
        if number not in self.items:
            raise Missing(f"there is no piece of work {number}")
        return self.items[number]

    def add(self, order: Order) -> Work:
        with self.lock:
            work = Work(next(self.numbers), order)
            self.put(work)
            self.items[work.number] = work
            over = [each.number for each in self.items.values() if not each.is_going]
            for number in over[: max(0, len(self.items) - KEPT_WORK)]:
                del self.items[number]
        return work

    def resume(self, number: int) -> Work:
        """Run its command again, which goes on where it stopped."""
        with self.lock:
            work = self.find(number)
            if work.is_going:
                raise Conflict(f"work {number} is {work.state} already")
            self.put(work)
        return work

    def put(self, work: Work) -> None:
        if self.is_closed:
            raise Conflict("the server is stopping")
        if len(self.waiting) >= self.caps.work_waiting:
            raise TooMany(f"{len(self.waiting)} pieces of work are waiting already; wait, or remove one")
        if any(each.is_going and each.order == work.order for each in self.items.values()):
            raise Conflict("the same work is waiting or running already")
        work.state, work.note = WAITING, ""
        work.printed.clear()
        self.waiting.append(work)
        if self.runner is None:  # it is no daemon, so that the server ends after its command
            self.runner = threading.Thread(target=self.run, name="work")
            self.runner.start()

    def stop(self, number: int, note: str = "") -> Work:
        """Stop a piece of work after the games under way; the second time at once."""
        with self.lock:
            work = self.find(number)
            if not work.is_going:
                raise Conflict(f"work {number} is not running")
            if work.state == WAITING:
                self.waiting.remove(work)
                work.state = STOPPED
            else:
                work.state, work.note = STOPPING, note or work.note
                work.interrupt()
        return work

    def stop_late(self, work: Work, note: str) -> None:
        with suppress(Conflict, Missing):  # it has ended by itself
            self.stop(work.number, note)

    def remove(self, number: int) -> None:
        """Take a piece of work out of the list; its results stay."""
        with self.lock:
            if self.find(number).state in (RUNNING, STOPPING):
                raise Conflict(f"work {number} is running; stop it before it is removed")
            work = self.items.pop(number)
            if work in self.waiting:
                self.waiting.remove(work)

    def close(self) -> None:
        """Stop what is running: the server ends."""
        with self.lock:
            self.is_closed = True
            for work in self.waiting:
                work.state = STOPPED
            self.waiting.clear()
            for work in self.items.values():
                if work.state == RUNNING:
                    work.state = STOPPING
                    work.interrupt()
                    timer = threading.Timer(ENDING_SECONDS, self.end_at_once, (work,))
                    timer.daemon = True
                    timer.start()

    @staticmethod
    def end_at_once(work: Work) -> None:
        if work.process is not None and work.process.poll() is None:
            work.process.terminate()

    def run(self) -> None:
        """Run what waits, one command after the other, until nothing waits."""
        while True:
            with self.lock:
                if self.is_closed or not self.waiting:
                    self.runner = None
                    return
                work = self.waiting.popleft()
                work.state, work.begun = RUNNING, time.monotonic()
            try:
                code = self.perform(work)
            except Exception as error:  # it could not be started
                code, work.note = -1, f"it could not be started: {error}"
            with self.lock:
                work.seconds, work.begun, work.process = work.ran, None, None
                work.state = state_after(code, work.state == STOPPING)
                if code == -signal.SIGINT:  # Ctrl-C came before the command began
                    work.printed.clear()

    def perform(self, work: Work) -> int:
        """Run a command to its end, or for as long as the operator allows; its exit code."""
        minutes = self.caps.work_minutes
        process = start_command(work.order.command)
        with self.lock:
            work.process = process
            if work.state == STOPPING:
                work.interrupt()
        late = partial(
            self.stop_late, work, f"it was stopped after {minutes:g} minutes, the most that the server allows"
        )
        over = Switch()
        with process, over.ending(late), stopped_after(60 * minutes, over):
            assert process.stdout is not None
            for line in process.stdout:
                work.printed.append(line.rstrip())
        return process.returncode


def state_after(code: int, asked: bool) -> str:
    if code == 0:
        return DONE
    return STOPPED if asked or code in (INTERRUPTED, -signal.SIGINT) else FAILED


def start_command(words: tuple[str, ...]) -> subprocess.Popen[str]:
    """Start `astragal` with these words, which no shell reads. A Ctrl-C for the server is not for it."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "astragal", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
        creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
    )
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    return process
