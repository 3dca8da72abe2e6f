"""A game manager: it sends players over HTTP what happens, gets moves from them, and keeps the record.

All players get a message at the same time. For one that is late, does not answer, or answers with an illegal move,
a random legal move is made, and the record has it. The role `random` is played by the manager itself.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from astragal.adapters.ggp.messages import READY, Abort, Moves, Play, Request, Start, Stop, read_move
from astragal.adapters.ggp.transport import Address, NoAnswer, ask
from astragal.base.errors import AstragalError, SpecError
from astragal.base.interruptible import in_background
from astragal.gdl.reading.forms import read_forms
from astragal.gdl.reading.rules import RANDOM, Sheet, Term, kif
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.rules.dice import Dice

PLAYED, UNFINISHED, ABORTED = "played to its end", "stopped unfinished", "aborted"


@dataclass(frozen=True)
class Fault:
    """A player broke the protocol; in a PLAY, a random move was made for it."""

    round: int  # from 1; 0 for START
    role: str
    kind: str  # timeout, connection, refusal, answer, illegal
    sentence: str


@dataclass
class MatchRecord:
    """A match. Moves, states and facts are texts in KIF."""

    match: str
    game: str  # the sheet's name
    roles: list[str]
    players: dict[str, str]  # role -> who played it
    start_clock: float
    play_clock: float
    seed: int
    began: str
    moves: list[dict[str, str]] = field(default_factory=list)  # a round's, by role
    seconds: list[dict[str, float]] = field(default_factory=list)  # that players took for them
    states: list[list[str]] = field(default_factory=list)  # before each round, and the last
    faults: list[Fault] = field(default_factory=list)
    goals: dict[str, int | None] = field(default_factory=dict)
    ending: str = UNFINISHED
    why: str = ""  # the reason why it ended, if it needs one
    rules: str = ""

    def count(self, role: str) -> Counter[str]:
        """A role's faults by kind."""
        return Counter(fault.kind for fault in self.faults if fault.role == role)

    def unreached(self) -> list[str]:
        """Roles whose players no message ever reached: the connection failed in START and in every round."""
        asked = 1 + len(self.moves)
        return [role for role in self.roles if self.count(role)["connection"] == asked]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def write(self, path: Path) -> None:
        try:
            path.write_text(json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise AstragalError(f"cannot write to {path}: {error.strerror}") from None


LATENCY = 0.5  # seconds beyond a clock in which an answer may still arrive
FAREWELL = 2.0  # seconds for answers that nothing depends on
MAX_ROUNDS = 10_000

Listen = Callable[[MatchRecord], None]  # called after each round


@dataclass
class Manager:
    """Runs one match of a sheet. A role without an address moves at random."""

    sheet: Sheet
    addresses: dict[str, Address]
    start_clock: float
    play_clock: float
    seed: int
    rounds: int = MAX_ROUNDS
    listen: Listen | None = None
    record: MatchRecord = field(init=False)

    def __post_init__(self) -> None:
        began = datetime.now(UTC)
        stem = "".join(c if c.isalnum() else "_" for c in self.sheet.name.rpartition(".")[0] or self.sheet.name)
        self.record = MatchRecord(
            match=f"{stem}.{began:%Y%m%d.%H%M%S}.{self.seed}".lower(),
            game=self.sheet.name,
            roles=list(self.sheet.roles),
            players={role: str(self.addresses.get(role, RANDOM)) for role in self.sheet.roles},
            start_clock=self.start_clock,
            play_clock=self.play_clock,
            seed=self.seed,
            began=began.isoformat(timespec="seconds"),
            rules=self.sheet.text,
        )
        self._dice = Dice(self.seed)
        self._reasoner = Interpreter(self.sheet)

    def run(self) -> MatchRecord:
        """Play the match. Ctrl-C sends the players an ABORT and is raised again."""
        try:
            self._start()
            self._play()
        except BaseException as problem:
            self.record.ending = ABORTED
            self.record.why = str(problem) or type(problem).__name__
            self._tell(Abort(self.record.match))
            raise
        return self.record

    def _start(self) -> None:
        rules = "\n".join(map(str, read_forms(self.sheet.text, self.sheet.name)))  # without comments
        requests = {
            role: Start(self.record.match, role, rules, self.start_clock, self.play_clock) for role in self.addresses
        }
        for role, answer in self._ask(requests, self.start_clock + LATENCY, 0).items():
            if answer.lower() != READY:
                self._fault(0, role, "answer", f"answered '{answer}' to START")

    def _play(self) -> None:
        state = self._reasoner.initial()
        done: Moves | None = None
        while True:
            self.record.states.append(sorted(map(kif, state)))
            if self._reasoner.is_terminal(state):
                self.record.ending = PLAYED
                break
            if len(self.record.moves) == self.rounds:
                self.record.why = f"{self.rounds} rounds were played"
                break
            legal = {role: self._reasoner.legal(state, role) for role in self.sheet.roles}
            stuck = [role for role in self.sheet.roles if not legal[role]]
            if stuck:
                self.record.why = f"{stuck[0]} had no legal move in round {len(self.record.moves) + 1}"
                break
            moves = self._moves(legal, done)
            done = tuple(moves.values())
            state = self._reasoner.next(state, moves)
            if self.listen:
                self.listen(self.record)
        if self.record.ending == PLAYED:
            for role in self.sheet.roles:
                values = self._reasoner.goals(state, role)
                self.record.goals[role] = values[-1] if values else None
        self._tell(Stop(self.record.match, done) if self.record.ending == PLAYED else Abort(self.record.match))

    def _moves(self, legal: dict[str, list[Term]], done: Moves | None) -> dict[str, Term]:
        """A legal move for every role: the players', and random ones for all others."""
        number = len(self.record.moves) + 1
        self.record.seconds.append({})
        play = Play(self.record.match, done)
        answers = self._ask(dict.fromkeys(self.addresses, play), self.play_clock + LATENCY, number)
        moves = {}
        for role in self.sheet.roles:
            chance = legal[role][self._dice.below(len(legal[role]))]  # drawn always: the same dice whatever players do
            move = self._legal_answer(role, answers[role], legal[role], number) if role in answers else None
            moves[role] = chance if move is None else move
        self.record.moves.append({role: kif(move) for role, move in moves.items()})
        return moves

    def _legal_answer(self, role: str, answer: str, legal: list[Term], number: int) -> Term | None:
        try:
            move = read_move(answer)
        except AstragalError as problem:
            self._fault(number, role, "answer", str(problem))
            return None
        if move not in legal:
            self._fault(number, role, "illegal", f"{kif(move)} is not a legal move")
            return None
        return move

    def _ask(self, requests: dict[str, Start] | dict[str, Play], seconds: float, number: int) -> dict[str, str]:
        """The answers of those players that gave one."""
        pending: dict[str, Future[tuple[str, float]]] = {}
        for role, request in requests.items():
            address, text = self.addresses[role], str(request)
            pending[role] = in_background(partial(_timed, address, text, seconds), "asking")
        answers = {}
        for role, result in pending.items():
            try:
                answers[role], took = result.result()
            except NoAnswer as problem:
                self._fault(number, role, problem.kind, str(problem))
            else:
                if number:
                    self.record.seconds[-1][role] = round(took, 3)
        return answers

    def _tell(self, request: Request) -> None:
        """Send something to all players whose answer does not matter."""
        told = [partial(ask, address, str(request), FAREWELL) for address in set(self.addresses.values())]
        wait([in_background(tell, "telling") for tell in told], FAREWELL)

    def _fault(self, number: int, role: str, kind: str, sentence: str) -> None:
        self.record.faults.append(Fault(number, role, kind, sentence))


def _timed(address: Address, text: str, seconds: float) -> tuple[str, float]:
    began = time.monotonic()
    return ask(address, text, seconds), time.monotonic() - began


def seated(sheet: Sheet, players: list[str]) -> dict[str, Address]:
    """Who plays which role: players in the order of the sheet's roles, ``random`` for one that moves at random."""
    roles = [role for role in sheet.roles if role != RANDOM]
    if len(players) != len(roles):
        known = ", ".join(roles)
        raise SpecError(f"{sheet.name} has {len(roles)} roles to play ({known}), and {len(players)} players are given")
    return {role: Address.parse(text) for role, text in zip(roles, players, strict=True) if text != RANDOM}
