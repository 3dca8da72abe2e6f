"""Chinese Checkers' inputs of a learned evaluation: the board turned so that a player begins at the top.

Of each player, counted round from the one who looks: the cells of the men, and how far all of them have to go.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import lowest_bit
from astragal.games.chinese_checkers.board import CORNERS, spot_of, star
from astragal.rules.inputs import QUARTERS, list_spread

GRID = 32  # inputs for a distance
CELLS = 121
SEAT = CELLS + GRID


def turned(m, corner):
    """[spot] -> the number of the cell where it comes to lie if a corner is turned to the top."""
    table = np.zeros(256, np.uint8)
    cells = star(m)
    for x, y in cells:
        a, b, c = x, y, -x - y
        for _ in range(corner):
            a, b, c = -b, -c, -a
        table[spot_of(x, y)] = cells.index((a, b))
    return table


TURNED = np.array([[turned(m, corner) for corner in range(6)] for m in (3, 4)])  # [side - 3, corner, spot] -> cell
CORNER = np.zeros((7, 6), np.int64)  # [players, player] -> where he begins
for players, corners in CORNERS.items():
    CORNER[players, : len(corners)] = corners


def inputs_of(players):
    return players * (SEAT + 1)


def most_of(players, each):
    return players * (each + QUARTERS) + 1


def list_inputs(game, state, player, out):
    """Write the inputs that are on; how many."""
    count, corner = 0, CORNER[game.players, player]
    for seat in range(game.players):
        other = (player + seat) % game.players
        for net in range(4):
            men = np.int64(state.men[other, net])
            while men != 0:
                spot = net << 6 | lowest_bit(men)
                men &= men - 1
                out[count] = seat * SEAT + TURNED[game.side - 3, corner, spot]
                count += 1
        left = np.int64(state.distance[other]) - game.nearest
        count = list_spread(left, game.farthest - game.nearest, GRID, seat * SEAT + CELLS, out, count)
    out[count] = game.players * SEAT + (state.turn + game.players - player) % game.players
    return count + 1
