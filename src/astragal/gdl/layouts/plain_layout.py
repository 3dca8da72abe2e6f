"""A sheet that is searched on the plain reasoner, where its rules are too many to be instantiated.

Kernels call Python by address, as they would call a sheet's machine code. The words of a state are

    a name of its facts, in two words | legal moves of each role | whether it is over, and goals

The name is a hash of the facts' texts, the same in every process; the facts themselves are kept beside it. An action is
the number of a move among those that the role has in that state, in natural order. States and rounds that were asked
about are remembered, since a tree search comes by the same ones again and again.

A random game can take longer than a search may: one that is under way when the search is stopped is cut off there,
and counts 50 for everybody.
"""

from __future__ import annotations

import ctypes
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.base.interruptible import is_hurried
from astragal.gdl.code.machine_code import PROTOTYPE, Words
from astragal.gdl.layouts.layout import MAX_MOVES, Layout, power_of_two
from astragal.gdl.playability import random_game
from astragal.gdl.reading.rules import Sheet, Term, kif
from astragal.gdl.reasoning.grounding import natural
from astragal.gdl.reasoning.interpreter import Interpreter, State
from astragal.rules.dice import Dice

LEAST_WORDS = 16
LEAST_MOVES, SPARE = 256, 4  # room for legal moves, as a multiple of those at the start
MOST_POINTS = 100
REMEMBERED = 100_000  # rounds

Name = tuple[int, int]  # of a state
NOWHERE: Name = (0, 0)  # where a random game was cut off
EVEN = 50  # what that is worth

natural_key: Callable[[Term], Any] = lru_cache(maxsize=100_000)(natural)


class Known(NamedTuple):
    """What was found about a state."""

    moves: tuple[list[Term], ...]  # by seat
    is_over: bool


