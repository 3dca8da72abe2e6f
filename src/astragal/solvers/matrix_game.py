"""Two players choose at once, and what one wins the other loses: the value of a matrix game, and how to mix.

The mixes come from a linear program, by the simplex method with Bland's rule, which ends whatever the matrix. All
entries are made positive first; then the largest sum of weights y with M y <= 1 is one over the value, y is how the
second player mixes but for a factor, and the prices of its rows are how the first one does.

What a mix is worth against the best answer to it is a bound from either side, whatever rounding did to the mixes. Only
such bounds leave this module, so what is built on them is proven.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.compiler.kernel import kernel

NIL = 1e-12  # what is no larger counts as 0


class Room:
    """Arrays to solve matrix games in that have at most this many rows and columns."""

    def __init__(self, rows: int, columns: int) -> None:
        self.matrix = np.zeros((rows, columns))
        self.tableau = np.zeros((rows + 1, columns + 1))
        self.basis = np.zeros(rows + columns, np.int64)
        self.first, self.second = np.zeros(rows), np.zeros(columns)

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self.matrix, self.tableau, self.basis, self.first, self.second


@dataclass(frozen=True)
class Mixed:
    """How both players mix, and what the first player gets at least and at most."""

    first: npt.NDArray[np.float64]
    second: npt.NDArray[np.float64]
    least: float
    most: float


def mixed(payoffs: npt.ArrayLike) -> Mixed:
    """The solution of a matrix of the first player's payoffs."""
    matrix = np.array(payoffs, np.float64)
    room = Room(*matrix.shape)
    room.matrix[:] = matrix
    lower, upper = solve_matrix(room.arrays, *matrix.shape)
    return Mixed(room.first, room.second, float(lower), float(upper))


@kernel(entry="matrix games")
def solve_matrix(room, rows, columns):
    """Write how both mix in the upper left part of the room's matrix; what the first one gets at least and at most."""
    matrix, tableau, basis, first, second = room
    mix(matrix, tableau, basis, first, second, rows, columns)
    return least(matrix, first, rows, columns), most(matrix, second, rows, columns)


@kernel
def mix(matrix, tableau, basis, first, second, rows, columns):
    lowest, highest = matrix[0, 0], matrix[0, 0]
    for i in range(rows):
        for j in range(columns):
            lowest, highest = min(lowest, matrix[i, j]), max(highest, matrix[i, j])
    scale = highest - lowest if highest > lowest else 1.0
    for i in range(rows):
        for j in range(columns):
            tableau[i, j] = 1.0 + (matrix[i, j] - lowest) / scale
        tableau[i, columns] = 1.0
    for j in range(columns):
        tableau[rows, j] = -1.0
    tableau[rows, columns] = 0.0
    for i in range(rows + columns):  # of rows then columns: which variable stands there, a weight or a row's slack
        basis[i] = columns + i if i < rows else i - rows
    while step(tableau, basis, rows, columns):
        pass
    for i in range(rows):
        first[i] = 0.0
    for j in range(columns):
        second[j] = 0.0
    for i in range(rows):
        if basis[i] < columns:
            second[basis[i]] = max(0.0, tableau[i, columns])
    for j in range(columns):
        if basis[rows + j] >= columns:
            first[basis[rows + j] - columns] = max(0.0, tableau[rows, j])
    normalise(first, rows)
    normalise(second, columns)


@kernel
def step(tableau, basis, rows, columns):
    """Exchange one variable for another; whether there was a reason to."""
    enters = -1
    for j in range(columns):
        if tableau[rows, j] < -NIL and (enters < 0 or basis[rows + j] < basis[rows + enters]):
            enters = j
    if enters < 0:
        return False
    leaves, smallest = -1, np.inf
    for i in range(rows):
        if tableau[i, enters] > NIL:
            ratio = tableau[i, columns] / tableau[i, enters]
            if ratio < smallest or (ratio == smallest and basis[i] < basis[leaves]):
                leaves, smallest = i, ratio
    if leaves < 0:
        return False
    pivot(tableau, leaves, enters, rows, columns)
    basis[leaves], basis[rows + enters] = basis[rows + enters], basis[leaves]
    return True


@kernel
def pivot(tableau, row, column, rows, columns):
    """Solve a row for the variable of a column, and put it into the others."""
    inverse = 1.0 / tableau[row, column]
    for j in range(columns + 1):
        tableau[row, j] *= inverse
    tableau[row, column] = inverse
    for i in range(rows + 1):
        if i != row:
            factor = tableau[i, column]
            for j in range(columns + 1):
                if j != column:
                    tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = -factor * inverse


@kernel
def normalise(weights, count):
    total = 0.0
    for i in range(count):
        total += weights[i]
    for i in range(count):
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / count


@kernel
def least(matrix, first, rows, columns):
    """What the first player gets at least by a mix."""
    worst = np.inf
    for j in range(columns):
        total = 0.0
        for i in range(rows):
            total += first[i] * matrix[i, j]
        worst = min(worst, total)
    return worst


@kernel
def most(matrix, second, rows, columns):
    """What the first player gets at most against a mix of the second."""
    best = -np.inf
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += second[j] * matrix[i, j]
        best = max(best, total)
    return best
