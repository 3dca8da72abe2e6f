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
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.chinese_checkers.board import AXES, CORNERS, cell_names, spot_of, star
from astragal.games.chinese_checkers.rules import PASS
from astragal.rules.position import Position

MOVES = 75  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"[ \d]\d ", men("123456", "❶❷❸❹❺❻") | {".": EMPTY})
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
    return Picture(width, height, items, moves, whose_turn(position), ways(position, moves))


def ways(position: Position, moves: dict[int, list[str]]) -> dict[int, list[str]]:
    """The cells of every chain of hops that has more than one, by the shortest chain that there is."""
    if not moves:
        return {}
    side = position.game.side
    names = cell_names(side)
    cells = {names[spot_of(x, y)]: (x, y) for x, y in star(side)}
    taken = {name: position.rules.owner(position.state, spot_of(*at)) is not None for name, at in cells.items()}
    named = {at: name for name, at in cells.items()}
    found: dict[str, dict[str, str]] = {}  # [source] -> where each cell is reached from
    made = {}
    for action, keys in moves.items():
        if len(keys) < 2:
            continue
        if keys[0] not in found:
            found[keys[0]] = hopped(keys[0], cells, named, taken)
        way = [keys[-1]]
        while way[0] != keys[0] and way[0] in found[keys[0]]:
            way.insert(0, found[keys[0]][way[0]])
        if way[0] == keys[0] and len(way) > 2:
            made[action] = way
    return made


def hopped(
    source: str, cells: dict[str, tuple[int, int]], named: dict[tuple[int, int], str], taken: dict[str, bool]
) -> dict[str, str]:
    """All cells that a man can hop to, each with the one before it on a shortest chain."""
    before: dict[str, str] = {}
    waiting = [source]
    for here in waiting:
        x, y = cells[here]
        for a, b in (*AXES, *((-a, -b) for a, b in AXES)):
            over, to = named.get((x + a, y + b)), named.get((x + 2 * a, y + 2 * b))
            if over is None or to is None or over == source or not taken[over] or (taken[to] and to != source):
                continue
            if to != source and to not in before:
                before[to] = here
                waiting.append(to)
    return before


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
