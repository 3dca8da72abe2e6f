"""Players of Can't Stop that go by points: Michael Keller's Rule of 28, and its weights tuned by Glenn and Aloi.

What was climbed in a turn is worth points: each space counts the weight of its column, the first one twice. Once the
three runners are placed, an adjustment is added that says how hard it is to go on: for columns that are all odd, all
even, all low (up to the middle one) or all high. The rule is to roll again while a runner waits for a column or the
points are below the threshold, and to stop where that wins.

Of what a roll allows, the choice is taken that leaves the most points by weights of its own, less the adjustment, less
a toll for each runner placed. Of equal ones the lowest columns are taken, which no source says but which matters.

The Rule of 28: http://www.solitairelaboratory.com/cantstop.html; tuned weights: J. Glenn and C. Aloi, A Generalized
Heuristic for Can't Stop, FLAIRS 2009. Weights are given from the middle column outwards, so that they are defined on
small boards too.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from astragal.game.bits import bit_count
from astragal.game.decorator import compiled
from astragal.game.interpreted import interpreted
from astragal.games.cant_stop import COLUMNS, ROLL, RUNNERS, STOP, TO_DECIDE
from astragal.parameters import Constant, parameter
from astragal.players.player import Player, player, require_decision
from astragal.search.request import SearchRequest
from astragal.search.result import SearchResult

ODD, EVEN = 0b01010101010, 0b10101010101  # columns by the parity of their sums


@compiled
@dataclass(frozen=True)
class PointsRule:
    """How to play by points; kernels can call it too."""

    progress: tuple[int, ...]
    choice: tuple[int, ...]
    odd: Constant[int]
    even: Constant[int]
    high: Constant[int]
    low: Constant[int]
    marker: Constant[int]
    threshold: int

    @property
    def progress_points(self):
        """[distance from the middle column] -> points for a space."""
        return np.array(self.progress, np.int64)

    @property
    def choice_points(self):
        """The same where a choice is made."""
        return np.array(self.choice, np.int64)

    def adjustment(self, game, placed):
        if bit_count(placed) < RUNNERS:
            return 0
        lower = (1 << game.sides) - 1
        upper = lower << game.sides - 1
        total = self.odd if placed & EVEN == 0 else self.even if placed & ODD == 0 else 0
        total += self.low if placed & ~lower == 0 else 0
        total += self.high if placed & ~upper == 0 else 0
        return total

    def goes_on(self, game, state):
        if game.wins_by_stopping(state):
            return False
        points = game.points(state, self.progress_points) + self.adjustment(game, np.int64(state.placed))
        return game.runner_waits(state) or points < self.threshold

    def score(self, game, state, action):
        """What a choice is worth next to the others."""
        placed = np.int64(state.placed) | COLUMNS[action]
        toll = self.adjustment(game, placed) + self.marker * bit_count(placed)
        return game.gain(state, action, self.choice_points) - toll

    def action(self, game, state):
        if state.roll == TO_DECIDE:
            return ROLL if self.goes_on(game, state) else STOP
        found, count = game.choices(state)
        best, most = found & 255, self.score(game, state, found & 255)
        for i in range(1, count):
            action = found >> 8 * i & 255
            score = self.score(game, state, action)
            if score > most or (score == most and action < best):
                best, most = action, score
        return best


RULE_OF_28 = PointsRule((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), odd=2, even=-2, high=4, low=4, marker=6, threshold=28)
GLENN = PointsRule((1, 2, 2, 3, 7, 7), (3, 4, 0, 2, 0, 7), odd=7, even=1, high=6, low=5, marker=6, threshold=29)


@dataclass(frozen=True)
class PointsPlayer(Player):
    """A player that follows a points rule."""

    only_for: ClassVar[tuple[str, ...]] = ("cant_stop",)

    @property
    def rule(self) -> PointsRule:
        raise NotImplementedError

    def answer(self, request: SearchRequest) -> SearchResult:
        position = request.position
        require_decision(position, self.player_name)
        self.refuse_unfit(position.game)
        rules: Any = position.game._twin_
        return request.answer(int(interpreted(self.rule).action(rules, position.state)))


@player("rule28", 4)
class Rule28(PointsPlayer):
    """Can't Stop: the Rule of 28, which stops at 28 points for what was climbed in the turn."""

    threshold: int = parameter(28, "points at which to stop", low=1, high=1000)

    @property
    def rule(self) -> PointsRule:
        return replace(RULE_OF_28, threshold=self.threshold)


@player("glenn", 4)
class Glenn(PointsPlayer):
    """Can't Stop: the Rule of 28 with weights tuned for few turns (Glenn & Aloi 2009)."""

    @property
    def rule(self) -> PointsRule:
        return GLENN
