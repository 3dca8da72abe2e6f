"""A game of a rule sheet, in compiled code, under the same interface as every other game.

A state is bits (`astragal.gdl.layouts.layout`); `by_gates` and `by_calls` find the next ones. Roles
choose one after the other; those with a single legal move are not asked, chance (the role `random`, each of its legal
moves equally likely) comes last, and then the round is played. A player does not see what others have chosen in the
same round (`conceal`), and searches as if it chose first and the others answered (Genesereth & Thielscher, chapter 6:
the pessimistic view).

Kernels are compiled for the *shape* of a game, its sizes rounded up to powers of two and its tables reached by an
address, so that most sheets find theirs compiled already.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.native import local_copy, record_reader
from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
from astragal.gdl.description import SheetDescription
from astragal.gdl.layouts.by_calls import ByCalls
from astragal.gdl.layouts.by_gates import ByGates, read_number
from astragal.gdl.layouts.layout import TABLES
from astragal.gdl.texts import action_text, is_legal, picture_text, read_state, state_text
from astragal.rules.decorator import CHANCE, TERMINAL, game

WORD = np.dtype([("value", "u8")])
read_tables, read_word = record_reader(TABLES), record_reader(WORD)

ONE = np.uint64(1)
NOTHING = np.uint64(0)


class SheetGame(SheetDescription):
    """What all games of rule sheets do; `shaped` makes a class of it for each shape."""

    if TYPE_CHECKING:  # what a shape's class has: `shaped`, and how its rules are run
        address: Any
        seats: Any
        zero_sum: Any
        advance: Any
        find_goals: Any

    words = 1  # of a state's bits
    players = 1
    max_actions = 1

    # Tables and bits

    def tables(self):
        return read_tables(np.uint64(self.address), 0)

    def literal(self, state, literal):
        """Whether a literal holds."""
        bit = literal >> 1
        return np.int64((state.bits[bit >> 6] >> np.uint64(bit & 63)) & ONE) ^ (literal & 1)

    # Rounds

    def legal_count(self, state, tables, seat):
        count = 0
        for i in range(tables.move_words[seat]):
            count += bit_count(state.bits[tables.legal_word[seat] + i])
        return count

    def enter(self, state, tables):
        """A state whose facts are new: whether it is over, how many moves everybody has, and who chooses first."""
        for seat in range(self.players):
            state.chosen[seat] = 0
        stuck = False
        for seat in range(self.seats):
            count = self.legal_count(state, tables, seat)
            state.choices[seat] = count
            stuck |= count == 0
        if stuck or self.literal(state, tables.terminal):
            self.find_goals(state, tables)
            state.turn = TERMINAL
            return
        state.turn = self.next_to_choose(state)
        if state.turn == TERMINAL:
            state.turn = self.only_mover(state, tables)

    def only_mover(self, state, tables):
        """Without any choice: the first player whose only move has an effect, which that player makes."""
        for i in range(self.players):
            seat = (state.first + i) % self.players
            move = self.nth_legal(state, tables, seat, 0)
            idle = read_word(tables.idle, tables.move_word[seat] + (move >> 6)).value
            if (idle >> np.uint64(move & 63)) & ONE == NOTHING:
                return seat
        return np.int64(state.first)

    def next_to_choose(self, state):
        """The next player with a choice who has not chosen, then chance; TERMINAL if all have."""
        for i in range(self.players):
            seat = (state.first + i) % self.players
            if state.choices[seat] > 1 and state.chosen[seat] == 0:
                return seat
        if self.seats > self.players and state.choices[self.players] > 1:
            return CHANCE
        return TERMINAL

    def nth_legal(self, state, tables, seat, n):
        """A seat's n-th legal move."""
        for i in range(tables.move_words[seat]):
            word = state.bits[tables.legal_word[seat] + i]
            here = bit_count(word)
            if n < here:
                for _ in range(n):
                    word &= word - ONE
                return 64 * i + lowest_bit(word)
            n -= here
        return np.int64(-1)

    def made(self, state, tables, seat, dealt):
        """The move that a seat makes in this round: what it chose or was dealt, or the only one it has."""
        move = np.int64(state.chosen[seat]) - 1 if seat < self.players else dealt
        return self.nth_legal(state, tables, seat, 0) if move < 0 else move

    def play_round(self, state, dealt):
        """All have chosen, and chance has dealt (-1 if it had no choice): the next state."""
        tables = self.tables()
        self.advance(state, tables, dealt)
        self.enter(state, tables)

    # The game

    def start(self, state, dice):
        tables = self.tables()
        for word in range(self.words):
            state.bits[word] = read_word(tables.initial, word).value
        self.enter(state, tables)

    def turn(self, state):
        return np.int64(state.turn)

    def list_legal(self, state, seat, out):
        tables = self.tables()
        count = 0
        for i in range(tables.move_words[seat]):
            word = state.bits[tables.legal_word[seat] + i]
            while word != NOTHING:
                out[count] = 64 * i + lowest_bit(word)
                count += 1
                word &= word - ONE
        return count

    def actions(self, state, out):
        return self.list_legal(state, np.int64(state.turn), out)

    def pick(self, state, word):
        return self.nth_legal(state, self.tables(), np.int64(state.turn), word * state.choices[state.turn] >> 32)

    def play(self, state, action):
        state.chosen[state.turn] = action + 1
        state.turn = self.next_to_choose(state)
        if state.turn == TERMINAL:
            self.play_round(state, np.int64(-1))

    def goal(self, state, tables, player):
        """The largest goal value that holds; -1 if none does."""
        for i in range(tables.goal_begin[player], tables.goal_begin[player + 1]):
            if self.literal(state, np.int64(read_number(tables.goals, 2 * i + 1).value)):
                return np.int64(read_number(tables.goals, 2 * i).value)
        return np.int64(-1)

    def goal_at_end(self, state, player):
        """The goal; if there is none, 0, or what the other leaves where goals always add up to 100."""
        own = float(self.goal(state, self.tables(), player))
        if own >= 0.0 or not self.zero_sum:
            return max(own, 0.0)
        other = float(self.goal(state, self.tables(), 1 - player))
        return 50.0 if other < 0.0 else 100.0 - other

    def utility(self, state, player):
        """The goal; where goals always add up to 100, less the other's, so that both cancel out in every end."""
        own = self.goal_at_end(state, player)
        return own - self.goal_at_end(state, 1 - player) if self.zero_sum else own

    def heuristic(self, state, player):
        """What the goals say already, which in many games is nothing: then the middle."""
        copy = local_copy(state)
        tables = self.tables()
        self.find_goals(copy, tables)
        own = float(self.goal(copy, tables, player))
        if self.zero_sum:
            other = float(self.goal(copy, tables, 1 - player))
            return 0.0 if own < 0.0 or other < 0.0 else own - other
        return 50.0 if own < 0.0 else own

    def hidden(self, state):
        """Choices made in this round."""
        count = 0
        for seat in range(self.players):
            count += state.chosen[seat] != 0
        return count

    def conceal(self, state):
        for seat in range(self.players):
            state.chosen[seat] = 0
        if state.turn >= 0:
            state.first = state.turn

    # For people

    def action_name(self, state, action):
        return action_text(self.address, state, np.int64(state.turn), action)  # type: ignore[arg-type]

    def show(self, state):
        return picture_text(self.address, state)

    def to_text(self, state):
        return state_text(self.address, state)

    def from_text(self, state, text):
        first, chosen = read_state(self.address, state.bits, text)
        state.first = first
        self.enter(state, self.tables())
        for seat, move in chosen:
            if state.turn == TERMINAL or state.choices[seat] < 2:
                raise ValueError("a choice is given for a player who has none")
            if not is_legal(self.address, state, seat, move):
                raise ValueError(
                    f"{action_text(self.address, state, seat, move)} is not legal for the player who chose it"
                )
            state.chosen[seat] = move + 1
        if state.turn != TERMINAL:
            state.turn = self.next_to_choose(state) if chosen else state.turn
            if state.turn == TERMINAL:
                raise ValueError("all players have chosen; give the state after that")


