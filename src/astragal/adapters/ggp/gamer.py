"""A player of the protocol: it answers a manager's messages, and plays one match at a time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from contextlib import nullcontext

from astragal.adapters.ggp.match import Log, Match, Searcher
from astragal.adapters.ggp.messages import (
    BUSY,
    DONE,
    LONGEST,
    READY,
    Abort,
    Info,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    info_answer,
    read_request,
)
from astragal.base.interruptible import in_background
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reading.rules import Sheet
from astragal.players import load_player
from astragal.rules.dice import Dice

NAME = "astragal"
OVERRUN = 0.7  # share of the margin: how far a search may go beyond its time
SILENCE = 60.0  # seconds beyond twice its clocks after which a match of a silent manager is taken to be over


class Gamer:
    """Answers messages. `spec` names the player that searches; `margin` seconds of every clock are left unused."""

    def __init__(self, spec: str, margin: float, log: Log, seed: int) -> None:
        load_player(spec)  # an error now rather than in the first match
        self.spec = spec
        self.margin = margin
        self.log = log
        self.match: Match | None = None
        self._dice = Dice(seed)
        self._heard = 0.0  # when the manager of the match last sent something
        self._reading, self._starting = threading.Lock(), threading.Lock()
        self._preview_done: Future[None] = Future()
        self._preview_done.set_result(None)

    def answer(self, text: str, came: float) -> str:
        """The answer to a message that came at a time of `time.monotonic`; AstragalError if it is no message."""
        with self._reading if len(text) > LONGEST else nullcontext():  # long ones take much memory: one at a time
            request = read_request(text)
        if isinstance(request, Info):
            return info_answer(NAME, self._is_busy())
        if isinstance(request, Start):
            return self._start(request, came)
        if isinstance(request, Preview):
            return self._preview(request, came)
        match = self.match
        if match is None or match.start.match != request.match:
            self.log(f"a message for match {request.match}, which is not played here")
            return BUSY
        self._heard = came
        if isinstance(request, Play):
            return self._play(match, request, came)
        return self._end(match, request)

    def _is_busy(self) -> bool:
        """Whether a match is under way whose manager has not been silent for too long."""
        match = self.match
        if match is None:
            return False
        patience = 2 * max(match.start.start_clock, match.start.play_clock) + SILENCE
        return time.monotonic() - self._heard < patience

    def _deadline(self, came: float, clock: float) -> float:
        """When to answer: the margin before the clock runs out, or half-way where the clock is shorter than two."""
        return came + max(clock / 2, clock - self.margin)

    def _start(self, start: Start, came: float) -> str:
        with self._starting:
            if self._is_busy():
                return BUSY
            if self.match is not None:
                self.log(f"{self.match.start.match}: no message came for long; it is given up")
                self.match.end()
            sheet = self._sheet(start.rules, start.match)
            if start.role not in sheet.roles:
                raise MessageError(f"there is no role {start.role}; the roles are {', '.join(sheet.roles)}")
            clocks = f"{start.start_clock:g} s to start and {start.play_clock:g} s a move"
            self.log(f"{start.match}: {start.role} of {', '.join(sheet.roles)}; {clocks}")
            match = self.match = Match(start, sheet, self.spec, Dice(self._dice.bits()), self.log)
            self._heard = came
        match.get_ready(self._deadline(came, start.start_clock))
        self._heard = time.monotonic()
        return READY

    def _sheet(self, rules: str, name: str) -> Sheet:
        sheet = read_sheet(rules, name)
        for warning in sheet.warnings:
            self.log(f"warning: {warning}")
        return sheet

    def _preview(self, preview: Preview, came: float) -> str:
        """Make the sheet's game and compile for it, unless a match or another preview wants the machine."""
        if self._is_busy() or not self._preview_done.done():
            return BUSY
        sheet = self._sheet(preview.rules, "preview")
        self._preview_done = in_background(lambda: self._look_at(sheet, preview.clock), "preview")
        wait([self._preview_done], self._deadline(came, preview.clock) - time.monotonic())
        return READY

    def _look_at(self, sheet: Sheet, seconds: float) -> None:
        try:
            Searcher.made(sheet, self.spec, seconds)
        except Exception as problem:  # of whatever kind: it is only a preview
            self.log(f"preview: {type(problem).__name__}: {problem}")
        else:
            self.log("preview: ready")

    def _play(self, match: Match, play: Play, came: float) -> str:
        if not match.playing.acquire(blocking=False):
            return BUSY  # the manager sends this again while the last answer is not out
        try:
            match.note(play.moves)
            clock = match.start.play_clock
            deadline = self._deadline(came, clock)
            move = match.move(deadline, deadline + OVERRUN * (came + clock - deadline))
        finally:
            match.playing.release()
        self._heard = time.monotonic()
        return move

    def _end(self, match: Match, request: Stop | Abort) -> str:
        with self._starting:
            if self.match is match:
                self.match = None
        match.end(request.moves if isinstance(request, Stop) else None)
        return DONE
