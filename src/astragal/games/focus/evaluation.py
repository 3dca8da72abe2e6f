"""Focus: how good a position is for a player."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.games.focus.inputs import inputs_of, list_inputs, most_of

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        by_captures: Any
        captures_needed: Any
        is_out: Any
        men: Any
        players: Any
else:
    Rest = object


class FocusEvaluation(Rest):
    """The evaluation; what rollouts prefer is in `astragal.games.focus.order`."""

    def heuristic(self, state, player):
        """By how much a player stands better than the best of the others."""
        best = -1e9
        for other in range(self.players):
            if other != player:
                best = max(best, self.standing(state, other))
        return min(99.0, max(-99.0, self.standing(state, player) - best))

    # For learned evaluations

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return inputs_of(self.players), most_of(self.players, self.men)

    def features(self, state, player, out):
        return list_inputs(self, state, player, out)

    def standing(self, state, player):
        """Up to 85 for captures and up to 15 for the share of all men that one's own stacks and reserve have.

        With the long rules the share is all; a player who is out has nothing.
        """
        if self.is_out(state, player):
            return 0.0
        men = 0
        for other in range(self.players):
            men += self.men_held(state, other)
        share = self.men_held(state, player) / men
        if not self.by_captures:
            return 100.0 * share
        return 85.0 * (6 - self.captures_needed(state.captured[player], player)) / 6 + 15.0 * share

    def men_held(self, state, player):
        return (np.int64(state.held) >> 8 * player & 255) + state.reserve[player]
