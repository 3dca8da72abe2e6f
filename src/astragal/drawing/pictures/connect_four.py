"""Connect Four: discs that fall into an upright board; four in a line are ringed."""

from __future__ import annotations

from astragal.drawing.pictures.parts import piece
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Polygon, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.game.position import Position
from astragal.games.connect_four import HEIGHT, STEP, WIDTH

CELL, HEAD, FOOT, RIM = 92.0, 58.0, 34.0, 10.0
RADIUS = 38.0
LETTERS = "abcdefg"


def draw(position: Position, last: int | None) -> Picture:
    state = position.state
    discs = (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)
    items: list[Item] = [board()]
    for column in range(WIDTH):
        items += head_and_foot(column, discs[0] | discs[1])
        for height in range(HEIGHT):
            items += square(column, height, discs)
    items += [ring(bit) for bit in sorted(in_fours(discs[0]) | in_fours(discs[1]))]
    moves = {action: [LETTERS[action]] for action in position.actions()}
    wide, high = WIDTH * CELL + 2 * RIM, HEIGHT * CELL + HEAD + 2 * RIM + FOOT
    return Picture(wide, high, items, moves, whose_turn(position))


def place(column: int, height: int) -> Point:
    return RIM + (column + 0.5) * CELL, HEAD + RIM + (HEIGHT - height - 0.5) * CELL


def board() -> Item:
    wide, high = WIDTH * CELL + 2 * RIM, HEIGHT * CELL + 2 * RIM
    return Rect(key="board", x=wide / 2, y=HEAD + high / 2, w=wide, h=high, r=22, fill="board", stroke="edge", layer=-1)


def head_and_foot(column: int, taken: int) -> list[Item]:
    """An arrow to drop a disc by, which any square of the column acts as, and the column's letter."""
    letter, x = LETTERS[column], place(column, 0)[0]
    held = sum(taken >> STEP * column + height & 1 for height in range(HEIGHT))
    label = f"column {letter}, {held} of {HEIGHT} discs"
    arrow = Polygon(key=letter, x=x, y=HEAD / 2, points=((-20, -13), (20, -13), (0, 17)), fill="grey", label=label)
    return [arrow, Text(key=f"letter-{letter}", x=x, y=HEAD + HEIGHT * CELL + 2 * RIM + 20, text=letter)]


def square(column: int, height: int, discs: tuple[int, int]) -> list[Item]:
    """A hole, and the disc that has fallen into it."""
    x, y = place(column, height)
    name = f"{LETTERS[column]}{height + 1}"
    items: list[Item] = [Circle(key=name, x=x, y=y, r=RADIUS, fill="hole", acts=LETTERS[column], hint="none")]
    for player in range(2):
        if discs[player] >> STEP * column + height & 1:
            above, label = (x, HEAD / 2), f"{name}, disc of player {player + 1}"
            items.append(piece(f"disc-{name}", (x, y), RADIUS, player, origin=above, label=label))
    return items


def in_fours(discs: int) -> set[int]:
    """The squares, as bits' numbers, of all lines of four."""
    found = set()
    for step in (1, STEP - 1, STEP, STEP + 1):
        for first in range(STEP * WIDTH):
            line = {first + k * step for k in range(4)}
            if all(discs >> bit & 1 for bit in line):
                found |= line
    return found


def ring(bit: int) -> Item:
    x, y = place(bit // STEP, bit % STEP)
    return Circle(key=f"four-{bit}", x=x, y=y, r=RADIUS - 14, stroke="page", line=7, layer=4)
