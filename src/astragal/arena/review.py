"""A game looked at again: what every decision lost against the best move, and what luck every roll brought.

Where a game was solved (`astragal solve`), both are exact; also where a search reaches the end of the game. Elsewhere
they are estimates with an interval (`astragal.arena.judging`): by a search with a learned evaluation where there is one
for the game, in games for points by one with the game's own, else by `uct`.

The luck of a roll is what the position is worth after it, less what it was worth before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from astragal.algorithms.interval import Interval
from astragal.algorithms.limits import Limits
from astragal.algorithms.result import EXACT
from astragal.arena.judging import ByDepth, Judge, Judgement, judge_for, opposed
from astragal.base.errors import AstragalError, SpecError
from astragal.players import load_player
from astragal.players.analyst import analyst
from astragal.players.ladders import fits
from astragal.players.player import Player
from astragal.rules.ending import measure
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, own_solver
from astragal.solvers.solution import kept_values

SLIP = 0.01  # of the game's range: what is lost below that is no mistake
MOST_OUTCOMES = 300
SECONDS, LEAST, MOST = 8.0, 0.02, 0.3  # of a review where nothing is said; of one step at least, and at most
FOR_ENDS = 0.25  # of the limits, in which a search tries to reach the end of the game


@dataclass(frozen=True)
class Decision:
    """What a decision was worth, in utilities for who decided."""

    ply: int
    player: int  # from 1
    played: str
    best: str
    value: float | None  # of the best move
    lost: float  # by the move that was played; 0 where that is not known
    error: float | None  # half width of the 95% interval of what was lost, where it has one
    kind: str  # exact, or by a search
    line: tuple[str, ...] = ()  # best play from here, the best move first
    between: Interval | None = None  # that what was lost is proven to lie in; `lost` is then its lower end
    numbers: tuple[int, int] | None = None  # of the move that was played and of the best one
    proven: str | None = None  # of the position, in words, where the loss is proven


@dataclass(frozen=True)
class Roll:
    """The luck that an outcome of chance brought."""

    ply: int
    outcome: str
    luck: list[float]  # for each seat, in utilities
    kind: str
    error: float | None = None  # half width of its 95% interval
    value: float | None = None  # of the position before it, for player 1


@dataclass
class Review:
    """All decisions and rolls of a game, and what they come to."""

    game: Any
    rows: list[Decision | Roll] = field(default_factory=list)

    @property
    def decisions(self) -> list[Decision]:
        return [row for row in self.rows if isinstance(row, Decision)]

    @property
    def mistakes(self) -> list[Decision]:
        """The biggest mistake first."""
        return sorted(filter(self.is_mistake, self.decisions), key=lambda row: -row.lost)

    @property
    def worst(self) -> Decision | None:
        """The biggest mistake."""
        return next(iter(self.mistakes), None)

    @property
    def span(self) -> float:
        low, high = self.game.utility_range
        return float(high - low) or 1.0

    def is_mistake(self, row: Decision) -> bool:
        """Whether a decision lost more than a little, and more than its error."""
        return row.lost > max(SLIP * self.span, row.error or 0.0)

    @property
    def unit(self) -> float:
        """Utilities of the unit that people read: the whole chance to win, or a point."""
        return self.span if measure(self.game) == "win" else float(self.game.point)

    def of(self, player: int) -> dict[str, Any]:
        """What a player's decisions come to: how many, the share without a mistake, the loss and the luck in all.

        `lost_each` and `luck_each` are for people: by decision and by roll in games that are won or lost, where chances
        do not add up, and of the whole game in games for points.
        """
        mine = [row for row in self.decisions if row.player == player]
        good = sum(not self.is_mistake(row) for row in mine)
        rolls = [row.luck[player - 1] for row in self.rows if isinstance(row, Roll)]
        lost, luck = sum(row.lost for row in mine), sum(rolls)
        is_chance = measure(self.game) == "win"
        return {
            "player": player,
            "decisions": len(mine),
            "accuracy": good / len(mine) if mine else None,
            "lost": lost,
            "luck": luck,
            "rolls": len(rolls),
            "lost_each": lost / self.unit / (max(1, len(mine)) if is_chance else 1),
            "luck_each": luck / self.unit / (max(1, len(rolls)) if is_chance else 1),
        }

    def as_dict(self) -> dict[str, Any]:
        worst = self.worst
        return {
            "players": [self.of(seat + 1) for seat in range(self.game.players)],
            "worst": vars(worst) if worst else None,
            "mistakes": [row.ply for row in self.mistakes],
            "measure": measure(self.game),
            "range": list(self.game.utility_range),
            "unit": self.unit,
        }


@dataclass(frozen=True)
class Reviewer:
    """Who reviews: a player, what it may use for each step, and where its numbers are drawn from."""

    player: Player
    limits: Limits
    seed: int = 0
    is_over: Callable[[], bool] = lambda: False  # whether the rest is no longer wanted
    ends: Player | None = None  # looks first whether it reaches the end of the game, where values are exact

    @classmethod
    def usual(cls, game: Any, limits: Limits, is_over: Callable[[], bool] = lambda: False) -> Reviewer:
        """The reviewer that suits a game."""
        deep = "star" if game.max_outcomes else "alphabeta"
        if opposed(game):
            for text in (f"{deep}:evaluation=learned", *([deep] if measure(game) == "score" else [])):
                if fits(text, game):
                    return cls(load_player(text, game), limits, is_over=is_over)
        name = analyst(game)
        if name is None:
            raise SpecError("there is no player that could review this game; name one with --player")
        ends = load_player(deep, game) if opposed(game) and fits(deep, game) else None
        return cls(load_player(name, game), limits, is_over=is_over, ends=ends)

    @classmethod
    def proving(cls, game: Any, limits: Limits, is_over: Callable[[], bool] = lambda: False) -> Reviewer:
        """The one that proves between which bounds losses lie, or a sentence where nothing can be proven."""
        return cls(load_player("prove", game), limits, is_over=is_over)

    @property
    def gives_chances(self) -> bool:
        """Whether values are on the scale of results, so that they are chances to win in games won or lost."""
        learned = getattr(self.player, "evaluation", "own") != "own"
        return learned or getattr(self.player, "rollout", 0) is None

    @cached_property
    def found(self) -> list[Exact]:
        """The exact values that were of use last."""
        return []

    def rows(self, positions: Sequence[Position], steps: Sequence[int]) -> Iterator[Decision | Roll]:
        """One row for every roll and every decision in which there was a choice."""
        if not positions:
            return
        judge = judge_for(self.player, positions[0].game, self.limits, self.seed)
        for ply, (before, step) in enumerate(zip(positions, steps, strict=False), 1):
            if self.is_over():
                return
            row: Decision | Roll | None = None
            if before.is_chance:
                row = self.roll(ply, before, step, judge)
            elif len(before.actions()) > 1:
                row = self.decision(ply, before, step, judge)
            if row is not None:
                yield row

    def decision(self, ply: int, before: Position, step: int, judge: Judge | None = None) -> Decision:
        judge = judge or judge_for(self.player, before.game, self.limits, self.seed)
        judged = self.exactly(before, step) or self.by_end(before, step) or judge.decision(before, step)
        names = ply, before.turn + 1, before.action_name(step)
        lost, best = judged.amount or 0.0, judged.best
        better = step if best is None or (judged.amount is not None and lost <= 0.0 and not judged.is_open) else best
        line = judged.line if better == best else ()
        name, numbers = before.action_name(better), (step, better)
        found = Decision(*names, name, judged.value, lost, judged.error, judged.kind, line, judged.between, numbers)
        return replace(found, proven=judged.proven)

    def roll(self, ply: int, before: Position, step: int, judge: Judge | None = None) -> Roll | None:
        """The luck of an outcome; None where there is nothing, or too much, to compare it with."""
        if not 1 < len(before.outcomes()) <= MOST_OUTCOMES:
            return None
        judge = judge or judge_for(self.player, before.game, self.limits, self.seed)
        judged = self.exactly(before, step) or self.by_end(before, step) or judge.luck(before, step)
        name = before.outcome_name(step)
        if judged.amount is not None:
            luck = [judged.amount, -judged.amount][: before.game.players]
            return Roll(ply, name, luck, judged.kind, judged.error, judged.value)
        if before.game.ignores_outcomes:  # its evaluation says nothing of luck
            return None
        return Roll(ply, name, luck_by_evaluation(before, step), "by evaluation")

    def exactly(self, before: Position, step: int) -> Judgement | None:
        """What a step was worth by the exact values that are kept, if there are any."""
        known = kept_values(before) or kept_by_own_solver(before)
        for exact in [known] if known is not None else self.found:
            try:
                judged = by_exact(exact, before, step)
            except AstragalError:
                continue
            if judged is not None:
                self.found[:] = [exact]
                return judged
        return None

    def by_end(self, before: Position, step: int) -> Judgement | None:
        """The same by a search, where that reaches the end of the game."""
        if self.ends is None:
            return None
        time, sims = self.limits.time, self.limits.sims
        part = Limits(time=None if time is None else FOR_ENDS * time, nodes=sims or self.limits.nodes)
        judge = ByDepth(self.ends, part, self.seed)
        judged = judge.luck(before, step) if before.is_chance else judge.decision(before, step)
        return judged if judged.kind == EXACT else None


def seconds_for(steps: int) -> float:
    """Seconds for each step, with which the whole review takes some ten seconds."""
    return min(MOST, max(LEAST, SECONDS / max(1, steps)))


def kept_by_own_solver(position: Position) -> Exact | None:
    """What the game's own solver keeps of a position that was solved before."""
    solver = own_solver(position)
    return solver.find_kept(position) if solver is not None and solver.kept_file(position).exists() else None


def by_exact(exact: Exact, before: Position, step: int) -> Judgement | None:
    if before.is_chance:
        value = exact.value(before)
        return Judgement(exact.value(before.follow(step)) - value, 0.0, EXACT, None, value)
    values = exact.action_values(before)
    if step not in values:
        return None
    best = max(values, key=lambda action: (values[action], action == step))
    return Judgement(values[best] - values[step], 0.0, EXACT, best, values[best], (before.action_name(best),))


def luck_by_evaluation(before: Position, step: int) -> list[float]:
    """The luck of an outcome for each seat, by the game's own evaluation."""
    expected = [0.0] * before.game.players
    for outcome in before.outcomes():
        for seat, worth in enumerate(before.follow(outcome.number).evaluations()):
            expected[seat] += outcome.probability * worth
    return [worth - mean for worth, mean in zip(before.follow(step).evaluations(), expected, strict=True)]
