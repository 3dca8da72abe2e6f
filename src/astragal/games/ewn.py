"""EinStein würfelt nicht! ("one stone does not dice"), by Ingo Althöfer, on 5x5.

Each player has six numbered cubes in a corner. The mover rolls a die and moves the cube of that number or, where it is
gone, the nearest lower or the nearest higher one that is left: one step towards the opposite corner, straight or
diagonally. Whatever stands on the target square is removed, one's own cubes too. Who reaches the opposite corner, or
removes the last enemy cube, wins. Player 1 starts at the top left, player 2 at the bottom right.
"""

# mypy: ignore-errors
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from astragal.game.bits import bit_count, lowest_bit
from astragal.game.decorator import CHANCE, TERMINAL, game
from astragal.parameters import parameter

SIDE = 5
NO_CUBE, NO_SQUARE = 12, 25  # cubes 0-5 belong to player 0, 6-11 to player 1
TO_ROLL, OVER = 6, 7  # instead of a face of the die
STEPS = (((1, 1), (1, 0), (0, 1)), ((-1, -1), (-1, 0), (0, -1)))  # [player] -> steps, the diagonal first
CAMP = ((0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14))  # [player] -> squares of cubes 1 to 6 in the fixed set-up
LETTERS = "123456abcdef."

# A side's cubes are one word: byte k is the square of cube k, byte 6 NO_SQUARE, byte 7 has one bit for each cube left.
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
# The squares of a side's cubes are a set, too, of bits in the order of their distance from the goal, the lowest bit.
CELL = np.zeros((2, 32), np.int64)  # [player, square] -> its bit
THEIRS = 32  # where the other player's set begins
REACHED = np.zeros((2, 32), np.int64)  # [player, square] -> the bits of its targets
ACROSS = np.zeros((2, 32), np.int64)  # [player, place of a bit in the other's set] -> the bit of the same square
WORTH = np.zeros(32)  # [lowest bit of a set] -> 25 times the steps that the nearest cube has left
RING = [0] * 5  # [distance] -> all bits of squares so far away
for alive in range(64):
    for die in range(6):
        for j, k in enumerate(movable(alive, die)):
            CHOICE[alive, die, j] = k
        SAME[alive, die] = [movable(alive, face) for face in range(6)].index(movable(alive, die))
for me in range(2):
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
for me in range(2):
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


def nearest(cells):
    """What the steps that the nearest cube of a set has left are worth."""
    return WORTH[lowest_bit(np.int64(cells) | 1 << 25)]


class Move(NamedTuple):
    """An action: a cube, the square where it stands and the one it goes to."""

    cube: int
    source: int
    to: int


