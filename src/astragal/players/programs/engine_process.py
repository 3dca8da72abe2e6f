"""Another program that speaks the engine protocol: started, sent lines, read with a timeout, and ended.

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

from astragal.base.errors import LONGEST_SENTENCE, AstragalError

LONGEST_LINE = 1_000_000  # characters
ENDING_SECONDS = 0.5  # for a program to end by itself
POLL_SECONDS = 0.05  # how soon a change of the deadline is noticed
LINES_AHEAD = 64  # lines that are read ahead; a program that writes more has to wait


def words_of(command: str, backslashes: bool = os.name == "nt") -> list[str]:
    """The words of a command, some in quotes. A backslash is part of a path on Windows; elsewhere it quotes a sign."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if backslashes:
        lexer.escape = ""
    return list(lexer)


class EngineError(AstragalError):
    """An engine's fault: it could not be started, ended, was late, refused or sent a line that makes no sense."""


class EngineProcess:
    """A running engine."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = words_of(command)
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
                start_new_session=True,  # Ctrl-C is for this process, which stops the engine by a line
            )
        except OSError as error:
            raise EngineError(f"the engine {words[0]} cannot be run: {error.strerror}") from None
        self.lines: queue.Queue[tuple[float, str | None]] = queue.Queue(LINES_AHEAD)  # and when they came
        self.closed = threading.Event()
        self.complaints: deque[str] = deque(maxlen=5)
        self.game = ""  # the game that it received last
        self.hurry = threading.Event()  # set when an answer is needed soon
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
        """Put a line into the queue, as soon as there is room; False if this process reads no more lines."""
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
        """The words of the next line that is not empty; once `hurry` is set, wait only for the seconds of grace.

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
        """Send a line that is answered by ``ok`` or ``error``, and return what comes after ``ok``."""
        self.tell(line)
        command = line.split()[0]
        deadline = time.monotonic() + seconds
        while True:
            said, *rest = self.hear(deadline, command)
            if said == "ok":
                return " ".join(rest)
            if said == "error":
                raise EngineError(f"the engine {self.command} refuses '{command}': {short(rest)}")
            if [said, *rest] == line.split():  # which the protocol allows, and `cat` does it too
                text = f"the engine {self.command} repeats its input; it has {seconds:g} seconds to answer"
                warnings.warn(text, stacklevel=2)

    def ended(self) -> EngineError:
        """The error for an engine that has ended too early."""
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
        """End it: by a line, or by force if that does not help; the programs that it has started always by force."""
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
        self.kill_group()

    def kill(self) -> None:
        if self.is_running:
            self.process.kill()
            self.kill_group()

    def kill_group(self) -> None:
        """Kill all programs that it has started: they are in the group of processes that it leads."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):  # there are none left
                os.killpg(self.process.pid, signal.SIGKILL)


def printable(line: str) -> str:
    """A line without control characters, which could be commands for a terminal."""
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
    """Kill all engines of this process at once: for a process that is killed itself."""
    for engine in list(running):
        engine.kill()
