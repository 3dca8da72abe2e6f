"""The board of Focus: its squares, set-ups and lines, and stacks packed into one number.

A stack is one number: a 1, and then two bits for each man, the top one lowest. So taking k men off the top is a shift
by 2k, putting them on another stack is one too, and what is above the tenth bit has to leave the stack.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

SIDE, HIGHEST = 8, 5
FIRST_COLUMN = (2, 1, 0, 0, 0, 0, 1, 2)  # [row] -> its first column that is on the board; rows are symmetric
SQUARES = [(row, column) for row in range(SIDE) for column in range(FIRST_COLUMN[row], SIDE - FIRST_COLUMN[row])]
NAMES = ["abcdefgh"[column] + str(SIDE - row) for row, column in SQUARES]
EMPTY, FULL = 1, 1 << 2 * HIGHEST  # the stack without men, and the bit above five men
STACKS = [stack for height in range(HIGHEST + 1) for stack in range(1 << 2 * height, 2 << 2 * height)]

TWO = ["----", "112211", "-221122-", "-112211-", "-221122-", "-112211-", "221122", "----"]
THREE = ["----", "112233", "-223311-", "-331122-", "-112233-", "-223311-", "331122", "----"]
THREE_DIAGONAL = ["----", "123123", "-231231-", "-312312-", "-123123-", "-231231-", "312312", "----"]
FOUR = ["1132", "222323", "11113232", "22223232", "41414444", "41413333", "141444", "4133"]
SETUPS = {(2, "pair"): TWO, (3, "pair"): THREE, (3, "diag"): THREE_DIAGONAL, (4, "pair"): FOUR}

TARGETS = np.zeros((52, 16), np.uint16)  # [square, i] -> distance << 6 | square in line with it, nearest first
MOVES = np.zeros((52, 6), np.uint8)  # [square, height of the stack there] -> how many of these it can move to
for here, (row, column) in enumerate(SQUARES):
    aligned = []
    for there, (other_row, other_column) in enumerate(SQUARES):
        far = abs(row - other_row) + abs(column - other_column)
        if (row == other_row) != (column == other_column) and far <= HIGHEST:
            aligned.append(far << 6 | there)
    TARGETS[here, : len(aligned)] = sorted(aligned)
    MOVES[here] = [sum(target >> 6 <= height for target in aligned) for height in range(6)]


def men_of(stack):
    """The owners of a stack's men from the bottom to the top, from 0."""
    height = stack.bit_length() // 2
    return [stack >> 2 * (height - 1 - i) & 3 for i in range(height)]


HEIGHT = np.zeros(2 * FULL, np.uint8)  # [stack] -> its men
OWNED = np.zeros(2 * FULL, np.int32)  # [stack] -> its men by owner, eight bits for each of four players
for stack in STACKS:
    HEIGHT[stack] = len(men_of(stack))
    OWNED[stack] = sum(1 << 8 * man for man in men_of(stack))
