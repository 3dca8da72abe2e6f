"""Bit counting for games' own code, compiled and interpreted; Numba is told of it only when a kernel is."""

from __future__ import annotations

import numpy as np

PLACES = np.zeros((256, 8), np.uint8)  # [byte, n] -> the place of its n-th one bit
for _byte in range(256):
    _ones = [place for place in range(8) if _byte >> place & 1]
    PLACES[_byte, : len(_ones)] = _ones


def lowest_bit(value: int) -> int:
    """The number of zero bits below the lowest one bit of a positive number."""
    value = int(value)
    return (value & -value).bit_length() - 1


def bit_count(value: int) -> int:
    """The number of one bits."""
    return int(value).bit_count()


def nth_bit(value: int, n: int) -> int:
    """The place of the n-th one bit, from 0, of a positive number that has more than n: without a branch or a loop.

    Neighbouring bits are added up until every byte holds how many ones it has, and a product adds up the bytes below
    each; bytes before the one that is looked for have sums of at most n.
    """
    value = int(value)
    pairs = value - (value >> 1 & 0x5555555555555555)
    nibbles = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    ones = nibbles + (nibbles >> 4) & 0x0F0F0F0F0F0F0F0F
    sums = ones * 0x01010101010101 & 0xFFFFFFFFFFFFFF
    before = bit_count((n * 0x01010101010101 | 0x80808080808080) - sums & 0x80808080808080)
    within = n - (sums << 8 >> 8 * before & 255)
    return 8 * before + np.int64(PLACES[value >> 8 * before & 255, within])  # type: ignore[return-value]
