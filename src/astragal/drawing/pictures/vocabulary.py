"""The few words in which a position is described as a picture, and their JSON form.

A picture is a list of items in a frame, and for each legal action the items to click. An item's colours are roles of
`palette`, never values, so that a picture fits any theme. All measures of an item are relative to its place (x, y):
to move it is to change that place alone.

Items of one picture and the next are taken to be the same thing if they have the same key, and glide from one place to
the other. Where a state does not distinguish its pieces, a new item of a `group` takes over from one of that group that
has gone; without any, it comes from its `origin`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Item:
    """Something drawn at a place."""

    kind: ClassVar[str]

    key: str
    x: float
    y: float
    layer: int = 0  # lower ones are drawn first, equal ones in the picture's order
    fill: str | None = None  # a role of the palette
    stroke: str | None = None  # a role, or "edge": the rim that belongs to the fill
    line: float = 2.0  # width of the stroke
    opacity: float = 1.0
    text: str | None = None
    size: float = 20.0  # of the letters
    weight: str = "normal"  # or bold
    anchor: str = "middle"  # or start or end; up and down, text is always centred
    ink: str | None = None  # role of the text, where it is not the one that belongs to the fill
    mono: bool = False  # letters of equal width
    badge: str | None = None  # a few letters in a pill at the top right corner
    badge_size: float = 16.0
    label: str | None = None  # what a screen reader says; without one, the item is decoration
    acts: str | None = None  # the key of the item that is clicked by clicking this one
    hint: str = "outline"  # how it is marked while it can be clicked: outline, dot or none
    group: str | None = None
    origin: Point | None = None

    def as_dict(self) -> dict[str, Any]:
        """Its JSON form: what is not default."""
        found: dict[str, Any] = {"kind": self.kind}
        for part in fields(self):
            value = getattr(self, part.name)
            if value != part.default:
                found[part.name] = plain(value)
        return found

    def reach(self) -> tuple[float, float, float, float]:
        """Its box: left, top, right, bottom. That of a text is estimated."""
        wide, high = self.half()
        return self.x - wide, self.y - high, self.x + wide, self.y + high

    def half(self) -> tuple[float, float]:
        """Half its width and half its height."""
        return 0.0, 0.0


@dataclass(frozen=True, kw_only=True)
class Rect(Item):
    """A rectangle with its centre at the place."""

    kind = "rect"
    w: float
    h: float
    r: float = 0.0  # radius of the corners

    def half(self) -> tuple[float, float]:
        return self.w / 2, self.h / 2


@dataclass(frozen=True, kw_only=True)
class Circle(Item):
    kind = "circle"
    r: float

    def half(self) -> tuple[float, float]:
        return self.r, self.r


@dataclass(frozen=True, kw_only=True)
class Hex(Item):
    """A hexagon with a corner at the top, at distance r."""

    kind = "hex"
    r: float

    def half(self) -> tuple[float, float]:
        return self.r, self.r


@dataclass(frozen=True, kw_only=True)
class Polygon(Item):
    kind = "polygon"
    points: Sequence[Point]

    def reach(self) -> tuple[float, float, float, float]:
        return around(self, self.points)


@dataclass(frozen=True, kw_only=True)
class Line(Item):
    """A line through points, in the colour of its stroke."""

    kind = "line"
    points: Sequence[Point]

    def reach(self) -> tuple[float, float, float, float]:
        return around(self, self.points)


@dataclass(frozen=True, kw_only=True)
class Path(Item):
    """Anything else, in the path language of SVG."""

    kind = "path"
    d: str


@dataclass(frozen=True, kw_only=True)
class Text(Item):
    """Letters alone."""

    kind = "text"

    def reach(self) -> tuple[float, float, float, float]:
        wide = text_width(self.text or "", self.size, self.mono)
        left = self.x - {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        return left, self.y - 0.6 * self.size, left + wide, self.y + 0.6 * self.size


@dataclass(frozen=True, kw_only=True)
class Die(Item):
    """A die: no face yet (0), pips up to 6, a number beyond."""

    kind = "die"
    w: float
    value: int = 0
    fill: str | None = "die"

    def half(self) -> tuple[float, float]:
        return self.w / 2, self.w / 2


@dataclass(frozen=True)
class Picture:
    """A position to look at and to click on.

    ``moves`` says for an action which items to click, in this order; no sequence is the beginning of another. An
    action that is not there, or has none, is for a list of buttons beside the picture. ``ways`` are the items that an
    action goes by, from the first to the last, where these are not just those to click: the cells of a chain of hops.
    """

    width: float
    height: float
    items: Sequence[Item]
    moves: Mapping[int, Sequence[str]] = field(default_factory=dict)
    note: str = ""  # a sentence on what goes on
    ways: Mapping[int, Sequence[str]] = field(default_factory=dict)
    paired: bool = False  # whether keys come in pairs, from where to where: parts of a move, made one by one

    def way(self, action: int) -> list[str]:
        """The items that an action goes by."""
        return list(self.ways.get(action) or self.moves.get(action, ()))

    def as_dict(self) -> dict[str, Any]:
        """Its JSON form."""
        paired = {"paired": True} if self.paired else {}
        ways = {"ways": {str(action): list(keys) for action, keys in self.ways.items()}} if self.ways else {}
        return {
            "width": plain(self.width),
            "height": plain(self.height),
            "items": [item.as_dict() for item in self.items],
            "moves": {str(action): list(keys) for action, keys in self.moves.items()},
            "note": self.note,
        } | (ways | paired)


def plain(value: Any) -> Any:
    """A value as JSON has it, lengths to a hundredth."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Sequence):
        return [plain(part) for part in value]
    rounded = round(float(value), 2)
    return int(rounded) if rounded.is_integer() else rounded


def text_width(text: str, size: float, mono: bool = False) -> float:
    """About how wide a text is."""
    return (0.61 if mono else 0.56) * size * len(text)


def around(item: Item, points: Sequence[Point]) -> tuple[float, float, float, float]:
    """The box of an item's points."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return item.x + min(across), item.y + min(down), item.x + max(across), item.y + max(down)
