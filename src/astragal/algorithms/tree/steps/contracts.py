"""What each step of a tree search does (`compose`): the contracts of the classes beside this.

All are constants of the kernels: branches on their attributes vanish, and calls of their methods are direct. What
kernels hand them are records and numbers: a tree and its nodes (`astragal.algorithms.tree.nodes`), the work record, and
the state of the random generator, which each function that draws hands back.
"""

from __future__ import annotations

from typing import Any, Protocol

from astragal.rules.protocol import Game


class SelectStep(Protocol):
    """Which child of a decision a simulation goes to: what is added to upper confidence bounds."""

    @property
    def uses_history(self) -> bool:
        """Whether it needs the results of each action wherever it was played."""

    @property
    def sorts_untried(self) -> bool:
        """Whether what it adds decides among children without a visit, which come first in any case."""

    def bias(self, tree: Any, mover: int, action: int, visits: int, mean: float, work: Any) -> float:
        """What is added to the bound of a child, in utilities."""


class WidenStep(Protocol):
    """How many of a node's actions and outcomes a simulation may choose from."""

    @property
    def needs_chances(self) -> bool:
        """Whether it asks for the probabilities of outcomes that are in the tree."""

    def actions(self, node: Any, seen: int, work: Any) -> int:
        """How many of a decision's actions, the first ones, may be chosen after this many visits."""

    def may_add(self, node: Any, seen: int, work: Any) -> bool:
        """Whether a chance node takes up an outcome that it does not have yet."""

    def redraw(self, game: Game, steps: Any, state: Any, tree: Any, node: Any, generator: int) -> tuple[int, int]:
        """Where it does not: one of those it has, and the generator."""


class RolloutPolicy(Protocol):
    """What is played in a random game."""

    @property
    def is_uniform(self) -> bool:
        """Whether all actions are equally likely, so that the game may play by itself (`rollout`)."""

    def choose(self, game: Game, state: Any, turn: Any, word: int, work: Any) -> int:
        """An action of the player to move, by 64 random bits."""


class EvaluateStep(Protocol):
    """What a leaf is worth to each player."""

    def leaf(self, game: Game, steps: Any, state: Any, turn: int, tree: Any, generator: int, work: Any) -> int:
        """Leave what a state is worth in the rewards of the work record; the generator. The state may be changed."""


class BackupStep(Protocol):
    """What the nodes on a simulation's path learn from its rewards."""

    @property
    def needs_chances(self) -> bool:
        """Whether it asks for the probabilities of outcomes that are in the tree."""

    @property
    def sums(self) -> bool:
        """Whether a node adds rewards up, or holds its value."""

    @property
    def floor(self) -> float:
        """What rewards are counted above when they are added up."""

    @property
    def keeps_all(self) -> bool:
        """Whether a node keeps every player's value, not its owner's alone."""

    def mean(self, node: Any, share: float) -> float:
        """What a node is worth to its owner; share is one by its visits."""

    def update(self, game: Game, steps: Any, tree: Any, work: Any) -> None:
        """Update all nodes on the path, the leaf first."""


class ProveStep(Protocol):
    """What is known for certain of nodes."""

    @property
    def active(self) -> bool:
        """Whether anything is ever proven; if not, only `correct` is called."""

    @property
    def needs_chances(self) -> bool:
        """Whether it asks for the probabilities of outcomes that are in the tree."""

    def settled(self, tree: Any, index: int, work: Any) -> bool:
        """Whether all is known of a node."""

    def settled_rewards(self, game: Game, tree: Any, index: int, work: Any) -> None:
        """Leave what such a node is worth in the rewards of the work record."""

    def inferior(self, tree: Any, parent: int, index: int, mover: int, work: Any) -> bool:
        """Whether a child is known to be no better for the mover than what is sure without it."""

    def correct(self, game: Game, tree: Any, index: int, work: Any) -> None:
        """Bring the rewards that are passed up through a node in line with what is proven of it."""

    def corrected(self, tree: Any, index: int, owner: int, value: float) -> float:
        """A value for a node's owner, in line with what is proven of the node."""

    def update(self, game: Game, tree: Any, turn: int, work: Any) -> None:
        """Prove what follows from the leaf that a simulation came to, up its path."""


class RoundsStep(Protocol):
    """How players select who choose at once."""

    @property
    def decoupled(self) -> bool:
        """Whether `select` is called at all."""

    def hidden(self, game: Game, state: Any) -> int:
        """How many decisions just before are hidden from the player to move."""

    def select(
        self,
        game: Game,
        steps: Any,
        tree: Any,
        at: int,
        above: int,
        hidden: int,
        mover: int,
        generator: int,
        work: Any,
    ) -> tuple[int, int]:
        """The child of a node to go to, whatever was hidden since a node above it; and the generator."""
