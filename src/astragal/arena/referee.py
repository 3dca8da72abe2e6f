"""Playing one game of a contest: dice, budgets, the players' moves, and what happens to a player at fault.

The dice come from the pair's seed alone, whatever the players draw. A player that fails, plays an illegal action, is
too late or runs out of memory loses the game by forfeit; the others share the win.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from typing import Any

from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.algorithms.result import SearchResult
from astragal.arena.contest import Contest, GameRecord, SearchStats
from astragal.arena.playing import GRACE_SECONDS
from astragal.arena.time_control import TimeControl
from astragal.base.errors import AstragalError
from astragal.base.interruptible import WALL, CountingBy
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.faults import MethodError
from astragal.rules.position import History, Position


class Fault(Exception):
    """What a player did that loses the game."""

    def __init__(self, seat: int, what: str) -> None:
        super().__init__(what)
        self.seat = seat


@lru_cache(maxsize=64)
def player_of(contest: Contest, kind: int, finishing: bool) -> Player:
    names = contest.finish.players if finishing and contest.finish else contest.kinds
    return load_player(names[kind], contest.rules)


@lru_cache(maxsize=4)
def start_of(contest: Contest, pair: int) -> Position:
    return Position.start(contest.rules, contest.pair_seed(pair))


def play_game(contest: Contest, pair: int, game: int, strict: bool = False, grace: float = GRACE_SECONDS) -> GameRecord:
    """Play one game of a pair. With strict, a player's fault is raised instead of losing the game."""
    return Referee(contest, pair, game, grace).play(strict)


class Referee:
    """One game while it is played."""

    def __init__(self, contest: Contest, pair: int, game: int, grace: float = GRACE_SECONDS) -> None:
        self.contest, self.pair, self.game, self.grace = contest, pair, game, grace
        self.seats = contest.seatings[game]
        self.seed = contest.pair_seed(pair)
        self.dice = contest.dice(pair)
        self.start = self.position = start_of(contest, pair)
        self.players: dict[tuple[int, bool], Player] = {}  # (kind, finishing) -> who thinks
        self.steps: list[int] = []
        self.searches: list[SearchStats] = []
        self.sessions: dict[tuple[int, bool], Any] = {}  # (seat, finishing) -> what the player keeps
        self.ratios: dict[int, float] = {}  # kind -> the last terminal ratio of its searches
        self.finished_from: int | None = None
        self.control = None if contest.control is None else TimeControl.parse(contest.control)
        self.left = [self.control.base if self.control else 0.0] * len(self.seats)  # on each seat's clock

    def play(self, strict: bool) -> GameRecord:
        started = time.perf_counter()
        forfeit, fault = None, ""
        try:
            while not self.position.is_terminal:
                self.step()
            utilities = self.position.utilities()
        except Fault as error:
            if strict:
                raise AstragalError(f"{self.who(error.seat)} {error}") from error.__cause__
            forfeit, fault = error.seat, str(error)
            utilities = forfeited(self.contest, forfeit)
        return GameRecord(
            self.pair,
            self.game,
            self.seats,
            self.seed,
            tuple(self.steps),
            tuple(self.searches),
            utilities,
            forfeit,
            fault,
            self.finished_from,
            time.perf_counter() - started,
        )

    def who(self, seat: int) -> str:
        return f"{self.contest.kinds[self.seats[seat]]} in seat {seat + 1} of game {self.pair + 1}.{self.game + 1}"

    def step(self) -> None:
        """One ply: an outcome by the pair's dice, or an action by the player to move."""
        if self.position.is_chance:
            number = self.position.draw(self.dice)
        else:
            number = self.decide()
        self.steps.append(number)
        self.position = self.position.follow(number)

    def decide(self) -> int:
        seat = self.position.turn
        finishing = self.is_finishing(seat)
        limits, budget = self.limits_for(seat, finishing)
        self.make_ready(seat, finishing)
        started, busy = time.perf_counter(), time.process_time()
        with CountingBy(self.contest.clock):
            result = self.ask(seat, finishing, limits)
        seconds, processor = time.perf_counter() - started, time.process_time() - busy
        thought = seconds if self.contest.clock == WALL else processor
        over = 0.0 if limits.time is None else thought - limits.time
        if self.control is not None:
            self.left[seat] -= thought
            if self.left[seat] < -self.grace:
                raise Fault(seat, f"ran out of time: its clock of {self.contest.control} is at {self.left[seat]:.2f} s")
            self.left[seat] += self.control.increment
        elif over > self.grace:
            raise Fault(seat, f"took {thought:.2f} s where {limits.time:g} s were allowed")
        if result.action_number not in self.position.actions():
            raise Fault(seat, f"chose {result.action!r}, which is not legal at '{self.position.text}'")
        self.searches.append(
            SearchStats(seconds, result.nodes, result.depth, result.value, over, budget, seat, processor)
        )
        ratio = result.terminal_ratio if self.contest.expanded == "all" else result.interior_terminal_ratio
        if ratio is not None and not finishing:
            self.ratios[self.seats[seat]] = ratio
        return int(result.action_number)

    def player(self, kind: int, finishing: bool) -> Player:
        """Looked up once a game: a contest takes long to hash."""
        if (kind, finishing) not in self.players:
            self.players[kind, finishing] = player_of(self.contest, kind, finishing)
        return self.players[kind, finishing]

    def make_ready(self, seat: int, finishing: bool) -> None:
        """Before a player's first move, and before its clock runs."""
        if (seat, finishing) in self.sessions:
            return
        player = self.player(self.seats[seat], finishing)
        with FaultsOf(seat):
            session = self.sessions[seat, finishing] = player.new_session()
            player.make_ready(self.contest.rules, session)

    def ask(self, seat: int, finishing: bool, limits: Limits) -> SearchResult:
        """A player's answer; whatever goes wrong in it is the player's fault."""
        player = self.player(self.seats[seat], finishing)
        with FaultsOf(seat):
            session = self.sessions[seat, finishing]
            return player.search(
                self.position, seed=self.search_seed, limits=limits, session=session, history=self.history
            )

    @property
    def history(self) -> History:
        return History(self.start, tuple(self.steps))

    @property
    def search_seed(self) -> int:
        return self.contest.search_seed(self.pair, self.game, len(self.steps))

    def limits_for(self, seat: int, finishing: bool) -> tuple[Limits, int | None]:
        """The limits of a decision and, where budgets are matched, how many nodes the opponent would need."""
        kind = self.seats[seat]
        player = self.player(kind, finishing)
        limits = self.contest.limits
        if finishing or limits == NO_LIMITS:
            limits = player.limits
        if self.control is not None:
            return replace(limits, time=self.control.for_move(self.left[seat])), None
        if finishing or kind != self.contest.matched:
            return limits, None
        opponent = self.player(1 - kind, False)
        with FaultsOf(self.seats.index(1 - kind)):
            found = opponent.search(
                self.position, seed=self.search_seed, limits=self.contest.limits, history=self.history
            )
        inside = found.interior_nodes if self.contest.expanded == "interior" else None
        budget = max(1, found.nodes if inside is None else inside)
        return replace(limits, nodes=budget), budget

    def is_finishing(self, seat: int) -> bool:
        """Whether the players named for it have taken over."""
        finish = self.contest.finish
        if finish is None or self.finished_from is not None:
            return self.finished_from is not None
        late = finish.ply is not None and len(self.searches) >= finish.ply
        judges = [kind for kind in self.ratios if kind != self.seats[seat]] if finish.judge is None else [finish.judge]
        ratios = [self.ratios.get(kind, 0.0) for kind in judges]
        near = finish.terminal_ratio is not None and any(ratio > finish.terminal_ratio for ratio in ratios)
        if late or near:
            self.finished_from = len(self.steps)
        return self.finished_from is not None


