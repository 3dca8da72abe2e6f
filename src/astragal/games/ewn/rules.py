"""EinStein würfelt nicht!: parameters, the state, and what players can do. In words: at the top of the package."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.games.ewn.board import (
    ALIVE,
    CAMP,
    CELL,
    CHOICE,
    GOAL,
    MOVES,
    NO_SQUARE,
    NONE_LEFT,
    OVER,
    PICK,
    PICKS,
    SAME,
    TARGET,
    THEIRS,
    TO_ROLL,
    mine_of,
    sets_after,
    square_of,
    squares_of,
    theirs_of,
    without,
)
from astragal.parameters import parameter


class Move(NamedTuple):
    """An action: a cube, the square where it stands and the one it goes to."""

    cube: int
    source: int
    to: int


@dataclass(frozen=True)
class EWNRules:
    """Parameters, state and rules."""

    setup: str = parameter("random", "cubes placed at random by the seed, or fixed", choices=("random", "fixed"))
    evaluation: str = parameter(
        "nearest",
        "evaluation: how much nearer one's nearest cube is, more cubes left, or more steps made by those left",
        choices=("nearest", "cubes", "advance"),
    )

    state = np.dtype(
        [
            ("mine", "i8"),  # the cubes of the player to move or to roll,
            ("theirs", "i8"),  # and of the other
            ("cells", "i8"),  # where they stand, as sets (see CELL), the other's above THEIRS
            ("turn", "i8"),
            ("die", "i8"),  # 0 to 5, TO_ROLL or OVER
        ]
    )  # whole words: what was written as a part of one is slow to read as a whole
    players = 2
    max_actions = 6
    max_outcomes = 6
    max_plies = 160  # a roll and a move for each of the 40 steps that a side's cubes can make at most
    utility_range = (-100.0, 100.0)
    probcut = (1.13, 11.2)  # by `astragal probcut ewn`
    zero_sum = True

    def start(self, state, dice):
        self.clear(state)
        for player in range(2):
            numbers = list(range(6))
            if self.setup == "random":
                dice.shuffle(numbers)
            for number, square in zip(numbers, CAMP[player], strict=True):
                self.place(state, 6 * player + number, square)

    def clear(self, state):
        state.mine = state.theirs = NONE_LEFT
        state.cells = 0
        state.die = TO_ROLL

    def place(self, state, cube, square):
        owner, k = divmod(cube, 6)
        changed = (square ^ NO_SQUARE) << 8 * k | 1 << ALIVE + k
        if owner == state.turn:
            state.mine ^= changed
            state.cells |= int(CELL[owner, square])
        else:
            state.theirs ^= changed
            state.cells |= int(CELL[owner, square]) << THEIRS

    def turn(self, state):
        if state.die == OVER:
            return TERMINAL
        return CHANCE if state.die == TO_ROLL else self.who(state)

    # Masks say what never needs to be looked at, such as whether an index is below 0

    def who(self, state):
        """Whose turn it is, before a roll too."""
        return state.turn & 1

    def left(self, cubes):
        """The cubes of a side that are left, one bit each."""
        return cubes >> ALIVE & 63

    def actions(self, state, out):
        me, left = self.who(state), self.left(state.mine)
        count = 0
        for j in range(2):
            k = np.int64(CHOICE[left, state.die & 7, j])
            here = square_of(state.mine, k)
            for m in range(3):  # always all: how many moves there are would be mispredicted; the rest is overwritten
                out[count + m] = 6 * me + k << 5 | TARGET[me, here, m]
            count += MOVES[me, here]
        return count

    def pick(self, state, word):
        me, left, die = self.who(state), self.left(state.mine), state.die & 7
        first, second = np.int64(CHOICE[left, die, 0]), np.int64(CHOICE[left, die, 1])
        here, there = square_of(state.mine, first), square_of(state.mine, second)
        picked = np.int64(PICK[me, here, there, word * PICKS >> 32])
        return 6 * me + (second if picked & 32 else first) << 5 | picked & 31

    def play(self, state, action):
        me = self.who(state)
        k, to = (action >> 5) - 6 * me, action & 31
        here = square_of(state.mine, k)
        mine = without(state.mine, to) ^ (here ^ to) << 8 * k
        theirs = without(state.theirs, to)
        my_cells, their_cells = sets_after(state.cells, me, here, to)
        state.mine, state.theirs = theirs, mine
        state.cells = their_cells | my_cells << THEIRS
        won = (to == GOAL[me]) | (self.left(theirs) == 0)  # not "or": a branch here costs an eighth
        state.die = OVER if won else TO_ROLL
        state.turn = 1 - me

    def decode(self, state, action):
        cube = action >> 5
        return Move(cube, squares_of(state)[cube], action & 31)

    def skip(self, state):
        state.mine, state.theirs = state.theirs, state.mine
        state.cells = theirs_of(state.cells) | mine_of(state.cells) << THEIRS
        state.die = TO_ROLL
        state.turn = 1 - state.turn

    def outcomes(self, state, out):
        for face in range(6):
            out[face] = face
        return 6

    def probability(self, state, outcome):
        return 1 / 6

    def draw(self, state, word):
        return word * 6 >> 32

    def representative(self, state, outcome):
        return np.int64(SAME[self.left(state.mine), outcome])

    def deal(self, state, outcome):
        state.die = outcome

    def utility(self, state, player):
        """Who made the last move has won."""
        return -100.0 if state.turn == player else 100.0

    def cells(self, state, player):
        """The squares of a player's cubes, as a set."""
        return mine_of(state.cells) if state.turn == player else theirs_of(state.cells)

    def has_won(self, state, player):
        return bool(self.cells(state, player) & 1) or self.cells(state, 1 - player) == 0
