"""The picture of a game without a drawing: the fields of its state as boards, tracks and counters.

A field of two dimensions is a board; one with a number for each player has a track for each; another array is a row of
squares; numbers alone are listed. Where a board has as many squares as there are actions, a click on a square is the
action of its number; where there are few actions, they are buttons.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from astragal.compiler.records import field_names
from astragal.drawing.pictures.parts import BUTTONS, MOST_BUTTONS, action_buttons, piece, player_role
from astragal.drawing.pictures.vocabulary import Item, Picture, Rect, Text, text_width
from astragal.drawing.pictures.words import broken, whose_turn
from astragal.rules.position import Position

WIDTH, MARGIN = 600.0, 16.0
HEAD, LANE, LINE, SIZE = 34.0, 46.0, 32.0, 22.0
LARGEST, ROW = 60.0, 13  # side of a square, and squares in a row of an array
MOST_SQUARES = 400
HIDDEN = ("turn",)  # the sentence below shows it


@dataclass
class Page:
    """What is drawn so far, from the top."""

    items: list[Item]
    top: float = MARGIN

    def head(self, name: str) -> None:
        words = name.replace("_", " ")
        self.items.append(Text(key=f"{name}-name", x=MARGIN, y=self.top + 14, text=words, size=20, anchor="start"))
        self.top += HEAD


def has_fields(position: Position) -> bool:
    """Whether a state has fields to show, and the game has neither `show` nor a picture."""
    return not hasattr(position.game, "show") and bool(shown_fields(position))


def shown_fields(position: Position) -> list[str]:
    return [name for name in field_names(position.memory) if position.memory.dtype[name].names is None]


def fields_picture(position: Position) -> Picture:
    """A position's fields, from the top."""
    game, page, boards, alone = position.game, Page([]), {}, []
    for name in shown_fields(position):
        values = np.asarray(position.memory[name][0])
        if values.ndim == 0:
            alone += [] if name in HIDDEN else [f"{name.replace('_', ' ')} {plain(values[()])}"]
        elif values.ndim == 1 and len(values) == game.players > 1:
            tracks(page, name, values, game)
        elif values.ndim <= 2 and values.size <= MOST_SQUARES:
            boards[name] = squares(page, name, values, game.players)
    for i, line in enumerate(broken("  ·  ".join(alone), 50) if alone else []):
        page.items.append(
            Text(key=f"alone-{i}", x=MARGIN, y=page.top + LINE / 2, text=line, size=SIZE, anchor="start", label=line)
        )
        page.top += LINE
    moves = clicks(position, boards) or buttons(page, position)
    panel = Rect(key="panel", x=WIDTH / 2, y=(page.top + MARGIN) / 2, w=WIDTH, h=page.top + MARGIN, r=10, fill="panel")
    items: list[Item] = [panel, *page.items]
    return Picture(WIDTH, page.top + MARGIN, items, moves, whose_turn(position))


def plain(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, float | np.floating) else str(value)


def tracks(page: Page, name: str, values: Any, game: Any) -> None:
    """A bar for each player, towards the least setting of the game that is not below any of them."""
    page.head(name)
    most = float(max(values.max(), 1))
    goals = [getattr(game, field.name) for field in fields(game) if field.init]
    most = min([float(goal) for goal in goals if type(goal) in (int, float) and goal >= most], default=most)
    long = WIDTH - 2 * MARGIN - 130
    for player, value in enumerate(values):
        y, role, key = page.top + LANE / 2 - 6, player_role(player), f"{name}-{player + 1}"
        label = f"player {player + 1}: {name} {plain(value)}"
        left = MARGIN + 40
        page.items += [
            piece(f"{key}-dot", (MARGIN + 14, y), 11, player),
            Rect(key=f"{key}-track", x=left + long / 2, y=y, w=long, h=20, r=10, fill="page", stroke="grey"),
            Text(key=key, x=WIDTH - MARGIN, y=y, text=plain(value), size=SIZE, anchor="end", label=label),
        ]
        done = long * max(0.0, min(1.0, float(value) / most))
        if done >= 1:
            wide = max(20.0, done)
            page.items.append(Rect(key=f"{key}-bar", x=left + wide / 2, y=y, w=wide, h=20, r=10, fill=role, layer=1))
        page.top += LANE


