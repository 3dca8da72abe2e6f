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

from astragal.game.bits import lowest_bit
from astragal.game.decorator import CHANCE, TERMINAL, game
from astragal.parameters import parameter

SIDE = 5
NO_CUBE, NO_SQUARE = 12, 25  # cubes 0-5 belong to player 0, 6-11 to player 1
TO_ROLL, OVER = 6, 7  # instead of a face of the die
STEPS = (((1, 1), (1, 0), (0, 1)), ((-1, -1), (-1, 0), (0, -1)))  # [player] -> steps, the diagonal first
CAMP = ((0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14))  # [player] -> squares of cubes 1 to 6 in the fixed set-up
LETTERS = "123456abcdef."


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
SAME = np.zeros((2, 64, 6), np.uint8)  # [player, cubes alive, die] -> the lowest face that moves the same cubes
CHOICE = np.full((2, 64, 6, 2), NO_CUBE, np.uint8)  # [player, cubes alive, die] -> one or two cubes
TARGET = np.zeros((2, 32, 4), np.uint8)  # [player, square] -> up to three squares
MOVES = np.zeros((2, 32), np.uint8)  # [player, square] -> how many
OWNER = np.array([0] * 6 + [1] * 6 + [2], np.uint8)  # [cube] -> whose it is; 2: nobody's
# A tally counts the cubes of each player at each distance from the goal, four bits for each of five distances, twenty
# bits for each player, and has above them one bit for each cube alive: all that a move changes in one addition.
TALLY = np.zeros((13, 32), np.uint64)  # [cube, square] -> what the cube adds to the tally there
ALIVE = np.uint64(40)
for me in range(2):
    for alive in range(64):
        for die in range(6):
            for j, k in enumerate(movable(alive, die)):
                CHOICE[me, alive, die, j] = 6 * me + k
            SAME[me, alive, die] = [movable(alive, face) for face in range(6)].index(movable(alive, die))
    for square in range(SIDE * SIDE):
        for down, right in STEPS[me]:
            row, column = square // SIDE + down, square % SIDE + right
            if 0 <= row < SIDE and 0 <= column < SIDE:
                TARGET[me, square, MOVES[me, square]] = SIDE * row + column
                MOVES[me, square] += 1
        for k in range(6):
            TALLY[6 * me + k, square] = (1 << 20 * me + 4 * distance(me, square)) + (1 << 40 + 6 * me + k)


