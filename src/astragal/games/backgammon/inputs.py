"""Backgammon's inputs of a learned evaluation, as one side sees the board.

How many men stand on each place of each side, men borne off, and a few things that take a network long to find: how far
behind a side is, where its rearmost man stands, and how many points are closed in front of it. A race has inputs of its
own.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

BAR, OFF, PLACES, MEN = 0, 25, 26, 15  # as in the rules
MOST = 6  # men on a place that are told apart; each more counts by itself
SIDE = OFF * (MOST + 1) + (MEN + 1) + OFF + 7  # inputs of one side
LEADS, STEP = 41, 4  # the difference of pips, in steps of four
PHASE = 2 * SIDE + LEADS
INPUTS = 2 * PHASE
MOST_ON = 2 * (2 * MEN + 3) + 1


def list_inputs(state, player, out):
    """Write the inputs that are on; how many."""
    rear = first_man(state, player), first_man(state, 1 - player)
    base = PHASE if rear[0] + rear[1] >= OFF else 0
    count, pips = 0, 0
    for side in range(2):
        men, other = (player, 1 - player) if side == 0 else (1 - player, player)
        first = base + side * SIDE
        for place in range(OFF):
            held = np.int64(state.men[men * PLACES + place])
            if held > 0:
                pips += (2 * side - 1) * held * (OFF - place)
                out[count] = first + place * (MOST + 1) + min(held, MOST) - 1
                count += 1
                for _ in range(MOST, held):
                    out[count] = first + place * (MOST + 1) + MOST
                    count += 1
        first += OFF * (MOST + 1)
        out[count] = first + state.men[men * PLACES + OFF]
        out[count + 1] = first + MEN + 1 + min(rear[side], OFF - 1)
        out[count + 2] = first + MEN + 1 + OFF + closed_before(state, rear[side], other)
        count += 3
    out[count] = base + 2 * SIDE + min(max(pips // STEP + LEADS // 2, 0), LEADS - 1)
    return count + 1


def first_man(state, player):
    """The place of a player's rearmost man."""
    for place in range(OFF):
        if state.men[player * PLACES + place] > 0:
            return place
    return OFF


def closed_before(state, rear, other):
    """How many of the six places before a man the other side has closed."""
    closed = 0
    for place in range(rear + 1, min(rear + 7, OFF)):
        closed += np.int64(state.men[other * PLACES + OFF - place] >= 2)
    return closed
