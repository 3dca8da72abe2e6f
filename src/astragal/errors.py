"""The errors a user can cause. Each carries one sentence that the command line prints as it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_SENTENCE = 300  # about a text, which may be quoted in it


class AstragalError(Exception):
    """Bad input, explained in one sentence."""


class Stopped(AstragalError):
    """What was asked for is not all done, because the user said so."""


class GameError(AstragalError):
    """A game class that lacks something, or breaks a promise it made."""


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


def at_place(sentence: str, name: str, line: int = 0, column: int = 0) -> str:
    """A sentence about a place in a text, or about all of it where `line` is 0; a long one loses its middle."""
    where = f"{name} line {line}, column {column}" if line else name
    if len(sentence) > LONGEST_SENTENCE:
        half = LONGEST_SENTENCE // 2
        sentence = f"{sentence[:half]} ... {sentence[-half:]}"
    return f"{where}: {sentence}"


def suggest(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'star2'?"`` for the nearest known word, or an empty text."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
