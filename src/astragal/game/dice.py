"""Dice for Python code: set-ups, matches and dealt outcomes, the same for a seed on every machine and version."""

from __future__ import annotations

from collections.abc import MutableSequence
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
