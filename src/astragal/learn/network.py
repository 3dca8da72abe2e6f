"""The network of a learned evaluation: inputs that are on or off, one hidden layer or none, and chances.

Its weights are rows of numbers behind an address: one row for each input, one that is added always, and where there is
a hidden layer one of its weights in each chance and one for the chances' own constants. Inputs are few of many, so the
first layer is a sum of as many rows as inputs are on. Hidden units pass on what is positive.

A game that ends with one of a few results has a chance for every step from one of them to the next, that the end is
above it; other games have one step, from the lowest utility to the highest. Each is a tanh, from -1 for no chance to 1
for a sure one, and the value is the utility that follows. TD-Gammon (Tesauro 1995) has outputs for gammons likewise.

Learning is a step against the gradient of the cross entropy between each chance and its target:
with ``y = tanh(x)`` and target ``g`` the loss ``-(1+g)/2 log(1+y) - (1-g)/2 log(1-y)`` has the derivative ``y - g``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.native import record_reader
from astragal.compiler.intrinsics.primitives import scratch
from astragal.compiler.intrinsics.row_sums import LANES, row_adder, row_weigher
from astragal.rules.inputs import QUARTERS

if TYPE_CHECKING:

    class Rest:
        """What the game has."""

        inputs: Any
        weights: Any
else:
    Rest = object

# Rows behind those of the inputs: OUT is one for each chance, then one is of their constants. It has room for all of
# them: a game has at most eight chances (`MOST_RESULTS`), and a hidden layer at least eight units.
BIAS, OUT = range(2)
ZERO = np.float32(0.0)


def weights_shape(inputs: int, hidden: int, chances: int) -> tuple[int, int]:
    """Rows of weights, and numbers in each."""
    return inputs + OUT + chances + 1, hidden or chances


@cache
def network(hidden, edges):
    """The methods of a network with this many hidden units, for a class that has `inputs` and the address `weights`.

    Its steps lie between edges, from -1 to 1 over the range of utilities.
    """
    steps = len(edges) - 1
    centres = tuple(0.5 * (low + high) for low, high in pairwise(edges))
    halves = tuple(0.5 * (high - low) for low, high in pairwise(edges))
    width = hidden or steps
    constants, parts = OUT + steps, LANES * steps
    read_row = record_reader(np.dtype([("w", "f4", (width,))]))
    add_rows, weigh_rows = row_adder(width), row_weigher(width, steps)

    class Network(Rest):
        """Methods of a game."""

        chances = steps
        row_size = width

        def add_up(self, listed, count, sums):
            """What comes to each hidden unit: the rows of the inputs that are on."""
            add_rows(np.uint64(self.weights), np.int64(self.inputs + BIAS), listed, np.int64(count), sums)

        def value_of_sums(self, sums):
            """The value, from -1 to 1."""
            chances = scratch(np.float64, steps)
            self.write_chances(sums, chances)
            value = 0.0
            for step in range(steps):
                value += halves[step] * chances[step]
            return value

        def part(self, value, step):
            """The chance of a step that stands for a value, such as a result's."""
            return min(1.0, max(-1.0, (value - centres[step]) / halves[step]))

        def write_chances(self, sums, chances):
            """Write the chance of each step, from -1 to 1."""
            if hidden == 0:
                for step in range(steps):
                    chances[step] = math.tanh(np.float64(sums[step]))
                return
            lanes = scratch(np.float32, parts)
            weigh_rows(np.uint64(self.weights), np.int64(self.inputs + OUT), sums, lanes)
            constant = read_row(np.uint64(self.weights), np.int64(self.inputs + constants)).w
            for step in range(steps):
                total = np.float64(constant[step])
                for lane in range(LANES):
                    total += lanes[LANES * step + lane]
                chances[step] = math.tanh(total)

        def learn_step(self, listed, count, sums, targets, offset, rate):
            """Move the chances of these inputs towards targets, all raised by an offset; return the squared error
            before that."""
            self.add_up(listed, count, sums)
            squared = 0.0
            chances = scratch(np.float64, steps)
            moves: Any = scratch(np.float32, width)
            self.write_chances(sums, chances)
            for j in range(width):
                moves[j] = ZERO
            for step in range(steps):
                target = min(1.0, max(-1.0, targets[step] + offset))
                error = target - chances[step]
                squared += halves[step] * error * error
                move = np.float32(rate * error)
                if hidden == 0:
                    moves[step] = move
                    continue
                out = read_row(np.uint64(self.weights), np.int64(self.inputs + OUT + step)).w
                for j in range(width):
                    if sums[j] > ZERO:
                        moves[j] += move * out[j]
                        out[j] += move * sums[j]
                read_row(np.uint64(self.weights), np.int64(self.inputs + constants)).w[step] += move
            row = read_row(np.uint64(self.weights), np.int64(self.inputs + BIAS)).w
            for j in range(width):
                row[j] += moves[j]
            for i in range(count):
                row = read_row(np.uint64(self.weights), np.int64(listed[i])).w
                for j in range(width):
                    row[j] += moves[j]
            return squared

    return Network


def first_weights(inputs: int, hidden: int, chances: int, seed: int) -> Any:
    """Weights to begin with: small and random where there is a hidden layer, so that its units differ; else 0."""
    weights = np.zeros(weights_shape(inputs, hidden, chances), np.float32)
    if hidden:
        draw = np.random.default_rng(seed)
        weights[:inputs] = draw.uniform(-0.2, 0.2, (inputs, hidden))
        weights[inputs + BIAS] = draw.uniform(0.0, 0.1, hidden)
        weights[inputs + OUT : -1] = draw.uniform(-0.5, 0.5, (chances, hidden)) / math.sqrt(hidden)
    return weights


def begin_with_own(weights: Any, inputs: int, hidden: int, grid: int) -> None:
    """Let the value begin as the game's own evaluation, which is the last inputs: two units say it, one each sign."""
    own = np.linspace(-1.0, 1.0, grid) / QUARTERS  # as many of them are on at a time
    rows = slice(inputs - grid, inputs)
    if hidden == 0:
        weights[rows, 0] = own
        return
    weights[: inputs + BIAS + 1, :2] = 0.0
    weights[rows, 0], weights[rows, 1] = own, -own
    weights[inputs + OUT] *= 0.2
    weights[inputs + OUT, :2] = 1.0, -1.0