@game
class EWN:
    """EinStein würfelt nicht!: six numbered cubes a side, the die says which one moves."""

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

    @property
    def counts_cubes(self):
        return self.evaluation == "cubes"

    @property
    def counts_steps(self):
        return self.evaluation == "advance"

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
            here = state.mine >> 8 * k & 31
            for m in range(3):  # always all: how many moves there are would be mispredicted; the rest is overwritten
                out[count + m] = 6 * me + k << 5 | TARGET[me, here, m]
            count += MOVES[me, here]
        return count

    def pick(self, state, word):
        me, left, die = self.who(state), self.left(state.mine), state.die & 7
        first, second = np.int64(CHOICE[left, die, 0]), np.int64(CHOICE[left, die, 1])
        here, there = state.mine >> 8 * first & 31, state.mine >> 8 * second & 31
        picked = np.int64(PICK[me, here, there, word * PICKS >> 32])
        return 6 * me + (second if picked & 32 else first) << 5 | picked & 31

    def play(self, state, action):
        me = self.who(state)
        offset, to = 8 * ((action >> 5) - 6 * me), action & 31
        here = state.mine >> offset & 31
        mine = without(state.mine, to) ^ (here ^ to) << offset
        theirs = without(state.theirs, to)
        my_cells = mine_of(state.cells) ^ CELL[me, here] | CELL[me, to]
        their_cells = theirs_of(state.cells) & ~CELL[1 - me, to]
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

    def heuristic(self, state, player):
        """By how many steps one's nearest cube is nearer to its goal, four steps being worth the game.

        Or the difference in cubes left, six being worth the game, or in all steps made by them, 24 being worth it.
        """
        if self.counts_cubes or self.counts_steps:
            return self.worth(state, player) - self.worth(state, 1 - player)
        return nearest(self.cells(state, 1 - player)) - nearest(self.cells(state, player))

    def worth(self, state, player):
        """A player's cubes, each by itself or by the steps it has made."""
        cells = self.cells(state, player)
        total = 0.0
        for away in range(5):
            each = 100.0 / 6.0 if self.counts_cubes else (4 - away) * 100.0 / 24.0
            total += bit_count(cells & RINGS[away]) * each
        return total

    def cells(self, state, player):
        """The squares of a player's cubes, as a set."""
        return mine_of(state.cells) if state.turn == player else theirs_of(state.cells)

    def heuristic_after(self, state, action, player):
        """The sets after a move, as `play` makes them, say who has won and how near the nearest cubes are."""
        if self.counts_cubes or self.counts_steps:
            return np.nan
        me = self.who(state)
        here, to = state.mine >> 8 * ((action >> 5) - 6 * me) & 31, action & 31
        mine = mine_of(state.cells) ^ CELL[me, here] | CELL[me, to]
        theirs = theirs_of(state.cells) & ~CELL[1 - me, to]
        if (mine & 1) | (theirs == 0):
            return np.nan
        return nearest(theirs) - nearest(mine) if me == player else nearest(mine) - nearest(theirs)

    def best_after(self, state, player):
        """The nearest square that moves can reach decides, apart for those that take the enemy's nearest cube.

        After moves of a cube, the squares are those of the others and one it can reach: the nearest of all is that
        after the best move. A cube that there is not adds the squares before the move, of which none is nearer.
        """
        if self.counts_cubes or self.counts_steps:
            return np.nan, 0
        me, left, die = self.who(state), self.left(state.mine), state.die & 7
        mine, theirs = mine_of(state.cells), theirs_of(state.cells)
        threatened = lowest_bit(theirs)
        target = ACROSS[me, threatened]
        reached, taking, count = 0, 0, 0
        for j in range(2):
            here = state.mine >> 8 * np.int64(CHOICE[left, die, j]) & 31
            others = mine ^ CELL[me, here]
            reached |= others | REACHED[me, here] & ~target
            taking |= others | target if REACHED[me, here] & target else 0
            count += MOVES[me, here]
        spared = theirs & theirs - 1
        if (reached | taking) & 1 or (taking != 0 and spared == 0):
            return np.nan, 0
        best = WORTH[threatened] - nearest(reached)
        if taking:
            best = max(best, nearest(spared) - nearest(taking))
        return best if me == player else -best, count

    def heuristic_dealt(self, state, outcome, player):
        """No evaluation looks at the die."""
        return self.heuristic(state, player)

    def ceiling(self, state, player, decisions):
        """No win before one's nearest cube can be in the corner or the enemy's cubes can all be gone."""
        if self.counts_cubes or self.counts_steps:
            return 100.0
        mine = decisions + (state.turn == player) >> 1
        left = nearest(self.cells(state, player)) - 25.0 * mine
        theirs = self.cells(state, 1 - player)
        away = 0
        gone = bit_count(theirs & RINGS[0])
        while gone <= decisions and away < 5:  # as far as their nearest cube is if all before it are taken
            away += 1
            gone += bit_count(theirs & RINGS[away]) if away < 5 else 0
        if left <= 0 or away == 5:
            return 100.0
        return 25.0 * away - left

    # For learned evaluations: where each cube stands, as a player sees the board, and which ones are left

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return 2 * (6 * 25 + 64), 14

    def features(self, state, player, out):
        count = 0
        for side in range(2):
            owner = player if side == 0 else 1 - player
            base = side * (6 * 25 + 64)
            cubes = state.mine if state.turn == owner else state.theirs
            for number in range(6):
                square = cubes >> 8 * number & 31
                if square != NO_SQUARE:
                    out[count] = base + 25 * number + (24 - square if player else square)
                    count += 1
            out[count] = base + 6 * 25 + (cubes >> ALIVE)
            count += 1
        return count

    def action_name(self, state, action):
        cube, _, to = self.decode(state, action)
        return f"{cube % 6 + 1}{'-' if board_of(state)[to] == NO_CUBE else 'x'}{square_name(to)}"

    def outcome_name(self, state, outcome):
        return str(outcome + 1)

    def show(self, state):
        rows, board = [], board_of(state)
        for row in range(SIDE):
            cells = [LETTERS[board[SIDE * row + column]] for column in range(SIDE)]
            rows.append(f"{SIDE - row}  {' '.join(cells)}")
        rows.append("   a b c d e")
        if state.die != OVER:
            die = "to roll" if state.die == TO_ROLL else f"rolled {state.die + 1}"
            rows.append(f"player {state.turn + 1} ({'123456' if state.turn == 0 else 'a-f for 1-6'}) {die}")
        return "\n".join(rows)

    def to_text(self, state):
        """``123../45.../6...f/...ed/..cba 1 3``: rows from the top, player to move, die (- if still to be rolled).

        Cubes of player 1 are 1 to 6; a to f are those of player 2.
        """
        letters = "".join(LETTERS[cube] for cube in board_of(state))
        rows = [letters[SIDE * row : SIDE * row + SIDE] for row in range(SIDE)]
        die = "-" if state.die >= TO_ROLL else str(state.die + 1)
        return f"{'/'.join(rows)} {state.turn + 1} {die}"

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 2:
            words.append("-")
        if len(words) != 3 or words[1] not in ("1", "2") or words[2] not in tuple("-123456"):
            raise ValueError("write rows player(1|2) die(1-6 or -), such as '123../45.../6...f/...ed/..cba 1 3'")
        rows = words[0].split("/")
        if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
            raise ValueError("the board has five rows of five squares, from the top, with a / between them")
        squares = "".join(rows)
        if any(letter not in LETTERS for letter in squares):
            raise ValueError("squares are 1 to 6 for the first player's cubes, a to f for the second's, . for empty")
        if any(squares.count(letter) > 1 for letter in LETTERS[:12]):
            raise ValueError("each cube can be on the board only once")
        self.clear(state)
        state.turn = int(words[1]) - 1
        for square, letter in enumerate(squares):
            if letter != ".":
                self.place(state, LETTERS.index(letter), square)
        winners = [player for player in range(2) if self.has_won(state, player)]
        if winners not in ([], [1 - state.turn]):
            raise ValueError("a player who has won cannot be the one to move")
        if winners and words[2] != "-":
            raise ValueError("the game is over and no die can be rolled")
        state.die = OVER if winners else TO_ROLL if words[2] == "-" else int(words[2]) - 1

    def has_won(self, state, player):
        return bool(self.cells(state, player) & 1) or self.cells(state, 1 - player) == 0


def squares_of(state):
    """[cube] -> the square it stands on, or NO_SQUARE."""
    sides = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    return [int(side) >> 8 * k & 31 for side in sides for k in range(6)]


def board_of(state):
    """[square] -> the cube on it, or NO_CUBE."""
    board = [NO_CUBE] * (SIDE * SIDE + 1)
    for cube, square in enumerate(squares_of(state)):
        board[square] = cube if square != NO_SQUARE else NO_CUBE
    return board[:-1]


def square_name(square):
    return f"{'abcde'[square % SIDE]}{SIDE - square // SIDE}"
