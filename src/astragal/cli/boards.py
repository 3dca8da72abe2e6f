"""Boards in the terminal: the text of a position with Unicode signs for men, in the colours of their players.

Pipes and files get the plain text, which has the same shape.
"""

from __future__ import annotations

import re
import sys

from astragal.base.terminal import knows_unicode, paint
from astragal.drawing.text_board import TextBoard
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position


def board(position: Position) -> str:
    """The position as `str` prints it, or in signs and colours where the terminal can show them."""
    text = str(position)
    if not (sys.stdout.isatty() and knows_unicode(sys.stdout)):
        return text
    drawn = getattr(part_of(type(position.game), "picture"), "BOARD", None)
    if drawn is None:
        return text
    return "\n".join(row(line, drawn) for line in text.splitlines())


def row(line: str, drawn: TextBoard) -> str:
    """A line of the text. If it is a row of the board, its men are signs, up to the words at its end."""
    begun = re.match(drawn.row, line)
    if begun is None:
        return line
    words = re.search(r"[a-z]{2}", line)
    end = words.start() if words else len(line)
    signs = (paint(*drawn.signs[sign]) if sign in drawn.signs else sign for sign in line[begun.end() : end])
    return begun[0] + "".join(signs) + line[end:]
