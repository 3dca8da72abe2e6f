"""Boards in the terminal: the text of a position with Unicode signs for men, in the colours of their players.

Only where somebody sees it: what goes into pipes and files is the plain text, which has the same shape.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from astragal.game.position import Position
from astragal.games import game_name
from astragal.terminal import knows_unicode, paint

SEATS = ("red", "cyan", "green", "yellow", "magenta", "blue")  # colours of the players, the first one first
EMPTY = ("·", "dim")

Sign = tuple[str, str]  # what is shown, and its colour


class Board(NamedTuple):
    """What of a game's text is its board: how a row begins, and the signs after that."""

    row: str
    signs: dict[str, Sign]


def men(plain: str, shown: str) -> dict[str, Sign]:
    """A sign for each player, in the players' order."""
    return {old: (new, SEATS[seat]) for seat, (old, new) in enumerate(zip(plain, shown, strict=True))}


def numbered(plain: str, shown: str, seat: int) -> dict[str, Sign]:
    """Signs of one player, who has several kinds of men."""
    return {old: (new, SEATS[seat]) for old, new in zip(plain, shown, strict=True)}


BOARDS = {
    "backgammon": Board(r"   (?=[OX.] )", men("OX", "○●") | {".": EMPTY}),
    "cant_stop": Board(r"[ \d]\d  ", men("ABCD", "ABCD") | {"*": ("▲", "bold"), ".": EMPTY}),
    "chinese_checkers": Board(r"[ \d]\d ", men("123456", "❶❷❸❹❺❻") | {".": EMPTY}),
    "connect_four": Board(r"\d  ", men("xo", "●○") | {".": EMPTY}),
    "ewn": Board(r"\d  ", numbered("123456", "①②③④⑤⑥", 0) | numbered("abcdef", "❶❷❸❹❺❻", 1) | {".": EMPTY}),
    "focus": Board(r"\d ", men("1234", "❶❷❸❹") | {"-": EMPTY}),
    "tic_tac_toe": Board(r"\d  ", men("xo", "✕○") | {".": EMPTY}),
}


def board(position: Position) -> str:
    """The position as `str` has it, or in signs and colours where a terminal can show them."""
    text, drawn = str(position), BOARDS.get(game_name(position.game))
    if drawn is None or not (sys.stdout.isatty() and knows_unicode(sys.stdout)):
        return text
    return "\n".join(row(line, drawn) for line in text.splitlines())


def row(line: str, drawn: Board) -> str:
    """A line of the text: where it is one of the board, with its men as signs, up to words, if it ends with any."""
    begun = re.match(drawn.row, line)
    if begun is None:
        return line
    words = re.search(r"[a-z]{2}", line)
    end = words.start() if words else len(line)
    signs = (paint(*drawn.signs[sign]) if sign in drawn.signs else sign for sign in line[begun.end() : end])
    return begun[0] + "".join(signs) + line[end:]
