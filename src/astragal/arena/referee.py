"""Playing one game of a contest: dice, budgets, the players' moves, and what happens to a player at fault.

The dice come from the match's seed alone, whatever the players draw. A player that fails, plays an illegal action, is
too late or runs out of memory loses the game by forfeit; the others share the win.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord, Thought
from astragal.errors import AstragalError
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.players import load_player
from astragal.players.player import Player
from astragal.search.limits import Limits
from astragal.search.result import SearchResult

GRACE_SECONDS = 1.0  # beyond its time a player may take so long before it loses


class Fault(Exception):
    """What a player did that loses the game."""


@lru_cache(maxsize=64)
def player_of(contest: Contest, kind: int, finishing: bool) -> Player:
    names = contest.finish.players if finishing and contest.finish else contest.kinds
    return load_player(names[kind], contest.rules)


def play_game(
    contest: Contest, match: int, game: int, strict: bool = False, grace: float = GRACE_SECONDS
) -> GameRecord:
    """Play one game of a match. With strict, a player's fault is raised instead of losing the game."""
    return Referee(contest, match, game, grace).play(strict)


class Referee:
    """One game while it is played."""

    def __init__(self, contest: Contest, match: int, game: int, grace: float = GRACE_SECONDS) -> None:
        self.contest, self.match, self.game, self.grace = contest, match, game, grace
        self.seats = contest.seatings[game]
        self.seed = contest.match_seed(match)
        self.dice = Dice(self.seed)
        self.position = Position.start(contest.rules, self.seed)
        self.steps: list[int] = []
        self.thoughts: list[Thought] = []
        self.sessions: dict[tuple[int, bool], Any] = {}  # (seat, finishing) -> what the player keeps
        self.ratios: dict[int, float] = {}  # kind -> the last terminal ratio of its searches
        self.finished_from: int | None = None

    def play(self, strict: bool) -> GameRecord:
        started = time.perf_counter()
        forfeit, fault = None, ""
        try:
            while not self.position.is_terminal:
                self.step()
            utilities = self.position.utilities()
        except Fault as error:
            if strict:
                raise AstragalError(f"{self.who(self.position.turn)}: {error}") from error.__cause__
            forfeit, fault = self.position.turn, str(error)
            low, high = self.contest.rules.utility_range
            utilities = tuple(low if seat == forfeit else high for seat in range(len(self.seats)))
        return GameRecord(
            self.match,
            self.game,
            self.seats,
            self.seed,
            tuple(self.steps),
            tuple(self.thoughts),
            utilities,
            forfeit,
            fault,
            self.finished_from,
            time.perf_counter() - started,
        )

    def who(self, seat: int) -> str:
        return f"{self.contest.kinds[self.seats[seat]]} in seat {seat + 1} of game {self.match + 1}.{self.game + 1}"

    def step(self) -> None:
        """One ply: an outcome by the match's dice, or an action by the player to move."""
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
        started = time.perf_counter()
        result = self.ask(seat, finishing, limits)
        seconds = time.perf_counter() - started
        over = 0.0 if limits.time is None else seconds - limits.time
        if over > self.grace:
            raise Fault(f"took {seconds:.2f} s where {limits.time:g} s were allowed")
        if result.action_number not in self.position.actions():
            raise Fault(f"chose {result.action!r}, which is not legal at '{self.position.text}'")
        self.thoughts.append(Thought(seconds, result.nodes, result.depth, result.value, over, budget))
        if result.terminal_ratio is not None:
            self.ratios[self.seats[seat]] = result.terminal_ratio
        return int(result.action_number)

    def ask(self, seat: int, finishing: bool, limits: Limits) -> SearchResult:
        """A player's answer; whatever goes wrong in it is the player's fault."""
        player = player_of(self.contest, self.seats[seat], finishing)
        session = self.sessions.setdefault((seat, finishing), player.new_session())
        seed = self.contest.search_seed(self.match, self.game, len(self.steps))
        try:
            return player.search(self.position, seed=seed, limits=limits, session=session)
        except MemoryError as error:
            raise Fault("ran out of memory") from error
        except Exception as error:
            raise Fault(f"failed: {type(error).__name__}: {error}") from error

    def limits_for(self, seat: int, finishing: bool) -> tuple[Limits, int | None]:
        """The limits of a decision and, where budgets are matched, how many nodes the opponent would need."""
        kind = self.seats[seat]
        player = player_of(self.contest, kind, finishing)
        limits = self.contest.limits
        if finishing or limits == Limits():
            limits = player.limits
        if finishing or kind != self.contest.matched:
            return limits, None
        opponent = player_of(self.contest, 1 - kind, False)
        seed = self.contest.search_seed(self.match, self.game, len(self.steps))
        needed = opponent.search(self.position, seed=seed, limits=self.contest.limits).nodes
        return replace(limits, nodes=max(1, needed)), needed

    def is_finishing(self, seat: int) -> bool:
        """Whether the players named for it have taken over."""
        finish = self.contest.finish
        if finish is None or self.finished_from is not None:
            return self.finished_from is not None
        late = finish.ply is not None and len(self.thoughts) >= finish.ply
        others = [ratio for kind, ratio in self.ratios.items() if kind != self.seats[seat]]
        near = finish.terminal_ratio is not None and any(ratio > finish.terminal_ratio for ratio in others)
        if late or near:
            self.finished_from = len(self.steps)
        return self.finished_from is not None


def replayed(contest: Contest, record: GameRecord) -> list[Position]:
    """The positions of a stored game, checked: the dice, legal steps, and the result. A sentence says what differs."""
    dice, position = Dice(record.seed), Position.start(contest.rules, record.seed)
    where = f"game {record.match + 1}.{record.game + 1}"
    if record.seed != contest.match_seed(record.match):
        raise AstragalError(f"{where} has another seed than the contest gives its match")
    positions = [position]
    for ply, step in enumerate(record.steps):
        if position.is_terminal:
            raise AstragalError(f"{where} goes on after its end at ply {ply}")
        if position.is_chance:
            drawn = position.draw(dice)
            if drawn != step:
                raise AstragalError(
                    f"{where}, ply {ply}: the dice give {position.step_name(drawn)}, not outcome {step}"
                )
        elif step not in position.actions():
            raise AstragalError(f"{where}, ply {ply}: action {step} is not legal at '{position.text}'")
        position = position.follow(step)
        positions.append(position)
    if record.forfeit is None and (not position.is_terminal or position.utilities() != record.utilities):
        raise AstragalError(f"{where} does not end as its result says")
    return positions
