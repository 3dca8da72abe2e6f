"""A match as one of its players sees it: getting ready within the start clock, and a move within every play clock.

The interpreter is ready soon, so that there is always a legal move to answer. A thread makes the network and the
player's kernels meanwhile, which are used when they are ready.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, fields, replace
from typing import Any

from astragal.adapters.ggp.messages import NIL, MessageError, Moves, Start
from astragal.algorithms.limits import Limits
from astragal.base.errors import AstragalError, IllegalAction
from astragal.base.interruptible import Switch, in_background, stoppable_by
from astragal.gdl.joint_moves import after_round, choosing_first, goals_of, legal_moves
from astragal.gdl.reading.rules import RANDOM, Sheet, Term, kif
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.sheets import SheetSettings, game_of_sheet, move_of
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.position import Position


class Follower(ABC):
    """Where a match stands after some rounds."""

    rounds = 0  # played so far

    @abstractmethod
    def legal(self, role: str) -> list[Term]: ...

    @abstractmethod
    def advance(self, moves: Mapping[str, Term]) -> None:
        """Play a round; an IllegalAction says which move was not legal."""

    @abstractmethod
    def goal(self, role: str) -> int | None:
        """What the match is worth to a role, if it is over and the rules say so."""


class Interpreted(Follower):
    """By the interpreter. It can go on after an illegal move: the rules say what follows from that, too."""

    def __init__(self, sheet: Sheet) -> None:
        self.reasoner = Interpreter(sheet)
        self.state = self.reasoner.initial()

    def legal(self, role: str) -> list[Term]:
        return self.reasoner.legal(self.state, role)

    def advance(self, moves: Mapping[str, Term]) -> None:
        wrong = [role for role, move in moves.items() if move not in self.legal(role)]
        self.state = self.reasoner.next(self.state, dict(moves))
        self.rounds += 1
        if wrong:
            raise IllegalAction(f"{kif(moves[wrong[0]])} was not a legal move of {wrong[0]}")

    def goal(self, role: str) -> int | None:
        values = self.reasoner.goals(self.state, role) if self.reasoner.is_terminal(self.state) else []
        return values[-1] if values else None


class Networked(Follower):
    """By positions of the sheet's game. It cannot go on after an illegal move."""

    def __init__(self, game: Any) -> None:
        self.position = Position.start(game)

    def legal(self, role: str) -> list[Term]:
        return legal_moves(self.position, role)

    def advance(self, moves: Mapping[str, Term]) -> None:
        self.position = after_round(self.position, moves)
        self.rounds += 1

    def goal(self, role: str) -> int | None:
        players: tuple[str, ...] = self.position.game.own_roles()
        if not self.position.is_terminal or role not in players:
            return None
        return goals_of(self.position)[players.index(role)]


Log = Callable[[str], None]
SHORTEST = 0.05  # seconds of thinking that are worth a search
LONGEST_GROUNDING = 600.0  # seconds, whatever the clock: it goes on when a manager has ended the match


@dataclass(frozen=True)
class Searcher:
    """A player with the game it searches, its kernels compiled."""

    game: Any
    player: Player

    @classmethod
    def made(cls, sheet: Sheet, spec: str, seconds: float) -> Searcher:
        """Ground the rules, build the network, compile what the player runs; an AstragalError says why that fails."""
        game = game_of_sheet(sheet, SheetSettings(seconds=min(max(seconds, 0.1), LONGEST_GROUNDING)))
        player = load_player(spec, game)
        decision = Networked(game).position.settled(0)
        if not decision.is_terminal:
            player.search(decision, 0, Limits(nodes=1, time=1.0))
        return cls(game, player)

    def limits(self, seconds: float) -> Limits:
        """The player's own limits, and the clock's, if it has a limit on time."""
        own = self.player.limits
        if "time" not in {field.name for field in fields(self.player)}:
            return own
        return replace(own, time=seconds if own.time is None else min(own.time, seconds))


