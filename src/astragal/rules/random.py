"""Random words: a sequence for games, and keyed words for sampling that must come out the same whenever it is repeated.

Python's and NumPy's generators inside a kernel halve its speed; this one is a multiplication and lives in a register.
"""

from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics import primitives
from astragal.compiler.intrinsics.native import fold, word, words
from astragal.compiler.kernel import kernel

STEP = np.uint64(primitives.STEP)
MIX = np.uint64(primitives.MIX)
KEY = np.uint64(0x9E3779B97F4A7C15)


@kernel
def next_word(x):  # type: ignore[no-untyped-def]
    """The generator's next state and 64 random bits (wyrand)."""
    x = np.uint64(x + STEP)
    return x, fold(x, x ^ MIX)


@kernel
def upper(bits):  # type: ignore[no-untyped-def]
    """The upper 32 bits, as a game's `pick` and `draw` take them."""
    return np.int64(bits >> np.uint64(32))


@kernel
def keyed(key, number):  # type: ignore[no-untyped-def]
    """64 random bits that are a function of a key and a number: a counter-based generator."""
    return fold(key ^ (np.uint64(number) + np.uint64(1)) * KEY, MIX ^ key)


@kernel
def same_state(one, other):  # type: ignore[no-untyped-def]
    """Whether two states are the same, word by word: what equal hashes do not prove."""
    differing = np.uint64(0)
    for i in range(words(one)):
        differing |= word(one, i) ^ word(other, i)
    return differing == 0


@kernel
def state_hash(state):  # type: ignore[no-untyped-def]
    """A 64-bit hash of a state's memory."""
    h = MIX
    for i in range(words(state)):
        h = fold(h ^ word(state, i), STEP)
    return fold(h, KEY)
