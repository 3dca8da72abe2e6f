"""Random bits for games' own code, compiled and interpreted.

The generators of `astragal.game.random` are for kernels. A game's `pick` is given 32 random bits; where these are not
enough, `another_word` makes others of them, so that the same bits still pick the same action. Its `wander` is given the
state of the kernels' generator, and `two_words` draws from that.
"""

from __future__ import annotations

import numpy as np

STEP, MIX = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB  # of the kernels' generator (wyrand)
WORD, HALF = (1 << 64) - 1, (1 << 32) - 1


def another_word(word: int) -> int:
    """32 random bits that follow from others: a linear congruential generator (Numerical Recipes' constants).

    Its upper bits are the random ones, which is what ``word * count >> 32`` uses.
    """
    return word * 1664525 + 1013904223 & 0xFFFFFFFF


def two_words(generator: int) -> tuple[int, int, int]:
    """The generator's next state, and twice 32 random bits: those of `astragal.game.random.next_word`, upper first."""
    state = int(generator) + STEP & WORD
    product = state * (state ^ MIX)
    bits = (product >> 64 ^ product) & WORD
    return np.uint64(state), bits >> 32, bits & HALF  # type: ignore[return-value]
