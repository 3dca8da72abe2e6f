"""The Rule of 28 of Can't Stop, by Michael Keller, as one of the rules that go by points.

What was climbed in a turn is worth points: each space counts the weight of its column, the first one twice. Once the
three runners are placed, an adjustment is added that says how hard it is to go on: for columns that are all odd, all
even, all low (up to the middle one) or all high. The rule is to roll again while a runner waits for a column or the
points are below the threshold, and to stop where that wins.

Of what a roll allows, the choice is taken that leaves the most points by weights of its own, less the adjustment, less
a toll for each runner placed. Of equal ones the lowest columns are taken, which no source says but which matters.

The Rule of 28: http://www.solitairelaboratory.com/cantstop.html. Weights are given from the middle column outwards, so
that they are defined on small boards too. Players follow such rules (`astragal.games.cant_stop.players`), the game
lists its actions and rollouts choose by one (`astragal.games.cant_stop.evaluation`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.base.parameters import Constant
from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
from astragal.games.cant_stop.rules import ROLL, RUNNERS, STOP, TO_DECIDE, nth_choice
from astragal.games.cant_stop.tables import COLUMNS, FIRST, SECOND, spaces
from astragal.rules.decorator import compiled

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

    def points(self, game, state):
        """What was climbed in this turn: a space counts the weight of its column, the first one twice."""
        total, left = 0, np.int64(state.placed)
        while left != 0:
            column = lowest_bit(left)
            weight = np.int64(self.progress_points[game.outwards[column]])
            total += weight * (spaces(state.climbed, column) + 1)
            left &= left - 1
        return total

    def adjustment(self, game, placed):
        """How hard it is to go on with runners in these columns."""
        if bit_count(placed) < RUNNERS:
            return 0
        lower = (1 << game.sides) - 1
        upper = lower << game.sides - 1
        total = self.odd if placed & EVEN == 0 else self.even if placed & ODD == 0 else 0
        total += self.low if placed & ~lower == 0 else 0
        total += self.high if placed & ~upper == 0 else 0
        return total

    def goes_on(self, game, state):
        """Whether to roll again: not where stopping wins, else while a runner waits or the points are not enough."""
        if game.wins_by_stopping(state):
            return False
        points = self.points(game, state) + self.adjustment(game, np.int64(state.placed))
        return game.runner_waits(state) or points < self.threshold

    def gain(self, game, state, action):
        """What a choice adds to the points, by the weights of choices."""
        weight, placed = self.choice_points, np.int64(state.placed)
        x, y = np.int64(FIRST[action]), np.int64(SECOND[action])
        total = np.int64(weight[game.outwards[x]]) * (2 - (placed >> x & 1))
        if action & 15:
            total += np.int64(weight[game.outwards[y]]) * (1 if x == y else 2 - (placed >> y & 1))
        return total

    def score(self, game, state, action):
        """What a choice is worth next to the others."""
        placed = np.int64(state.placed) | COLUMNS[action]
        toll = self.adjustment(game, placed) + self.marker * bit_count(placed)
        return self.gain(game, state, action) - toll

    def action(self, game, state):
        if state.roll == TO_DECIDE:
            return ROLL if self.goes_on(game, state) else STOP
        found, count = game.choices(state)
        best = nth_choice(found, 0)
        most = self.score(game, state, best)
        for i in range(1, count):
            action = nth_choice(found, i)
            score = self.score(game, state, action)
            if score > most or (score == most and action < best):
                best, most = action, score
        return best


RULE_OF_28 = PointsRule((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), odd=2, even=-2, high=4, low=4, marker=6, threshold=28)

# Weights tuned for few turns: J. Glenn and C. Aloi, A Generalized Heuristic for Can't Stop, FLAIRS 2009.
GLENN = PointsRule((1, 2, 2, 3, 7, 7), (3, 4, 0, 2, 0, 7), odd=7, even=1, high=6, low=5, marker=6, threshold=29)
