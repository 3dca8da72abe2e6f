"""Words for games' own code, in machine code as in Python: four of them at once, and the n-th one bit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from astragal.game.bits import nth_bit
from astragal.game.fours import both, down, either, one_of, up
from astragal.game.kernel import kernel
from astragal.game.native import FOURS, has_deposit

pytestmark = pytest.mark.compiled


@kernel(entry="words for games")
def all_of_fours(a, b, out):
    """Each of them once; what one gives is what the next takes."""
    x, y = (a[0], a[1], a[2], a[3]), (b[0], b[1], b[2], b[3])
    shifts = (0, 1, 8, 7)
    found = (both(x, y), either(x, y), one_of(x, y), up(x, shifts), down(y, shifts))
    mixed = one_of(down(either(found[3], y), shifts), both(found[2], found[1]))
    for i in range(4):
        for j in range(5):
            out[j, i] = found[j][i]
        out[5, i] = mixed[i]


@kernel(entry="the n-th bit")
def nth_place(value, n):
    return nth_bit(value, n)


def test_four_words_at_once_are_what_they_are_in_python():
    dice = random.Random(1)
    for _ in range(50):
        a, b = (np.array([dice.getrandbits(54) for _ in range(4)]) for _ in range(2))
        out, expected = np.zeros((6, 4), np.int64), np.zeros((6, 4), np.int64)
        all_of_fours(a, b, out)
        all_of_fours.py_func(a, b, expected)
        assert (out == expected).all()
    assert set(FOURS) == {both, either, one_of, up, down}


@pytest.mark.skipif(not has_deposit(), reason="this processor has no such instruction, or a slow one")
def test_the_nth_bit_by_an_instruction_is_that_by_arithmetic():
    dice = random.Random(2)
    for _ in range(200):
        value = dice.getrandbits(62) & dice.getrandbits(62) | 1
        for n in range(value.bit_count()):
            assert nth_place(value, n) == nth_bit(value, n)
