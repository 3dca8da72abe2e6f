"""A game with another evaluation: a class derived from the game's own, whose heuristic is a network's value.

Everything that asks a heuristic runs on it unchanged, and the network is compiled in like a game's own evaluation. The
weights stay data behind an address, so that kernels serve every model of the same size, and learning changes them in
place. What a game says of its own evaluation, bounds on it and its values after an action, is left out.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import scratch
from astragal.games import game_spec
from astragal.learn.dense import dense_network
from astragal.learn.from_fields import FieldFeatures
from astragal.learn.network import network
from astragal.rules import defaults
from astragal.rules.decorator import defines, game
from astragal.rules.inputs import list_spread
from astragal.rules.pickling import NOT_KEPT

if TYPE_CHECKING:

    class Rest:
        """What the game and its network have."""

        add_up: Any
        features: Any
        inputs: Any
        most_inputs: Any
        mover: Any
        own_heuristic: Any
        row_size: Any
        utility_range: Any
        value_of_sums: Any
        views: Any
        with_own: Any
else:
    Rest = object

BY_MOVER, BY_FIRST, BY_EACH = range(3)  # whose view is evaluated
OWN_GRID = 65  # inputs of the game's own evaluation, where it is one; those after all others
FINE = 1 << 20  # steps to which it is rounded before it is laid on that grid


class LearnedEvaluation(Rest):
    """The evaluation, in terms of a network and of inputs."""

    def heuristic(self, state, player):
        """The network's value: of two who play for what the other loses, one view says both."""
        if self.views == BY_MOVER:
            mover = self.mover(state)
            value = self.estimate(state, mover)
            return value if mover == player else -value
        if self.views == BY_FIRST:
            value = self.estimate(state, 0)
            return value if player == 0 else -value
        return self.estimate(state, player)

    def estimate(self, state, player):
        """What a state is worth to a player as the player sees it, in utility."""
        listed = scratch(np.uint32, self.most_inputs)
        sums = scratch(np.float32, self.row_size)
        self.add_up(listed, self.inputs_on(state, player, listed), sums)
        return self.middle + self.reach * self.value_of_sums(sums)

    def inputs_on(self, state, player, listed):
        """Write the inputs that are on: those of the game and, where it is one, its own evaluation; how many."""
        count = self.features(state, player, listed)
        if not self.with_own:
            return count
        share = 0.5 + 0.5 * (self.own_heuristic(state, player) - self.middle) / self.reach
        return list_spread(np.int64(share * FINE), FINE, OWN_GRID, self.inputs - OWN_GRID, listed, count)

    @property
    def middle(self):
        return 0.5 * (self.utility_range[0] + self.utility_range[1])

    @property
    def reach(self):
        return 0.5 * (self.utility_range[1] - self.utility_range[0])

    # What was true of the game's own evaluation only

    probcut = None
    ignores_outcomes = False
    heuristic_after = defaults.heuristic_after
    best_after = defaults.best_after
    heuristic_dealt = defaults.heuristic_dealt
    ceiling = defaults.ceiling

    # What it says of itself: it is the same game

    def own_title(self):
        return self.__dict__["original"].own_title()

    def own_spec(self):
        return game_spec(self.__dict__["original"])

    def own_identity(self):
        return self.__dict__["original"].own_identity()

    def __reduce__(self):
        return with_model, (self.__dict__["original"], self.__dict__["model"])


def views_of(rules: Any) -> int:
    """Whose view a game is evaluated from."""
    if rules.players == 2 and rules.zero_sum:
        return BY_MOVER if has_features(rules) and defines_mover(rules) else BY_FIRST
    return BY_EACH


def views_apart(rules: Any) -> int:
    """How many views have inputs of their own, where they are made of the state's fields."""
    return rules.players if views_of(rules) == BY_EACH else 1


def has_features(rules: Any) -> bool:
    """Whether a game lists inputs itself."""
    return bool(rules.own_inputs()[0] > 0)


def defines_mover(rules):
    return hasattr(type(rules), "mover") and defines(type(rules), "mover")


@cache
def learned_class(base, hidden, edges, layers, most, views, by_fields, with_own):
    """The class of a game with a network of this size for an evaluation."""
    methods = dense_network(layers) if layers else network(hidden, edges)
    parents = (LearnedEvaluation, *((FieldFeatures,) if by_fields else ()), methods, base)
    declared = {
        "__module__": base.__module__,
        "__qualname__": f"{base.__qualname__}Learned{hidden}",
        "__doc__": base.__doc__,
        "__annotations__": {"inputs": int, "weights": int, "fields": int},
        "inputs": dataclasses.field(default=0, init=False),
        "weights": dataclasses.field(default=0, init=False),
        "fields": dataclasses.field(default=0, init=False),  # the address of the table of `FieldFeatures`
        "views": views,
        "most_inputs": most,
        "with_own": with_own,
        "own_heuristic": base.heuristic,
        "state": base.state,
    }
    return game(type(f"{base.__name__}Learned{hidden}", parents, declared))


def with_model(rules: Any, model: Any) -> Any:
    """The game, evaluated by a model."""
    by_fields = model.table is not None
    base: Any = type(rules)
    size = model.hidden, model.edges, model.layers, model.most
    cls = learned_class(base, *size, views_of(rules), by_fields, model.own)
    made = object.__new__(cls)
    kept = {name: value for name, value in vars(rules).items() if name not in NOT_KEPT}
    made.__dict__.update(kept, original=rules, model=model, inputs=model.inputs, weights=model.weights.ctypes.data)
    made.__dict__["fields"] = 0 if model.table is None else model.table.ctypes.data
    return made
