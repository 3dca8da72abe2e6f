"""Chinese Checkers: how far along a player is, and which moves are listed first and preferred by rollouts."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import scratch
from astragal.games.chinese_checkers.inputs import inputs_of, list_inputs, most_of
from astragal.games.chinese_checkers.rules import PASS
from astragal.rules.order import ACTION_BITS, any_best

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        each: Any
        farthest: Any
        look: Any
        max_actions: Any
        nearest: Any
        players: Any
        tip_distance: Any
        write_hops: Any
        write_steps: Any
else:
    Rest = object

LONGEST = 16  # steps from a tip to the opposite one


class ChineseCheckersEvaluation(Rest):
    """The evaluation, and the steps gained by which actions are listed and rollouts prefer them."""

    # Evaluation

    def heuristic(self, state, player):
        """How much farther on the way a player is than the best of the others, the whole way being worth 100."""
        distance = np.int64(state.distance[player])
        least: Any = 1000
        for other in range(self.players):
            if other != player:
                least = min(least, np.int64(state.distance[other]))
        return min(99.0, max(-99.0, 100.0 * (least - distance) / (self.farthest - self.nearest)))

    # For learned evaluations

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return inputs_of(self.players), most_of(self.players, self.each)

    def features(self, state, player, out):
        return list_inputs(self, state, player, out)

    # Order of actions, and rollout preference

    def key(self, me, here, to):
        """An action below the steps it gains, from the least there can be."""
        gained = LONGEST + np.int64(self.tip_distance[me, here]) - self.tip_distance[me, to]
        return gained << ACTION_BITS | here << 8 | to

    def prefer(self, state, word):
        """One of the farthest moves; where hops gain two steps or more, steps need not be looked at."""
        keys = scratch(np.uint32, self.max_actions)
        me, taken, free = np.int64(state.turn), scratch(np.int64, 4), scratch(np.int64, 4)
        self.look(state, taken, free)
        count = self.write_hops(state, me, taken, free, keys)
        best: Any = 0
        for i in range(count):
            best = max(best, np.int64(keys[i]))
        if best < LONGEST + 2 << ACTION_BITS:
            count = self.write_steps(state, me, free, keys, count)
            if count == 0:
                return PASS
        return any_best(keys, count, word)
