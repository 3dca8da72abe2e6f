"""Tic-tac-toe: two players in turn mark a square of a 3x3 board; three in a row win.

A row is any of the eight lines of three: across, down or diagonal. A full board without a row is a draw. Player 1
plays x and begins.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.rules.decorator import TERMINAL, game

SIDE = 3
FULL = 0b111_111_111  # a set of squares is nine bits; square 0 is at the top left, 8 at the bottom right
ROWS = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # each octal digit is a line of the board
BEST_FIRST = (4, 0, 2, 6, 8, 1, 3, 5, 7)  # centre, corners, edges
LETTERS = "xo"

HAS_ROW = np.zeros(512, np.uint8)  # [squares] -> whether three of them are in a row
OPEN = np.zeros(512, np.int8)  # [the opponent's squares] -> rows in which there are none
COUNT = np.zeros(512, np.uint8)  # [squares] -> how many
LISTED = np.zeros((512, 9), np.uint8)  # [squares, i] -> each of them, best first
for squares in range(512):
    HAS_ROW[squares] = any(squares & row == row for row in ROWS)
    OPEN[squares] = sum(squares & row == 0 for row in ROWS)
    members = [square for square in BEST_FIRST if squares >> square & 1]
    COUNT[squares] = len(members)
    LISTED[squares, : len(members)] = members


@game
class TicTacToe:
    """Tic-tac-toe: three in a row on 3x3."""

    state = np.dtype([("mine", "u2"), ("theirs", "u2"), ("turn", "u1")])  # squares of the player to move, of the other
    players = 2
    max_actions = 9
    max_plies = 9
    utility_range = (-1.0, 1.0)
    zero_sum = True

    def turn(self, state):
        if HAS_ROW[state.theirs] or state.mine | state.theirs == FULL:
            return TERMINAL
        return np.int64(state.turn)

    def empty(self, state):
        return FULL ^ (state.mine | state.theirs)

    def actions(self, state, out):
        empty = self.empty(state)
        for i in range(COUNT[empty]):
            out[i] = LISTED[empty, i]
        return np.int64(COUNT[empty])

    def pick(self, state, word):
        empty = self.empty(state)
        return np.int64(LISTED[empty, word * COUNT[empty] >> 32])

    def play(self, state, action):
        marked = state.mine | 1 << action
        state.mine = state.theirs
        state.theirs = marked
        state.turn ^= 1

    def utility(self, state, player):
        """A row can only be that of the player who has just moved."""
        if not HAS_ROW[state.theirs]:
            return 0.0
        return -1.0 if state.turn == player else 1.0

    def heuristic(self, state, player):
        """By how many rows more are still open to the player, as a share of all eight."""
        ahead = (OPEN[state.theirs] - OPEN[state.mine]) / 8
        return ahead if state.turn == player else -ahead

    def action_name(self, state, action):
        return f"{'abc'[action % SIDE]}{SIDE - action // SIDE}"

    def show(self, state):
        lines = [f"{SIDE - i}  {' '.join(row)}" for i, row in enumerate(self.to_text(state).split("/"))]
        over = self.turn(state) == TERMINAL
        player = "" if over else f"   player {state.turn + 1} ({LETTERS[state.turn]}) to move"
        return "\n".join([*lines, f"   a b c{player}"])

    def to_text(self, state):
        """``x../.o./..x``: rows from the top; who is to move follows from the number of marks."""
        owners = [self.owner(state, square) for square in range(9)]
        cells = ["." if owner is None else LETTERS[owner] for owner in owners]
        return "/".join("".join(cells[i : i + SIDE]) for i in range(0, 9, SIDE))

    def marks(self, state):
        """Each player's squares."""
        return (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)

    def owner(self, state, square):
        """Whose mark is on a square; None if there is none."""
        return next((player for player, marks in enumerate(self.marks(state)) if marks >> square & 1), None)

    def rows_made(self, state):
        """The three squares of each row that a player has, in order."""
        rows = [row for row in ROWS if any(marks & row == row for marks in self.marks(state))]
        return [[square for square in range(9) if row >> square & 1] for row in rows]

    def from_text(self, state, text):
        rows = text.strip().lower().split("/")
        cells = "".join(rows)
        if len(rows) != SIDE or any(len(row) != SIDE for row in rows) or set(cells) - set("xo."):
            raise ValueError("write three rows from the top, x, o or . for each square, such as 'x../.o./..x'")
        turn = cells.count("x") - cells.count("o")
        if turn not in (0, 1):
            raise ValueError("x begins, so there are as many x as o, or one more")
        marks = [sum(1 << i for i, cell in enumerate(cells) if cell == letter) for letter in LETTERS]
        if HAS_ROW[marks[turn]]:
            raise ValueError("a player who has three in a row cannot be the one to move")
        state.mine, state.theirs, state.turn = marks[turn], marks[1 - turn], turn
