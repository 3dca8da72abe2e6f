"""The picture of a game that nobody has drawn: its text, line by line."""

from __future__ import annotations

from astragal.drawing.pictures.vocabulary import Item, Picture, Rect, Text, text_width
from astragal.drawing.pictures.words import broken, whose_turn
from astragal.game.position import Position

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
