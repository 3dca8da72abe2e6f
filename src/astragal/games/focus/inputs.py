"""Focus's inputs of a learned evaluation, as one player sees the board: others are counted round from the player.

Squares are distinguished up to the board's symmetry. Of each stack: its owner, its height, and whose men lie how deep
in it; of each player: reserve, captures that are still needed, stacks, and all men held.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count
from astragal.games.focus.board import EMPTY, HEIGHT, HIGHEST, SIDE, SQUARES

FOLDED = sorted({tuple(sorted((min(r, SIDE - 1 - r), min(c, SIDE - 1 - c)))) for r, c in SQUARES})
KIND = np.array(  # [square] -> which of those that turns and mirrors make of each other
    [FOLDED.index(tuple(sorted((min(r, SIDE - 1 - r), min(c, SIDE - 1 - c))))) for r, c in SQUARES], np.int64
)
KINDS = len(FOLDED)
COUNTS = 24  # numbers of men or stacks with an input each
TOPS = KINDS * HIGHEST  # inputs of one owner's stacks
SEAT = 4 * COUNTS  # inputs of one player's numbers


def inputs_of(players):
    return players * TOPS + players * players * (HIGHEST - 1) + players * SEAT + players


def most_of(players, men):
    """Inputs that are on at most: each man is the top of a stack or below one."""
    return players * men + 4 * players + 1


def list_inputs(game, state, player, out):
    """Write the inputs that are on; how many."""
    players, count = game.players, 0
    for square in range(52):
        stack = np.int64(state.stack[square])
        if stack != EMPTY:
            owner = seat_of(stack & 3, player, players)
            out[count] = owner * TOPS + KIND[square] * HIGHEST + HEIGHT[stack] - 1
            count += 1
            below, depth = stack >> 2, 0
            while below != EMPTY:
                man = seat_of(below & 3, player, players)
                out[count] = players * TOPS + (owner * players + man) * (HIGHEST - 1) + depth
                count += 1
                below, depth = below >> 2, depth + 1
    base = players * TOPS + players * players * (HIGHEST - 1)
    for other in range(players):
        first = base + seat_of(other, player, players) * SEAT
        needed = game.captures_needed(state.captured[other], other) if game.by_captures else 0
        out[count] = first + min(np.int64(state.reserve[other]), COUNTS - 1)
        out[count + 1] = first + COUNTS + min(max(needed, 0), COUNTS - 1)
        out[count + 2] = first + 2 * COUNTS + min(bit_count(np.int64(state.owned[other])), COUNTS - 1)
        out[count + 3] = first + 3 * COUNTS + min(game.men_held(state, other) >> 1, COUNTS - 1)
        count += 4
    out[count] = base + players * SEAT + seat_of(np.int64(state.turn), player, players)
    return count + 1


def seat_of(other, player, players):
    """A player's seat as another one counts, round the board."""
    return (other + players - player) % players
