"""Value iteration from both sides: lower and upper values of every state, until they meet.

Each sweep goes through the states in place, those found last first, so that a value travels a whole game in one sweep
(Gauss-Seidel). Lower values start at the bottom of the range and never fall, upper ones at the top and never rise, so
half their distance is a proven bound on the error.

A stage, where two players choose at once, is worth the value of the matrix of what follows their choices, which is
larger where its entries are: so the same holds of games with such stages (Shapley 1953).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.solvers.graph import HALFWAY, STAGES, Graph
from astragal.solvers.matrix_game import Room, solve_matrix

MAX_SWEEPS = 100_000


def iterate_values(
    graph: Graph, low: float, high: float, tolerance: float, report: Callable[[int, float], None]
) -> tuple[npt.NDArray[np.float64], int, npt.NDArray[np.float64]]:
    """Player 0's value of every state to within the tolerance, the sweeps it took, and a bound on each value's error.

    States that are only found by passing up a certain win come after the others, which do not depend on them: there
    the players may be able to play for ever.
    """
    count = len(graph)
    values = np.empty((count, 2))
    values[:, 0], values[:, 1] = low, high
    terminal = graph.turn[:count] == TERMINAL
    values[terminal] = graph.utility[:count][terminal, None]
    stages = bool((graph.turn[:count] == HALFWAY).any())
    room = Room(*largest_stage(graph)).arrays if stages else ()
    edges = graph.turn, graph.first, graph.child, graph.chance
    sweeps = 0
    for begin, end in ((0, graph.settled), (graph.settled, count)):
        part = *edges, values[:end], begin
        gap, stalled, earlier = high - low if begin < end else 0.0, 0, sweeps
        while gap > 2 * tolerance and stalled < 3 and sweeps < MAX_SWEEPS and not graph.work["stop"][0]:
            before = gap
            gap = float(sweep_stages(*part, room, graph.work) if stages else sweep(*part, graph.work))
            stalled = stalled + 1 if gap >= before and sweeps - earlier > 1000 else 0
            sweeps += 1
            report(sweeps, gap / 2)
    return values.mean(axis=1), sweeps, (values[:, 1] - values[:, 0]) / 2


def largest_stage(graph: Graph) -> tuple[int, int]:
    """The most actions of either player where two choose at once."""
    turn, first = graph.turn[: len(graph)], graph.first[: len(graph) + 1]
    counts = np.diff(first)
    return (
        int(counts[(turn >= STAGES) & (turn < HALFWAY)].max(initial=1)),
        int(counts[turn == HALFWAY].max(initial=1)),
    )


@kernel(entry="value iteration")
def sweep(turn: Any, first: Any, child: Any, chance: Any, values: Any, begin: Any, works: Any) -> Any:
    """Update states once, from the last to a first one; the largest distance between upper and lower values left."""
    gap = 0.0
    for i in range(len(values) - 1, begin - 1, -1):
        mover = turn[i]
        if mover == TERMINAL:
            continue
        if i & 4095 == 0 and works[0].stop != 0:
            return gap
        lower, upper = node_values(mover, first[i], first[i + 1], child, chance, values)
        values[i, 0], values[i, 1] = lower, upper
        gap = max(gap, upper - lower)
    return gap


@kernel(entry="value iteration, choices made at once")
def sweep_stages(turn: Any, first: Any, child: Any, chance: Any, values: Any, begin: Any, room: Any, works: Any) -> Any:
    """The same where two players may choose at once. (Apart, since both are slower together.)"""
    gap = 0.0
    for i in range(len(values) - 1, begin - 1, -1):
        mover = turn[i]
        if mover in (TERMINAL, HALFWAY):
            continue
        if works[0].stop != 0:
            return gap
        if mover >= STAGES:
            sign = 1.0 if mover == STAGES else -1.0
            lower, upper = stage_values(first, child, values, room, first[i], first[i + 1], sign)
        else:
            lower, upper = node_values(mover, first[i], first[i + 1], child, chance, values)
        values[i, 0], values[i, 1] = lower, upper
        gap = max(gap, upper - lower)
    return gap


@kernel
def node_values(mover: Any, begin: Any, end: Any, child: Any, chance: Any, values: Any) -> Any:
    """What chance, or a decision that every player sees, is worth at least and at most to player 0."""
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
    return lower, upper


@kernel
def stage_values(first: Any, child: Any, values: Any, room: Any, begin: Any, end: Any, sign: Any) -> Any:
    """What a stage is worth at least and at most to player 0, who chooses first if the sign is 1."""
    rows = end - begin
    columns = first[child[begin] + 1] - first[child[begin]]
    side = 0 if sign > 0.0 else 1  # the mover's lower values are player 1's upper ones
    differ = fill(first, child, values, room, begin, rows, columns, sign, side)
    least, most = solve_matrix(room, rows, columns)
    if differ:
        fill(first, child, values, room, begin, rows, columns, sign, 1 - side)
        most = solve_matrix(room, rows, columns)[1]
    return (least, most) if sign > 0.0 else (-most, -least)


@kernel
def fill(
    first: Any, child: Any, values: Any, room: Any, begin: Any, rows: Any, columns: Any, sign: Any, side: Any
) -> Any:
    """Write what follows every two choices into the room's matrix; whether upper and lower values differ."""
    matrix = room[0]
    differ = False
    for i in range(rows):
        after = first[child[begin + i]]
        for j in range(columns):
            number = child[after + j]
            matrix[i, j] = sign * values[number, side]
            differ |= values[number, 0] != values[number, 1]
    return differ
