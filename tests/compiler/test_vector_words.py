"""Words for games' own code, in machine code as in Python: four of them at once, the n-th one bit, random ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from astragal.compiler.intrinsics.native import has_deposit
from astragal.compiler.intrinsics.native_vectors import FOURS
from astragal.compiler.intrinsics.primitives import nth_bit, two_words
from astragal.compiler.intrinsics.vector_words import (
    both,
    down,
    each,
    either,
    four,
    is_nothing,
    one_of,
    rearranged,
    up,
    where,
    word,
)
from astragal.compiler.kernel import kernel
from astragal.rules.random import next_word

pytestmark = pytest.mark.compiled


@kernel(entry="words for games")
def all_of_fours(table, out):
    """Each of them once; what one gives is what the next takes."""
    x, y, shifts = four(table, 0), four(table, 1), (0, 1, 8, 7)
    total = one_of((0, 0, 0, 0), x)
    for row in range(1, 3):
        total = either(total, four(table, row))
    found = (both(x, y), either(x, y), one_of(x, y), up(x, shifts), down(y, shifts))
    mixed = one_of(down(either(found[3], y), shifts), both(found[2], found[1]))
    others = (rearranged(x, (2, 0, 3, 1)), where(four(table, 2), y), total, mixed)
    for j in range(5):
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = each(found[j])
    for j in range(4):
        out[5 + j, 0], out[5 + j, 1], out[5 + j, 2], out[5 + j, 3] = each(others[j])
    for i in range(4):
        out[9, i] = word(mixed, i)
    out[10, 0], out[10, 1] = is_nothing(both(x, one_of(x, x))), is_nothing(four(table, 3))
    out[10, 2] = is_nothing(total)


@kernel(entry="two words")
def drawn(generator):
    return two_words(generator), next_word(generator)


@kernel(entry="the n-th bit")
def nth_place(value, n):
    return nth_bit(value, n)


def test_four_words_at_once_are_what_they_are_in_python():
    dice = random.Random(1)
    for number in range(50):
        table = np.array([[dice.getrandbits(54) for _ in range(4)] for _ in range(4)])
        table[2:] *= np.array([[dice.getrandbits(1) for _ in range(4)] for _ in range(2)])
        table[3] *= number % 2
        out, expected = np.zeros((11, 4), np.int64), np.zeros((11, 4), np.int64)
        all_of_fours(table, out)
        all_of_fours.py_func(table, expected)
        assert (out == expected).all()
    everything = {both, down, each, either, four, is_nothing, one_of, rearranged, up, where, word}
    assert set(FOURS) == everything


def test_two_words_are_the_halves_of_the_generators_next():
    for seed in (0, 1, 12345678901234567890):
        halves, (state, bits) = drawn(np.uint64(seed))
        assert halves == (state, bits >> 32, bits & 0xFFFFFFFF)
        assert two_words(np.uint64(seed)) == halves


@pytest.mark.skipif(not has_deposit(), reason="this processor has no such instruction, or a slow one")
def test_the_nth_bit_by_an_instruction_is_that_by_arithmetic():
    dice = random.Random(2)
    for _ in range(200):
        value = dice.getrandbits(62) & dice.getrandbits(62) | 1
        for n in range(value.bit_count()):
            assert nth_place(value, n) == nth_bit(value, n)
