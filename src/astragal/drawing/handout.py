"""One self-contained HTML file that is stepped through: frames, each with a position and words; nothing is loaded."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from astragal.base.errors import AstragalError
from astragal.drawing import escape
from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.svg import picture_svg
from astragal.rules.position import Position

WIDTH, HEIGHT = 320, 130
LEFT, RIGHT, TOP, BOTTOM = 36, 312, 8, 118


class Pictures:
    """The pictures of a file; positions that look alike share one."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str | None, str]] = []  # SVG, or where there is none, text
        self.places: dict[tuple[str | None, str], int] = {}

    def place(self, position: Position, last: int | None = None) -> int:
        """The number of a position's picture; after a chance outcome, its number is `last`."""
        known = position.known()
        try:
            made: tuple[str | None, str] = picture_svg(picture_of(known, last)), ""
        except AstragalError:
            made = None, str(known)
        if made not in self.places:
            self.places[made] = len(self.drawn)
            self.drawn.append(made)
        return self.places[made]


def graph_svg(
    points: Sequence[tuple[int, float]], rings: set[int], steps: int, marks: Sequence[tuple[float, str]]
) -> str:
    """A line through (step, value) points; `marks` are the values at the side with their words, the lowest first."""
    low, high = marks[0][0], marks[-1][0]

    def x(step: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * step / max(1, steps), 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (value - low) / ((high - low) or 1.0), 1)

    lines = "".join(
        f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y(value)}" y2="{y(value)}"/>'
        f'<text x="{LEFT - 4}" y="{y(value) + 3}" text-anchor="end">{escape(words)}</text>'
        for value, words in marks
    )
    line = " ".join(f"{x(step)},{y(value)}" for step, value in points)
    circles = "".join(f'<circle cx="{x(step)}" cy="{y(value)}" r="4"/>' for step, value in points if step in rings)
    return (
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Values over the game">{lines}'
        f'<polyline points="{line}"/>{circles}<line class="at" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{BOTTOM}"/></svg>'
    )


def handout(title: str, pictures: Pictures, frames: Sequence[dict[str, Any]], **parts: Any) -> str:
    """The text of the file. Frames have `picture` and `words`; what else there can be, `handout.html` reads."""
    data = {"pictures": pictures.drawn, "frames": frames, "edges": [LEFT, RIGHT]} | parts
    packed = gzip.compress(json.dumps(data, allow_nan=False).encode(), mtime=0)
    inside = base64.b64encode(packed).decode("ascii")
    page = files("astragal.drawing").joinpath("handout.html").read_text(encoding="utf-8")
    before, _, rest = page.partition("{data}")
    return before.replace("{title}", escape(title)) + inside + rest
