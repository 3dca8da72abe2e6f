"""EinStein würfelt nicht!: numbered cubes on 5x5, the corner each side runs to, and the die."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any

from astragal.drawing.pictures.parts import Grid, one_die, player_role
from astragal.drawing.pictures.vocabulary import Item, Picture, Polygon, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, numbered
from astragal.games.ewn.board import GOAL, NO_CUBE, OVER, SIDE, TO_ROLL, board_of, square_name
from astragal.rules.position import Position

MOVES = 18  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"\d  ", numbered("123456", "①②③④⑤⑥", 0) | numbered("abcdef", "❶❷❸❹❺❻", 1) | {".": EMPTY})
GRID = Grid(SIDE, SIDE, 110)
GAP = 4
CUBE = 78
DIE = 92


def draw(position: Position, last: int | None) -> Picture:
    state: Any = position.state
    board = board_of(state)
    items: list[Item] = [GRID.frame(), *GRID.names()]
    for square in range(SIDE * SIDE):
        items.append(cell(square, board[square]))
    items += [goal(player) for player in range(2)]
    for square in range(SIDE * SIDE):
        if board[square] != NO_CUBE:
            items.append(cube(board[square], square))
    width = GRID.width + 160
    items += die(state, width - 80)
    moves = {action: clicks(position, action) for action in position.actions()}
    return Picture(width, GRID.height, items, moves, note(position, state))


def clicks(position: Position, action: int) -> list[str]:
    move = position.decode(action)
    return [square_name(move.source), square_name(move.to)]


def note(position: Position, state: Any) -> str:
    if position.is_chance:
        return f"Player {state.turn + 1} rolls the die."
    return whose_turn(position, f"rolled {state.die + 1} and is to move")


def event(before: Position, number: int) -> str | None:
    """A cube that is taken, one's own too."""
    if before.is_chance:
        return None
    held = board_of(before.state)[before.decode(number).to]
    if held == NO_CUBE:
        return None
    mine = held // 6 == before.turn
    return f"took cube {held % 6 + 1}" + (" of the own side" if mine else "")


def cell(square: int, held: int) -> Item:
    x, y = GRID.at(*divmod(square, SIDE))
    what = "empty" if held == NO_CUBE else f"cube {held % 6 + 1} of player {held // 6 + 1}"
    side = GRID.cell - GAP
    label = f"{square_name(square)}, {what}"
    return Rect(key=square_name(square), x=x, y=y, w=side, h=side, r=8, fill="cell", label=label)


def goal(player: int) -> Item:
    """A triangle in the corner that a player has to reach."""
    x, y = GRID.at(*divmod(int(GOAL[player]), SIDE))
    far = (0.5 - player) * (GRID.cell - GAP - 10)
    near = far - (0.5 - player) * 90
    corner = ((far, far), (near, far), (far, near))
    label = f"goal of player {player + 1}"
    return Polygon(
        key=f"goal-{player + 1}", x=x, y=y, points=corner, fill=player_role(player), label=label, opacity=0.75
    )


def cube(number: int, square: int) -> Item:
    x, y = GRID.at(*divmod(square, SIDE))
    player = number // 6
    return Rect(
        key=f"cube-{player + 1}-{number % 6 + 1}",
        x=x,
        y=y,
        w=CUBE,
        h=CUBE,
        r=14,
        fill=player_role(player),
        stroke="edge",
        line=4,
        text=str(number % 6 + 1),
        size=46,
        weight="bold",
        layer=2,
    )


def die(state: Any, x: float) -> list[Item]:
    """The die in the colour of the player who rolls it."""
    if state.die == OVER:
        return []
    value = 0 if state.die == TO_ROLL else state.die + 1
    y = GRID.top + SIDE * GRID.cell / 2
    who = f"Player {state.turn + 1}"
    return [
        one_die("die", (x, y), DIE, value, player_role(state.turn)),
        Text(key="roller", x=x, y=y + 84, text=who, size=26),
        Text(key="rolled", x=x, y=y - 84, text="to roll" if value == 0 else f"rolled {value}", size=26),
    ]
