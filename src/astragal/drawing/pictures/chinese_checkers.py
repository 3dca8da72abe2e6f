"""Chinese Checkers: the star, its corners coloured by who begins there, with rims by whose goal they are.

Empty cells have their names.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from astragal.drawing.pictures.parts import button, piece, player_role
from astragal.drawing.pictures.vocabulary import Circle, Item, Line, Picture, Point, Polygon, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.game.position import Position
from astragal.games.chinese_checkers.board import CORNERS, cell_names, spot_of, star
from astragal.games.chinese_checkers.rules import PASS

STEP = 56.0  # from a cell to the next in its row
ROW = STEP * 3**0.5 / 2
CELL, MAN = 19.0, 23.0  # radii
MARGIN = 30.0  # from the cells at the rim to the rim


def draw(position: Position, last: int | None) -> Picture:
    game = position.game
    side, names = game.side, cell_names(game.side)
    items = [*board(side, game.players)]
    for x, y in star(side):
        spot = spot_of(x, y)
        items += cell(names[spot], place(side, x, y), position.rules.owner(position.state, spot))
    width, height = size(side)
    if PASS in position.actions():
        items.append(button("pass", width / 2, height / 2, "Pass", "pass: there is no move"))
    moves = {action: clicks(position, action, names) for action in position.actions()}
    return Picture(width, height, items, moves, whose_turn(position))


def clicks(position: Position, action: int, names: dict[int, str]) -> list[str]:
    move = position.decode(action)
    return ["pass"] if move is None else [names[move.source], names[move.to]]


def size(side: int) -> Point:
    """Width and height of the star."""
    return 2 * reach(side) * cos(pi / 6), 2 * reach(side)


def reach(side: int) -> float:
    """From the middle to the point of a corner, which lies beyond its cells by twice the margin."""
    return 2 * side * ROW + 2 * MARGIN


def place(side: int, x: float, y: float) -> Point:
    """Where a cell is drawn."""
    width, height = size(side)
    return width / 2 + (x - y) / 2 * STEP, height / 2 - (x + y) * ROW


@cache
def board(side: int, players: int) -> tuple[Item, ...]:
    """The star, its corners in the colours of those who begin there."""
    x, y = place(side, 0, 0)
    far = reach(side)
    tips = [around(far, corner) for corner in range(6)]
    notches = [around(far / 3**0.5, corner + 0.5) for corner in range(6)]  # between a tip and the next
    outline = [point for pair in zip(tips, notches, strict=True) for point in pair]
    items: list[Item] = [Polygon(key="star", x=x, y=y, points=outline, fill="board", stroke="edge", layer=-2)]
    for player, corner in enumerate(CORNERS[players]):
        points = [tips[corner], notches[corner], notches[corner - 1]]
        role, key = player_role(player), f"corner-{player + 1}"
        items.append(Polygon(key=key, x=x, y=y, points=points, fill=role, opacity=0.45, layer=-1))
    for player, corner in enumerate(CORNERS[players]):
        goal = (corner + 3) % 6
        rim = [inwards(point) for point in (notches[goal], tips[goal], notches[goal - 1])]
        role, key = player_role(player), f"goal-{player + 1}"
        items.append(Line(key=key, x=x, y=y, points=rim, stroke=role, line=7, label=f"goal of player {player + 1}"))
    return tuple(items)


def inwards(point: Point) -> Point:
    """A point of the outline, a little nearer to the middle, so that a line through it lies on the board."""
    return 0.985 * point[0], 0.985 * point[1]


def around(far: float, sixths: float) -> Point:
    """A point at a distance from the middle, clockwise from the top."""
    return far * sin(pi / 3 * sixths), -far * cos(pi / 3 * sixths)


def cell(name: str, at: Point, owner: int | None) -> list[Item]:
    """A cell, and the man on it."""
    label = f"cell {name}, {'empty' if owner is None else f'man of player {owner + 1}'}"
    items: list[Item] = [
        Circle(key=name, x=at[0], y=at[1], r=CELL + 4, fill="hole", stroke="edge", line=1, label=label)
    ]
    if owner is None:
        items.append(Text(key=f"name-{name}", x=at[0], y=at[1], text=name, size=13, opacity=0.85, fill="hole"))
    else:
        items.append(piece(f"man-{name}", at, MAN - 2, owner, group=f"man-{owner + 1}"))
    return items
