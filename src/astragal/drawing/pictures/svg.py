"""A picture as an SVG file: the words of `vocabulary` drawn once, without a page around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, pi, sin
from typing import Any

from astragal.base.errors import AstragalError, SpecError
from astragal.drawing import escape
from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.palette import THEMES, colours
from astragal.drawing.pictures.vocabulary import (
    Circle,
    Die,
    Hex,
    Item,
    Line,
    Path,
    Picture,
    Point,
    Polygon,
    Rect,
    Text,
    plain,
    text_width,
)
from astragal.rules.position import Position

FONT, MONO = "system-ui, 'Liberation Sans', Arial, sans-serif", "ui-monospace, 'DejaVu Sans Mono', monospace"
MARGIN = 12
PIPS = {  # [face] -> places, in quarters of the side
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def shown(position: Position) -> str | None:
    """What a notebook shows of a position; None where it cannot be drawn, so that its text is shown."""
    try:
        return picture_svg(picture_of(position.known()))
    except AstragalError:
        return None


def picture_svg(picture: Picture, theme: str = "light", legal: bool = False) -> str:
    """The text of an SVG file; with ``legal``, what begins a legal move is marked."""
    if theme not in THEMES:
        raise SpecError(f"there is no theme '{theme}' (themes: {', '.join(THEMES)})")
    wide, high = plain(picture.width + 2 * MARGIN), plain(picture.height + 2 * MARGIN)
    box = f"{-MARGIN} {-MARGIN} {wide} {high}"
    firsts = {keys[0] for keys in picture.moves.values() if keys} if legal else set()
    ordered = sorted(picture.items, key=lambda item: item.layer)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{wide}" height="{high}" role="img"'
        f' font-family="{FONT}">',
        f"<title>{escape(picture.note)}</title>",
        tag("rect", x=-MARGIN, y=-MARGIN, width=wide, height=high, fill=colours("page", theme).fill),
        *(item_svg(item, theme, (item.acts or item.key) in firsts) for item in ordered),
        "</svg>\n",
    ]
    return "\n".join(parts)


def item_svg(item: Item, theme: str, marked: bool) -> str:
    """One item, with its text and badge, at its place."""
    parts = [outline(item, **paint(item, theme))]
    if isinstance(item, Die):
        parts.append(pips(item, theme))
    if item.text is not None:
        parts.append(letters(item, theme))
    if marked:
        parts.append(mark(item, theme))
    if item.badge is not None:
        parts.append(badge(item, theme))
    about = f"<title>{escape(item.label)}</title>" if item.label else ""
    opacity = f' opacity="{plain(item.opacity)}"' if item.opacity != 1 else ""
    return f'<g transform="translate({plain(item.x)},{plain(item.y)})"{opacity}>{about}{"".join(parts)}</g>'


def paint(item: Item, theme: str) -> dict[str, Any]:
    """The fill and the stroke of an item's shape."""
    style: dict[str, Any] = {"fill": colours(item.fill, theme).fill if item.fill else "none"}
    if isinstance(item, Line):
        style |= {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    if item.stroke:
        edge = item.stroke == "edge" and item.fill
        style["stroke"] = colours(item.fill, theme).edge if edge and item.fill else colours(item.stroke, theme).fill
        style["stroke_width"] = item.line
    return style


def outline(item: Item, **style: Any) -> str:
    """The shape of an item, filled or not; nothing for a text."""
    return next((draw(item, style) for kind, draw in SHAPES.items() if isinstance(item, kind)), "")


def rectangle(item: Any, style: dict[str, Any]) -> str:
    return tag("rect", x=-item.w / 2, y=-item.h / 2, width=item.w, height=item.h, rx=item.r, **style)


def square(item: Any, style: dict[str, Any]) -> str:
    return tag("rect", x=-item.w / 2, y=-item.w / 2, width=item.w, height=item.w, rx=item.w / 5, **style)


SHAPES: dict[type[Item], Callable[[Any, dict[str, Any]], str]] = {
    Rect: rectangle,
    Die: square,
    Circle: lambda item, style: tag("circle", r=item.r, **style),
    Hex: lambda item, style: tag("polygon", points=listed(corners(item.r)), **style),
    Polygon: lambda item, style: tag("polygon", points=listed(item.points), **style),
    Line: lambda item, style: tag("polyline", points=listed(item.points), **style),
    Path: lambda item, style: tag("path", d=item.d, **style),
}


def pips(die: Die, theme: str) -> str:
    """What is seen on a die."""
    colour = colours(die.fill or "die", theme).on
    if die.value not in PIPS:
        return words(str(die.value), 0.6 * die.w, colour, weight="bold")
    places = [(die.w / 4 * x, die.w / 4 * y) for x, y in PIPS[die.value]]
    return "".join(tag("circle", cx=x, cy=y, r=die.w / 11, fill=colour) for x, y in places)


def letters(item: Item, theme: str) -> str:
    """An item's text."""
    role = item.ink or ("ink" if item.fill is None or isinstance(item, Text) else None)
    colour = colours(role, theme).fill if role else colours(item.fill or "page", theme).on
    return words(item.text or "", item.size, colour, item.weight, item.anchor, item.mono)


def words(
    text: str, size: float, colour: str, weight: str = "normal", anchor: str = "middle", mono: bool = False
) -> str:
    style: dict[str, Any] = {"font_size": size, "fill": colour, "text_anchor": anchor, "dominant_baseline": "central"}
    if weight != "normal":
        style["font_weight"] = weight
    if mono:
        style |= {"font_family": MONO, "xml:space": "preserve"}
    return tag("text", escape(text), **style)


def badge(item: Item, theme: str) -> str:
    """The pill at the top right corner of an item."""
    found, size, text = colours("badge", theme), item.badge_size, item.badge or ""
    high = 1.5 * size
    wide = max(high, text_width(text, size) + 0.8 * size)
    across, up = item.half()
    if isinstance(item, Circle | Hex):
        across, up = across * sin(pi / 4), up * sin(pi / 4)
    pill = tag("rect", x=-wide / 2, y=-high / 2, width=wide, height=high, rx=high / 2, fill=found.fill)
    return f'<g transform="translate({plain(across)},{plain(-up)})">{pill}{words(text, size, found.on, "bold")}</g>'


def mark(item: Item, theme: str) -> str:
    """How an item that can be clicked is shown."""
    colour = colours("accent", theme).fill
    if item.hint == "dot":
        return tag("circle", r=0.32 * min(item.half()), fill=colour, opacity=0.8)
    return outline(item, fill="none", stroke=colour, stroke_width=4) if item.hint == "outline" else ""


def corners(radius: float) -> list[Point]:
    return [(radius * sin(pi / 3 * i), -radius * cos(pi / 3 * i)) for i in range(6)]


def listed(points: Iterable[Point]) -> str:
    return " ".join(f"{plain(x)},{plain(y)}" for x, y in points)


def tag(name: str, content: str = "", **attributes: Any) -> str:
    """An element; underscores in the names of attributes stand for hyphens."""
    written = "".join(f' {key.replace("_", "-")}="{as_text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else str(plain(value))
