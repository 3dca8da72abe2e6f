"""Value iteration from both sides: lower and upper values of every state, until they meet.

Each sweep goes through the states in place, those found last first, so that a value travels a whole game in one sweep
(Gauss-Seidel). Lower values start at the bottom of the range and never fall, upper ones at the top and never rise, so
half their distance is a proven bound on the error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.solve.graph import Graph

MAX_SWEEPS = 100_000


def iterate_values(
    graph: Graph, low: float, high: float, tolerance: float, report: Callable[[int, float], None]
) -> tuple[npt.NDArray[np.float64], int, float]:
    """Player 0's value of every state to within the tolerance, the sweeps it took, and the error bound reached."""
    count = len(graph)
    values = np.empty((count, 2))
    values[:, 0], values[:, 1] = low, high
    terminal = graph.turn[:count] == TERMINAL
    values[terminal] = graph.utility[:count][terminal, None]
    gap, sweeps, stalled = high - low, 0, 0
    while gap > 2 * tolerance and stalled < 3 and sweeps < MAX_SWEEPS and not graph.work["stop"][0]:
        before = gap
        gap = float(sweep(graph.turn, graph.first, graph.child, graph.chance, values, graph.work))
        stalled = stalled + 1 if gap >= before and sweeps > 1000 else 0
        sweeps += 1
        report(sweeps, gap / 2)
    return values.mean(axis=1), sweeps, gap / 2


@kernel(entry="value iteration")
def sweep(turn: Any, first: Any, child: Any, chance: Any, values: Any, works: Any) -> Any:
    """Update every state once; the largest distance between an upper and a lower value that is left."""
    gap = 0.0
    for i in range(len(values) - 1, -1, -1):
        mover = turn[i]
        if mover == TERMINAL:
            continue
        if i & 4095 == 0 and works[0].stop != 0:
            return gap
        begin, end = first[i], first[i + 1]
        lower, upper = 0.0, 0.0
        if mover == CHANCE:
            for edge in range(begin, end):
                lower += chance[edge] * values[child[edge], 0]
                upper += chance[edge] * values[child[edge], 1]
        else:
            sign = 1.0 if mover == 0 else -1.0
            lower, upper = values[child[begin], 0], values[child[begin], 1]
            for edge in range(begin + 1, end):
                lower = sign * max(sign * lower, sign * values[child[edge], 0])
                upper = sign * max(sign * upper, sign * values[child[edge], 1])
        values[i, 0], values[i, 1] = lower, upper
        gap = max(gap, upper - lower)
    return gap
