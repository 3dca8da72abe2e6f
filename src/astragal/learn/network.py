"""The network of a learned evaluation: inputs that are on or off, one hidden layer or none, and one value.

Its weights are rows of numbers behind an address: one row for each input, one that is added always, and where there is
a hidden layer one of its weights in the value and one for the value's own constant. Inputs are few of many, so the
first layer is a sum of as many rows as inputs are on. Hidden units pass on what is positive; the value is a tanh, which
is laid over the range of the game's utilities.

Learning is a step against the gradient of the cross entropy between the value and a target, both read as chances:
with ``y = tanh(x)`` and target ``g`` the loss ``-(1+g)/2 log(1+y) - (1-g)/2 log(1-y)`` has the derivative ``y - g``.
"""

# mypy: ignore-errors
from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from astragal.game.inputs import QUARTERS
from astragal.game.native import record_reader
from astragal.game.scratch import scratch
from astragal.learn.rows import row_adder

LANES = 8  # sums that are added up side by side
BIAS, OUT, CONSTANT = range(3)  # rows behind those of the inputs
EXTRA_ROWS = 3
ZERO = np.float32(0.0)


def row_width(hidden: int) -> int:
    """Numbers in a row of weights."""
    return max(hidden, 1)


@cache
def network(hidden):
    """The methods of a network with so many hidden units, for a class that has `inputs` and the address `weights`."""
    width = row_width(hidden)
    read_row = record_reader(np.dtype([("w", "f4", (width,))]))
    add_rows = row_adder(width)

    class Network:
        """Methods of a game."""

        hidden_units = hidden
        row_size = width

        def add_up(self, listed, count, sums):
            """What comes to each hidden unit: the rows of the inputs that are on."""
            add_rows(np.uint64(self.weights), np.int64(self.inputs + BIAS), listed, np.int64(count), sums)

        def value_of_sums(self, sums):
            """The value, from -1 to 1."""
            if hidden == 0:
                return math.tanh(np.float64(sums[0]))
            out = read_row(np.uint64(self.weights), np.int64(self.inputs + OUT)).w
            lanes = scratch(np.float32, LANES)
            for lane in range(LANES):
                lanes[lane] = ZERO
            for begin in range(0, width, LANES):
                for lane in range(LANES):
                    lanes[lane] += out[begin + lane] * max(sums[begin + lane], ZERO)
            total = np.float64(read_row(np.uint64(self.weights), np.int64(self.inputs + CONSTANT)).w[0])
            for lane in range(LANES):
                total += lanes[lane]
            return math.tanh(total)

        def learn_step(self, listed, count, sums, target, rate):
            """Move the value of these inputs towards a target; return the squared error before that."""
            self.add_up(listed, count, sums)
            error = target - self.value_of_sums(sums)
            step = np.float32(rate * error)
            if hidden > 0:
                out = read_row(np.uint64(self.weights), np.int64(self.inputs + OUT)).w
                for j in range(width):
                    unit = max(sums[j], ZERO)
                    sums[j] = step * out[j] if unit > ZERO else ZERO
                    out[j] += step * unit
                read_row(np.uint64(self.weights), np.int64(self.inputs + CONSTANT)).w[0] += step
            else:
                sums[0] = step
            row = read_row(np.uint64(self.weights), np.int64(self.inputs + BIAS)).w
            for j in range(width):
                row[j] += sums[j]
            for i in range(count):
                row = read_row(np.uint64(self.weights), np.int64(listed[i])).w
                for j in range(width):
                    row[j] += sums[j]
            return error * error

    return Network


def first_weights(inputs: int, hidden: int, seed: int) -> Any:
    """Weights to begin with: small and random where there is a hidden layer, so that its units differ; else 0."""
    weights = np.zeros((inputs + EXTRA_ROWS, row_width(hidden)), np.float32)
    if hidden:
        draw = np.random.default_rng(seed)
        weights[:inputs] = draw.uniform(-0.2, 0.2, (inputs, hidden))
        weights[inputs + BIAS] = draw.uniform(0.0, 0.1, hidden)
        weights[inputs + OUT] = draw.uniform(-0.5, 0.5, hidden) / math.sqrt(hidden)
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