def nearest(tally, player):
    """Steps that a player's nearest cube has left, by a tally."""
    return lowest_bit(np.int64(tally) >> 20 * player & 0xFFFFF | 0x100000) >> 2


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
            ("tally", "u8"),  # see TALLY
            ("board", "u1", 25),  # [square] -> cube
            ("pos", "u1", 13),  # [cube] -> square
            ("turn", "u1"),
            ("die", "u1"),  # 0 to 5, TO_ROLL or OVER
        ],
        align=True,
    )
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
        for square in range(25):
            state.board[square] = NO_CUBE
        for cube in range(13):
            state.pos[cube] = NO_SQUARE
        state.die = TO_ROLL

    def place(self, state, cube, square):
        state.board[square] = cube
        state.pos[cube] = square
        state.tally += TALLY[cube, square]

    def turn(self, state):
        if state.die == OVER:
            return TERMINAL
        return CHANCE if state.die == TO_ROLL else np.int64(state.turn)

    def alive(self, tally, player):
        """The cubes a player has left, one bit each."""
        return np.int64(tally >> ALIVE) >> 6 * player & 63

    def actions(self, state, out):
        me = state.turn
        mine = self.alive(state.tally, me)
        count = 0
        for j in range(2):
            cube = CHOICE[me, mine, state.die, j]
            here = state.pos[cube]
            for m in range(3):  # always all: how many moves there are would be mispredicted; the rest is overwritten
                out[count + m] = cube << 5 | TARGET[me, here, m]
            count += MOVES[me, here]
        return count

    def pick(self, state, word):
        me = state.turn
        mine = self.alive(state.tally, me)
        first, second = CHOICE[me, mine, state.die, 0], CHOICE[me, mine, state.die, 1]
        here, there = state.pos[first], state.pos[second]
        count = MOVES[me, here]
        m = word * (count + MOVES[me, there]) >> 32
        if m < count:
            return np.int64(first << 5 | TARGET[me, here, m])
        return np.int64(second << 5 | TARGET[me, there, m - count])

    def play(self, state, action):
        me = state.turn
        cube, to = action >> 5, action & 31
        here, hit = state.pos[cube], state.board[to]
        tally = state.tally - TALLY[cube, here] + TALLY[cube, to] - TALLY[hit, to]
        state.board[here] = NO_CUBE
        state.board[to] = cube
        state.pos[hit] = NO_SQUARE
        state.pos[cube] = to
        state.tally = tally
        won = (to == GOAL[me]) | (self.alive(tally, 1 - me) == 0)  # not "or": a branch here costs an eighth
        state.die = OVER if won else TO_ROLL
        state.turn = 1 - me

    def decode(self, state, action):
        cube = action >> 5
        return Move(cube, state.pos[cube], action & 31)

    def skip(self, state):
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
        return np.int64(SAME[state.turn, self.alive(state.tally, state.turn), outcome])

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
        return 25.0 * (self.steps_left(state, 1 - player) - self.steps_left(state, player))

    def worth(self, state, player):
        """A player's cubes, each by itself or by the steps it has made."""
        tally = np.int64(state.tally) >> 20 * player & 0xFFFFF
        total = 0.0
        for away in range(5):
            each = 100.0 / 6.0 if self.counts_cubes else (4 - away) * 100.0 / 24.0
            total += (tally >> 4 * away & 15) * each
        return total

    def heuristic_after(self, state, action, player):
        """The tally after a move, as `play` makes it, says who has won and how near the nearest cubes are."""
        if self.counts_cubes or self.counts_steps:
            return np.nan
        me = state.turn
        cube, to = action >> 5, action & 31
        hit = state.board[to]
        tally = state.tally - TALLY[cube, state.pos[cube]] + TALLY[cube, to] - TALLY[hit, to]
        if (to == GOAL[me]) | (self.alive(tally, 1 - me) == 0):
            return np.nan
        return 25.0 * (nearest(tally, 1 - player) - nearest(tally, player))

    def ceiling(self, state, player, decisions):
        """No win before one's nearest cube can be in the corner or the enemy's cubes can all be gone."""
        if self.counts_cubes or self.counts_steps:
            return 100.0
        mine = decisions + (state.turn == player) >> 1
        left = self.steps_left(state, player) - mine
        theirs = np.int64(state.tally) >> 20 * (1 - player) & 0xFFFFF
        away = 0
        gone = theirs & 15
        while gone <= decisions and away < 5:  # as far as their nearest cube is if all before it are taken
            away += 1
            gone += theirs >> 4 * away & 15
        if left <= 0 or away == 5:
            return 100.0
        return 25.0 * (away - left)

    def steps_left(self, state, player):
        return nearest(state.tally, player)

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
            for number in range(6):
                square = np.int64(state.pos[6 * owner + number])
                if square != NO_SQUARE:
                    out[count] = base + 25 * number + (24 - square if player else square)
                    count += 1
            out[count] = base + 6 * 25 + self.alive(state.tally, owner)
            count += 1
        return count

    def action_name(self, state, action):
        cube, _, to = self.decode(state, action)
        return f"{cube % 6 + 1}{'-' if state.board[to] == NO_CUBE else 'x'}{square_name(to)}"

    def outcome_name(self, state, outcome):
        return str(outcome + 1)

    def show(self, state):
        rows = []
        for row in range(SIDE):
            cells = [LETTERS[state.board[SIDE * row + column]] for column in range(SIDE)]
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
        rows = ["".join(LETTERS[state.board[SIDE * row + column]] for column in range(SIDE)) for row in range(SIDE)]
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
        for square, letter in enumerate(squares):
            if letter != ".":
                self.place(state, LETTERS.index(letter), square)
        state.turn = int(words[1]) - 1
        winners = [player for player in range(2) if self.has_won(state, player)]
        if winners not in ([], [1 - state.turn]):
            raise ValueError("a player who has won cannot be the one to move")
        if winners and words[2] != "-":
            raise ValueError("the game is over and no die can be rolled")
        state.die = OVER if winners else TO_ROLL if words[2] == "-" else int(words[2]) - 1

    def has_won(self, state, player):
        return OWNER[state.board[GOAL[player]]] == player or self.alive(state.tally, 1 - player) == 0


def square_name(square):
    return f"{'abcde'[square % SIDE]}{SIDE - square // SIDE}"
