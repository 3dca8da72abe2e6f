"""Pictures of positions and trees for notebooks."""

from __future__ import annotations

from typing import Any

from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.svg import picture_svg
from astragal.drawing.svg import draw_tree
from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.plain_tree import PlainTree

TREE_NODES = 500  # drawn in a notebook; `astragal tree` draws more


def svg_of(thing: Any) -> str | None:
    """The picture of a position or tree; None where there is none, so that its text is shown."""
    try:
        if isinstance(thing, Position):
            return picture_svg(picture_of(thing.known()))
        if isinstance(thing, PlainTree):
            return draw_tree(thing, game_spec(thing.position.game), limit=TREE_NODES).text
    except AstragalError:
        return None
    return None
