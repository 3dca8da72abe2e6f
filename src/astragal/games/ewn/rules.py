"""EinStein würfelt nicht!: parameters, the state, and what players can do. In words: at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from astragal.base.parameters import parameter
from astragal.games.ewn.board import (
    CAMP,
    CELL,
    CHOICE,
    GOAL,
    MOVES,
    NONE_LEFT,
    OVER,
    PICK,
    PICKS,
    SAME,
    TARGET,
    TO_ROLL,
    both_sets,
    cube_in,
    cubes_left,
    mine_of,
    move_number,
    moved,
    sets_after,
    square_of,
    squares_of,
    target_in,
    theirs_of,
    with_cube,
    without,
)
from astragal.rules.decorator import CHANCE, TERMINAL


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
        "evaluation, as a difference of the players: distance of the nearest cube, cubes left, or steps made "
        "by the cubes left",
        choices=("nearest", "cubes", "advance"),
    )

    # How a state is packed. Only the functions of `board` depend on it.
    #
    # field          bits       what they are                                            read by
    # mine, theirs              the cubes of the player to move or to roll, and of the other
    #                8k..8k+7   the square of cube k = 0..5; NO_SQUARE if it is gone      square_of
    #                48..55     NO_SQUARE: where "no other cube may move" stands          square_of(cubes, 6)
    #                56+k       1 if cube k is left                                       cubes_left
    # cells                     the same places again, as two sets of squares
    #                0..24      the squares of the player to move, the nearest to his     mine_of
    #                           goal lowest (CELL, RING)
    #                32..56     those of the other, in the order of that one's goal       theirs_of
    # turn           all        0 or 1
    # die            all        0 to 5, TO_ROLL or OVER
    #
    # A square is 5 * row + column, from the top left. An action is 32 * cube + target (`move_number`, `cube_in`,
    # `target_in`), where cubes 0 to 5 belong to player 0 and 6 to 11 to player 1.
    state = np.dtype(
        [("mine", "i8"), ("theirs", "i8"), ("cells", "i8"), ("turn", "i8"), ("die", "i8")]
    )  # whole words: what was written as a part of one is slow to read as a whole
    players = 2
    max_actions = 6
    max_outcomes = 6
    max_plies = 160  # a roll and a move for each of the 40 steps that a side's cubes can make at most
    utility_range = (-100.0, 100.0)
    probcut = (1.13, 11.2)  # by `astragal dev probcut ewn`
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
        cell = int(CELL[owner, square])
        if owner == state.turn:
            state.mine = with_cube(state.mine, k, square)
            state.cells |= both_sets(cell, 0)
        else:
            state.theirs = with_cube(state.theirs, k, square)
            state.cells |= both_sets(0, cell)

    def turn(self, state):
        if state.die == OVER:
            return TERMINAL
        return CHANCE if state.die == TO_ROLL else self.who(state)

    # Masks say what never needs to be looked at, such as whether an index is below 0

    def who(self, state):
        """Whose turn it is, before a roll too."""
        return state.turn & 1

    def actions(self, state, out):
        me, left = self.who(state), cubes_left(state.mine)
        count = 0
        for j in range(2):
            k = np.int64(CHOICE[left, state.die & 7, j])
            here = square_of(state.mine, k)
            for m in range(3):  # always all: how many moves there are would be mispredicted; the rest is overwritten
                out[count + m] = move_number(me, k, TARGET[me, here, m])
            count += MOVES[me, here]
        return count

    def pick(self, state, word):
        me, left, die = self.who(state), cubes_left(state.mine), state.die & 7
        first, second = np.int64(CHOICE[left, die, 0]), np.int64(CHOICE[left, die, 1])
        here, there = square_of(state.mine, first), square_of(state.mine, second)
        picked = np.int64(PICK[me, here, there, word * PICKS >> 32])
        return move_number(me, second if picked & 32 else first, picked & 31)

    def play(self, state, action):
        me = self.who(state)
        k, to = cube_in(action) - 6 * me, target_in(action)
        here = square_of(state.mine, k)
        mine = moved(without(state.mine, to), k, here, to)
        theirs = without(state.theirs, to)
        my_cells, their_cells = sets_after(state.cells, me, here, to)
        state.mine, state.theirs = theirs, mine
        state.cells = both_sets(their_cells, my_cells)
        won = (to == GOAL[me]) | (cubes_left(theirs) == 0)  # not "or": a branch here costs an eighth
        state.die = OVER if won else TO_ROLL
        state.turn = 1 - me

    def decode(self, state, action):
        cube = cube_in(action)
        return Move(cube, squares_of(state)[cube], target_in(action))

    def skip(self, state):
        state.mine, state.theirs = state.theirs, state.mine
        state.cells = both_sets(theirs_of(state.cells), mine_of(state.cells))
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
        return np.int64(SAME[cubes_left(state.mine), outcome])

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
