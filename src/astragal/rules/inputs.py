"""What games give a learned evaluation: numbers as inputs (see `Game.features`), and results (`Game.own_results`)."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from itertools import pairwise

QUARTERS = 4  # inputs written for a number between two neighbours
MOST_RESULTS = 9


def are_results(results: tuple[float, ...]) -> bool:
    """Whether these can be the results of a game: a few numbers from the lowest to the highest."""
    rising = all(low < high for low, high in pairwise(results))
    return 2 <= len(results) <= MOST_RESULTS and all(map(math.isfinite, results)) and rising


def list_spread(value, most, grid, first, out, count):
    """Write a number from 0 to most as its two neighbours in a row of inputs, four of them divided by how near it is.

    For numbers that take many values: the evaluation is then linear between neighbours. Returns how many are written.
    """
    quarters = min(max(value, 0), most) * (QUARTERS * (grid - 1)) // most
    lower, above = quarters // QUARTERS, quarters % QUARTERS
    for i in range(QUARTERS):
        out[count + i] = first + lower + (1 if i < above else 0)
    return count + QUARTERS