class Match:
    """A match under way."""

    def __init__(self, start: Start, sheet: Sheet, spec: str, dice: Dice, log: Log) -> None:
        self.start = start
        self.sheet = sheet
        self.role = start.role
        self.history: list[dict[str, Term]] = []
        self.ended = False
        self.playing = threading.Lock()  # held while a move is looked for
        self._dice = dice
        self._log = log
        self._woken = threading.Event()  # a search has ended, or the match has
        self._session: Any = None
        self._hopeless = False  # there will be no search
        self._over: Future[None] = Future()  # done when the match has ended
        self._switch = Switch()  # ends a search whose answer is no longer needed
        self._thinking: Future[Term] | None = None
        self._plain = in_background(lambda: Interpreted(sheet), "interpreter")
        self._network: Networked | None = None
        self._searcher = in_background(lambda: self._prepared(spec), "preparation")

    def _prepared(self, spec: str) -> Searcher:
        with stoppable_by(self._switch):  # or the rules of matches broken off would be instantiated side by side
            return Searcher.made(self.sheet, spec, self.start.start_clock)

    def say(self, sentence: str) -> None:
        self._log(f"{self.start.match}: {sentence}")

    # Getting ready

    def get_ready(self, deadline: float) -> None:
        """Wait for the search to be ready, but not beyond the deadline (of `time.monotonic`)."""
        began = time.monotonic()
        wait([self._searcher], deadline - time.monotonic())
        if not self._searcher.done():
            self.say("the search is not ready yet; until it is, moves are random")
        elif self._usable_searcher():
            self.say(f"ready after {time.monotonic() - began:.1f} s")

    def _usable_searcher(self) -> Searcher | None:
        """The search, if it is ready; logged once if there will be none."""
        if not self._searcher.done():
            return None
        problem = self._searcher.exception()
        if problem is None:
            return self._searcher.result()
        if self._network is None and not self.ended:
            self._give_up_search(problem)
        return None

    def _give_up_search(self, problem: BaseException) -> None:
        what = str(problem) if isinstance(problem, AstragalError) else f"{type(problem).__name__}: {problem}"
        self.say(f"there is no search, so moves are random: {what}")
        self._hopeless = True
        self._searcher = Future()  # never done

    def _is_getting_ready(self) -> bool:
        return not (self._searcher.done() or self._hopeless or self.ended)

    # Playing

    def note(self, moves: Moves | None) -> None:
        """What all did in the last round."""
        if moves is None:
            if self.history:
                raise MessageError(f"round {len(self.history) + 1} of {self.start.match} came without moves")
            return
        if len(moves) != len(self.sheet.roles):
            raise MessageError(f"there are {len(self.sheet.roles)} roles, and moves for {len(moves)}")
        self.history.append(dict(zip(self.sheet.roles, moves, strict=True)))

    def move(self, deadline: float, latest: float) -> str:
        """The move to answer, as KIF. A search has until the deadline, and is waited for until the latest."""
        follower = self._follower(deadline)
        legal = self._legal(follower) if follower else []
        if not legal:
            self.say("there is no legal move to answer")
            return NIL
        chosen = legal[self._dice.below(len(legal))]
        if len(legal) > 1 and self._is_getting_ready():  # it may be there before the clock has run down
            either: list[Future[Any]] = [self._searcher, self._over]
            wait(either, deadline - time.monotonic(), return_when=FIRST_COMPLETED)
            follower = self._follower(deadline)
        if len(legal) > 1 and isinstance(follower, Networked) and self.role != RANDOM:
            chosen = self._thought(follower, deadline, latest) or chosen
        return kif(chosen)

    def _legal(self, follower: Follower) -> list[Term]:
        try:
            return follower.legal(self.role)
        except AstragalError as problem:
            self.say(f"the rules cannot be followed: {problem}")
            return []

    def end(self, moves: Moves | None = None) -> None:
        """The match is over, with these moves as its last; a search under way is stopped."""
        self.ended = True
        self._switch.stop()
        self._woken.set()
        if not self._over.done():
            self._over.set_result(None)
        with self.playing:
            if moves is None:
                self.say("broken off")
                return
            self.note(moves)
            follower = self._follower(time.monotonic() + 1)
            goal = follower.goal(self.role) if follower else None
            self.say(f"over after {len(self.history)} rounds, worth {'nothing known' if goal is None else goal}")

    def _follower(self, deadline: float) -> Follower | None:
        """The follower of the match, up to date: the network if it can, else the interpreter if it is ready in time."""
        searcher = self._usable_searcher()
        if searcher is not None:
            self._network = self._network or Networked(searcher.game)
            try:
                self._catch_up(self._network)
                return self._network
            except IllegalAction as problem:
                self._network = None
                self._give_up_search(problem)
        wait([self._plain], deadline - time.monotonic())
        if not self._plain.done():
            self.say("the rules are not ready yet")
            return None
        try:
            return self._followed_plainly(self._plain.result())
        except Exception as problem:  # of the sheet's making: an answer is due all the same
            self.say(f"the rules cannot be followed: {problem}")
            return None

    def _followed_plainly(self, plain: Interpreted) -> Follower:
        while plain.rounds < len(self.history):
            try:
                self._catch_up(plain)
            except IllegalAction as problem:
                self.say(f"the manager's moves of round {plain.rounds} are not legal: {problem}")
        return plain

    def _catch_up(self, follower: Follower) -> None:
        for moves in self.history[follower.rounds :]:
            follower.advance(moves)

    def _thought(self, network: Networked, deadline: float, latest: float) -> Term | None:
        """What the search finds in time; None if it finds nothing."""
        searcher = self._searcher.result()
        if self._thinking is not None and not self._thinking.done():
            self.say("the last search has not ended; a random move")
            return None
        seconds = deadline - time.monotonic()
        if seconds < SHORTEST:
            self.say("no time to think; a random move")
            return None
        seed = self._dice.bits() >> 32
        self._woken.clear()
        self._thinking = in_background(lambda: self._search(searcher, network, seconds, seed), "search")
        self._thinking.add_done_callback(lambda _: self._woken.set())
        if not self.ended:  # set before any thread is woken
            self._woken.wait(latest - time.monotonic())
        if self.ended or not self._thinking.done():
            self.say("no move was found in time; a random move")
            return None
        problem = self._thinking.exception()
        if problem is not None:
            self.say(f"the search failed, so a random move: {type(problem).__name__}: {problem}")
            return None
        return self._thinking.result()

    def _search(self, searcher: Searcher, network: Networked, seconds: float, seed: int) -> Term:
        position = choosing_first(network.position, self.role)
        assert position is not None
        self._session = self._session or searcher.player.new_session()
        with stoppable_by(self._switch):
            result = searcher.player.search(position, seed, searcher.limits(seconds), session=self._session)
        assert result.action_number is not None
        move = move_of(position, position.turn, result.action_number)
        value = "" if result.value is None else f", worth {result.value:.1f}"
        self.say(f"round {len(self.history) + 1}: {kif(move)}{value}, {result.nodes} nodes")
        return move
