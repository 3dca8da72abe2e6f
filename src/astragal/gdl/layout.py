"""A network in flat arrays, for kernels: which bit of a state is which node, and what changes with it.

The bits of a state, in ranges of whole words:

    false and facts | moves of each role | gates | facts of the next state | legal moves of each role | gates of goals

What is legal and what comes next has bits of its own, in the order of moves and facts, so that lists of moves are
read off words and the next state is copied. Gates that only goals need are found when a game is over, and are 0
before. A cycle can have gates of both kinds, where a rule that would close it can never hold: then it is two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from astragal.gdl.network import FALSE, Gate, Network
from astragal.gdl.rules import RANDOM

MAX_ROLES = 16
LEAST_WORDS = 8
INVERTED, CYCLIC = 1, 2  # lowest bits of a gate's head; the rest is where its inputs begin
TABLES = np.dtype(
    [
        ("heads", "u8"),  # addresses: of gates' heads, one for each bit and one more,
        ("inputs", "u8"),  # of their literals, as bits: twice the bit, plus one if inverted,
        ("fan_heads", "u8"),  # of where the gates begin that a bit is an input of,
        ("fans", "u8"),  # of these gates' bits,
        ("cycles", "u8"),  # of the first bit of each cycle and the one after its last,
        ("goals", "u8"),  # of values and literals, the largest value of each player first,
        ("idle", "u8"),  # of the words of moves, with those that nothing depends on
        ("initial", "u8"),  # and of the words of the initial state
        ("cycle_count", "i8"),
        ("terminal", "i8"),  # literal
        ("fact_words", "i8"),
        ("first_gate", "i8"),  # word
        ("next", "i8"),  # word
        ("end", "i8"),  # word after the last legal move
        ("tail", "i8"),  # bits of the gates of goals
        ("tail_end", "i8"),
        ("move_word", "i8", MAX_ROLES),  # players in the sheet's order, then chance
        ("legal_word", "i8", MAX_ROLES),
        ("move_words", "i8", MAX_ROLES),
        ("goal_begin", "i8", MAX_ROLES + 1),
    ]
)


@dataclass(eq=False)
class Layout:
    """Where everything is, with the arrays that hold it."""

    network: Network
    players: tuple[str, ...]  # roles but for chance, as seats
    bit: dict[int, int] = field(default_factory=dict)  # node -> its bit
    gates: dict[int, Gate] = field(default_factory=dict)  # bit -> gate, its inputs literals of bits
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    tables: npt.NDArray[np.void] = field(default_factory=lambda: np.zeros(1, TABLES))
    words: int = 0  # of a state, rounded up so that many sheets have states of the same size

    @property
    def address(self) -> int:
        return int(self.tables.ctypes.data)

    @property
    def seats(self) -> tuple[str, ...]:
        """Players, then chance if there is one."""
        return self.players + ((RANDOM,) if RANDOM in self.network.grounding.moves else ())


LAYOUTS: WeakValueDictionary[int, Layout] = WeakValueDictionary()  # by the address of their tables; games hold them


def holds(words: Any, literal: int) -> bool:
    """Whether a literal of bits holds in the words of a state."""
    return (int(words[literal >> 7]) >> (literal >> 1 & 63) & 1) != literal & 1


def power_of_two(least: int, number: int) -> int:
    """The first of least, twice that, and so on, that is not less than a number."""
    while least < number:
        least *= 2
    return least


def lay_out(network: Network) -> Layout:
    """Arrange a network in bits and arrays."""
    layout = Layout(network, tuple(role for role in network.grounding.moves if role != RANDOM))
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

    def __init__(self, layout: Layout) -> None:
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


def on_bits(gate: Gate, layout: Layout) -> Gate:
    return Gate(tuple(literal_on_bits(each, layout) for each in gate.inputs), gate.inverted, gate.cycle)


def literal_on_bits(literal: int, layout: Layout) -> int:
    return 2 * layout.bit[literal >> 1] + (literal & 1)


def fill_arrays(layout: Layout) -> None:
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
    goals: list[int] = []
    for seat, role in enumerate(layout.players):
        layout.tables["goal_begin"][0, seat] = len(goals) // 2
        for value, literal in layout.network.goals[role]:
            goals += [value, literal_on_bits(literal, layout)]
    layout.tables["goal_begin"][0, len(layout.players)] = len(goals) // 2
    layout.tables["cycle_count"] = len(cycles)
    numbers = {
        "inputs": inputs,
        "fans": fan_list,
        "cycles": ends,
        "goals": goals,
    }
    for name, values in numbers.items():
        layout.arrays[name] = np.array([*values, 0], np.int32)  # never empty: an address must be one
    layout.arrays["heads"], layout.arrays["fan_heads"] = heads, fan_heads
    layout.arrays["idle"] = idle_moves(layout)
    layout.arrays["initial"] = words_of(layout, layout.network.grounding.initial)
    for name, array in layout.arrays.items():
        layout.tables[name] = array.ctypes.data


def idle_moves(layout: Layout) -> npt.NDArray[np.uint64]:
    """The words of moves, with those moves that no rule wants to be made: a way to wait."""
    grounding = layout.network.grounding
    wanted = {atom for rules in grounding.rules.values() for rule in rules for atom in rule.positive}
    on = np.zeros(64 * int(layout.tables["first_gate"][0]), bool)
    for (role, move), node in layout.network.moves.items():
        on[layout.bit[node]] = ("does", role, move) not in wanted
    return np.packbits(on, bitorder="little").view(np.uint64)


def words_of(layout: Layout, facts: Any) -> npt.NDArray[np.uint64]:
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
