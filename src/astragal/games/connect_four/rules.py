"""Connect Four: two players in turn drop a disc into one of seven columns of six; four in a line win.

A disc falls to the lowest free square of its column. A line is across, up or diagonal. A full board without one is a
draw. Player 1 plays x and begins.

A set of squares is one number: column c has the seven bits from 7c on, the lowest square first and above the sixth one
bit that is always 0. So a shift by 1, 7, 6 or 8 goes one square up, across or along a diagonal, and never from the top
of a column to the bottom of the next.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count
from astragal.rules.decorator import TERMINAL, game

WIDTH, HEIGHT = 7, 6
STEP = HEIGHT + 1  # from a square to its neighbour in the next column
FLOOR = sum(1 << STEP * column for column in range(WIDTH))  # the lowest square of each column
BOARD = FLOOR * ((1 << HEIGHT) - 1)
CENTRE = (1 << HEIGHT) - 1 << STEP * (WIDTH // 2)
ON, WON, DRAWN = 0, 1, 2  # the game goes on, or how it ended
BEST_FIRST = (3, 2, 4, 1, 5, 0, 6)  # columns, from the centre outwards
LETTERS = "xo"
# The product of this and a set of squares on the floor has the seven columns in seven bits in a row, from bit 36 on.
GATHER, GATHERED = sum(1 << 36 - 6 * column for column in range(WIDTH)), 36

COUNT = np.zeros(128, np.uint8)  # [columns that are full] -> how many are not
LISTED = np.zeros((128, 7), np.uint8)  # [columns that are full, i] -> each that is not, best first
for full in range(128):
    free = [column for column in BEST_FIRST if not full >> column & 1]
    COUNT[full] = len(free)
    LISTED[full, : len(free)] = free


def has_four(discs):
    """Whether four are in a line: two pairs of neighbours, two squares apart."""
    across = discs & discs >> STEP
    rising = discs & discs >> STEP + 1
    falling = discs & discs >> STEP - 1
    upward = discs & discs >> 1
    return (
        across & across >> 2 * STEP
        | rising & rising >> 2 * (STEP + 1)
        | falling & falling >> 2 * (STEP - 1)
        | upward & upward >> 2
    ) != 0


def completing(discs, step):
    """The squares that would make four in a line with three of a player's discs, in one direction."""
    below = discs << step & discs << 2 * step  # of each square: the two before it
    above = discs >> step & discs >> 2 * step  # the two after it
    return below & (discs << 3 * step | discs >> step) | above & (discs >> 3 * step | discs << step)


@game
class ConnectFour:
    """Connect Four: drop discs into 7 columns of 6, four in a line win."""

    state = np.dtype([("mine", "i8"), ("theirs", "i8"), ("turn", "u1"), ("over", "u1")])  # discs as the mover sees them
    players = 2
    max_actions = 7
    max_plies = 42
    utility_range = (-1.0, 1.0)
    zero_sum = True

    def turn(self, state):
        return TERMINAL if state.over else np.int64(state.turn)

    def full_columns(self, state):
        """The columns without a free square, one bit each."""
        tops = (state.mine | state.theirs) >> HEIGHT - 1 & FLOOR
        return tops * GATHER >> GATHERED & 127

    def actions(self, state, out):
        full = self.full_columns(state)
        for i in range(COUNT[full]):
            out[i] = LISTED[full, i]
        return np.int64(COUNT[full])

    def pick(self, state, word):
        full = self.full_columns(state)
        return np.int64(LISTED[full, word * COUNT[full] >> 32])

    def play(self, state, action):
        taken = state.mine | state.theirs
        landed = taken + (1 << STEP * action) & ~taken  # one more at the bottom carries to the lowest free square
        discs = state.mine | landed
        state.mine = state.theirs
        state.theirs = discs
        state.turn ^= 1
        state.over = WON if has_four(discs) else DRAWN if taken | landed == BOARD else ON

    def utility(self, state, player):
        """Who moved last has won, unless it is a draw."""
        if state.over == DRAWN:
            return 0.0
        return -1.0 if state.turn == player else 1.0

    def heuristic(self, state, player):
        """Two hundredths for each empty square that would make four, one for each disc in the centre column."""
        ahead = 0.01 * (self.promise(state.mine, state.theirs) - self.promise(state.theirs, state.mine))
        return ahead if state.turn == player else -ahead

    def promise(self, discs, others):
        squares = discs << 1 & discs << 2 & discs << 3
        for step in range(STEP - 1, STEP + 2):
            squares |= completing(discs, step)
        return 2 * bit_count(squares & BOARD & ~(discs | others)) + bit_count(discs & CENTRE)

    def action_name(self, state, action):
        return "abcdefg"[action]

    def show(self, state):
        lines = [f"{HEIGHT - i}  {' '.join(row)}" for i, row in enumerate(self.to_text(state).split("/"))]
        player = "" if state.over else f"   player {state.turn + 1} ({LETTERS[state.turn]}) to move"
        return "\n".join([*lines, f"   a b c d e f g{player}"])

    def to_text(self, state):
        """``......./......./......./......./...o.../...x...``: rows from the top; the counts say who is to move."""
        rows = []
        for height in range(HEIGHT - 1, -1, -1):
            owners = [self.owner(state, column, height) for column in range(WIDTH)]
            rows.append("".join("." if owner is None else LETTERS[owner] for owner in owners))
        return "/".join(rows)

    def discs(self, state):
        """Each player's discs."""
        return (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)

    def owner(self, state, column, height):
        """Whose disc is on a square, both counted from 0; None if there is none."""
        bit = 1 << STEP * column + height
        return next((player for player, discs in enumerate(self.discs(state)) if discs & bit), None)

    def in_fours(self, state):
        """The squares of all lines of four, as columns and heights."""
        found = set()
        for discs in self.discs(state):
            for step in (1, STEP - 1, STEP, STEP + 1):
                for first in range(STEP * WIDTH):
                    line = {first + k * step for k in range(4)}
                    if all(discs >> bit & 1 for bit in line):
                        found |= line
        return [divmod(bit, STEP) for bit in sorted(found)]

    def from_text(self, state, text):
        rows = text.strip().lower().split("/")
        cells = "".join(rows)
        if len(rows) != HEIGHT or any(len(row) != WIDTH for row in rows) or set(cells) - set("xo."):
            raise ValueError("write six rows of seven from the top with a / between them, x, o or . for each square")
        if any(cells[i] != "." and cells[i + WIDTH] == "." for i in range(len(cells) - WIDTH)):
            raise ValueError("a disc hangs in the air")
        turn = cells.count("x") - cells.count("o")
        if turn not in (0, 1):
            raise ValueError("x begins, so there are as many x as o, or one more")
        discs = [0, 0]
        for i, cell in enumerate(cells):
            if cell != ".":
                discs[LETTERS.index(cell)] |= 1 << STEP * (i % WIDTH) + HEIGHT - 1 - i // WIDTH
        if has_four(discs[turn]):
            raise ValueError("a player who has four in a line cannot be the one to move")
        state.mine, state.theirs, state.turn = discs[turn], discs[1 - turn], turn
        state.over = WON if has_four(discs[1 - turn]) else DRAWN if "." not in cells else ON
