"""Where everything is in a state of a rule sheet's game: words of bits, and the tables that kernels read.

In the words of a state lie its facts, what is legal for every role, whether it is over and what it is worth. How that
is found, and what else lies there, depends on how the sheet is run: gate by gate (`gate_layout`), by
machine code of its own (`code_layout`) or by the plain reasoner (`plain_layout`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from astragal.gdl.reading.rules import RANDOM, Sheet, Term
from astragal.gdl.reasoning.network import Network, idle_moves

MAX_ROLES = 16
MAX_MOVES = 65_000  # of a role: searches and states count them in 16 bits
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
        ("advance", "u8"),  # of the function that plays moves, if it is called
        ("find_goals", "u8"),  # and of the one that finds goals
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


class Layout(ABC):
    """A sheet and its tables. A literal of bits is twice a bit, plus one if it is inverted."""

    is_called = False  # by address, or else gate by gate

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.players = tuple(role for role in sheet.roles if role != RANDOM)  # as seats
        self.seats = self.players + ((RANDOM,) if RANDOM in sheet.roles else ())  # players, then chance
        self.goals: dict[str, list[tuple[int, int]]] = {}  # values and literals of bits, the largest value first
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.tables: npt.NDArray[np.void] = np.zeros(1, TABLES)
        self.words = 0  # of a state, rounded up so that many sheets have states of the same size

    @property
    def address(self) -> int:
        return int(self.tables.ctypes.data)

    @abstractmethod
    def most_moves(self, role: str) -> int:
        """That a role can have in a state."""

    @abstractmethod
    def move(self, words: Any, seat: int, action: int) -> Term:
        """The move that an action of a seat stands for in a state."""

    @abstractmethod
    def action(self, words: Any, seat: int, move: Term) -> int | None:
        """The action of a seat that stands for a move; None if there is none."""

    @abstractmethod
    def facts(self, words: Any) -> list[Term]:
        """What is true in a state, in natural order."""

    @abstractmethod
    def can_be_true(self, fact: Term) -> bool: ...

    @abstractmethod
    def known_facts(self) -> list[Term]:
        """Facts that can be true: all, or those that are known before a game is played."""

    @abstractmethod
    def known_moves(self) -> list[Term]:
        """Moves that can be made: all, or those that are known before a game is played."""

    @abstractmethod
    def words_of(self, facts: Iterable[Term]) -> npt.NDArray[np.uint64]:
        """The words of the state in which these facts are true, with all that follows but goals."""

    def goal_pairs(self) -> list[int]:
        """Pairs of value and literal of all players, for kernels; their beginnings go into the tables."""
        pairs: list[int] = []
        for seat, role in enumerate(self.players):
            self.tables["goal_begin"][0, seat] = len(pairs) // 2
            for pair in self.goals[role]:
                pairs += pair
        self.tables["goal_begin"][0, len(self.players)] = len(pairs) // 2
        return pairs

    def store(self, numbers: dict[str, list[int]]) -> None:
        """Keep numbers for kernels, and write the addresses of all arrays into the tables."""
        for name, values in {**numbers, "goals": self.goal_pairs()}.items():
            self.arrays[name] = np.array([*values, 0], np.int32)  # never empty: an address must be one
        for name, array in self.arrays.items():
            self.tables[name] = array.ctypes.data


class NetworkLayout(Layout):
    """A layout whose facts and moves are known beforehand."""

    def __init__(self, network: Network) -> None:
        super().__init__(network.grounding.sheet)
        self.network = network
        self.bit: dict[int, int] = {}  # node -> its bit

    def most_moves(self, role: str) -> int:
        return len(self.network.grounding.moves[role])

    def move(self, words: Any, seat: int, action: int) -> Term:
        return self.network.grounding.moves[self.seats[seat]][action]

    def action(self, words: Any, seat: int, move: Term) -> int | None:
        moves = self.network.grounding.moves[self.seats[seat]]
        return moves.index(move) if move in moves else None

    def facts(self, words: Any) -> list[Term]:
        return [fact for fact, node in self.network.facts.items() if holds(words, 2 * self.bit[node])]

    def can_be_true(self, fact: Term) -> bool:
        return fact in self.network.facts

    def known_facts(self) -> list[Term]:
        return list(self.network.facts)

    def known_moves(self) -> list[Term]:
        return [move for own in self.network.grounding.moves.values() for move in own]

    def store_all(self, numbers: dict[str, list[int]]) -> None:
        """Keep numbers and what all networks have: moves that do nothing, and the initial state."""
        self.arrays["idle"] = self.idle_words()
        self.arrays["initial"] = self.words_of(self.network.grounding.initial)
        self.store(numbers)

    def idle_words(self) -> npt.NDArray[np.uint64]:
        """Words with those moves that no rule wants to be made, where the tables say that a seat's moves begin."""
        begin, count = self.tables["move_word"][0], self.tables["move_words"][0]
        last = len(self.seats) - 1
        on = np.zeros(64 * int(begin[last] + count[last]), bool)
        idle = idle_moves(self.network)
        for seat, role in enumerate(self.seats):
            on[[64 * int(begin[seat]) + move for move in idle[role]]] = True
        return np.packbits(on, bitorder="little").view(np.uint64)


LAYOUTS: WeakValueDictionary[int, Layout] = WeakValueDictionary()  # by the address of their tables; games hold them


def holds(words: Any, literal: int) -> bool:
    """Whether a literal of bits holds in the words of a state."""
    return (int(words[literal >> 7]) >> (literal >> 1 & 63) & 1) != literal & 1


def power_of_two(least: int, number: int) -> int:
    """The first of least, twice that, and so on, that is not less than a number."""
    while least < number:
        least *= 2
    return least
