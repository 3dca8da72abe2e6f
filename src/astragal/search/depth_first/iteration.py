"""What one iteration found of the root's actions, or the mean of several, and how a result says it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from astragal.game.position import Position
from astragal.search.depth_first.table import EXACT, LOWER, UPPER
from astragal.search.result import AT_LEAST, AT_MOST, NOT_SEARCHED, ActionValue, depth_words
from astragal.search.result import EXACT as EXACTLY


@dataclass
class Iteration:
    """The root's actions in the order searched, for good; those that were not come last, without a bound."""

    depth: int  # 0: nothing was searched
    actions: list[int]
    values: list[float]  # the mover's
    bounds: list[int]  # of `astragal.search.depth_first.table`
    sampled: bool
    complete: bool = False  # it met no horizon, and so knows the whole game
    searches: int = 1

    @cached_property
    def best(self) -> int:
        return max(range(len(self.actions)), key=lambda i: (self.bounds[i] != 0, self.values[i], -i))

    @property
    def best_value(self) -> float | None:
        return self.values[self.best] if self.depth else None

    @property
    def best_bound(self) -> str:
        return self.words(self.bounds[self.best])

    def action_values(self, position: Position) -> list[ActionValue]:
        """What is known of each action, best first; equal ones in the order searched."""
        best = self.best
        order = sorted(range(len(self.actions)), key=lambda i: (i != best, not self.bounds[i], -self.values[i]))
        return [
            ActionValue(
                self.actions[i],
                position.action_name(self.actions[i]),
                self.values[i] if self.bounds[i] else None,
                self.words(self.bounds[i]),
            )
            for i in order
        ]

    def words(self, bound: int) -> str:
        """What kind of value there is of an action."""
        if bound == EXACT:
            return EXACTLY if self.complete else depth_words(self.depth, self.sampled, self.searches)
        return {LOWER: AT_LEAST, UPPER: AT_MOST}.get(bound, NOT_SEARCHED)
