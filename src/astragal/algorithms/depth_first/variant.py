"""What a search that goes depth first says of itself to what all of them share: `root` and `deepening`.

A variant is a compiled class (`astragal.rules.decorator.compiled`) whose instances are compiled into the kernels:
branches on its constants vanish, and calls of its methods are direct.
"""

from __future__ import annotations

from typing import Any, Protocol

from astragal.algorithms.depth_first.work import Silent


class Variant(Protocol):
    """One search, as its kernels see it."""

    @property
    def sampled(self) -> bool:
        """Whether it sees only a part of the outcomes, so that it can be repeated, and never covers the whole game."""

    @property
    def prune(self) -> bool:
        """Whether windows cut anything, so that what is no better than the best is only a bound."""

    @property
    def scouts(self) -> bool:
        """Whether an action that is expected to be no better is first searched with a window without room."""

    @property
    def lasting(self) -> bool:
        """Whether iterations find values that are true of each other: it neither samples nor prunes forward."""

    @property
    def shares(self) -> bool:
        """Whether values are in its table, where threads find those of each other."""

    @property
    def recorder(self) -> Silent:
        """The recorder, which is called at each node."""

    def viewer(self, work: Any) -> int:
        """The player whose values are searched."""

    def minimises(self, turn: int, work: Any) -> bool:
        """Whether the player to move wants those values to be small."""

    def value(self, game: Any, state: Any, turn: int, depth: int, alpha: float, beta: float, work: Any) -> float:
        """The node routine: a state that is not terminal, with depth > 0 units left."""

    def step(self, work: Any, path: int, state: Any, action: int) -> None:
        """An action is about to be searched, after a path to its decision: what samples are keyed by."""