class PlainLayout(Layout):
    """The interpreter behind the tables of a game that is called."""

    is_called = True

    def __init__(self, sheet: Sheet, room: int = 0) -> None:
        """With room for this many legal moves of a role; 0 stands for a multiple of the number at the start."""
        super().__init__(sheet)
        self.code = PlainCode(sheet, self.seats)
        start = self.code.interpreter.initial()
        most = max(len(moves) for moves in self.code.known(self.code.name(start)).moves)
        self.room = min(power_of_two(LEAST_MOVES, max(room, most) if room else SPARE * most), MAX_MOVES)
        self.fill_tables()
        self.code.layout = self
        self.arrays["initial"] = self.words_of(start)
        self.store({})

    def fill_tables(self) -> None:
        tables, each = self.tables, -(-self.room // 64)
        for seat in range(len(self.seats)):
            tables["legal_word"][0, seat] = 2 + seat * each
            tables["move_words"][0, seat] = each
        bit = 64 * (2 + len(self.seats) * each)
        tables["terminal"] = 2 * bit
        for role in self.seats:
            self.goals[role] = [(value, 2 * (bit + 1 + MOST_POINTS - value)) for value in range(MOST_POINTS, -1, -1)]
            bit += MOST_POINTS + 1
        self.words = power_of_two(LEAST_WORDS, bit // 64 + 1)
        self.arrays["idle"] = np.zeros(each, np.uint64)  # which moves do nothing is not known
        tables["advance"], tables["find_goals"] = self.code.addresses()

    def most_moves(self, role: str) -> int:
        return self.room

    def move(self, words: Any, seat: int, action: int) -> Term:
        moves = self.code.known(name_in(words)).moves[seat]
        return moves[action] if action < len(moves) else "-"

    def action(self, words: Any, seat: int, move: Term) -> int | None:
        moves = self.code.known(name_in(words)).moves[seat]
        return moves.index(move) if move in moves else None

    def facts(self, words: Any) -> list[Term]:
        return sorted(self.code.state(name_in(words)), key=natural_key)

    def can_be_true(self, fact: Term) -> bool:
        return True

    def known_facts(self) -> list[Term]:
        return self.facts(self.arrays["initial"])

    def known_moves(self) -> list[Term]:
        return [move for own in self.code.known(name_in(self.arrays["initial"])).moves for move in own]

    def words_of(self, facts: Iterable[Term]) -> npt.NDArray[np.uint64]:
        words = np.zeros(self.words, np.uint64)
        self.code.put(words, self.code.name(frozenset(facts)))
        return words

    def states_a_second(self) -> float:
        """How many states of a random game the reasoner goes through in a second, measured for a moment."""
        began, states = time.perf_counter(), 0
        while time.perf_counter() - began < 0.5 and states < 1000:
            states += len(random_game(self.code.interpreter, Dice(1), 10).states)
        return states / (time.perf_counter() - began)


class PlainCode:
    """What kernels call."""

    text = "plain"

    def __init__(self, sheet: Sheet, seats: tuple[str, ...]) -> None:
        self.interpreter = Interpreter(sheet)
        self.seats = seats
        self.layout: PlainLayout | None = None
        self._facts: dict[Name, tuple[Term, ...]] = {}  # never forgotten, and a set would take ten times the room
        self._last: tuple[Name, State] = NOWHERE, frozenset()  # what the interpreter was asked about, and remembers
        self._known: dict[Name, Known] = {}
        self._rounds: dict[tuple[Name, tuple[int, ...]], Name] = {}
        self._lock = threading.RLock()  # several threads may search
        self._callbacks = [PROTOTYPE(self._called_advance), PROTOTYPE(self._called_goals)]

    def addresses(self) -> tuple[int, int]:
        advance, goals = (ctypes.cast(each, ctypes.c_void_p).value or 0 for each in self._callbacks)
        return advance, goals

    # States by name

    def name(self, state: State) -> Name:
        text = "\n".join(sorted(map(kif, state)))
        digest = blake2b(text.encode(), digest_size=16).digest()
        name = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")
        with self._lock:
            if name not in self._facts:
                self._facts[name] = tuple(state)
        return name

    def state(self, name: Name) -> State:
        with self._lock:
            if self._last[0] != name:
                self._last = name, frozenset(self._facts[name])
            return self._last[1]

    def known(self, name: Name) -> Known:
        with self._lock:
            if name not in self._known:
                if len(self._known) > REMEMBERED:
                    self._known.clear()
                state, reasoner = self.state(name), self.interpreter
                moves = tuple(sorted(reasoner.legal(state, role), key=natural_key) for role in self.seats)
                self._known[name] = Known(moves, reasoner.is_terminal(state))
            return self._known[name]

    # What is done to the words of a state

    def put(self, words: Words, name: Name) -> None:
        """The words of a state of which the name is known."""
        layout = self.layout
        assert layout is not None
        known = self.known(name)
        words[:] = 0
        words[0], words[1] = name
        for seat, moves in enumerate(known.moves):
            if len(moves) > layout.room:
                room = f"there is room for {layout.room}; set moves={len(moves)} or more"
                raise AstragalError(f"{self.seats[seat]} has {len(moves)} moves, and {room}")
            begin, count = int(layout.tables["legal_word"][0, seat]), int(layout.tables["move_words"][0, seat])
            ones = (1 << len(moves)) - 1
            words[begin : begin + count] = np.frombuffer(ones.to_bytes(8 * count, "little"), np.uint64)
        if known.is_over:
            turn_on(words, int(layout.tables["terminal"][0]) >> 1)

    def advance(self, words: Words, moves: Words) -> None:
        name, chosen = name_in(words), tuple(map(int, moves[: len(self.seats)]))
        with self._lock:
            if (name, chosen) not in self._rounds:
                if len(self._rounds) > REMEMBERED:
                    self._rounds.clear()
                known = self.known(name)
                made = {role: known.moves[seat][chosen[seat]] for seat, role in enumerate(self.seats)}
                self._rounds[name, chosen] = self.name(self.interpreter.next(self.state(name), made))
            self.put(words, self._rounds[name, chosen])

    def goals(self, words: Words) -> None:
        assert self.layout is not None
        for role in self.seats:
            with self._lock:
                values = self.interpreter.goals(self.state(name_in(words)), role)
            for value, literal in self.layout.goals[role]:
                if value in values:
                    turn_on(words, literal >> 1)

    # From machine code, where nothing can be raised: a state that cannot be found has no moves

    def _called_advance(self, words: int, moves: int) -> None:
        assert self.layout is not None
        state = as_words(words, self.layout.words)
        if is_hurried():
            state[:] = 0
            return
        try:
            self.advance(state, as_words(moves, len(self.seats)))
        except Exception as problem:
            warnings.warn(f"the plain reasoner does not go on: {problem}", stacklevel=1)
            state[2:] = 0

    def _called_goals(self, words: int, moves: int) -> None:
        assert self.layout is not None
        state = as_words(words, self.layout.words)
        try:
            if name_in(state) == NOWHERE:
                for role in self.seats:
                    turn_on(state, dict(self.layout.goals[role])[EVEN] >> 1)
            else:
                self.goals(state)
        except Exception as problem:
            warnings.warn(f"the plain reasoner finds no goals: {problem}", stacklevel=1)


def name_in(words: Any) -> Name:
    return int(words[0]), int(words[1])


def turn_on(words: Words, bit: int) -> None:
    words[bit >> 6] |= np.uint64(1 << (bit & 63))


def as_words(address: int, count: int) -> npt.NDArray[np.uint64]:
    memory: Any = (ctypes.c_uint64 * count).from_address(address)
    words: npt.NDArray[np.uint64] = np.frombuffer(memory, np.uint64)
    return words
