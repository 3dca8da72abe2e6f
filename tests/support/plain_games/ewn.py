"""EinStein würfelt nicht!, plainly: a board of five rows of five squares, with a cube or nothing on each."""

from __future__ import annotations

from fractions import Fraction

from support.plain_games import CHANCE, OVER

SIDE = 5
STEPS = (((0, 1), (1, 0), (1, 1)), ((0, -1), (-1, 0), (-1, -1)))  # of each player, in rows and columns
CORNER = ((4, 4), (0, 0))  # that each player wants to reach
CUBES = ("123456", "abcdef")  # of each player, the lowest number first


class PlainEwn:
    def __init__(self, text: str, **_: object) -> None:
        rows, player, die = text.split()
        self.board = [list(row) for row in rows.split("/")]
        self.player, self.die, self.over = int(player) - 1, None if die == "-" else int(die), False

    def text(self) -> str:
        return f"{'/'.join(map(''.join, self.board))} {self.player + 1} {self.die or '-'}"

    def mover(self) -> object:
        return OVER if self.over else CHANCE if self.die is None else self.player

    def places(self, player: int) -> dict[int, tuple[int, int]]:
        """Where the cubes of a player stand that are left, by their numbers."""
        squares = [(row, column) for row in range(SIDE) for column in range(SIDE)]
        on_board = [(self.board[row][column], (row, column)) for row, column in squares]
        return {CUBES[player].index(cube) + 1: place for cube, place in on_board if cube in CUBES[player]}

    def movable(self) -> list[int]:
        """The cube of the number rolled, or else the nearest lower and the nearest higher one."""
        left = self.places(self.player)
        if self.die in left:
            return [self.die]
        lower, higher = sorted(k for k in left if k < self.die), sorted(k for k in left if k > self.die)
        return lower[-1:] + higher[:1]

    def moves(self) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
        """The names of all moves, each with the squares from which and to which it goes."""
        found = {}
        for cube in self.movable():
            row, column = self.places(self.player)[cube]
            for down, right in STEPS[self.player]:
                to = row + down, column + right
                if all(0 <= place < SIDE for place in to):
                    sign = "-" if self.board[to[0]][to[1]] == "." else "x"
                    found[f"{cube}{sign}{'abcde'[to[1]]}{SIDE - to[0]}"] = (row, column), to
        return found

    def actions(self) -> list[str]:
        return list(self.moves())

    def play(self, name: str) -> None:
        (row, column), to = self.moves()[name]
        self.board[to[0]][to[1]] = self.board[row][column]  # whatever stood there is removed
        self.board[row][column] = "."
        self.over = to == CORNER[self.player] or not self.places(1 - self.player)
        self.player, self.die = 1 - self.player, None

    def outcomes(self) -> dict[str, Fraction]:
        return {str(face): Fraction(1, 6) for face in range(1, 7)}

    def deal(self, name: str) -> None:
        self.die = int(name)

    def utility(self, player: int) -> float:
        return 100.0 if player != self.player else -100.0  # who moved last has won
