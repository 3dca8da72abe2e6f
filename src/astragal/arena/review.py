"""A game looked at again: what every decision lost against the best move, and what luck every roll brought.

Where a game was solved (`astragal solve`), what a move lost is exact. Elsewhere a search says it: what it found for the
best move, less what it found for the one that was played, with the error of both where its values are means. A search
that prunes knows only a bound for most moves; then the position after the move is searched too.

The luck of a roll is what came, less what all outcomes are worth on average, by exact values or by the game's own
evaluation: the numbers of `astragal results --luck`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.players.analyst import measure, most_error
from astragal.players.player import Player
from astragal.search.limits import Limits
from astragal.search.result import SearchResult
from astragal.solve.exact import Exact
from astragal.solve.solution import kept_values

EXACT = "exact"
SLIP = 0.01  # of the game's range: what is lost below that is no mistake
MOST_OUTCOMES = 300


@dataclass(frozen=True)
class Decision:
    """What a decision was worth, in utilities for who decided."""

    ply: int
    player: int  # from 1
    played: str
    best: str
    value: float | None  # of the best move
    lost: float  # by the move that was played
    error: float | None  # of what was lost, where it is known to be uncertain
    kind: str  # exact, or by a search


@dataclass(frozen=True)
class Roll:
    """The luck that an outcome of chance brought."""

    ply: int
    outcome: str
    luck: list[float]  # for each seat, in utilities
    kind: str


@dataclass
class Review:
    """All decisions and rolls of a game, and what they come to."""

    game: Any
    rows: list[Decision | Roll] = field(default_factory=list)

    @property
    def decisions(self) -> list[Decision]:
        return [row for row in self.rows if isinstance(row, Decision)]

    @property
    def worst(self) -> Decision | None:
        """The biggest mistake."""
        lost = [row for row in self.decisions if self.is_mistake(row)]
        return max(lost, key=lambda row: row.lost, default=None)

    @property
    def span(self) -> float:
        low, high = self.game.utility_range
        return float(high - low) or 1.0

    def is_mistake(self, row: Decision) -> bool:
        """Whether a decision lost more than a little, and more than its error."""
        return row.lost > max(SLIP * self.span, row.error or 0.0)

    def of(self, player: int) -> dict[str, Any]:
        """What a player's decisions come to: how many, the share without a mistake, the loss and the luck in all."""
        mine = [row for row in self.decisions if row.player == player]
        good = sum(not self.is_mistake(row) for row in mine)
        rolls = [row.luck[player - 1] for row in self.rows if isinstance(row, Roll)]
        return {
            "player": player,
            "decisions": len(mine),
            "accuracy": good / len(mine) if mine else None,
            "lost": sum(row.lost for row in mine),
            "luck": sum(rolls),
        }

    def as_dict(self) -> dict[str, Any]:
        worst = self.worst
        return {
            "players": [self.of(seat + 1) for seat in range(self.game.players)],
            "worst": vars(worst) if worst else None,
            "measure": measure(self.game),
            "range": list(self.game.utility_range),
        }


@dataclass(frozen=True)
class Reviewer:
    """Who reviews: a player, what it may use for each position, and where its numbers are drawn from."""

    player: Player
    limits: Limits
    seed: int = 0
    is_over: Callable[[], bool] = lambda: False  # whether nobody wants to know any more

    def rows(self, positions: Sequence[Position], steps: Sequence[int]) -> Iterator[Decision | Roll]:
        """One row for every roll and every decision in which there was a choice."""
        for ply, (before, step) in enumerate(zip(positions, steps, strict=False), 1):
            if self.is_over():
                return
            exact = kept_values(before)
            if before.is_chance:
                row = roll(ply, before, step, exact)
                if row is not None:
                    yield row
            elif len(before.actions()) > 1:
                yield self.decision(ply, before, step, exact)

    def decision(self, ply: int, before: Position, step: int, exact: Exact | None) -> Decision:
        names = ply, before.turn + 1, before.action_name(step)
        if exact is not None:
            try:
                values = exact.action_values(before)
            except AstragalError:
                values = {}
            if step in values:
                best = max(values, key=lambda action: values[action])
                best = step if values[step] == values[best] else best
                lost = values[best] - values[step]
                return Decision(*names, before.action_name(best), values[best], lost, None, EXACT)
        found = self.search(before)
        worth, error, kind = self.worth_of(before, step, found)
        value = found.value
        if worth is None or value is None:
            return Decision(*names, found.action or "", value, 0.0, None, "not known")
        lost = max(0.0, value - worth)
        best_name = found.action if lost > 0.0 or found.action_number == step else before.action_name(step)
        return Decision(*names, best_name or "", value, lost, error, kind)

    def search(self, position: Position) -> SearchResult:
        return self.player.search(position, self.seed, self.limits)

    def worth_of(self, before: Position, step: int, found: SearchResult) -> tuple[float | None, float | None, str]:
        """What the move played is worth to who made it, with the error of the difference to the best."""
        rows = {row.number: row for row in found.actions}
        played, best = rows.get(step), rows.get(found.action_number or 0)
        if found.action_number == step:
            return found.value, None, found.bound
        if played is not None and played.value is not None and not played.is_bound:
            span = before.game.utility_range
            errors = [most_error(row, span) for row in (played, best) if row is not None]
            known = [error for error in errors if error is not None]
            return played.value, math.hypot(*known) if known else None, found.bound
        after = before.follow(step)
        if after.is_terminal:
            return float(after.utilities()[before.turn]), None, found.bound
        if before.game.players != 2:
            return None, None, found.bound
        reply = self.search(after)
        if reply.value is None:
            return None, None, found.bound
        low, high = before.game.utility_range
        told_for = max(after.turn, 0)  # at a chance node values are for the first player
        return reply.value if told_for == before.turn else low + high - reply.value, None, found.bound


def roll(ply: int, before: Position, step: int, exact: Exact | None) -> Roll | None:
    """The luck of an outcome; None where there are too many to compare it with."""
    outcomes = before.outcomes()
    if not 1 < len(outcomes) <= MOST_OUTCOMES:
        return None
    after = before.follow(step)
    if exact is not None:
        try:
            gain = exact.value(after) - exact.value(before)
            return Roll(ply, before.outcome_name(step), [gain, -gain][: before.game.players], EXACT)
        except AstragalError:
            pass
    expected = [0.0] * before.game.players
    for outcome in outcomes:
        for seat, worth in enumerate(worths(before.follow(outcome.number))):
            expected[seat] += outcome.probability * worth
    luck = [worth - mean for worth, mean in zip(worths(after), expected, strict=True)]
    return Roll(ply, before.outcome_name(step), luck, "by evaluation")


def worths(position: Position) -> Sequence[float]:
    """What a position is worth to every seat, by the end of the game or by its evaluation."""
    return position.utilities() if position.is_terminal else position.evaluations()
