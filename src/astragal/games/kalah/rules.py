"""Kalah(m, n), the best-known mancala: m pits a side with n stones in each, and a store for each player.

A move takes all stones of one own pit and sows them one by one into the following places: the own pits,
one's own store, the opponent's pits, and round again; the opponent's store is left out. If the last stone falls into
one's own store, one moves again. If it falls into one's own pit that was empty, it is captured, with the stones of the
pit opposite, into one's own store. The game is over right after a move that leaves either row empty. The larger store
wins.

Three sets of rules differ in two points:

- ``paper`` (Ramanujan and Selman 2011): the last stone is captured even if the pit opposite is empty; stones left at
  the end go to the player **whose row is empty**;
- ``irving`` (Irving, Donkers and Uiterwijk 2000): captures as in ``paper``; stones left go to the player on whose side
  they lie;
- ``standard`` (the common rules, OpenSpiel's too): no capture if the pit opposite is empty; what is left as in
  ``irving``.

Pits are called A1 to A6 and B1 to B6, the one next to the owner's store last; the action is that number less one.
**Actions are listed from the pit next to the store backwards**, the natural order for searches: a move there disturbs
least, and moves again most easily.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from astragal.base.parameters import Constant, parameter
from astragal.rules.decorator import TERMINAL, game

MAX_STONES = 127  # in all: no pit can then hold more, and there is a bit to spare in each
RULES = ("paper", "irving", "standard")
HEAP = 15  # stones of a pit with an input each in a learned evaluation
ONES = 0x0101010101010101  # one stone in each of eight pits
SEVENS = 0x7F7F7F7F7F7F7F7F
GATHER = 0x0102040810204080  # the product with this has the lowest bits of eight bytes in a row, from bit 56 on

COUNT = np.zeros(256, np.uint8)  # [pits with stones] -> how many
LISTED = np.zeros((256, 8), np.uint8)  # [pits with stones, i] -> each of them, from the store backwards
for pits in range(256):
    filled = [pit for pit in range(7, -1, -1) if pits >> pit & 1]
    COUNT[pits] = len(filled)
    LISTED[pits, : len(filled)] = filled


@cache
def sowing(pits, stones):
    """Tables for a size of board: ``sown``, ``stored`` and ``last`` of [pit, stones in it], see `Kalah`."""
    sown = np.zeros((pits, stones + 1, 2), np.int64)
    stored = np.zeros((pits, stones + 1), np.uint8)
    last = np.zeros((pits, stones + 1), np.uint8)
    for pit in range(pits):
        for held in range(1, stones + 1):
            places = [(pit + k) % (2 * pits + 1) for k in range(1, held + 1)]
            mine = sum(1 << 8 * place for place in places if place < pits) - (held << 8 * pit)
            theirs = sum(1 << 8 * (place - pits - 1) for place in places if place > pits)
            sown[pit, held] = mine, theirs
            stored[pit, held] = places.count(pits)
            last[pit, held] = places[-1]
    return sown, stored, last


def stones_in(row, pit):
    return row >> 8 * pit & 255


def stones_of(row):
    """All the stones of a row: the sum of its digits to the base 256, each of which leaves itself divided by 255."""
    return row % 255


@game
class Kalah:
    """Kalah: sow stones round the board, capture, and fill your store."""

    pits: Constant[int] = parameter(6, "pits on each side", low=1, high=8)
    stones: Constant[int] = parameter(4, "stones in each pit at the start", low=1, high=63)
    rules: str = parameter(
        "paper", "rules of captures and of the stones left at the end (see astragal games kalah)", choices=RULES
    )
    setup: str = parameter("even", "stones spread evenly, or at random by the seed", choices=("even", "random"))
    score: str = parameter(
        "margin", "value of the end: the margin in stones, or win, draw or loss", choices=("margin", "win")
    )

    # How a row of pits is packed: eight bits for each pit, the one farthest from the owner's store (A1, B1) lowest, of
    # which the highest is never used. `stones_in` and `stones_of` read it, `packed` and `unpacked` translate it.
    #
    # field                   what it is                                                  bits of pit p = 0, 1, ...
    # mine, theirs            the rows of the player to move and of the other             8p .. 8p + 7
    # my_store, their_store   their stores
    # turn                    who is to move, 0 or 1
    #
    # So sowing adds a number from a table to each row (`sowing`), a capture subtracts from two bytes, and the pits that
    # are not empty are the bytes in which adding 127 sets the highest bit (`filled`). An action is the pit p.
    state = np.dtype([("mine", "i8"), ("theirs", "i8"), ("my_store", "u1"), ("their_store", "u1"), ("turn", "u1")])
    players = 2
    utility_range = (-100.0, 100.0)
    zero_sum = True

    def __post_init__(self):
        if self.total > MAX_STONES:
            raise ValueError(
                f"{self.pits} pits a side with {self.stones} stones are {self.total} stones; at most 127 fit"
            )

    @property
    def total(self):
        return 2 * self.pits * self.stones

    @property
    def point(self):
        """What a stone is worth."""
        return 100 / self.total

    @property
    def max_actions(self):
        return self.pits

    @property
    def max_plies(self):
        """With k stones in the stores, each of the others goes at most from the first pit to the last of its row before
        another stone must enter a store; every move carries a stone forward."""
        return sum((self.total - k) * (self.pits - 1) + 1 for k in range(self.total))

    @property
    def captures_alone(self):
        """Whether a last stone is captured opposite an empty pit."""
        return self.rules != "standard"

    @property
    def empty_row_takes_rest(self):
        """Whether stones left at the end go to the player whose row is empty."""
        return self.rules == "paper"

    @property
    def by_margin(self):
        return self.score == "margin"

    @property
    def sown(self):
        """[pit, stones in it] -> what sowing them adds to one's own row and to the other."""
        return sowing(self.pits, self.total)[0]

    @property
    def stored(self):
        """[pit, stones in it] -> how many fall into one's own store."""
        return sowing(self.pits, self.total)[1]

    @property
    def last(self):
        """[pit, stones in it] -> where the last one falls: own pits from 0, the store, then the opponent's pits."""
        return sowing(self.pits, self.total)[2]

    def start(self, state, dice):
        rows = [[self.stones] * self.pits] * 2
        if self.setup == "random":
            rows = self.thrown(dice)
            while not any(rows[0]) or not any(rows[1]):
                rows = self.thrown(dice)
        state.mine, state.theirs = packed(rows[0]), packed(rows[1])

    def thrown(self, dice):
        """Two rows into whose pits all stones were thrown one by one."""
        places = [dice.below(2 * self.pits) for _ in range(self.total)]
        counts = [places.count(pit) for pit in range(2 * self.pits)]
        return counts[: self.pits], counts[self.pits :]

    def turn(self, state):
        """Both rows are empty at the end."""
        return TERMINAL if state.mine == 0 else np.int64(state.turn)

    def filled(self, state):
        """The mover's pits with stones, one bit each."""
        return (state.mine + SEVENS >> 7 & ONES) * GATHER >> 56 & 255

    def actions(self, state, out):
        filled = self.filled(state)
        for i in range(self.pits):  # always all: how many there are would be mispredicted
            out[i] = LISTED[filled, i]
        return np.int64(COUNT[filled])

    def pick(self, state, word):
        filled = self.filled(state)
        return np.int64(LISTED[filled, word * COUNT[filled] >> 32])

    def sow(self, state, action):
        """Both rows and one's own store when the stones of a pit are sown and what they capture is taken; and where the
        last one fell."""
        held = stones_in(state.mine, action)
        last = np.int64(self.last[action, held])
        mine = state.mine + self.sown[action, held, 0]
        theirs = state.theirs + self.sown[action, held, 1]
        store = np.int64(state.my_store) + self.stored[action, held]

        pit: Any = min(last, self.pits - 1)  # where the last stone lies, if that is in one's own row
        facing = self.pits - 1 - pit
        prey = stones_in(theirs, facing)
        # Not "and", not "if": branches here cost an eighth of the speed.
        captures = np.int64((last == pit) & (stones_in(mine, pit) == 1) & (self.captures_alone | (prey > 0)))
        mine -= captures << 8 * pit
        theirs -= captures * prey << 8 * facing
        return mine, theirs, store + captures * (1 + prey), last

    def play(self, state, action):
        mine, theirs, store, last = self.sow(state, action)
        other = np.int64(state.their_store)
        if mine == 0 or theirs == 0:
            rest_of_mine, rest_of_theirs = stones_of(mine), stones_of(theirs)  # one of them is 0
            store += rest_of_theirs if self.empty_row_takes_rest else rest_of_mine
            other += rest_of_mine if self.empty_row_takes_rest else rest_of_theirs
            mine = theirs = 0

        if last == self.pits:
            state.mine, state.theirs = mine, theirs
            state.my_store, state.their_store = store, other
        else:
            state.mine, state.theirs = theirs, mine
            state.my_store, state.their_store = other, store
            state.turn ^= 1

    def lead(self, state, player):
        ahead = np.int64(state.my_store) - np.int64(state.their_store)
        return ahead if state.turn == player else -ahead

    def utility(self, state, player):
        lead = self.lead(state, player)
        if self.by_margin:
            return self.point * lead
        return 100.0 if lead > 0 else -100.0 if lead < 0 else 0.0

    def heuristic(self, state, player):
        """The difference of the stores, all stones being worth 100."""
        return self.point * self.lead(state, player)

    def heuristic_after(self, state, action, player):
        mine, theirs, store, _ = self.sow(state, action)
        if mine == 0 or theirs == 0:
            return np.nan
        ahead = store - np.int64(state.their_store)
        return self.point * (ahead if state.turn == player else -ahead)

    # For learned evaluations: stones in each pit, and the difference of the stores

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return 2 * self.pits * (HEAP + 1) + 2 * self.total + 1, 2 * self.pits + 1

    def features(self, state, player, out):
        own = state.turn == player
        first, second = (state.mine, state.theirs) if own else (state.theirs, state.mine)
        for pit in range(self.pits):
            out[pit] = pit * (HEAP + 1) + min(stones_in(first, pit), HEAP)
            out[self.pits + pit] = (self.pits + pit) * (HEAP + 1) + min(stones_in(second, pit), HEAP)
        out[2 * self.pits] = 2 * self.pits * (HEAP + 1) + self.total + self.lead(state, player)
        return 2 * self.pits + 1

    def action_name(self, state, action):
        return f"{'AB'[state.turn]}{action + 1}"

    def show(self, state):
        rows, stores = self.seen_by_first(state)
        margin = " " * 4
        above = "".join(f"{count:4d}" for count in reversed(unpacked(rows[1], self.pits)))
        below = "".join(f"{count:4d}" for count in unpacked(rows[0], self.pits))
        lines = [
            margin + "".join(f"  B{pit}" for pit in range(self.pits, 0, -1)),
            margin + above,
            f"{stores[1]:4d}{' ' * 4 * self.pits}{stores[0]:4d}",
            margin + below,
            margin + "".join(f"  A{pit}" for pit in range(1, self.pits + 1)),
        ]
        if self.turn(state) != TERMINAL:
            lines.append(f"player {state.turn + 1} ({'AB'[state.turn]}) to move")
        return "\n".join(lines)

    def seen_by_first(self, state):
        """Rows and stores, player 1's first."""
        rows, stores = (state.mine, state.theirs), (state.my_store, state.their_store)
        return (rows, stores) if state.turn == 0 else (rows[::-1], stores[::-1])

    def to_text(self, state):
        """``4,4,4,4,4,4/0 4,4,4,4,4,4/0 1``: each player's pits and store, and the player to move."""
        rows, stores = self.seen_by_first(state)
        sides = [f"{','.join(map(str, unpacked(rows[i], self.pits)))}/{stores[i]}" for i in range(2)]
        return f"{sides[0]} {sides[1]} {state.turn + 1}"

    def from_text(self, state, text):
        words = text.split()
        sides = [word.replace("/", ",").split(",") for word in words[:2]]
        well_formed = len(words) == 3 and words[2] in ("1", "2") and [word.count("/") for word in words[:2]] == [1, 1]
        if not well_formed or any(len(side) != self.pits + 1 or not all(map(str.isdecimal, side)) for side in sides):
            example = f"{','.join([str(self.stones)] * self.pits)}/0"
            raise ValueError(f"write pits/store of both players and player(1|2), such as '{example} {example} 1'")
        numbers = [[int(count) for count in side] for side in sides]
        if sum(map(sum, numbers)) != self.total:
            raise ValueError(f"there are {sum(map(sum, numbers))} stones on the board; the game has {self.total}")
        empty = [not any(side[:-1]) for side in numbers]
        if any(empty) and not all(empty):
            raise ValueError("a row is empty, so the game is over and all stones must lie in the stores")
        mine, theirs = numbers if words[2] == "1" else numbers[::-1]
        state.mine, state.theirs = packed(mine[:-1]), packed(theirs[:-1])
        state.my_store, state.their_store = mine[-1], theirs[-1]
        state.turn = int(words[2]) - 1


def packed(counts):
    return sum(count << 8 * pit for pit, count in enumerate(counts))


def unpacked(row, pits):
    return [stones_in(row, pit) for pit in range(pits)]
