"""The errors a user can cause. Each carries one sentence that the command line prints as it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_SENTENCE = 300  # about a text, which may be quoted in it
LONGEST_ERROR = 1000  # characters


class AstragalError(Exception):
    """Bad input, explained in one sentence; one that quotes a long text loses its middle."""

    def __init__(self, sentence: object = "") -> None:
        super().__init__(shortened(str(sentence), LONGEST_ERROR))


class Stopped(AstragalError):
    """The work was stopped by the user before it was complete."""


class GameError(AstragalError):
    """A game class that lacks a member or does not do what it declares."""


class EndlessLoop(GameError):
    """A loop in a game's method that does not come to an end."""


class IllegalAction(AstragalError):
    """An action or outcome that the position does not allow."""


class PositionError(AstragalError):
    """A text that is not a position of the game."""


class SpecError(AstragalError):
    """A game or player text such as ``pig:goal=0`` that cannot be understood."""


class SheetError(AstragalError):
    """A rule sheet that cannot be read or breaks a rule of its language; `line` is 0 where the whole sheet is meant."""

    def __init__(self, sentence: str, name: str, line: int = 0, column: int = 0) -> None:
        super().__init__(at_place(sentence, name, line, column))
        self.line = line
        self.column = column


def shortened(text: str, most: int = LONGEST_SENTENCE) -> str:
    """A text that loses its middle where it is longer than this."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def at_place(sentence: str, name: str, line: int = 0, column: int = 0) -> str:
    """A sentence about a place in a text, or about all of it where `line` is 0; a long one loses its middle."""
    where = f"{name} line {line}, column {column}" if line else name
    return f"{where}: {shortened(sentence)}"


def suggest(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'star2'?"`` for the nearest known word, or an empty text."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
