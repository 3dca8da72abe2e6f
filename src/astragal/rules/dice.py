"""Dice for Python code: set-ups, matches, dealt outcomes, drawn choices; the same for a seed on every machine."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any

MASK = (1 << 64) - 1


class Dice:
    """SplitMix64: a small generator whose sequence will never change."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def bits(self) -> int:
        """64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return z ^ z >> 31

    def word(self) -> int:
        """32 random bits, as a game's `pick` and `draw` take them."""
        return self.bits() >> 32

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.bits() * n >> 64

    def shuffle(self, items: MutableSequence[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


OWN_STREAM = 0x3A1D  # apart from all else that a search draws from its seed


def drawn(weights: Sequence[float], seed: int) -> int:
    """The number of a choice, by its share of the weights; the first where all are 0."""
    left = Dice(Dice(seed).bits() ^ OWN_STREAM).bits() / 2.0**64 * sum(weights)
    last = 0
    for number, weight in enumerate(weights):
        if weight > 0.0:
            if left < weight:
                return number
            left -= weight
            last = number
    return last  # by rounding alone
