"""The material of Ra: kinds of tile, suns, and their numbers packed into few words.

The counts of eight kinds are one number with eight bits for each (a table at the state, in `rules.py`), so that a
player takes all tiles of the track in three additions, and the partial sums of eight counts, among which a drawn tile
is found by bisection, are three more.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

NAMES = (
    *("god", "gold", "flood", "astronomy", "agriculture", "writing", "religion", "art"),  # leave after each epoch
    *("fortress", "obelisk", "palace", "pyramid", "temple", "statue", "steps", "sphinx"),
    *("pharaoh", "nile", "funeral", "drought", "unrest", "earthquake", "ra"),
)
BOX = (8, 5, 12, *[5] * 5, *[5] * 8, 25, 25, 2, 2, 4, 2, 30)  # [kind] -> how many tiles there are
GOD, GOLD, FLOOD = 0, 1, 2
CIVILISATIONS, MONUMENTS = 3, 8  # the first of each
PHARAOH, NILE, FUNERAL, DROUGHT, UNREST, EARTHQUAKE, RA = range(16, 23)
DISASTERS = range(FUNERAL, RA)

SUNS = ((2, 5, 6, 9), (3, 4, 7, 8))  # [player] -> those of the start

ONES = 0x0101010101010101  # one tile of each of eight kinds
CIVILISATION_BYTES = -1 << 24  # those of the first eight kinds that are civilisations
DISASTER_BYTES = 0xFFFFFFFF << 16  # those of the last eight kinds that are disasters
ONE, TWO, THREE, FOUR, FIVE = (ONES * (32 - least) for least in (1, 2, 3, 4, 5))  # for `at_least`

SUN_COUNT = np.zeros(1024, np.uint8)  # [suns, bit s for sun s] -> how many
SUN_SUM = np.zeros(1024, np.uint8)  # [suns] -> their sum
SUN_LISTED = np.zeros((1024, 10), np.uint8)  # [suns, i] -> each of them, from the lowest
for suns in range(1024):
    listed = [sun for sun in range(10) if suns >> sun & 1]
    SUN_COUNT[suns], SUN_SUM[suns] = len(listed), sum(listed)
    SUN_LISTED[suns, : len(listed)] = listed


def word_of(kind):
    """Which of the three words counts a kind."""
    return kind >> 3


def packed(count, kind):
    """A number of tiles of a kind, in its word."""
    return count << 8 * (kind & 7)


def count_of(counts, kind):
    """How many tiles of a kind its word counts."""
    return counts >> 8 * (kind & 7) & 255


def running_sums(counts):
    """For each of eight kinds, the sum of the counts up to it.

    No eight counts of one player sum to 128: the sign bit stays 0. Machine code may assume that no sum overflows.
    """
    counts += counts << 8
    counts += counts << 16
    return counts + (counts << 32)


def sum_of(counts):
    return running_sums(counts) >> 56 & 255


def at_least(counts, level):
    """The lowest bit of each count that reaches a level, such as `TWO`, and no other bit; counts are less than 32."""
    return counts + level >> 5 & ONES


def kinds_with(counts, level):
    """The same with one bit for each of eight kinds, side by side."""
    bits = at_least(counts, level)
    bits |= bits >> 7
    bits |= bits >> 14
    return (bits | bits >> 28) & 255


def sets_in(monuments):
    """How often three, four or five of the same are worth points."""
    return sum_of(at_least(monuments, THREE) + at_least(monuments, FOUR) + at_least(monuments, FIVE))


def kind_at(counts, number):
    """Of eight kinds laid out in a row, tile by tile, the kind of the tile of this number, by bisection."""
    sums = running_sums(counts)
    kind = 0 if number < (sums >> 24 & 255) else 4
    kind += 0 if number < (sums >> 8 * kind + 8 & 255) else 2
    return kind + (0 if number < (sums >> 8 * kind & 255) else 1)


def higher_suns(suns, bid):
    """Those of some suns that are higher than a bid."""
    return suns >> bid + 1 << bid + 1


def sun_bits(suns):
    """Suns as a set of bits."""
    return sum(1 << sun for sun in suns)


def suns_in(bits):
    return [sun for sun in range(1, 10) if bits >> sun & 1]


def tiles_of(words):
    """The counts of all kinds."""
    return [count_of(words[word_of(kind)], kind) for kind in range(len(BOX))]
