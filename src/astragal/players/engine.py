"""Other programs as players: ``engine:./mybot --level 3`` runs one that speaks the engine protocol.

The protocol is in docs/engine-protocol.md. An engine that comes too late, ends, or answers with what is not legal has
failed (`EngineError`): in the arena it loses the game, elsewhere a sentence says so.
"""

from __future__ import annotations

import re
import time as clock
import weakref
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from astragal.errors import SpecError
from astragal.game.interruptible import answers_interrupts, run_interruptible
from astragal.game.protocol import Game
from astragal.games import game_spec
from astragal.parameters import describe, parameter, parameter_fields
from astragal.players.engine_lines import PROTOCOL, Heard, go_line, legal_words, number_of
from astragal.players.engine_process import EngineError, EngineProcess, borrow, give_back, short
from astragal.players.player import Player, player, require_decision
from astragal.search.limits import Limits
from astragal.search.request import SearchRequest
from astragal.search.result import ESTIMATE, NOT_SEARCHED, SearchResult


class EngineSession:
    """An engine for the moves of one game, which waits for another game when this one is forgotten."""

    def __init__(self) -> None:
        self.held: list[EngineProcess] = []
        weakref.finalize(self, release, self.held)

    def engine(self, player: Engine, game: Game) -> EngineProcess:
        """The engine, told of the game before the first move of it."""
        if not self.held:
            self.held.append(started(player, game))
        return self.held[0]

    def drop(self) -> None:
        """End an engine that has failed."""
        while self.held:
            self.held.pop().close()


def release(held: list[EngineProcess]) -> None:
    while held:
        give_back(held.pop())


def started(player: Engine, game: Game) -> EngineProcess:
    """An engine that has been told of a game, which may take it a while."""
    engine = borrow(player.command)
    try:
        if not engine.game:
            engine.ask(f"hello {PROTOCOL}", player.patience)
        engine.game = game_spec(game)
        engine.ask(f"game {engine.game}", player.patience)
    except BaseException:
        engine.close()
        raise
    return engine


fitting: set[tuple[str, str]] = set()  # engines that were asked whether they play a game, and do


def check_fit(player: Engine, game: Game) -> None:
    """A sentence if the engine does not play a game. It is asked once."""
    asked = str(player), game_spec(game)
    if asked not in fitting:
        give_back(started(player, game))
        fitting.add(asked)


@player("engine", 4)
class Engine(Player):
    """Another program that speaks the engine protocol: engine:./mybot, or engine:grace=2,./mybot --level 3.

    All after the settings is the program and its arguments. It is started in the current folder, and in every process
    of a contest.
    """

    runs_programs: ClassVar[bool] = True
    keeps_time: ClassVar[bool] = True
    time: float | None = parameter(None, "seconds a move", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes a move", low=1, high=10**18)
    depth: int | None = parameter(None, "decisions to look ahead", low=1, high=64)
    sims: int | None = parameter(None, "simulations a move", low=1, high=10**18)
    grace: float = parameter(1.0, "seconds that an answer may be late before the engine has failed", low=0.0, high=1e6)
    patience: float = parameter(
        60.0, "seconds for a move without a limit on time, and to get ready", low=0.01, high=1e6
    )
    command: str = parameter("", "the program and its arguments; last, and then `command=` may be left out")

    @classmethod
    def split(cls, text: str) -> dict[str, str]:
        """Settings as far as there are any; the rest is the command, whatever it contains."""
        names = "|".join(field.name for field in parameter_fields(cls) if field.name != "command")
        settings: dict[str, str] = {}
        while found := re.match(rf"\s*({names})=([^,]*)(?:,|$)", text):
            if found[1] in settings:
                raise SpecError(f"engine: '{found[1]}' is set twice")
            settings[found[1]] = found[2].strip()
            text = text[found.end() :]
        command = text.strip().removeprefix("command=").strip()
        return settings | ({"command": command} if command else {})

    @cached_property
    def _text(self) -> str:
        settings = describe(replace(self, command=""))
        return "engine:" + ",".join(part for part in (settings, self.command) if part)

    def text_for(self, game: Game) -> str:
        return self._text

    def refuse_unfit(self, game: Game) -> None:
        super().refuse_unfit(game)
        if not self.command:
            raise SpecError("engine needs a program to run, such as engine:./mybot or engine:astragal engine")
        check_fit(self, game)

    def new_session(self) -> EngineSession:
        return EngineSession()

    def make_ready(self, game: Game, session: EngineSession) -> None:
        session.engine(self, game)

    def answer(self, request: SearchRequest) -> SearchResult:
        require_decision(request.position, self.player_name)
        session = request.session or EngineSession()
        try:
            return Question(self, request, session.engine(self, request.position.game)).answer()
        except BaseException:
            session.drop()
            raise


class Question:
    """One move that is asked of an engine."""

    def __init__(self, player: Engine, request: SearchRequest, engine: EngineProcess) -> None:
        self.player, self.request, self.engine = player, request, engine
        self.position = request.position
        self.legal = legal_words(self.position)
        self.heard = Heard()
        self.started = clock.perf_counter()

    def answer(self) -> SearchResult:
        """What the engine answers; Ctrl-C and others who stop the search tell it to hurry."""
        interrupted = False
        self.engine.hurry.clear()
        self.engine.ask(f"position {self.position.text}", self.player.patience)
        self.started = clock.perf_counter()
        self.engine.tell(go_line(self.request.limits, self.request.seed, list(self.legal)))
        try:
            best = run_interruptible(self.wait, self.stop, partial=True)
        except KeyboardInterrupt:
            if not answers_interrupts.get():
                raise
            best, interrupted = self.wait(), True
        action = number_of(best, self.legal)
        if action is None:
            where = f"which is not legal at '{self.position.text}'"
            raise EngineError(f"the engine {self.player.command} chose '{short([best])}', {where}")
        return replace(self.found(action), interrupted=interrupted)

    def stop(self) -> None:
        if not self.engine.hurry.is_set():
            self.engine.hurry.set()
            self.engine.tell("stop")

    def wait(self) -> str:
        """Hear what the engine tells, up to the word for its action."""
        limits: Limits = self.request.limits
        seconds = self.player.patience if limits.time is None else limits.time + self.player.grace
        deadline = clock.monotonic() + seconds
        while True:
            said, *rest = self.engine.hear(deadline, "go", self.player.grace)
            if said == "best":
                return rest[0] if rest else ""
            if said == "error":
                raise EngineError(f"the engine {self.player.command} refuses 'go': {short(rest)}")
            if said == "info" and self.heard.hear(rest) and self.request.progress is not None:
                self.request.progress(self.found(self.first_of_line()))

    def first_of_line(self) -> int | None:
        return number_of(self.heard.line[0], self.legal) if self.heard.line else None

    def found(self, action: int | None) -> SearchResult:
        """What was heard so far, with an action."""
        heard = self.heard
        rows = heard.rows(self.position, self.legal)
        rows.sort(key=lambda row: row.number != action)  # the one chosen first, the others as they came
        of_best = rows[0].bound if rows and rows[0].number == action else ESTIMATE
        found: dict[str, Any] = {
            "value": heard.value,
            "bound": NOT_SEARCHED if heard.value is None else of_best,
            "actions": rows,
            "line": heard.line.copy(),
            "depth": heard.depth,
            "nodes": heard.nodes,
            "simulations": heard.sims,
            "seconds": clock.perf_counter() - self.started,
        }
        return self.request.answer(action, **found)
