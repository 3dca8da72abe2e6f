"""Ra: what the end of an epoch brings, and of the game. The rules in words are at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count
from astragal.games.ra.tiles import (
    CIVILISATION_BYTES,
    FLOOD,
    GOD,
    GOLD,
    NILE,
    ONE,
    PHARAOH,
    SUN_SUM,
    at_least,
    count_of,
    sets_in,
)

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        by_margin: Any
        floor: Any
        sun_breaks_ties: Any
else:
    Rest = object

EPOCHS = 3
KINDS_POINTS = np.array([-5, 0, 0, 5, 10, 15], np.int8)  # [different civilisations]
MONUMENT_POINTS = np.array([0, 1, 2, 3, 4, 5, 6, 10, 15], np.int8)  # [different monuments]


class RaScoring(Rest):
    """Fame, and what it is worth at the end."""

    def fame_after(self, state, player):
        """A player's fame if the epoch ended now."""
        fame = state.fame[player] + self.epoch_points(state, player)
        if state.epoch == EPOCHS:
            fame += self.monument_points(state, player) + self.sun_points(state, player)
        return max(fame, 0) if self.floor else fame

    def epoch_points(self, state, player):
        """What the end of any epoch brings."""
        first, last = state.tiles[player, 0], state.tiles[player, 2]
        floods = count_of(first, FLOOD)
        points = 2 * count_of(first, GOD) + 3 * count_of(first, GOLD)
        points += floods + count_of(last, NILE) if floods > 0 else 0
        points += KINDS_POINTS[bit_count(at_least(first & CIVILISATION_BYTES, ONE))]
        lead = count_of(last, PHARAOH) - count_of(state.tiles[1 - player, 2], PHARAOH)
        return points + (5 if lead > 0 else -2 if lead < 0 else 0)

    def monument_points(self, state, player):
        counts = state.tiles[player, 1]
        return MONUMENT_POINTS[bit_count(at_least(counts, ONE))] + 5 * sets_in(counts)

    def sun_points(self, state, player):
        lead = self.sun_lead(state, player)
        return 5 if lead > 0 else -5 if lead < 0 else 0

    def sun_lead(self, state, player):
        """By how much the sum of a player's suns, face up and face down, is higher."""
        mine = state.up[player] | state.down[player]
        theirs = state.up[1 - player] | state.down[1 - player]
        return np.int64(SUN_SUM[mine]) - np.int64(SUN_SUM[theirs])

    def utility(self, state, player):
        ahead = np.int64(state.fame[player]) - state.fame[1 - player]
        if self.by_margin:
            return float(max(-100, min(100, ahead)))
        if ahead == 0 and self.sun_breaks_ties:
            ahead = 1 if state.caller == player else -1
        return 100.0 if ahead > 0 else -100.0 if ahead < 0 else 0.0
