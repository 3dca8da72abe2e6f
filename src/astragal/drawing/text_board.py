"""What of a game's text is its board, and the signs for its men: for terminals, which show them in colours.

A game's `picture.py` has a ``BOARD`` if its text has one.
"""

from __future__ import annotations

from typing import NamedTuple

SEATS = ("red", "cyan", "green", "yellow", "magenta", "blue")  # colours of the players, the first one first
EMPTY = ("·", "dim")

Sign = tuple[str, str]  # what is shown, and its colour


class TextBoard(NamedTuple):
    """What of a game's text is its board: how a row begins, and the signs after that."""

    row: str
    signs: dict[str, Sign]


def men(plain: str, shown: str) -> dict[str, Sign]:
    """A sign for each player, in the players' order."""
    return {old: (new, SEATS[seat]) for seat, (old, new) in enumerate(zip(plain, shown, strict=True))}


def numbered(plain: str, shown: str, seat: int) -> dict[str, Sign]:
    """Signs of one player, who has several kinds of men."""
    return {old: (new, SEATS[seat]) for old, new in zip(plain, shown, strict=True)}
