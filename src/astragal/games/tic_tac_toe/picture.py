"""Tic-tac-toe: crosses and rings on nine squares, and a line through three in a row."""

from __future__ import annotations

from astragal.drawing.pictures.parts import Grid
from astragal.drawing.pictures.vocabulary import Circle, Item, Line, Path, Picture, Point, Rect
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.tic_tac_toe.rules import SIDE
from astragal.rules.position import Position

MOVES = 6  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"\d  ", men("xo", "✕○") | {".": EMPTY})
GRID = Grid(SIDE, SIDE, 130)
GAP = 6
ARM = 36  # half the width of a cross
CROSS = f"M{-ARM},{-ARM} L{ARM},{ARM} M{ARM},{-ARM} L{-ARM},{ARM}"
MARKS = ("x", "o")


def draw(position: Position, last: int | None) -> Picture:
    rules, state = position.rules, position.state
    items: list[Item] = [GRID.frame(), *GRID.names()]
    for square in range(SIDE * SIDE):
        owner = rules.owner(state, square)
        items.append(cell(square, owner))
        items += [mark(square, owner)] if owner is not None else []
    items += [winning_line(squares) for squares in rules.rows_made(state)]
    moves = {action: [position.action_name(action)] for action in position.actions()}
    return Picture(GRID.width, GRID.height, items, moves, whose_turn(position))


def name(square: int) -> str:
    return GRID.name(*divmod(square, SIDE))


def place(square: int) -> Point:
    return GRID.at(*divmod(square, SIDE))


def cell(square: int, owner: int | None) -> Item:
    x, y = place(square)
    label = f"{name(square)}, {'empty' if owner is None else MARKS[owner]}"
    side = GRID.cell - GAP
    return Rect(key=name(square), x=x, y=y, w=side, h=side, r=12, fill="cell", label=label, hint="dot")


def mark(square: int, player: int) -> Item:
    x, y = place(square)
    key = f"mark-{name(square)}"
    if player == 0:
        return Path(key=key, x=x, y=y, d=CROSS, stroke="player1", line=14, layer=1)
    return Circle(key=key, x=x, y=y, r=ARM + 3, stroke="player2", line=14, layer=1)


def winning_line(squares: list[int]) -> Item:
    """A line through the squares of a row and a little beyond."""
    (x, y), (end_x, end_y) = place(squares[0]), place(squares[-1])
    dx, dy = 0.17 * (end_x - x), 0.17 * (end_y - y)
    ends = ((-dx, -dy), (end_x - x + dx, end_y - y + dy))
    return Line(
        key=f"line-{name(squares[0])}-{name(squares[-1])}",
        x=x,
        y=y,
        points=ends,
        stroke="ink",
        line=9,
        layer=2,
        label="three in a row",
    )