class SheetGameWithChance(SheetGame):
    """The same with a role `random`."""

    def outcomes(self, state, out):
        return self.list_legal(state, self.players, out)

    def probability(self, state, outcome):
        return 1.0 / state.choices[self.players]

    def draw(self, state, word):
        return self.nth_legal(state, self.tables(), self.players, word * state.choices[self.players] >> 32)

    def deal(self, state, outcome):
        self.play_round(state, np.int64(outcome))

    def outcome_name(self, state, outcome):
        return action_text(self.address, state, self.players, outcome)


@cache
def shaped(words, players, moves, outcomes, zero_sum, is_called):
    """The class of games of one shape; one without outcomes has no chance."""
    seats = players + (outcomes > 0)
    kind = "Called" if is_called else "Sheet"
    name = f"{kind}{words}x{players}x{moves}x{outcomes}{'z' if zero_sum else ''}"
    state = np.dtype(
        [
            ("bits", "u8", words),
            ("chosen", "u2", players),  # in this round, plus one; 0 for none
            ("choices", "u2", seats),  # legal moves
            ("turn", "i1"),
            ("first", "u1"),  # the player who chooses first
        ]
    )
    declared = {
        "__module__": __name__,
        "__qualname__": name,
        "__annotations__": {"address": int, "sheet": str, "settings": str},
        "address": dataclasses.field(default=0, init=False),
        "sheet": dataclasses.field(default="", init=False),
        "settings": dataclasses.field(default="", init=False),
        "state": state,
        "words": words,
        "players": players,
        "seats": seats,
        "max_actions": moves,
        "max_outcomes": outcomes,
        "utility_range": (-100.0, 100.0) if zero_sum else (0.0, 100.0),
        "zero_sum": zero_sum,
    }
    bases = ByCalls if is_called else ByGates, SheetGameWithChance if outcomes else SheetGame
    return game(type(name, bases, declared))
