"""Ra: how good a position is, and what rollouts prefer to do in it.

What the evaluation counts was fitted by least squares to games that a search with an earlier evaluation played.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
from astragal.games.ra.rules import BID, DISCARD, DISCARDS, DRAW, GODS, INVOKE, LAST_RA, PASS, STOP, TURN
from astragal.games.ra.tiles import (
    CIVILISATION_BYTES,
    DISASTER_BYTES,
    FLOOD,
    GOD,
    GOLD,
    NILE,
    ONE,
    PHARAOH,
    SUN_COUNT,
    SUN_SUM,
    TWO,
    at_least,
    count_of,
    sets_in,
    sum_of,
)

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        biddable: Any
        by_margin: Any
        losable: Any
        may_pass: Any
        on_track: Any
        sun_lead: Any
else:
    Rest = object

NILE_WORTH = np.array([0.0, 1.0, 0.85, 0.45])  # [epoch]
PHARAOH_LEAD = np.array([0.0, 12.0, 9.5, 7.2])
PHARAOH_WORTH = np.array([0.0, 1.3, 0.9, 0.0])
SUN_LEAD = np.array([0.0, 0.0, 0.5, 3.6])
KINDS_WORTH = np.array([0.0, 3.1, 4.6, 8.6, 13.3, 17.0])  # [different civilisations]
MONUMENTS_WORTH = np.array([0.0, 1.4, 2.8, 4.2, 5.8, 7.4, 9.0, 12.5, 17.0])  # [different monuments]

# [tiles on the auction track] -> how often rollouts by order invoke, of 2^32 times
INVOKES = np.array([0.0, 0.0, 0.01, 0.03, 0.07, 0.15, 0.25, 0.4, 1.0]) * 2.0**32


class RaEvaluation(Rest):
    """The evaluation, and what rollouts prefer."""

    # Evaluation

    def heuristic(self, state, player):
        """The fame ahead that can be expected, and, where only winning counts, how likely that makes it."""
        ahead = self.prospects(state, player) - self.prospects(state, 1 - player) + self.leads(state, player)
        if self.by_margin:
            return max(-100.0, min(100.0, ahead))
        return 100.0 * math.tanh(ahead / 30.0)

    def prospects(self, state, player):
        """What a player's own fame, tiles and face-up suns promise. A sun is worth more if few Ra tiles are drawn."""
        first, monuments = state.tiles[player, 0], state.tiles[player, 1]
        floods, nile = count_of(first, FLOOD), count_of(state.tiles[player, 2], NILE)
        worth = state.fame[player] + 3.0 * (count_of(first, GOD) + count_of(first, GOLD)) + floods
        worth += nile * (NILE_WORTH[state.epoch] + (0.65 if floods > 0 else 0.0))
        worth += KINDS_WORTH[bit_count(at_least(first & CIVILISATION_BYTES, ONE))]
        worth += MONUMENTS_WORTH[bit_count(at_least(monuments, ONE))] + 1.2 * bit_count(at_least(monuments, TWO))
        worth += 4.5 * sets_in(monuments)
        up, to_come = state.up[player], LAST_RA - np.int64(state.ra)
        if up == 0:
            return worth - 1.7 * to_come
        return worth + SUN_COUNT[up] * (3.7 + to_come) - 0.25 * SUN_SUM[up]

    def leads(self, state, player):
        """What more pharaohs and higher suns than the opponent's promise, and to be the one who may draw or invoke."""
        pharaohs = count_of(state.tiles[player, 2], PHARAOH) - count_of(state.tiles[1 - player, 2], PHARAOH)
        suns = self.sun_lead(state, player)
        worth = PHARAOH_LEAD[state.epoch] * math.tanh(0.5 * pharaohs) + PHARAOH_WORTH[state.epoch] * pharaohs
        worth += SUN_LEAD[state.epoch] * math.tanh(suns / 3.0) + 0.6 * suns
        if state.phase == TURN:
            wanted = self.on_track(state) - 2 * sum_of(state.track[2] & DISASTER_BYTES)
            worth += (0.4 * wanted - 0.6) * (1.0 if state.caller == player else -1.0)
        return worth

    # Rollout preference

    def prefer(self, state, word):
        """To draw, or with a longer track more and more often to invoke; to bid low for what seems worth it."""
        if state.phase == TURN:
            return INVOKE if word < INVOKES[self.on_track(state)] else DRAW
        if state.phase == DISCARDS:
            doubles = self.losable(state, TWO)
            return DISCARD + lowest_bit(doubles if doubles != 0 else self.losable(state, ONE))
        if state.phase == GODS:
            return STOP
        wanted = self.on_track(state) - 3 * sum_of(state.track[2] & DISASTER_BYTES)
        if 6 * word > wanted * 2**32 and self.may_pass(state):  # for six good tiles one always bids
            return PASS
        return BID + lowest_bit(self.biddable(state))
