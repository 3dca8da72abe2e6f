"""Rounds of a rule sheet's game played by Python, for positions.

Interpreted kernels read tables number by number through addresses, which takes a second for a large sheet. This does
the same on lists, and is what games' twins use (`astragal.compiler.interpreted`); tests compare it with machine code.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from astragal.gdl.layouts.gate_layout import GateLayout
from astragal.gdl.layouts.layout import LAYOUTS


class Stepper:
    """A layout's tables as lists."""

    def __init__(self, layout: GateLayout) -> None:
        tables = layout.tables
        self.gates = {bit: (gate.inputs, gate.inverted) for bit, gate in layout.gates.items()}
        tail = int(tables["tail"][0])
        self.cycle_of = {bit: (gate.cycle, bit >= tail) for bit, gate in layout.gates.items() if gate.cycle}
        self.cycles: dict[tuple[int, bool], list[int]] = {}
        for bit, cycle in sorted(self.cycle_of.items()):
            self.cycles.setdefault(cycle, []).append(bit)
        self.tail = range(tail, int(tables["tail_end"][0]))
        self.fans: dict[int, list[int]] = {}
        for bit, (inputs, _) in self.gates.items():
            if bit < self.tail.start:
                for literal in inputs:
                    self.fans.setdefault(literal >> 1, []).append(bit)
        self.facts = range(64 * int(tables["fact_words"][0]))
        self.next = 64 * int(tables["next"][0])

    def value(self, on: bytearray, bit: int) -> int:
        inputs, inverted = self.gates[bit]
        for literal in inputs:
            if on[literal >> 1] == literal & 1:
                return int(inverted)
        return int(not inverted)

    def play(self, on: bytearray, moves: Iterable[int]) -> None:
        """Change bits into those of the next state; moves are given by their bits."""
        moves = list(moves)
        for bit in moves:
            on[bit] = 1
        self.settle(on, moves)
        changed = [bit for bit in self.facts if on[bit] != on[self.next + bit]]
        for bit in changed:
            on[bit] ^= 1
        for bit in moves:
            on[bit] = 0
        self.settle(on, changed + moves)

    def settle(self, on: bytearray, changed: list[int]) -> None:
        marked = {other for bit in changed for other in self.fans.get(bit, ())}
        heap = list(marked)
        heapify(heap)
        while heap:
            bit = heappop(heap)
            marked.discard(bit)
            if bit in self.cycle_of:
                news = self.settle_cycle(on, self.cycles[self.cycle_of[bit]])
            elif self.value(on, bit) != on[bit]:
                on[bit] ^= 1
                news = [bit]
            else:
                continue
            for one in news:
                for other in self.fans.get(one, ()):
                    if other not in marked and self.cycle_of.get(other) != self.cycle_of.get(bit, ()):
                        marked.add(other)
                        heappush(heap, other)

    def settle_cycle(self, on: bytearray, cycle: list[int]) -> list[int]:
        before = [on[bit] for bit in cycle]
        for bit in cycle:
            on[bit] = 0
        self.grow(on, cycle)
        return [bit for bit, old in zip(cycle, before, strict=True) if on[bit] != old]

    def grow(self, on: bytearray, cycle: list[int]) -> None:
        more = True
        while more:
            more = False
            for bit in cycle:
                if not on[bit] and self.value(on, bit):
                    on[bit] = more = True

    def find_goals(self, on: bytearray) -> None:
        for bit in self.tail:
            if bit in self.cycle_of:
                self.grow(on, self.cycles[self.cycle_of[bit]])
            else:
                on[bit] = self.value(on, bit)


STEPPERS: WeakKeyDictionary[GateLayout, Stepper] = WeakKeyDictionary()


def stepper(address: int) -> Stepper:
    layout = LAYOUTS[address]
    assert isinstance(layout, GateLayout)
    if layout not in STEPPERS:
        STEPPERS[layout] = Stepper(layout)
    return STEPPERS[layout]


def bits_of(state: Any) -> bytearray:
    return bytearray(np.unpackbits(state.bits.array.view(np.uint8), bitorder="little"))


def store_bits(state: Any, on: bytearray) -> None:
    state.bits.array[:] = np.packbits(np.frombuffer(on, np.uint8), bitorder="little").view(np.uint64)


def advance(self: Any, state: Any, tables: Any, dealt: int) -> None:
    """Twin of `ByGates.advance`."""
    made = (int(self.made(state, tables, seat, dealt)) for seat in range(self.seats))
    moves = [64 * int(tables.move_word[seat]) + move for seat, move in enumerate(made)]
    on = bits_of(state)
    stepper(self.address).play(on, moves)
    store_bits(state, on)


def find_goals(self: Any, state: Any, tables: Any) -> None:
    """Twin of `ByGates.find_goals`."""
    on = bits_of(state)
    stepper(self.address).find_goals(on)
    store_bits(state, on)