def squares(page: Page, name: str, values: Any, players: int) -> list[str]:
    """A board; the keys of its squares in order. Numbers up to the players' are their pieces."""
    page.head(name)
    flat = values.ravel()
    columns = values.shape[1] if values.ndim == 2 else min(ROW, len(flat))
    side = min(LARGEST, (WIDTH - 2 * MARGIN) / columns)
    pieces = flat.dtype.kind in "iub" and flat.min() >= 0 and flat.max() <= players
    keys = []
    for i, value in enumerate(flat):
        row, column = divmod(i, columns)
        x, y = MARGIN + side * (column + 0.5), page.top + side * (row + 0.5)
        key, owner = f"{name}-{i}", int(value) - 1 if pieces and value else None
        what = f"piece of player {owner + 1}" if owner is not None else plain(value)
        keys.append(key)
        page.items.append(
            Rect(key=key, x=x, y=y, w=side - 3, h=side - 3, r=5, fill="cell", label=f"{name} {i}: {what}")
        )
        if owner is not None:
            page.items.append(piece(f"{key}-piece", (x, y), 0.36 * side, owner, group=f"piece-{owner + 1}"))
        elif not pieces:
            size = min(SIZE, 1.3 * side / max(2, len(plain(value))))
            page.items.append(Text(key=f"{key}-value", x=x, y=y, text=plain(value), size=size))
    page.top += side * ((len(flat) + columns - 1) // columns) + MARGIN
    return keys


def clicks(position: Position, boards: dict[str, list[str]]) -> dict[int, list[str]]:
    """The square of each action, where one board has one for each."""
    fitting = [keys for keys in boards.values() if len(keys) == position.game.max_actions]
    flat = {name for name in boards if len(position.memory.dtype[name].shape) == 1}
    if len(fitting) > 1:  # rather a board of two dimensions
        fitting = [boards[name] for name in boards if name not in flat and len(boards[name]) == len(fitting[0])]
    if len(fitting) != 1 or any(action >= len(fitting[0]) for action in position.actions()):
        return {}
    return {action: [fitting[0][action]] for action in position.actions()}


def buttons(page: Page, position: Position) -> dict[int, list[str]]:
    """A button for each action, where they are few."""
    if position.game.max_actions > MOST_BUTTONS:
        return {}
    made, moves = action_buttons(position, MARGIN, WIDTH - 2 * MARGIN, page.top)
    page.items += made
    page.top += BUTTONS
    return moves


SIZE, LINE, MARGIN = 20, 28, 24
WIDEST = 60  # letters in a line; longer ones are broken


def plain_picture(position: Position) -> Picture:
    """A position's text in letters of equal width; all its moves are buttons."""
    lines = [part for line in str(position).splitlines() for part in broken(line, WIDEST)] or [""]
    width = max(360.0, text_width("m" * max(map(len, lines)), SIZE, mono=True) + 2 * MARGIN)
    height = LINE * len(lines) + 2 * MARGIN
    panel = Rect(key="panel", x=width / 2, y=height / 2, w=width, h=height, r=10, fill="panel", layer=-1)
    rows: list[Item] = [
        Text(
            key=f"line-{number}",
            x=MARGIN,
            y=MARGIN + LINE * (number + 0.5),
            text=line,
            size=SIZE,
            anchor="start",
            mono=True,
            label=line.strip() or None,
        )
        for number, line in enumerate(lines)
    ]
    return Picture(width, height, [panel, *rows], {}, whose_turn(position))
