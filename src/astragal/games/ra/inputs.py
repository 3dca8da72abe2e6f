"""Ra's inputs of a learned evaluation, as one player sees the table.

Tiles of both players and of the track by kind, suns one by one, the fame ahead, how far the epoch is, and whose turn.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.inputs import QUARTERS, list_spread
from astragal.games.ra.tiles import RA, SUN_COUNT, count_of

LAYERS = 6  # tiles of a kind that are told apart
SUNS = 10
FAME, FAME_GRID = 60, 41  # the most that is ahead, and its inputs
HELD = RA * LAYERS  # inputs of one player's tiles, or of the track's
SUN_BASE = 3 * HELD
FAME_BASE = SUN_BASE + 5 * SUNS + 2 * 7 * 6
STAGE = FAME_BASE + FAME_GRID
INPUTS = STAGE + 3 * 7 + 5 * 3 + 10
MOST_ON = 3 * RA + 4 * 5 + 3 + QUARTERS + 4


def list_inputs(state, player, out):
    """Write the inputs that are on; how many."""
    count = 0
    for kind in range(RA):
        word = kind >> 3
        for side in range(3):
            if side == 2:
                tiles = count_of(state.track[word], kind)
            else:
                tiles = count_of(state.tiles[player if side == 0 else 1 - player, word], kind)
            if tiles > 0:
                out[count] = side * HELD + kind * LAYERS + min(tiles, LAYERS) - 1
                count += 1
    for side in range(2):
        owner = player if side == 0 else 1 - player
        up, down = np.int64(state.up[owner]), np.int64(state.down[owner])
        for sun in range(SUNS):
            if up >> sun & 1:
                out[count] = SUN_BASE + 2 * side * SUNS + sun
                count += 1
            if down >> sun & 1:
                out[count] = SUN_BASE + (2 * side + 1) * SUNS + sun
                count += 1
        suns = min(np.int64(SUN_COUNT[up & 1023]), 5)
        out[count] = SUN_BASE + 5 * SUNS + (side * 7 + min(np.int64(state.ra), 6)) * 6 + suns
        count += 1
    out[count] = SUN_BASE + 4 * SUNS + state.board
    count += 1
    ahead = np.int64(state.fame[player]) - state.fame[1 - player]
    count = list_spread(ahead + FAME, 2 * FAME, FAME_GRID, FAME_BASE, out, count)
    out[count] = STAGE + min(np.int64(state.epoch) - 1, 2) * 7 + min(np.int64(state.ra), 6)
    whose = 2 if state.mover < 0 else 0 if state.mover == player else 1
    out[count + 1] = STAGE + 21 + np.int64(state.phase) * 3 + whose
    out[count + 2] = STAGE + 36 + np.int64(state.bid)
    return count + 3
