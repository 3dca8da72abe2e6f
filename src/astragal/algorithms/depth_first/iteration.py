"""What one iteration found of the root's actions, or the mean of several, and how a result says it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from astragal.algorithms.depth_first.table import EXACT, LOWER, UPPER
from astragal.algorithms.result import AT_LEAST, AT_MOST, NOT_SEARCHED, ActionValue, depth_words
from astragal.algorithms.result import EXACT as EXACTLY
from astragal.rules.position import Position


@dataclass
class Iteration:
    """The root's actions in the order searched, for good; those that were not come last, without a bound."""

    depth: int  # 0: nothing was searched
    actions: list[int]
    values: list[float]  # the mover's
    bounds: list[int]  # of `astragal.algorithms.depth_first.table`
    sampled: bool
    complete: bool = False  # it met no horizon, and so covers the whole game
    searches: int = 1

    @cached_property
    def best(self) -> int:
        return max(range(len(self.actions)), key=lambda i: (self.bounds[i] != 0, self.values[i], -i))

    @cached_property
    def ranked(self) -> list[int]:
        """Places of the actions, best first; equal ones in the order searched."""
        best = self.best
        return sorted(range(len(self.actions)), key=lambda i: (i != best, not self.bounds[i], -self.values[i]))

    def best_actions(self, count: int) -> list[int]:
        """The best actions whose values are known, `count` at most."""
        return [self.actions[i] for i in self.ranked[:count] if self.bounds[i] == EXACT]

    @property
    def best_value(self) -> float | None:
        return self.values[self.best] if self.depth else None

    @property
    def exact_words(self) -> str:
        """What to call a value that is no bound."""
        return EXACTLY if self.complete else depth_words(self.depth, self.sampled, self.searches)

    def bound_words(self, place: int, exact: str) -> str:
        """The kind of value that an action has."""
        return {EXACT: exact, LOWER: AT_LEAST, UPPER: AT_MOST}.get(self.bounds[place], NOT_SEARCHED)

    def action_values(self, position: Position, exact: str) -> list[ActionValue]:
        """What is known of each action, best first; equal ones in the order searched."""
        return [
            ActionValue(
                self.actions[i],
                position.action_name(self.actions[i]),
                self.values[i] if self.bounds[i] else None,
                self.bound_words(i, exact),
            )
            for i in self.ranked
        ]
