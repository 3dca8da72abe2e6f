"""KIF text as symbols and lists, each with its place in the text; what they mean is for others to say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from astragal.base.errors import SheetError

MAX_NESTING = 100  # lists within lists; terms are walked by recursion from here on

_TOKEN = re.compile(r"[()]|;.*|[^\s();]+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Form:
    """A symbol, in lower case, or a list of forms (`symbol` is empty then)."""

    symbol: str
    parts: tuple[Form, ...]
    line: int  # from 1
    column: int  # from 1, in characters

    @property
    def is_list(self) -> bool:
        return not self.symbol

    @property
    def is_variable(self) -> bool:
        return self.symbol[:1] == "?"

    @property
    def word(self) -> str:
        """The symbol, or the symbol that a list begins with; empty where it begins with none."""
        return self.symbol or (self.parts[0].symbol if self.parts else "")

    @property
    def arguments(self) -> tuple[Form, ...]:
        return self.parts[1:]

    def __str__(self) -> str:
        return self.symbol or f"({' '.join(map(str, self.parts))})"


def read_forms(text: str, name: str) -> list[Form]:
    """The forms of a text; `name` is what errors call the text."""
    done: list[Form] = []
    opened: list[tuple[int, int, list[Form]]] = []  # lists still open: line, column, what they hold
    for word, line, column in _tokens(text, name):
        if word == "(":
            if len(opened) == MAX_NESTING:
                raise SheetError(f"more than {MAX_NESTING} parentheses are open here", name, line, column)
            opened.append((line, column, []))
            continue
        if word == ")":
            if not opened:
                raise SheetError("this closing parenthesis has no opening one", name, line, column)
            first_line, first_column, parts = opened.pop()
            form = Form("", tuple(parts), first_line, first_column)
        else:
            form = Form(word.lower(), (), line, column)
        (opened[-1][2] if opened else done).append(form)
    if opened:
        line, column, _ = opened[0]
        raise SheetError("the parenthesis that opens here is never closed", name, line, column)
    return done


def _tokens(text: str, name: str) -> Iterator[tuple[str, int, int]]:
    """Parentheses and symbols with line and column."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line, content in enumerate(lines, 1):
        control = _CONTROL.search(content)
        if control:
            sentence = f"a character with code {ord(control[0])} cannot be part of a text"
            raise SheetError(sentence, name, line, control.start() + 1)
        for token in _TOKEN.finditer(content):
            word = token[0]
            if word == "?":
                raise SheetError("a question mark needs the variable's name after it", name, line, token.start() + 1)
            if word[0] != ";":
                yield word, line, token.start() + 1
