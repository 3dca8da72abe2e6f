"""Tables of Can't Stop: what an action climbs, spaces packed into one number, and all rolls of four dice.

Markers are packed into one number, five bits for each column, the lowest first, so that stopping is an addition.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np

BITS = 5  # for the spaces of a column
SPACES = (1 << BITS) - 1
MAX_COLUMNS = 11

FIRST = np.zeros(256, np.uint8)  # [action] -> column climbed, from 0
SECOND = np.zeros(256, np.uint8)  # [action] -> the other one, or the same
CLIMB = np.zeros(256, np.int64)  # [action] -> what is added to packed spaces
COLUMNS = np.zeros(256, np.int64)  # [action] -> the columns climbed, one bit each
for low in range(2, 13):
    for high in (0, *range(low, 13)):
        number = 16 * low + high
        x, y = low - 2, max(low, high) - 2
        FIRST[number], SECOND[number] = x, y
        CLIMB[number] = (1 << BITS * x) + (1 << BITS * y if high else 0)
        COLUMNS[number] = 1 << x | 1 << y

FIELDS = np.zeros(1 << MAX_COLUMNS, np.int64)  # [columns] -> all the bits of their spaces
for columns in range(1 << MAX_COLUMNS):
    FIELDS[columns] = sum(SPACES << BITS * c for c in range(MAX_COLUMNS) if columns >> c & 1)


def spaces(packed, column):
    """How many spaces of a column there are in a packed number."""
    return packed >> BITS * column & SPACES


def packed_spaces(count, column):
    """A number of spaces of a column, packed."""
    return count << BITS * column


@cache
def dice_tables(sides):
    """All rolls of four dice, by their total: dice, weights, pairings and sums, as `CantStop` describes them."""
    rolls = sorted(combinations_with_replacement(range(1, sides + 1), 4), key=lambda roll: (sum(roll), roll))
    weights, pairs, counts, sums = [], np.zeros((len(rolls), 3, 2), np.uint8), [], []
    for i, (a, b, c, d) in enumerate(rolls):
        pairings = sorted({tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))})
        pairs[i] = np.array([*pairings, pairings[0], pairings[0]])[:3] - 2
        counts.append(len(pairings))
        sums.append(sum({1 << column - 2 for pairing in pairings for column in pairing}))
        repeats = np.prod([factorial((a, b, c, d).count(face)) for face in {a, b, c, d}])
        weights.append(24 // int(repeats))
    return rolls, np.array(weights), pairs, np.array(counts, np.uint8), np.array(sums, np.uint16)


@cache
def thrown_table(sides):
    return np.repeat(np.arange(len(dice_tables(sides)[0]), dtype=np.uint8), dice_tables(sides)[1])


@cache
def success_table(sides):
    _, weights, _, _, sums = dice_tables(sides)
    playable = np.arange(1 << 2 * sides - 1)[:, None]
    return ((sums & playable) != 0) @ weights / sides**4


@cache
def alike_table(sides):
    rolls, _, pairs, _, sums = dice_tables(sides)
    playable = np.arange(1 << 2 * sides - 1)[:, None]
    whole = np.zeros((len(playable), len(rolls)), bool)  # whether both sums of a pairing are playable
    for i in range(3):
        both = 1 << pairs[:, i, 0].astype(int) | 1 << pairs[:, i, 1].astype(int)
        whole |= (playable & both) == both
    totals = np.array([sum(roll) for roll in rolls])
    keys = (sums & playable) * 64 + whole * totals
    order = np.argsort(keys, axis=1, kind="stable")  # equal keys together, each roll after the one that stands for it
    ordered = np.take_along_axis(keys, order, axis=1)
    begins = np.diff(ordered, axis=1, prepend=-1) != 0
    first = np.maximum.accumulate(np.where(begins, np.arange(len(rolls)), 0), axis=1)
    alike = np.zeros(keys.shape, np.uint8)
    np.put_along_axis(alike, order, np.take_along_axis(order, first, axis=1).astype(np.uint8), axis=1)
    return alike
