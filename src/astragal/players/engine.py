"""Other programs as players: ``engine:./mybot --level 3`` runs one that speaks the engine protocol.

The protocol is in docs/engine-protocol.md. An engine that is late, ends, or answers with an illegal action has
failed (`EngineError`): in the arena it loses the game, elsewhere the error is one sentence.
"""

from __future__ import annotations

import re
import time as clock
import weakref
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import ESTIMATE, NOT_SEARCHED, SearchResult
from astragal.base.errors import SpecError
from astragal.base.interruptible import answers_interrupts, run_interruptible
from astragal.base.parameters import describe, parameter, parameter_fields
from astragal.games import game_spec
from astragal.players.player import Player, player, require_decision
from astragal.players.programs.engine_lines import PROTOCOL, Heard, go_line, legal_words, number_of
from astragal.players.programs.engine_process import EngineError, EngineProcess, borrow, give_back, short
from astragal.rules.protocol import Game


class EngineSession:
    """An engine for the moves of one game; when this object is deleted, the engine waits for another game."""

    def __init__(self) -> None:
        self.held: list[EngineProcess] = []
        weakref.finalize(self, release, self.held)

    def engine(self, player: Engine, game: Game) -> EngineProcess:
        """The engine, which receives the game before its first move."""
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
    """An engine that has received a game, which may take it a while."""
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


fitting: set[tuple[str, str]] = set()  # (engine, game): engines that have accepted a game


def check_fit(player: Engine, game: Game) -> None:
    """Raise if the engine does not play a game. The engine is started for this once."""
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
    time: float | None = parameter(None, "seconds per move", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes per move", low=1, high=10**18)
    depth: int | None = parameter(None, "decisions to look ahead", low=1, high=64)
    sims: int | None = parameter(None, "simulations per move", low=1, high=10**18)
    grace: float = parameter(
        1.0, "seconds that an answer may be late before the engine counts as failed", low=0.0, high=1e6
    )
    patience: float = parameter(
        60.0, "seconds to wait for getting ready, and for a move without a limit on time", low=0.01, high=1e6
    )
    command: str = parameter("", "the program and its arguments; write it last, and `command=` may be left out")

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
    """One move of an engine."""

    def __init__(self, player: Engine, request: SearchRequest, engine: EngineProcess) -> None:
        self.player, self.request, self.engine = player, request, engine
        self.position = request.position
        self.legal = legal_words(self.position)
        self.heard = Heard()
        self.started = clock.perf_counter()

    def answer(self) -> SearchResult:
        """The engine's answer; Ctrl-C and other threads that stop the search hurry the engine."""
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
        """Read the engine's lines, up to the word for its action."""
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
        """What was read so far, as a result with an action."""
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
