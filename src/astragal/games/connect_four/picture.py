"""Connect Four: discs that fall into an upright board; four in a line are ringed."""

from __future__ import annotations

from astragal.drawing.pictures.parts import piece
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Polygon, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.connect_four.rules import HEIGHT, WIDTH
from astragal.rules.position import Position

MOVES = 20  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"\d  ", men("xo", "●○") | {".": EMPTY})
CELL, HEAD, FOOT, RIM = 92.0, 58.0, 34.0, 10.0
RADIUS = 38.0
LETTERS = "abcdefg"


def draw(position: Position, last: int | None) -> Picture:
    rules, state = position.rules, position.state
    items: list[Item] = [board()]
    for column in range(WIDTH):
        owners = [rules.owner(state, column, height) for height in range(HEIGHT)]
        items += head_and_foot(column, HEIGHT - owners.count(None))
        for height, owner in enumerate(owners):
            items += square(column, height, owner)
    items += [ring(column, height) for column, height in rules.in_fours(state)]
    moves = {action: [position.action_name(action)] for action in position.actions()}
    wide, high = WIDTH * CELL + 2 * RIM, HEIGHT * CELL + HEAD + 2 * RIM + FOOT
    return Picture(wide, high, items, moves, whose_turn(position))


def place(column: int, height: int) -> Point:
    return RIM + (column + 0.5) * CELL, HEAD + RIM + (HEIGHT - height - 0.5) * CELL


def board() -> Item:
    wide, high = WIDTH * CELL + 2 * RIM, HEIGHT * CELL + 2 * RIM
    return Rect(key="board", x=wide / 2, y=HEAD + high / 2, w=wide, h=high, r=22, fill="board", stroke="edge", layer=-1)


def head_and_foot(column: int, held: int) -> list[Item]:
    """An arrow to drop a disc by, which any square of the column acts as, and the column's letter."""
    letter, x = LETTERS[column], place(column, 0)[0]
    label = f"column {letter}, {held} of {HEIGHT} discs"
    arrow = Polygon(key=letter, x=x, y=HEAD / 2, points=((-20, -13), (20, -13), (0, 17)), fill="grey", label=label)
    return [arrow, Text(key=f"letter-{letter}", x=x, y=HEAD + HEIGHT * CELL + 2 * RIM + 20, text=letter)]


def square(column: int, height: int, owner: int | None) -> list[Item]:
    """A hole, and the disc that has fallen into it."""
    x, y = place(column, height)
    name = f"{LETTERS[column]}{height + 1}"
    items: list[Item] = [Circle(key=name, x=x, y=y, r=RADIUS, fill="hole", acts=LETTERS[column], hint="none")]
    if owner is not None:
        above, label = (x, HEAD / 2), f"{name}, disc of player {owner + 1}"
        items.append(piece(f"disc-{name}", (x, y), RADIUS, owner, origin=above, label=label))
    return items


def ring(column: int, height: int) -> Item:
    x, y = place(column, height)
    return Circle(key=f"four-{LETTERS[column]}{height + 1}", x=x, y=y, r=RADIUS - 14, stroke="page", line=7, layer=4)
