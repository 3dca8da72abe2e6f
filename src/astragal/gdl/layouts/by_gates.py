"""A network evaluated gate by gate: when bits change, only gates that depend on them are looked at again, in order."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.interpreted import twin_of
from astragal.compiler.intrinsics.native import record_reader
from astragal.compiler.intrinsics.primitives import lowest_bit, scratch
from astragal.gdl.layouts import stepping
from astragal.gdl.layouts.gate_layout import CYCLIC, INVERTED

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        literal: Any
        made: Any
        seats: Any
        words: Any
else:
    Rest = object

NUMBER = np.dtype([("value", "i4")])
read_number = record_reader(NUMBER)

ONE = np.uint64(1)
NOTHING = np.uint64(0)


class ByGates(Rest):
    """How a rule sheet's game finds the next state, and goals, from the tables of a `GateLayout`."""

    def gate(self, state, tables, bit):
        """What a gate says, 0 or 1."""
        head = np.int64(read_number(tables.heads, bit).value)
        end = np.int64(read_number(tables.heads, bit + 1).value) >> 2
        value = 1
        for i in range(head >> 2, end):
            if not self.literal(state, np.int64(read_number(tables.inputs, i).value)):
                value = 0
                break
        return value ^ (head & INVERTED)

    def mark(self, tables, bit, dirty):
        """Remember to look at the gates that a bit is an input of."""
        for i in range(
            np.int64(read_number(tables.fan_heads, bit).value), np.int64(read_number(tables.fan_heads, bit + 1).value)
        ):
            other = np.int64(read_number(tables.fans, i).value)
            dirty[other >> 6] |= ONE << np.uint64(other & 63)

    def mark_word(self, tables, word, changed, dirty):
        while changed != NOTHING:
            self.mark(tables, 64 * word + lowest_bit(changed), dirty)
            changed &= changed - ONE

    def settle(self, state, tables, dirty):
        """Look at every gate that was marked, and at those that change with it."""
        for word in range(tables.first_gate, tables.end):
            while dirty[word] != NOTHING:
                place = lowest_bit(dirty[word])
                bit = 64 * word + place
                dirty[word] &= dirty[word] - ONE
                if read_number(tables.heads, bit).value & CYCLIC:
                    self.settle_cycle(state, tables, bit, dirty)
                else:
                    value = np.uint64(self.gate(state, tables, bit)) << np.uint64(place)
                    if (state.bits[word] & (ONE << np.uint64(place))) != value:
                        state.bits[word] ^= ONE << np.uint64(place)
                        self.mark(tables, bit, dirty)

    def settle_cycle(self, state, tables, bit, dirty):
        """All gates of a cycle from scratch: none holds, until no more is found to."""
        begin, end = np.int64(0), np.int64(0)
        for i in range(tables.cycle_count):
            first = np.int64(read_number(tables.cycles, 2 * i).value)
            last = np.int64(read_number(tables.cycles, 2 * i + 1).value)
            if first <= bit < last:
                begin, end = first, last
        before = scratch(np.uint64, self.words)
        for word in range(begin >> 6, ((end - 1) >> 6) + 1):
            before[word] = state.bits[word]
        for each in range(begin, end):
            state.bits[each >> 6] &= ~(ONE << np.uint64(each & 63))
        self.grow_cycle(state, tables, begin, end)
        for each in range(begin, end):
            one = ONE << np.uint64(each & 63)
            if (before[each >> 6] ^ state.bits[each >> 6]) & one != NOTHING:
                self.mark(tables, each, dirty)
        for each in range(begin, end):
            dirty[each >> 6] &= ~(ONE << np.uint64(each & 63))

    def grow_cycle(self, state, tables, begin, end):
        more = True
        while more:
            more = False
            for each in range(begin, end):
                one = ONE << np.uint64(each & 63)
                if state.bits[each >> 6] & one == NOTHING and self.gate(state, tables, each):
                    state.bits[each >> 6] |= one
                    more = True

    def find_goals(self, state, tables):
        """The gates that only goals need, each once, in order; cycles from scratch."""
        bit = tables.tail
        while bit < tables.tail_end:
            if read_number(tables.heads, bit).value & CYCLIC:
                for i in range(tables.cycle_count):
                    if read_number(tables.cycles, 2 * i).value == bit:
                        end = np.int64(read_number(tables.cycles, 2 * i + 1).value)
                        self.grow_cycle(state, tables, bit, end)
                        bit = end
            else:
                state.bits[bit >> 6] |= np.uint64(self.gate(state, tables, bit)) << np.uint64(bit & 63)
                bit += 1

    def advance(self, state, tables, dealt):
        """Let the moves act on the network, take the facts of the next state over, and the moves back."""
        dirty = scratch(np.uint64, self.words)
        for word in range(self.words):
            dirty[word] = NOTHING  # type: ignore[call-overload]
        for seat in range(self.seats):
            move = self.made(state, tables, seat, dealt)
            word = tables.move_word[seat] + (move >> 6)
            state.bits[word] = ONE << np.uint64(move & 63)
            self.mark_word(tables, word, state.bits[word], dirty)
        self.settle(state, tables, dirty)
        for word in range(tables.fact_words):
            following = state.bits[tables.next + word]
            self.mark_word(tables, word, state.bits[word] ^ following, dirty)
            state.bits[word] = following
        for word in range(tables.fact_words, tables.first_gate):
            self.mark_word(tables, word, state.bits[word], dirty)
            state.bits[word] = NOTHING
        self.settle(state, tables, dirty)


twin_of(ByGates.advance, stepping.advance)
twin_of(ByGates.find_goals, stepping.find_goals)
