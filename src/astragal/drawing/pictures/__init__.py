"""Pictures of positions: what to draw and what to click, in the words of `vocabulary`.

A file here that is named after a game of `astragal.games` and has a function ``draw(position, last)`` draws it; nothing
else needs to know of it. A game may also draw itself, by a method ``picture(self, state)``, or name a file here, as
games of rule sheets do, which show their facts. All others show their text if they
have a ``show``, else the fields of their state.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from astragal.drawing.pictures.fields import fields_picture, has_fields
from astragal.drawing.pictures.plain import plain_picture
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
from astragal.errors import GameError
from astragal.game.position import Position
from astragal.games import built_in_name

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
    """What a step brought that people should not miss, in words that go on after a name: `rolled a 1: 12 points lost`.

    A game's drawing may tell by a function ``event(before, number)``; of most steps there is nothing to tell.
    """
    if hasattr(before.game, "picture") or (module := drawing_module(before.game)) is None:
        return None
    event = getattr(module, "event", None)
    return event(before, number) if event is not None else None


def drawn(position: Position, last: int | None) -> Picture:
    """A picture by the game itself, by the file it names or of its name, or of its text: the first that there is."""
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
            f"game {type(position.game).__name__}: picture gives a {type(picture).__name__} where a Picture is wanted"
        )
    return picture


def drawing_of(game: Any) -> Draw | None:
    """How a game is drawn that names a file here or has one of its name; None for any other."""
    module = drawing_module(game)
    draw: Draw | None = None if module is None else module.draw
    return draw


def drawing_module(game: Any) -> Any:
    """The file here that draws a game; None if there is none."""
    name = game.own_drawing() or built_in_name(type(game))
    if not name or importlib.util.find_spec(f"{__name__}.{name}") is None:
        return None
    return importlib.import_module(f"{__name__}.{name}")