class FaultsOf:
    """Whatever goes wrong in this block is the fault of the player in this seat. A class, since every move enters one,
    and a generator takes several times as long."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or isinstance(error, MethodError):  # that is the game's own, no player's
            return
        if isinstance(error, MemoryError):
            raise Fault(self.seat, "ran out of memory") from error
        if isinstance(error, AstragalError):  # a sentence
            raise Fault(self.seat, f"failed: {error}") from error
        raise Fault(self.seat, f"failed: {type(error).__name__}: {error}") from error


def forfeited(contest: Contest, loser: int) -> tuple[float, ...]:
    """What a game is worth to each seat that one of them loses by a fault."""
    low, high = contest.rules.utility_range
    return tuple(low if seat == loser else high for seat in range(contest.seats))


def replayed(contest: Contest, record: GameRecord) -> list[Position]:
    """The positions of a stored game, checked: seats, dice, legal steps, and the result. A sentence says what differs.

    That the players would choose the same again is not checked: with limits on time they need not.
    """
    where = f"game {record.pair + 1}.{record.game + 1}"
    check_numbers(contest, record, where)
    dice, position = contest.dice(record.pair), Position.start(contest.rules, record.seed)
    positions = [position]
    for ply, step in enumerate(record.steps, 1):
        if position.is_terminal:
            raise AstragalError(f"{where} continues after its end, with ply {ply}")
        if position.is_chance:
            drawn = position.draw(dice)
            if drawn != step:
                raise AstragalError(f"{where}, ply {ply}: the dice give outcome {drawn}, not {step}")
        elif step not in position.actions():
            raise AstragalError(f"{where}, ply {ply}: action {step} is not legal at '{position.text}'")
        position = position.follow(step)
        positions.append(position)
    if record.forfeit is None:
        right = position.is_terminal and position.utilities() == record.utilities
    else:
        right = not position.is_terminal and forfeited(contest, record.forfeit) == record.utilities
    if not right:
        raise AstragalError(f"{where} does not end as its result says")
    if len(record.searches) != sum(not position.is_chance for position in positions[:-1]):
        raise AstragalError(f"{where} lacks a note for one of its decisions")
    return positions


def check_numbers(contest: Contest, record: GameRecord, where: str) -> None:
    """Whether a game is one of the contest's."""
    if record.seed != contest.pair_seed(record.pair):
        raise AstragalError(f"{where} has another seed than the contest gives its pair")
    if not 0 <= record.game < len(contest.seatings) or record.seats != contest.seatings[record.game]:
        raise AstragalError(f"{where} has other seats than the contest gives it")
