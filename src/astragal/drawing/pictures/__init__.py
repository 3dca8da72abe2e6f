"""Pictures of positions: what to draw and what to click, in the words of `vocabulary`.

A file here that is named after a game of `astragal.games` and has a function ``draw(position, last)`` draws it; nothing
else needs to know of it. A game may also draw itself, by a method ``picture(self, state)``. All others get a plain
picture, their text.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import replace

from astragal.drawing.pictures.plain import plain_picture
from astragal.drawing.pictures.sound import refuse_unsound
from astragal.drawing.pictures.vocabulary import (
    Circle,
    Die,
    Hex,
    Item,
    Line,
    Path,
    Picture,
    Polygon,
    Rect,
    Text,
)
from astragal.errors import GameError
from astragal.game.position import Position

__all__ = ["Circle", "Die", "Hex", "Item", "Line", "Path", "Picture", "Polygon", "Rect", "Text", "picture_of"]
GAMES = "astragal.games."

Draw = Callable[[Position, int | None], Picture]


def picture_of(position: Position, last: int | None = None) -> Picture:
    """The picture of a position, with every legal action among its moves.

    ``last`` is the outcome of chance that led here, if one did: some states forget what was thrown.
    """
    if hasattr(position.game, "picture"):
        picture = drawn_by_itself(position)
    else:
        picture = (drawing_of(type(position.game)) or plain_picture)(position, last)
    moves = {action: list(picture.moves.get(action, ())) for action in position.actions()}
    picture = replace(picture, moves=moves)
    refuse_unsound(picture, type(position.game).__name__)
    return picture


def drawn_by_itself(position: Position) -> Picture:
    """What a game's own method draws."""
    picture = position.game._twin_.picture(position.state)
    if not isinstance(picture, Picture):
        raise GameError(
            f"game {type(position.game).__name__}: picture gives a {type(picture).__name__} where a Picture is wanted"
        )
    return picture


def drawing_of(cls: type) -> Draw | None:
    """How a built-in game is drawn; None for one that has no file here."""
    name = cls.__module__.removeprefix(GAMES)
    if name == cls.__module__ or importlib.util.find_spec(f"{__name__}.{name}") is None:
        return None
    draw: Draw = importlib.import_module(f"{__name__}.{name}").draw
    return draw
