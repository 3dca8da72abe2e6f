"""Judges of a review: what a step is worth against the best one, by equal searches of both, with an interval.

A search that goes depth first compares at one depth: the value of the position at depth k less that of the position
after the move, searched as deep as the tree of the first one has it. A search by simulation gives the position after
the played move and the one after its best rival equally many simulations. Where other players' values say nothing of
one's own (more than two players, choices at once), there is only the table of actions of one search.

Half widths are for 95%. Of a search to a depth they follow from what the difference, and the values themselves, moved
over the last depths; of a mean from its standard error, which in a tree is larger than of independent visits, and from
what it moved while the search grew fourfold. Both have a share of the range for errors that leave no sign. The factors
were set by solved games; `tests/arena/test_review_truth.py` counts how often the intervals hold.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from astragal.algorithms.interval import Interval, loss_between
from astragal.algorithms.limits import MANY, MAX_DEPTH, Limits
from astragal.algorithms.result import ESTIMATE, EXACT, SearchResult, depth_words
from astragal.learn.model import OWN
from astragal.players.analyst import most_error
from astragal.players.player import Player, SearchingPlayer
from astragal.rules.decorator import keeps_secrets
from astragal.rules.position import Position

NOT_KNOWN = "not known"
LONGEST = 4.0  # times the limit of time, for one search to a depth that seemed to fit
DEEPER = 4.0  # how many times as long a depth takes as the one before, at least
MOVED, SWING = 2.0, 0.5  # half widths to what the difference, and what the values moved over the last depths
BLIND = {True: 0.015, False: 0.05}  # of the range, by a learned evaluation or by the game's own
BLIND_MEAN = 0.03  # of the range, by simulations
ERRORS, DRIFT = 4.0, 2.0  # half widths to the standard error of a mean, and to what it moved
FEWEST = 50  # simulations of a position
EARLY = 4  # after this part of its simulations a mean is looked at for the first time


@dataclass(frozen=True)
class Judgement:
    """What a step lost against the best one, or an outcome brought beyond the average, in utilities."""

    amount: float | None  # lost by who decided; brought to player 1 by an outcome
    error: float | None  # half width of its 95% interval; 0 where it is exact
    kind: str
    best: int | None = None
    value: float | None = None  # of the position, for who decides, or for player 1 before an outcome
    line: tuple[str, ...] = ()  # best play
    between: Interval | None = None  # that the amount is proven to lie in; it is then its lower end
    proven: str | None = None  # of the position, in words

    @property
    def is_open(self) -> bool:
        """Whether more than nothing may have been lost, by what is proven."""
        return self.between is not None and self.between.upper > 0.0


UNKNOWN = Judgement(None, None, NOT_KNOWN)


@dataclass(frozen=True)
class Estimate:
    """What a position is worth to a seat."""

    value: float
    error: float
    kind: str
    drift: float = 0.0


def opposed(game: Any) -> bool:
    """Whether what a position is worth to one seat follows from what it is worth to any other."""
    return (game.players == 1 or (game.players == 2 and game.zero_sum)) and not keeps_secrets(game)


def worth_to(seat: int, position: Position, found: SearchResult) -> float:
    """The value of a search for a seat: it is for the player to move, at a chance node for the first one."""
    assert found.value is not None
    low, high = position.game.utility_range
    return found.value if max(position.turn, 0) == seat else low + high - found.value


@dataclass(frozen=True)
class Judge:
    """A player that judges, and what it may use for each step."""

    player: Player
    limits: Limits
    seed: int = 0

    def search(self, position: Position, limits: Limits) -> SearchResult:
        return self.player.search(position, self.seed, limits)

    def decision(self, before: Position, step: int) -> Judgement:
        """What an action lost."""
        raise NotImplementedError

    def luck(self, before: Position, step: int) -> Judgement:
        """What an outcome brought to player 1 beyond the average."""
        raise NotImplementedError


def judge_for(player: Player, game: Any, limits: Limits, seed: int = 0) -> Judge:
    """The judge that suits a player and a game."""
    if not opposed(game) or not isinstance(player, SearchingPlayer):
        return ByTable(player, limits, seed)
    missing = player.search_class().no_limits
    if "depth" not in missing and getattr(player, "width", None) is None:
        return ByDepth(player, limits, seed)
    return BySimulations(player, limits, seed) if "sims" not in missing else ByTable(player, limits, seed)


class ByTable(Judge):
    """By what one search says of each action."""

    def decision(self, before: Position, step: int) -> Judgement:
        found = self.search(before, self.limits)
        known = {row.number: row.interval for row in found.actions if row.interval is not None}
        if step in known:
            loss = loss_between(known, step)
            if loss.upper > loss.lower:  # a search ends at a proven best move, and may leave this one open
                known[step] = self.proven_after(before, step, known[step])
                loss = loss_between(known, step)
            names = found.action_number, found.value, tuple(found.line)
            return Judgement(loss.lower, None, found.bound, *names, loss, found.proven)
        rows = {row.number: row for row in found.actions}
        played, best = rows.get(step), rows.get(-1 if found.action_number is None else found.action_number)
        if found.value is None or played is None or played.value is None or best is None or best.value is None:
            return replace(UNKNOWN, best=found.action_number, value=found.value, line=tuple(found.line))
        if played.is_bound:
            return replace(UNKNOWN, best=found.action_number, value=found.value, line=tuple(found.line))
        errors = [2.0 * (most_error(row, before.game.utility_range) or 0.0) for row in (played, best)]
        error = None if played.visits is None and found.bound != EXACT else math.hypot(*errors)
        lost = max(0.0, best.value - played.value)
        return Judgement(lost, error, found.bound, found.action_number, found.value, tuple(found.line))

    def proven_after(self, before: Position, step: int, known: Interval) -> Interval:
        """The interval of an action for who decides, narrowed by a search of the position after it."""
        after = before.follow(step)
        if after.is_terminal:
            return known
        found = self.search(after, self.limits).interval or known
        least, most = found if max(after.turn, 0) == before.turn else (-found.upper, -found.lower)
        return Interval(max(known.lower, least), min(known.upper, most))

    def luck(self, before: Position, step: int) -> Judgement:
        return UNKNOWN


Compared = tuple[SearchResult, Estimate, float]  # of the position, of the one after the step, and the difference


class ByDepth(Judge):
    """By searches to the same depth, the deepest that the limits allow."""

    def decision(self, before: Position, step: int) -> Judgement:
        after, mover = before.follow(step), before.turn

        def at_depth(depth: int) -> Compared | None:
            found = self.to_depth(before, depth)
            worth = self.worth(after, mover, depth if after.is_chance else depth - 1)
            if found is None or found.value is None or worth is None:
                return None
            return found, worth, 0.0 if found.action_number == step else found.value - worth.value

        return self.deepest(at_depth, before, 1 if after.is_chance or after.is_terminal else 2)

    def luck(self, before: Position, step: int) -> Judgement:
        after = before.follow(step)

        def at_depth(depth: int) -> Compared | None:
            found, worth = self.to_depth(before, depth), self.worth(after, 0, depth - 1)
            if found is None or found.value is None or worth is None:
                return None
            return found, worth, worth.value - found.value

        return self.deepest(at_depth, before, 2)

    def to_depth(self, position: Position, depth: int) -> SearchResult | None:
        """A search to a depth; None where that takes far longer than it seemed."""
        time = None if self.limits.time is None else LONGEST * self.limits.time
        found = self.search(position, Limits(depth=depth, time=time))
        return found if found.complete or found.depth >= depth else None

    def worth(self, position: Position, seat: int, depth: int) -> Estimate | None:
        if position.is_terminal:
            return Estimate(float(position.utilities()[seat]), 0.0, EXACT)
        found = self.to_depth(position, depth) if depth > 0 else None
        if found is None or found.value is None:
            return None
        return Estimate(worth_to(seat, position, found), 0.0, found.bound)

    def deepest(self, at_depth: Callable[[int], Compared | None], before: Position, first: int) -> Judgement:
        """The judgement at the last depth that fits into the limits, with what it moved on the way there."""
        started, fewer = time.perf_counter(), 1
        low, high = before.game.utility_range
        last: list[tuple[float, float, float]] = []  # at each depth, the difference and the values it is of
        judged = UNKNOWN
        for depth in range(first, max(first, self.limits.depth or MAX_DEPTH) + 1):
            begun = time.perf_counter()
            compared = at_depth(depth)
            if compared is None:
                break
            found, worth, amount = compared
            assert found.value is not None
            names = found.action_number, found.value, tuple(found.line)
            amount = amount if before.is_chance else max(0.0, amount)
            if found.bound == EXACT and worth.kind == EXACT:
                return Judgement(amount, 0.0, EXACT, *names)
            moved = [
                max((abs(each[i] - now) for each in last[-2:]), default=high - low)
                for i, now in enumerate((amount, found.value, worth.value))
            ]
            last.append((amount, found.value, worth.value))
            error = MOVED * moved[0] + SWING * max(moved[1:]) + self.blind * (high - low)
            known = None if before.is_chance and len(last) == 1 else min(error, high - low)
            judged = Judgement(amount, known, depth_words(depth, False), *names)
            nodes = max(1, found.nodes)
            longer = (time.perf_counter() - begun) * max(DEEPER, nodes / fewer)
            if self.is_spent(time.perf_counter() - started + longer, nodes):
                break
            fewer = nodes
        return judged

    @property
    def blind(self) -> float:
        return BLIND[getattr(self.player, "evaluation", OWN) != OWN]

    def is_spent(self, seconds: float, nodes: int) -> bool:
        """Whether another depth, expected to end after these seconds, is too much."""
        over_time = self.limits.time is not None and seconds > self.limits.time
        return over_time or (self.limits.nodes is not None and nodes * DEEPER > self.limits.nodes)


class BySimulations(Judge):
    """By equally many simulations of the position after the played move and after its best rival."""

    def decision(self, before: Position, step: int) -> Judgement:
        found = self.search(before, self.part(2))
        if found.value is None or found.action_number is None:
            return UNKNOWN
        first = found.action_number
        others = [row for row in found.actions if row.value is not None and row.number != step]
        rival = max(others, key=lambda row: (row.number == first, row.visits or 0), default=None)
        limits = Limits(sims=max(FEWEST, (found.simulations or 0) // 3))
        mine = self.worth(before.follow(step), before.turn, limits)
        other = None if rival is None else self.worth(before.follow(rival.number), before.turn, limits)
        if mine is None or other is None or rival is None:
            return Judgement(None, None, NOT_KNOWN, first, found.value, tuple(found.line))
        lost = max(0.0, other.value - mine.value)
        best = rival.number if lost > 0.0 else step
        line = tuple(found.line) if best == first else (before.action_name(best),)
        value = max(mine.value, other.value)
        if mine.kind == other.kind == EXACT:
            return Judgement(lost, 0.0, EXACT, best, value, line)
        low, high = before.game.utility_range
        error = math.hypot(mine.error, other.error) + mine.drift + other.drift + BLIND_MEAN * (high - low)
        return Judgement(lost, min(error, high - low), found.bound, best, value, line)

    def luck(self, before: Position, step: int) -> Judgement:
        outcomes = before.outcomes()
        limits = self.part(len(outcomes))
        mean = drift = squares = 0.0
        came, left = Estimate(0.0, 0.0, NOT_KNOWN), 1.0
        for outcome in outcomes:
            worth = self.worth(before.follow(outcome.number), 0, limits)
            if worth is None:
                return UNKNOWN
            mean += outcome.probability * worth.value
            drift += outcome.probability * worth.drift
            squares += (outcome.probability * worth.error) ** 2
            if outcome.number == step:
                came, left = worth, 1.0 - outcome.probability
        low, high = before.game.utility_range
        error = (
            math.hypot(left * came.error, math.sqrt(squares)) + left * came.drift + drift + BLIND_MEAN * (high - low)
        )
        return Judgement(came.value - mean, min(error, high - low), ESTIMATE, None, mean)

    def part(self, of: int) -> Limits:
        """A part of the limits."""
        sims = self.limits.simulations
        time = None if self.limits.time is None else self.limits.time / of
        return Limits(time=time, sims=None if sims == MANY else max(FEWEST, sims // of))

    def worth(self, position: Position, seat: int, limits: Limits) -> Estimate | None:
        if position.is_terminal:
            return Estimate(float(position.utilities()[seat]), 0.0, EXACT)
        found = self.search(position, limits)
        if found.value is None:
            return None
        value, sims = worth_to(seat, position, found), found.simulations or 1
        early = self.search(position, Limits(sims=max(1, sims // EARLY)))
        moved = 0.0 if early.value is None else abs(value - worth_to(seat, position, early))
        visited = [row for row in found.actions if row.visits and row.value is not None]
        best = [row.visits or 0 for row in visited if row.number == found.action_number]
        visits = sum(row.visits or 0 for row in visited)
        mean = sum((row.visits or 0) * (row.value or 0.0) for row in visited) / max(1, visits)
        explored = abs(found.value - mean) if visited else 0.0  # what looking at worse moves too makes of a mean
        error = ERRORS * standard_error(value, best[0] if best else sims, position.game.utility_range)
        return Estimate(value, error, found.bound, DRIFT * moved + explored)


def standard_error(value: float, visits: int, utility_range: tuple[float, float]) -> float:
    """The largest that a mean can have (`analyst.most_error`), with four visits more so that it is never 0."""
    low, high = utility_range
    middle = (low + high) / 2.0
    centred = (visits * value + 4.0 * middle) / (visits + 4.0)
    return math.sqrt(max(0.0, (high - centred) * (centred - low)) / (visits + 4.0))
