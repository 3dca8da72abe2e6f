"""More random bits for games' own code that draws until what it has drawn fits, compiled and interpreted.

The generators of `astragal.game.random` are for kernels. A game's `pick` is given 32 random bits; where these are not
enough, this makes others of them, so that the same bits still pick the same action.
"""

from __future__ import annotations


def another_word(word: int) -> int:
    """32 random bits that follow from others: a linear congruential generator (Numerical Recipes' constants).

    Its upper bits are the random ones, which is what ``word * count >> 32`` uses.
    """
    return word * 1664525 + 1013904223 & 0xFFFFFFFF
