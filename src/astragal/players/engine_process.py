"""Another program that speaks the engine protocol: started, told lines, heard in time, and ended.

Programs are kept for later games of the same process: starting one may take as long as a game. They are ended with
this process, or when they have failed; one whose standard input ends should end by itself.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import warnings
from collections import deque
from weakref import WeakSet

from astragal.errors import LONGEST_SENTENCE, AstragalError

LONGEST_LINE = 1_000_000  # characters
ENDING_SECONDS = 0.5  # for a program to end by itself
POLL_SECONDS = 0.05  # how soon a change of the deadline is noticed
LINES_AHEAD = 64  # lines that are read before somebody asks for them; a program that says more has to wait


class EngineError(AstragalError):
    """What an engine did wrong: it could not be started, ended, came too late, refused or said nonsense."""


class EngineProcess:
    """A running engine."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"the engine's command {command!r} cannot be read: {error}") from None
        if not words:
            raise EngineError("the engine's command is empty")
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                words,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is for this program to hear, which tells the engine
            )
        except OSError as error:
            raise EngineError(f"the engine {words[0]} cannot be run: {error.strerror}") from None
        self.lines: queue.Queue[tuple[float, str | None]] = queue.Queue(LINES_AHEAD)  # and when they came
        self.closed = threading.Event()
        self.complaints: deque[str] = deque(maxlen=5)
        self.game = ""  # which it was last told
        self.hurry = threading.Event()  # set where an answer is wanted soon
        running.add(self)
        self.readers = [
            threading.Thread(target=read, name="engine", daemon=True)
            for read in (self.read_lines, self.read_complaints)
        ]
        for reader in self.readers:
            reader.start()

    def read_lines(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while (line := self.process.stdout.readline(LONGEST_LINE)) and self.offer(printable(line)):
                pass
        self.offer(None)

    def offer(self, line: str | None) -> bool:
        """Put a line where it can be heard, as soon as there is room; False where nobody will listen any more."""
        came = time.monotonic()
        while not self.closed.is_set():
            with contextlib.suppress(queue.Full):
                self.lines.put((came, line), timeout=POLL_SECONDS)
                return True
        return False

    def read_complaints(self) -> None:
        assert self.process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self.process.stderr.readline(LONGEST_LINE):
                if complaint := printable(line):
                    self.complaints.append(complaint)

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self.ended() from None

    def hear(self, deadline: float, waiting_for: str, grace: float = 0.0) -> list[str]:
        """The words of the next line that is not empty; in a hurry, there are no more than so many seconds of grace.

        What counts is when a line came, however much else the program has said before.
        """
        hurried = False
        while True:
            if self.hurry.is_set() and not hurried:
                hurried, deadline = True, min(deadline, time.monotonic() + grace)
            left = deadline - time.monotonic()
            try:
                came, line = self.lines.get(timeout=min(max(left, 0.0), POLL_SECONDS))
            except queue.Empty:
                if left > 0:
                    continue
                came, line = math.inf, ""
            if came > deadline:
                raise EngineError(f"the engine {self.command} did not answer '{waiting_for}' in time")
            if line is None:
                raise self.ended()
            if words := line.split():
                return words

    def ask(self, line: str, seconds: float) -> str:
        """Tell a line that is answered by ``ok`` or ``error``, and hear what comes after ``ok``."""
        self.tell(line)
        command = line.split()[0]
        deadline = time.monotonic() + seconds
        while True:
            said, *rest = self.hear(deadline, command)
            if said == "ok":
                return " ".join(rest)
            if said == "error":
                raise EngineError(f"the engine {self.command} refuses '{command}': {short(rest)}")
            if [said, *rest] == line.split():  # which the protocol allows, and `cat` does too
                text = f"the engine {self.command} says again what it is told; it has {seconds:g} seconds to answer"
                warnings.warn(text, stacklevel=2)

    def ended(self) -> EngineError:
        """What to say of an engine that has ended where it should not have."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING_SECONDS)
        code = self.process.poll()
        if code is not None:
            self.readers[1].join(ENDING_SECONDS)  # what it said last may not have been read yet
        how = "closed its output" if code is None else f"ended with exit code {code}"
        last = f": {short(self.complaints[-1].split())}" if self.complaints else ""
        return EngineError(f"the engine {self.command} {how}{last}")

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End it: by a word, and by force where it does not hear, with all programs that it has started."""
        self.closed.set()
        with contextlib.suppress(EngineError):
            if self.is_running:
                self.tell("quit")
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()

    def kill(self) -> None:
        if not hasattr(os, "killpg"):
            self.process.kill()
        elif self.is_running:  # it leads a group of its own, and all that it starts is in it
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


def printable(line: str) -> str:
    """A line without what a terminal would take for commands."""
    text = line.strip()
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text).strip()


def short(words: list[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= LONGEST_SENTENCE else text[:LONGEST_SENTENCE] + " ..."


idle: dict[tuple[int, str], list[EngineProcess]] = {}  # (this process, command) -> engines that wait for a game
idle_lock = threading.Lock()
running: WeakSet[EngineProcess] = WeakSet()  # all that this process has started


def borrow(command: str) -> EngineProcess:
    """A running engine, one that waits for a game or a new one."""
    with idle_lock:
        waiting = idle.get((os.getpid(), command), [])
        while waiting:
            engine = waiting.pop()
            if engine.is_running:
                return engine
    return EngineProcess(command)


def give_back(engine: EngineProcess) -> None:
    engine.hurry.clear()
    with idle_lock:
        idle.setdefault((os.getpid(), engine.command), []).append(engine)


@atexit.register
def close_all() -> None:
    """End the engines that wait for a game of this process."""
    with idle_lock:
        waiting = [engine for (owner, _), engines in idle.items() if owner == os.getpid() for engine in engines]
        idle.clear()
    for engine in waiting:
        engine.close()


def kill_all() -> None:
    """End all engines of this process at once: for one that ends without a word itself."""
    for engine in list(running):
        engine.kill()
