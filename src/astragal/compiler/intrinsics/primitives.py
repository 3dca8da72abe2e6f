"""Functions for games' own code that are a few machine instructions in a kernel: room on the stack, bits, random bits.

What is here is plain Python and imports no Numba; kernels call the functions of the same names in
`native` beside this. The generators of `astragal.rules.random` are for kernels. A game's `pick` is given 32 random
bits; where these are not enough, `another_word` makes others of them, so that the same bits still pick the same action.
Its `rollout` is given the state of the kernels' generator, and `two_words` draws from that.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np


def scratch(kind: Any, size: int) -> list[int]:
    """Room for `size` numbers of a NumPy type, which in compiled code is on the C stack and not cleared.

    The size must be a constant of the game.
    """
    return [0] * size


# Bits

PLACES = np.zeros((256, 8), np.uint8)  # [byte, n] -> the place of its n-th one bit
for _byte in range(256):
    _ones = [place for place in range(8) if _byte >> place & 1]
    PLACES[_byte, : len(_ones)] = _ones


def lowest_bit(value: SupportsIndex) -> int:
    """The number of zero bits below the lowest one bit of a positive number."""
    value = int(value)
    return (value & -value).bit_length() - 1


def bit_count(value: SupportsIndex) -> int:
    """The number of one bits."""
    return int(value).bit_count()


def nth_bit(value: SupportsIndex, n: int) -> int:
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


# Random bits

STEP, MIX = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB  # of the kernels' generator (wyrand)
WORD, HALF = (1 << 64) - 1, (1 << 32) - 1


def another_word(word: int) -> int:
    """32 random bits that follow from others: a linear congruential generator (Numerical Recipes' constants).

    Its upper bits are the random ones, which is what ``word * count >> 32`` uses.
    """
    return word * 1664525 + 1013904223 & 0xFFFFFFFF


def two_words(generator: int) -> tuple[int, int, int]:
    """The generator's next state, and twice 32 random bits: those of `astragal.rules.random.next_word`, upper first."""
    state = int(generator) + STEP & WORD
    product = state * (state ^ MIX)
    bits = (product >> 64 ^ product) & WORD
    return np.uint64(state), bits >> 32, bits & HALF  # type: ignore[return-value]
