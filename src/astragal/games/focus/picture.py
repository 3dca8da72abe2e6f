"""Focus: stacks of men on the cut board, and below it each player's reserve and captures."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any

from astragal.drawing.pictures.parts import Grid, button, panel, piece, write
from astragal.drawing.pictures.vocabulary import Item, Picture, Point, Rect
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.focus.board import NAMES, SIDE, SQUARES, men_of
from astragal.games.focus.rules import PASS
from astragal.rules.position import Position

MOVES = 37  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"\d ", men("1234", "❶❷❸❹") | {"-": EMPTY})
GRID = Grid(SIDE, SIDE, 84)
GAP = 3
RADIUS, RISE = 29.0, 9.0  # of a man, and how far the next one up is shifted
PANEL = 130.0


def draw(position: Position, last: int | None) -> Picture:
    state: Any = position.state
    items: list[Item] = [*GRID.names()]
    for square, (row, column) in enumerate(SQUARES):
        items += one_square(NAMES[square], GRID.at(row, column), men_of(state.stack[square]), (row + column) % 2)
    top = GRID.height + 8
    for player in range(position.game.players):
        items += side(position, player, top)
    if PASS in position.actions():
        items.append(button("pass", GRID.width / 2, GRID.height / 2, "Pass", "pass: there is no move"))
    moves = {action: clicks(position, action) for action in position.actions()}
    return Picture(GRID.width, top + PANEL, items, moves, whose_turn(position))


def clicks(position: Position, action: int) -> list[str]:
    move = position.decode(action)
    if move is None:
        return ["pass"]
    return [f"reserve-{position.turn + 1}" if move.source is None else NAMES[move.source], NAMES[move.to]]


def one_square(name: str, place: Point, men: list[int], dark: int) -> list[Item]:
    """A square and the stack on it, each man a little higher than the one below; the top one shows how many."""
    x, y = place
    side = GRID.cell - GAP
    what = ", ".join(f"player {man + 1}" for man in reversed(men))
    label = f"{name}, {f'{len(men)} men from the top: {what}' if len(men) > 1 else what or 'empty'}"
    items: list[Item] = [
        Rect(key=name, x=x, y=y, w=side, h=side, r=8, fill="cell-dark" if dark else "cell-light", label=label)
    ]
    foot = y + RISE * (len(men) - 1) / 2
    for i, man in enumerate(men):
        text = str(len(men)) if i == len(men) - 1 > 0 else None
        here = x, foot - RISE * i
        items.append(piece(f"man-{name}-{i}", here, RADIUS, man, layer=3 + i, group=f"man-{man + 1}", text=text))
    return items


def side(position: Position, player: int, top: float) -> list[Item]:
    """What a player has in reserve, from where it can be put on the board, and what he has captured."""
    game, rules, state = position.game, position.rules, position.state
    wide = GRID.width / game.players
    left, number = wide * player, player + 1
    out = " (out)" if rules.is_out(state, player) else ""
    about = f"player {number}: {rules.about(state, player)}"
    held = int(state.reserve[player])
    narrow = game.players >= 4
    letters = 14 if narrow else 18  # of headings that stand side by side
    label = f"reserve of player {number}: {held}"
    items: list[Item] = [
        panel(f"panel-{number}", (left + 4, top + 2), wide - 8, PANEL - 4, about, position.turn == player),
        write(f"name-{number}", left + 14, top + 24, f"Player {number}{out}", 22, weight="bold"),
        write(f"reserves-{number}", left + 14, top + 52, "reserve", letters, ink="faint"),
        piece(f"reserve-{number}", (left + 40, top + 92), 24, player, text=str(held), label=label),
    ]
    if game.by_captures:
        radius = 14.0 if narrow else 20.0
        x = left + (82 if narrow else 108)
        items.append(write(f"captures-{number}", x, top + 52, "taken", letters, ink="faint"))
        victims = [other for other in range(game.players) if other != player]
        for i, other in enumerate(victims):
            taken = str(rules.taken(state, player, other))
            place = x + radius + (2 * radius + 2) * i, top + 92
            items.append(piece(f"captured-{number}-{other + 1}", place, radius, other, text=taken))
    return items
