"""A network of several dense layers as an evaluation: what was trained elsewhere, with `save_model`.

Its inputs are on or off, so the first layer is a sum of rows, one for each input that is on. Each further layer is a
matrix. Widths are rounded up to whole vector registers by units that have no weights. The last layer has one number.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import scratch
from astragal.compiler.intrinsics.row_sums import LANES, row_adder, row_mixer

if TYPE_CHECKING:

    class Rest:
        """What the game has."""

        inputs: Any
        weights: Any
else:
    Rest = object

Layers = tuple[tuple[int, str], ...]  # the units of each layer, and what they pass on

BYTES = 4  # of a weight
MOST_UNITS, MOST_LAYERS = 1024, 8


def relu(sums, count):
    for j in range(count):
        sums[j] = max(sums[j], np.float32(0.0))


def tanh(sums, count):
    for j in range(count):
        sums[j] = np.float32(math.tanh(sums[j]))


def sigmoid(sums, count):
    for j in range(count):
        sums[j] = np.float32(0.5 + 0.5 * math.tanh(0.5 * sums[j]))


def linear(sums, count):
    """Pass on what comes in."""


ACTIVATIONS = {"relu": relu, "tanh": tanh, "sigmoid": sigmoid, "none": linear}
LAST = {"tanh": (1.0, 0.0), "sigmoid": (2.0, -1.0)}  # factor and offset that make the output a value from -1 to 1


def padded_width(units: int) -> int:
    """Whole registers."""
    return -units // LANES * -LANES


def shapes_of(inputs: int, layers: Layers) -> list[tuple[int, int]]:
    """Rows and columns of each layer's matrix, the last row being its constants."""
    widths = [inputs, *(padded_width(units) for units, _ in layers)]
    return [(rows + 1, columns) for rows, columns in pairwise(widths)]


def number_of_weights(inputs: int, layers: Layers) -> int:
    return sum(rows * columns for rows, columns in shapes_of(inputs, layers))


def are_layers(layers: Layers) -> bool:
    """Whether a network can have these layers."""
    if not 1 <= len(layers) <= MOST_LAYERS:
        return False
    sizes = all(0 < units <= MOST_UNITS for units, _ in layers)
    return sizes and all(each in ACTIVATIONS for _, each in layers) and layers[-1][0] == 1 and layers[-1][1] in LAST


@cache
def dense_network(layers):
    """The methods of a network with these layers, for a class that has `inputs` and the address `weights`."""
    width, factor_offset = padded_width(layers[0][0]), LAST[layers[-1][1]]
    factor, offset = factor_offset
    add_rows, last_part = row_adder(width), part(layers)

    class Dense(Rest):
        """Methods of a game."""

        row_size = width

        def add_up(self, listed, count, sums):
            """What comes to each unit of the first layer."""
            add_rows(np.uint64(self.weights), np.int64(self.inputs), listed, np.int64(count), sums)

        def value_of_sums(self, sums):
            """The value, from -1 to 1."""
            behind = np.uint64(self.weights) + np.uint64(BYTES * width) * np.uint64(self.inputs + 1)
            return factor * np.float64(last_part(behind, sums)) + offset

    return Dense


def part(layers):
    """The function from what comes to the first of these layers to the output; it takes the next matrix's address."""
    units, word = layers[0]
    activate = ACTIVATIONS[word]
    if len(layers) == 1:

        def output(address, sums):
            activate(sums, units)
            return sums[0]

        return output
    rows, columns = padded_width(units), padded_width(layers[1][0])
    mix_rows, rest, size = row_mixer(rows, columns), part(layers[1:]), BYTES * (rows + 1) * columns

    def layer(address, sums):
        activate(sums, units)
        after = scratch(np.float32, columns)
        mix_rows(address, sums, after)
        return rest(address + np.uint64(size), after)

    return layer
