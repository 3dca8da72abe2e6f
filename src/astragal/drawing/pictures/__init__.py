"""Pictures of positions: what to draw and what to click, in the words of `vocabulary`.

A file `picture.py` in a game's folder with a function ``draw(position, last)`` draws it. Other games draw themselves,
by a method ``picture(self, state)``, or name a module with that function
(``own_drawing``), as games of rule sheets do. All others are drawn as the text of their ``show``, or as the fields of
their state.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from astragal.base.errors import GameError
from astragal.drawing.pictures.fields import fields_picture, has_fields, plain_picture
from astragal.drawing.pictures.validation import refuse_invalid
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
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position

__all__ = [
    "Circle",
    "Die",
    "Hex",
    "Item",
    "Line",
    "Path",
    "Picture",
    "Polygon",
    "Rect",
    "Text",
    "event_of",
    "picture_of",
]

Draw = Callable[[Position, int | None], Picture]


def picture_of(position: Position, last: int | None = None) -> Picture:
    """The picture of a position, with every legal action among its moves.

    ``last`` is the outcome of chance that led here, if one did: some states forget what was thrown.
    """
    picture = drawn(position, last)
    moves = {action: list(picture.moves.get(action, ())) for action in position.actions()}
    picture = replace(picture, moves=moves)
    refuse_invalid(picture, type(position.game).__name__)
    return picture


def event_of(before: Position, number: int) -> str | None:
    """The result of a step that a player should see, in words that follow a name: `rolled a 1: 12 points lost`.

    A game's drawing may describe a step by a function ``event(before, number)``; most steps need no description.
    """
    if hasattr(before.game, "picture") or (module := drawing_module(before.game)) is None:
        return None
    event = getattr(module, "event", None)
    return event(before, number) if event is not None else None


def drawn(position: Position, last: int | None) -> Picture:
    """A picture by the game, by the module it names, by its folder's, or of its text: the first that exists."""
    if hasattr(position.game, "picture"):
        return drawn_by_itself(position)
    draw = drawing_of(position.game)
    if draw is not None:
        return draw(position, last)
    return fields_picture(position) if has_fields(position) else plain_picture(position)


def drawn_by_itself(position: Position) -> Picture:
    """What a game's own method draws."""
    picture = position.rules.picture(position.state)
    if not isinstance(picture, Picture):
        raise GameError(
            f"game {type(position.game).__name__}: picture returns a {type(picture).__name__}, not a Picture"
        )
    return picture


def drawing_of(game: Any) -> Draw | None:
    """How a game is drawn that names a module for it, or has one in its folder; None for any other."""
    module = drawing_module(game)
    draw: Draw | None = None if module is None else module.draw
    return draw


def drawing_module(game: Any) -> Any:
    """The module that draws a game; None if there is none."""
    name = game.own_drawing()
    if name and "." not in name:  # the name of a game stands for its picture
        name = f"astragal.games.{name}.picture"
    return importlib.import_module(name) if name else part_of(type(game), "picture")
