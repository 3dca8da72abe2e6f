"""A network evaluated gate by gate, in flat arrays for kernels: which bit of a state is which node.

The bits of a state, in ranges of whole words:

    false and facts | moves of each role | gates | facts of the next state | legal moves of each role | gates of goals

What is legal and what comes next has bits of its own, in the order of moves and facts, so that lists of moves are
read off words and the next state is copied. Gates that only goals need are found when a game is over, and are 0
before. A cycle can have gates of both kinds, where a rule that would close it can never hold: then it is two.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.gdl.layouts.layout import NetworkLayout, power_of_two
from astragal.gdl.reading.rules import Term
from astragal.gdl.reasoning.network import FALSE, Gate, Network

LEAST_WORDS = 8
INVERTED, CYCLIC = 1, 2  # lowest bits of a gate's head; the rest is where its inputs begin


class GateLayout(NetworkLayout):
    """Arrays of gates and of what changes with each bit."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.gates: dict[int, Gate] = {}  # bit -> gate, its inputs literals of bits

    def words_of(self, facts: Iterable[Term]) -> npt.NDArray[np.uint64]:
        return words_of(self, facts)


def lay_out_gates(network: Network) -> GateLayout:
    """Arrange a network in bits and arrays."""
    layout = GateLayout(network)
    tables = layout.tables
    live = needed_by(
        [*network.next, *(each for own in network.legal.values() for each in own), network.terminal], network
    )
    tail = needed_by([each for own in network.goals.values() for _, each in own], network) - live
    place = Places(layout)
    place.put([0, *network.facts.values()])
    tables["fact_words"] = place.words
    for seat, role in enumerate(layout.seats):
        tables["move_word"][0, seat] = place.words
        place.put([network.moves[role, move] for move in network.grounding.moves[role]])
        tables["move_words"][0, seat] = place.words - tables["move_word"][0, seat]
    tables["first_gate"] = place.words
    place.put(sorted(live))
    tables["next"] = place.words
    place.copies([FALSE, *network.next])
    for seat, role in enumerate(layout.seats):
        tables["legal_word"][0, seat] = place.words
        place.copies(network.legal[role])
    tables["end"] = place.words
    tables["tail"] = 64 * place.words
    place.put(sorted(tail))
    tables["tail_end"] = int(tables["tail"][0]) + len(tail)
    layout.words = power_of_two(LEAST_WORDS, place.words)
    for number in sorted(live | tail):
        layout.gates[layout.bit[number]] = on_bits(network.gates[number], layout)
    for bit, literal in place.copied.items():
        layout.gates[bit] = Gate((literal_on_bits(literal, layout),))
    tables["terminal"] = literal_on_bits(network.terminal, layout)
    fill_arrays(layout)
    return layout


class Places:
    """Gives out bits, range by range."""

    def __init__(self, layout: GateLayout) -> None:
        self.layout = layout
        self.words = 0
        self.copied: dict[int, int] = {}  # bit -> the literal it repeats

    def put(self, nodes: list[int]) -> None:
        begin = 64 * self.words
        for i, node in enumerate(nodes):
            self.layout.bit[node] = begin + i
        self.words += -(-len(nodes) // 64)

    def copies(self, literals: list[int]) -> None:
        begin = 64 * self.words
        for i, literal in enumerate(literals):
            if literal != FALSE:
                self.copied[begin + i] = literal
        self.words += -(-len(literals) // 64)


def needed_by(literals: list[int], network: Network) -> set[int]:
    """The gates that literals depend on."""
    found: set[int] = set()
    pending = [literal >> 1 for literal in literals]
    while pending:
        number = pending.pop()
        if number in network.gates and number not in found:
            found.add(number)
            pending += [literal >> 1 for literal in network.gates[number].inputs]
    return found


def on_bits(gate: Gate, layout: GateLayout) -> Gate:
    return Gate(tuple(literal_on_bits(each, layout) for each in gate.inputs), gate.inverted, gate.cycle)


def literal_on_bits(literal: int, layout: GateLayout) -> int:
    return 2 * layout.bit[literal >> 1] + (literal & 1)


def fill_arrays(layout: GateLayout) -> None:
    bits = 64 * layout.words
    heads = np.zeros(bits + 1, np.int32)
    inputs: list[int] = []
    fans: dict[int, list[int]] = {}
    cycles: dict[tuple[int, bool], list[int]] = {}
    tail = int(layout.tables["tail"][0])
    for bit in range(bits):
        heads[bit] = 4 * len(inputs)
        gate = layout.gates.get(bit)
        if gate is not None:
            heads[bit] += INVERTED * gate.inverted + CYCLIC * (gate.cycle > 0)
            inputs += gate.inputs
            if gate.cycle:
                cycles.setdefault((gate.cycle, bit >= tail), []).append(bit)
            if bit < tail:
                for literal in gate.inputs:
                    fans.setdefault(literal >> 1, []).append(bit)
    heads[bits] = 4 * len(inputs)
    fan_heads = np.zeros(bits + 1, np.int32)
    fan_list: list[int] = []
    for bit in range(bits):
        fan_heads[bit] = len(fan_list)
        fan_list += fans.get(bit, [])
    fan_heads[bits] = len(fan_list)
    ends = [edge for own in cycles.values() for edge in (min(own), max(own) + 1)]
    for role, values in layout.network.goals.items():
        layout.goals[role] = [(value, literal_on_bits(each, layout)) for value, each in values]
    layout.tables["cycle_count"] = len(cycles)
    layout.arrays["heads"], layout.arrays["fan_heads"] = heads, fan_heads
    layout.store_all({"inputs": inputs, "fans": fan_list, "cycles": ends})


def words_of(layout: GateLayout, facts: Any) -> npt.NDArray[np.uint64]:
    """The words of the state in which these facts are true: every gate computed, in order."""
    on = np.zeros(64 * layout.words, bool)
    for fact in facts:
        on[layout.bit[layout.network.facts[fact]]] = True
    tail = int(layout.tables["tail"][0])
    for cycle, group in groupby(sorted(bit for bit in layout.gates if bit < tail), lambda bit: layout.gates[bit].cycle):
        bits, repeat = list(group), True
        while repeat:  # once, but for a cycle: what comes after it, perhaps negated, must not see it half done
            repeat = False
            for bit in bits:
                gate = layout.gates[bit]
                value = all(on[literal >> 1] != bool(literal & 1) for literal in gate.inputs) != gate.inverted
                if on[bit] != value:
                    on[bit] = value
                    repeat = cycle > 0
    return np.packbits(on, bitorder="little").view(np.uint64)
