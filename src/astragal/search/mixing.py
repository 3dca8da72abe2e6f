"""Drawing one of several choices by weights, so that the same seed draws the same."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.game.dice import Dice

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
