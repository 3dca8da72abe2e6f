"""Inputs for games that list none: made of the fields of the state, by what random games show of them.

A number that takes few values is one input for each of them. One that takes many lies between two of a row of inputs,
which share four quarters by how near they are. A wide one is taken byte by byte, and a byte that takes many values bit
by bit. Numbers that never change say nothing, and numbers with a fraction are left out.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.base.errors import AstragalError
from astragal.compiler.intrinsics.native import assign, local_copy, record_reader, word
from astragal.compiler.kernel import kernel
from astragal.compiler.records import GAP
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.inputs import QUARTERS, list_spread
from astragal.rules.position import start_states
from astragal.rules.random import next_word, upper

if TYPE_CHECKING:

    class Rest:
        """What the game that is made of this has."""

        fields: Any
else:
    Rest = object

ONE_HOT, SPREAD, BITS = range(3)
NUMBER = np.dtype(  # a number of the state, and its inputs
    [
        ("place", "i8"),  # the word of the state in which it lies
        ("shift", "i8"),  # bits below it
        ("bits", "i8"),
        ("signed", "i8"),
        ("kind", "i8"),  # ONE_HOT, SPREAD or BITS
        ("least", "i8"),
        ("most", "i8"),
        ("first", "i8"),  # its first input
    ]
)
HEADER = 1  # records before those of numbers: how many follow, and how many inputs a player has
FEW = 40  # values, each of which has an input
GRID = 24  # inputs of a number that takes more
WIDE = 1 << 16  # from this many values on a number is taken apart
SAMPLES, LONGEST = 20_000, 400  # states of random games, and the most of one game

read_number = record_reader(NUMBER)


class FieldFeatures(Rest):
    """`features` by a table of numbers at the address `fields`."""

    def features(self, state, player, out):
        header = read_number(np.uint64(self.fields), np.int64(0))
        base = player * header.most
        count = 0
        for i in range(header.least):
            number = read_number(np.uint64(self.fields), np.int64(HEADER + i))
            value = np.int64(word(state, np.int64(number.place)) >> np.uint64(number.shift))
            if number.bits < 64:
                value &= (1 << number.bits) - 1
                if number.signed and value >> (number.bits - 1) & 1:
                    value -= 1 << number.bits
            count = list_inputs(number, value, base + number.first, out, count)
        return count


def list_inputs(number, value, first, out, count):
    """Write the inputs of a number with a value."""
    if number.kind == BITS:
        for bit in range(number.most):
            if value >> bit & 1:
                out[count] = first + bit
                count += 1
        return count
    place = min(max(value, number.least), number.most) - number.least
    if number.kind == ONE_HOT:
        out[count] = first + place
        return count + 1
    return list_spread(place, number.most - number.least, GRID, first, out, count)


@kernel(entry="states of random games")
def sample_states(game, starts, generators, samples):
    """Fill an array with states of random games."""
    generator, number = generators[0], 0
    count = 0
    while count < len(samples):
        state = local_copy(starts[number % len(starts)])
        number += 1
        turn, plies = game.turn(state), 0
        while turn != TERMINAL and plies < LONGEST and count < len(samples):
            assign(samples[count], state)
            count += 1
            plies += 1
            generator, bits = next_word(generator)
            if turn == CHANCE:
                game.deal(state, game.draw(state, upper(bits)))
            elif bits & np.uint64(1) == np.uint64(0):
                game.play(state, game.prefer(state, upper(bits)))
            else:
                game.play(state, game.pick(state, upper(bits)))
            turn = game.turn(state)


def sampled_states(game, seed, samples):
    """States of random games, half of whose moves the game prefers."""
    starts = start_states(game, range(seed, seed + 64))
    found = np.zeros(samples, game.state)
    sample_states(game, starts, np.array([Dice(seed).bits()], np.uint64), found)
    return found


def table_of_fields(game: Any, players: int, seed: int = 0) -> tuple[Any, int, int]:
    """The table for `FieldFeatures`, how many inputs it has, and how many are on at most.

    ``players`` is the number of views whose inputs are separate: each has inputs of its own.
    """
    states = sampled_states(game, seed, SAMPLES)
    numbers, inputs, most = [], 0, 0
    for at, kind in numbers_of(states.dtype):
        for place, size, signed in parts_of(states, at, kind):
            number, count, on = described(states, place, size, signed, inputs)
            if count:
                numbers.append(number)
                inputs, most = inputs + count, most + on
    if not numbers:
        raise AstragalError(f"the states of {game.own_title()} have no number that changes; give the game `features`")
    header = (0, 0, 0, 0, 0, len(numbers), inputs, 0)
    return np.array([header, *numbers], NUMBER), inputs * players, most


def numbers_of(kind, at=0):
    """Where the whole numbers of a state lie, and their kinds; those of arrays and of records in it too."""
    if kind.subdtype is not None:
        for i in range(kind.itemsize // kind.base.itemsize):
            yield from numbers_of(kind.base, at + i * kind.base.itemsize)
    elif kind.names is not None:
        for name in kind.names:
            if not name.startswith(GAP):
                yield from numbers_of(kind[name], at + kind.fields[name][1])
    elif kind.kind in "iub":
        yield at, kind


def inputs_of_table(table: Any) -> tuple[int, int]:
    """How many inputs a table's numbers have, and how many are on at most; ValueError if it is none.

    Kernels read states and write inputs by a table without a look.
    """
    if table.dtype != NUMBER or table.ndim != 1 or len(table) < 2:
        raise ValueError("it is not a table of numbers")
    inputs, most = 0, 0
    for place, shift, bits, signed, kind, low, high, first in table[HEADER:].tolist():
        within = place >= 0 and bits in (8, 16, 32, 64) and 0 <= shift <= 64 - bits and signed in (0, 1)
        count, on = high - low + 1, 1
        if kind == SPREAD:
            within, count, on = within and 1 < count <= WIDE, GRID, QUARTERS
        elif kind == BITS:
            within, count, on = within and low == 0 and high <= bits, high, high
        if not within or kind not in (ONE_HOT, SPREAD, BITS) or not 0 < count <= WIDE or first != inputs:
            raise ValueError("a number of the table is damaged")
        inputs, most = inputs + count, most + on
    if table[0].tolist() != (0, 0, 0, 0, 0, len(table) - HEADER, inputs, 0):
        raise ValueError("its first record does not fit the others")
    return inputs, most


def words_of_table(table: Any) -> int:
    """How many words a state has at least from which a table can read."""
    return 1 + int(table["place"][HEADER:].max())


def parts_of(states, at, kind):
    """The place, bytes and sign of a number, or of its bytes where it takes many values."""
    values = column(states, at, kind.itemsize, kind.kind == "i")
    if int(values.max()) - int(values.min()) < WIDE:
        return [(at, kind.itemsize, kind.kind == "i")]
    return [(at + i, 1, False) for i in range(kind.itemsize)]


def column(states, at, size, signed):
    """One number of all states."""
    raw = states.view(np.uint8).reshape(len(states), -1)[:, at : at + size]
    return np.ascontiguousarray(raw).view(f"{'i' if signed else 'u'}{size}")[:, 0]


def described(states, at, size, signed, first):
    """A row of the table, and how many inputs a number has and how many of them are on at most; none if it is fixed."""
    values = column(states, at, size, signed)
    least, most = int(values.min()), int(values.max())
    place = at // 8, 8 * (at % 8), 8 * size, signed
    if least == most:
        return None, 0, 0
    if most - least < FEW:
        return (*place, ONE_HOT, least, most, first), most - least + 1, 1
    if size == 1 and not signed and most > 200:
        return (*place, BITS, 0, 8, first), 8, 8
    return (*place, SPREAD, least, most, first), GRID, QUARTERS
