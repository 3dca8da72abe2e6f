"""Value iteration from both sides: lower and upper values of every state, until they meet.

Each sweep goes through the states in place, those found last first, so that a value travels a whole game in one sweep
(Gauss-Seidel). Lower values start at the bottom of the range and never fall, upper ones at the top and never rise, so
half their distance is a proven bound on the error.

Several threads sweep layer by layer. Of two states of which one follows the other, the one found last is in an earlier
layer. So each state is worth exactly what it is when one thread goes through them all, whatever the number of threads.

A stage, where two players choose at once, is worth the value of the matrix of what follows their choices, which is
larger where its entries are: so the same holds of games with such stages (Shapley 1953). One thread sweeps them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.solvers.graph import HALFWAY, STAGES, Graph
from astragal.solvers.matrix_game import Room, solve_matrix
from astragal.solvers.sharing import Team

MAX_SWEEPS = 100_000
WORTH_SHARING = 1000  # states of a layer that threads share


def iterate_values(
    graph: Graph, low: float, high: float, tolerance: float, report: Callable[[int, float], None], threads: int = 1
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
    with Team(1 if stages else threads) as team:
        for begin, end in ((0, graph.settled), (graph.settled, count)):
            part = *edges, values[:end], begin
            layers = Layers(team, *part, graph.work) if team.threads > 1 and begin < end else None
            gap, stalled, earlier = high - low if begin < end else 0.0, 0, sweeps
            while gap > 2 * tolerance and stalled < 3 and sweeps < MAX_SWEEPS and not graph.work["stop"][0]:
                before = gap
                if layers is not None:
                    gap = layers.sweep()
                else:
                    gap = float(sweep_stages(*part, room, graph.work) if stages else sweep(*part, graph.work))
                stalled = stalled + 1 if gap >= before and sweeps - earlier > 1000 else 0
                sweeps += 1
                report(sweeps, gap / 2)
            if layers is not None:
                layers.hand_back()
    return values.mean(axis=1), sweeps, (values[:, 1] - values[:, 0]) / 2


class Layers:
    """The states in a new order, layer by layer, no state of a layer following another; and how threads share them."""

    def __init__(
        self, team: Team, turn: Any, first: Any, child: Any, chance: Any, values: Any, begin: int, work: Any
    ) -> None:
        count = len(values)
        layer = np.zeros(count, np.int32)
        find_layers(turn, first, child, layer, begin)
        inner = count - 1 - np.flatnonzero(turn[begin:count][::-1] != TERMINAL)  # the last one first
        inner = inner[np.argsort(layer[inner], kind="stable")]
        others = np.ones(count, np.bool_)
        others[inner] = False
        self.order = np.concatenate([inner, np.flatnonzero(others)])
        place = np.empty(count, np.uint32)
        place[self.order] = np.arange(count, dtype=np.uint32)
        begins = np.zeros(len(inner) + 1, np.int64)
        np.cumsum(first[inner + 1] - first[inner], out=begins[1:])
        edges = np.zeros(begins[-1], child.dtype), np.zeros(begins[-1], chance.dtype)
        move_edges(inner, place, first, child, chance, begins, *edges)
        self.team, self.work, self.kept = team, work, values
        self.graph, self.values = (turn[inner], begins, *edges), values[self.order]
        ends = np.cumsum(np.bincount(layer[inner])).tolist()
        self.layers = [self.pieces(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True) if a < b]

    def pieces(self, begin: int, end: int) -> list[tuple[int, int]]:
        """A layer in parts that have as many edges each, one for each thread; a small one is not divided."""
        if end - begin < WORTH_SHARING:
            return [(begin, end)]
        edges, threads = self.graph[1], self.team.threads
        wanted = edges[begin] + (edges[end] - edges[begin]) * np.arange(1, threads) // threads
        return list(itertools.pairwise([begin, *np.searchsorted(edges, wanted).tolist(), end]))

    def sweep(self) -> float:
        """Update all states once; the largest distance between upper and lower values left."""
        found = (gap for pieces in self.layers for gap in self.team.share(self.sweep_piece, pieces))
        return max(found, default=0.0)

    def sweep_piece(self, _: int, piece: tuple[int, int]) -> float:
        return float(sweep_part(*self.graph, self.values, *piece, self.work))

    def hand_back(self) -> None:
        """Write the values where they came from."""
        self.kept[self.order] = self.values


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


@kernel(entry="value iteration, layers")
def find_layers(turn: Any, first: Any, child: Any, layer: Any, begin: Any) -> None:
    """Write down in which layer each state from a first one is: one after those of its neighbours found later."""
    for i in range(len(layer) - 1, begin - 1, -1):
        if turn[i] == TERMINAL:
            continue
        here = layer[i]
        for edge in range(first[i], first[i + 1]):
            if child[edge] > i:
                here = max(here, layer[child[edge]] + 1)
        layer[i] = here
        for edge in range(first[i], first[i + 1]):
            if child[edge] < i:
                layer[child[edge]] = max(layer[child[edge]], here + 1)


@kernel(entry="value iteration, edges in another order")
def move_edges(
    order: Any, place: Any, first: Any, child: Any, chance: Any, begins: Any, children: Any, chances: Any
) -> None:
    """Write the edges of states in their new order, by the new numbers of the children."""
    for k in range(len(order)):
        at = begins[k]
        for edge in range(first[order[k]], first[order[k] + 1]):
            children[at], chances[at] = place[child[edge]], chance[edge]
            at += 1


@kernel(entry="value iteration, part of a layer")
def sweep_part(turn: Any, first: Any, child: Any, chance: Any, values: Any, begin: Any, end: Any, works: Any) -> Any:
    """Update these states once; the largest distance between upper and lower values left."""
    gap = 0.0
    for i in range(begin, end):
        if i & 4095 == 0 and works[0].stop != 0:
            return gap
        lower, upper = node_values(turn[i], first[i], first[i + 1], child, chance, values)
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
