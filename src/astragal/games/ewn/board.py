"""EinStein würfelt nicht!: squares, who may move where, and where the cubes of a side stand.

Squares are 0 to 24, row by row from the top left. Where a side's cubes stand is kept twice (a table at the state, in
`rules.py`, has every bit): **by cube**, for what the die asks, and **by square**, for who is nearer: the goal is the
lowest bit of a set, and so its lowest bit is the nearest cube (`nearest`). Only the functions here depend on this
packing; what a move changes is looked up in tables, which are made once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import lowest_bit

SIDE = 5
NO_CUBE, NO_SQUARE = 12, 25  # cubes 0-5 belong to player 0, 6-11 to player 1
TO_ROLL, OVER = 6, 7  # instead of a face of the die
STEPS = (((1, 1), (1, 0), (0, 1)), ((-1, -1), (-1, 0), (0, -1)))  # [player] -> steps, the diagonal first
CAMP = ((0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14))  # [player] -> squares of cubes 1 to 6 in the fixed set-up
LETTERS = "123456abcdef."

# By cube: bytes 0 to 5 are squares, byte 6 is NO_SQUARE, which is that of "no other cube may move", byte 7 who is left
EACH = 0x010101010101  # a one in the byte of each cube,
HIGH = 0x80 * EACH  # or its highest bit
ALIVE = 56  # where the bits of those left begin
ALL = 63 << ALIVE
NONE_LEFT = NO_SQUARE * (EACH | 1 << 48)
GATHER = 0x0102040810204080  # a product with it gathers the lowest bits of the bytes in the highest byte


def movable(alive, die):
    """The cubes that may move: the one rolled, else the nearest lower and the nearest higher one."""
    if alive >> die & 1:
        return [die]
    lower = [k for k in range(die - 1, -1, -1) if alive >> k & 1]
    higher = [k for k in range(die + 1, 6) if alive >> k & 1]
    return lower[:1] + higher[:1]


def distance(player, square):
    """Steps from a square to the player's goal corner."""
    row, column = divmod(square, SIDE)
    return max(row, column) if player else 4 - min(row, column)


GOAL = np.array([24, 0], np.uint8)
SAME = np.zeros((64, 6), np.uint8)  # [cubes left, die] -> the lowest face that moves the same cubes
CHOICE = np.full((64, 8, 2), 6, np.uint8)  # [cubes left, die] -> one cube or two; 6: none
TARGET = np.zeros((2, 32, 4), np.uint8)  # [player, square] -> up to three squares
MOVES = np.zeros((2, 32), np.uint8)  # [player, square] -> how many
PICKS = 12  # a multiple of every number of moves that there can be (1, 2, 3, 4, 6)
PICK = np.zeros((2, 32, 32, 16), np.uint8)  # [player, square, another, 0 to 11] -> target, plus 32 if from the other
# By square
CELL = np.zeros((2, 32), np.int64)  # [player, square] -> its bit
THEIRS = 32  # where the other player's set begins
REACHED = np.zeros((2, 32), np.int64)  # [player, square] -> the bits of its targets
ACROSS = np.zeros((2, 32), np.int64)  # [player, place of a bit in the other's set] -> the bit of the same square
WORTH = np.zeros(32)  # [lowest bit of a set] -> 25 times the steps that the nearest cube has left
RING = [0] * 5  # [distance] -> all bits of squares so far away

for alive in range(64):  # what the die lets move
    for die in range(6):
        for j, k in enumerate(movable(alive, die)):
            CHOICE[alive, die, j] = k
        SAME[alive, die] = [movable(alive, face) for face in range(6)].index(movable(alive, die))
for me in range(2):  # bits by distance, and where each square leads
    for place, square in enumerate(sorted(range(SIDE * SIDE), key=lambda square: distance(me, square))):
        CELL[me, square] = 1 << place
        WORTH[place] = 25.0 * distance(me, square)
        RING[distance(me, square)] |= 1 << place
    for square in range(SIDE * SIDE):
        for down, right in STEPS[me]:
            row, column = square // SIDE + down, square % SIDE + right
            if 0 <= row < SIDE and 0 <= column < SIDE:
                TARGET[me, square, MOVES[me, square]] = SIDE * row + column
                MOVES[me, square] += 1
for me in range(2):  # what needs the bits of both sides, or all targets
    for square in range(SIDE * SIDE):
        for m in range(MOVES[me, square]):
            REACHED[me, square] |= CELL[me, TARGET[me, square, m]]
        ACROSS[me, lowest_bit(CELL[1 - me, square])] = CELL[me, square]
        for other in range(SIDE * SIDE + 1):
            moves = [*TARGET[me, square, : MOVES[me, square]], *(TARGET[me, other, : MOVES[me, other]] | 32)]
            for i in range(PICKS if moves else 0):
                PICK[me, square, other, i] = moves[i * len(moves) // PICKS]
WORTH[25] = 125.0  # of no cube
RINGS = tuple(RING)


def move_number(me, k, to):
    """The action of moving cube k of a player to a square."""
    return 6 * me + k << 5 | to


def cube_in(action):
    """The cube that an action moves, 0 to 11."""
    return action >> 5


def target_in(action):
    """The square that an action goes to."""
    return action & 31


def cubes_left(cubes):
    """The cubes of a side that are left, one bit each."""
    return cubes >> ALIVE & 63


def with_cube(cubes, k, square):
    """A side's cubes with one put on a square that was not on the board."""
    return cubes ^ ((square ^ NO_SQUARE) << 8 * k | 1 << ALIVE + k)


def moved(cubes, k, here, to):
    """A side's cubes after one of them has moved."""
    return cubes ^ (here ^ to) << 8 * k


def both_sets(mine, theirs):
    """The set of the player to move and that of the other, as one number."""
    return mine | theirs << THEIRS


def square_of(cubes, k):
    """Where cube k of a side stands; NO_SQUARE for a cube that is gone, and for k = 6."""
    return cubes >> 8 * k & 31


def without(cubes, square):
    """A side's cubes after that on a square, if there is one, has been removed."""
    hit = (HIGH - (cubes ^ EACH * square) & HIGH) >> 7  # no byte is above 0x7F, so that none borrows from the next
    return cubes ^ hit * (square ^ NO_SQUARE) ^ (hit * GATHER & ALL)


def mine_of(cells):
    """The set of the player to move."""
    return cells & (1 << THEIRS) - 1


def theirs_of(cells):
    """The set of the other player."""
    return cells >> THEIRS


def sets_after(cells, me, here, to):
    """The set of the player to move after a move, and that of the other; one's own cube may be taken, too."""
    return mine_of(cells) ^ CELL[me, here] | CELL[me, to], theirs_of(cells) & ~CELL[1 - me, to]


def nearest(cells):
    """What the steps that the nearest cube of a set has left are worth."""
    return WORTH[lowest_bit(np.int64(cells) | 1 << 25)]


def squares_of(state):
    """[cube] -> the square it stands on, or NO_SQUARE."""
    sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    return [square_of(int(side), k) for side in sides for k in range(6)]


def board_of(state):
    """[square] -> the cube on it, or NO_CUBE."""
    board = [NO_CUBE] * (SIDE * SIDE + 1)
    for cube, square in enumerate(squares_of(state)):
        board[square] = cube if square != NO_SQUARE else NO_CUBE
    return board[:-1]


def square_name(square):
    return f"{'abcde'[square % SIDE]}{SIDE - square // SIDE}"
