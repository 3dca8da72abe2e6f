"""Backgammon's inputs of a learned evaluation, as one side sees the board.

How many men stand on each place of each side, men borne off and places to go; and while men may still meet, things that
take a network long to find: shots at men that stand alone and what they would cost, where the rearmost man stands and
how well he runs, points closed in a row and at home. A race has inputs of its own.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
from astragal.games.backgammon.threats import ROLL_COUNT, runs, shots

BAR, HOME, OFF, PLACES, MEN = 0, 19, 25, 26, 15  # as in the rules
MOST = 6  # men on a place with an input each; further men are counted
LEADS, STEP = 41, 4  # the difference of places to go, in steps of four
PIPS, PIP_STEP = 24, 8  # places to go, in steps of eight
ROLLS = ROLL_COUNT // 2 + 1  # numbers of rolls, in steps of two
LOSSES = 25  # places that shots cost, in the mean over all rolls
ROW = 7  # points closed in a row, or at home: 0 to 6

OFF_AT = OFF * (MOST + 1)
PIPS_AT = OFF_AT + MEN + 1
RACE_SIDE = PIPS_AT + PIPS  # inputs of a side in a race
REAR_AT = RACE_SIDE
RUNS_AT = REAR_AT + OFF
WALL_AT = RUNS_AT + ROLLS
SHOTS_AT = WALL_AT + ROW
LOSS_AT = SHOTS_AT + ROLLS
PRIME_AT = LOSS_AT + LOSSES
HOME_AT = PRIME_AT + ROW
SIDE = HOME_AT + 2 * ROW  # inputs of a side while men may meet
RACE = 2 * SIDE + LEADS  # the first input of a race
INPUTS = RACE + 2 * RACE_SIDE + LEADS
MOST_ON = 2 * (MEN + 9) + 1
ON_BOARD = (1 << OFF) - 2
MASKS = 0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF  # to turn 32 bits round, by neighbours of 1 to 16


def list_inputs(state, player, mine, my_points, theirs, their_points, out):
    """Write the inputs that are on; how many. Both sides' places, and those of two or more men, are bits."""
    race = mine == 0 or theirs == 0 or lowest_bit(mine) + lowest_bit(theirs) >= OFF
    first, side = (RACE, RACE_SIDE) if race else (0, SIDE)
    count, my_pips = list_men(state, player, first, out, 0)
    count, their_pips = list_men(state, 1 - player, first + side, out, count)
    lead = (their_pips - my_pips) // STEP + LEADS // 2
    out[count] = first + 2 * side + min(max(lead, 0), LEADS - 1)
    count += 1
    if not race:
        count = list_contact(mine, my_points, theirs, their_points, first, out, count)
        count = list_contact(theirs, their_points, mine, my_points, first + side, out, count)
    return count


def list_men(state, player, first, out, count):
    """Write where a side's men stand and how far they have to go; how many are written by now, and how far."""
    pips: Any = 0
    for place in range(OFF):
        men = np.int64(state.men[player * PLACES + place])
        if men > 0:
            pips += men * (OFF - place)
            out[count] = first + place * (MOST + 1) + min(men, MOST) - 1
            count += 1
            for _ in range(MOST, men):
                out[count] = first + place * (MOST + 1) + MOST
                count += 1
    out[count] = first + OFF_AT + state.men[player * PLACES + OFF]
    out[count + 1] = first + PIPS_AT + min(pips // PIP_STEP, PIPS - 1)
    return count + 2, pips


def list_contact(own, points, other, other_points, first, out, count):
    """Write what a side's men that may be hit are up against; how many are written by now."""
    rear, blocked = lowest_bit(own), turned(other_points)
    rolls, lost = shots(turned(own & ~points & ~1), other, turned(points))
    out[count] = first + REAR_AT + rear
    out[count + 1] = first + RUNS_AT + runs(rear, blocked) // 2
    out[count + 2] = first + WALL_AT + bit_count(blocked >> rear + 1 & 63)
    out[count + 3] = first + SHOTS_AT + rolls // 2
    out[count + 4] = first + LOSS_AT + min(lost // ROLL_COUNT, LOSSES - 1)
    out[count + 5] = first + PRIME_AT + longest_row(points & ~1)
    entering = ROW if other & 1 else 0
    out[count + 6] = first + HOME_AT + entering + bit_count(points >> HOME)
    return count + 7


def longest_row(points):
    """How many of these places lie in a row, at most."""
    row = 0
    while points != 0:
        points &= points >> 1
        row += 1
    return min(row, ROW - 1)


def turned(places):
    """The same places of the board as the other side counts them: place k is its place 25 - k."""
    for step in range(5):
        shift, mask = 1 << step, MASKS[step]
        places = (places & mask) << shift | places >> shift & mask
    return places >> 32 - PLACES & ON_BOARD
