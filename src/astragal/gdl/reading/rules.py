"""What a rule sheet says, once it is read: terms, rules and the sheet.

A constant is a text in lower case, a variable a text that begins with a question mark, a compound term a tuple of its
function and its arguments: ``("cell", "1", "?n", "b")``. An atom is a tuple of its relation and its arguments, even
where it has none: ``("terminal",)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Term: TypeAlias = str | tuple["Term", ...]
Atom: TypeAlias = tuple[Term, ...]

RANDOM = "random"  # a role of this name is chance


@dataclass(frozen=True)
class Rule:
    """A head that holds if all of `positive`, none of `negative`, and no two that must be `distinct` are the same.

    A fact is a rule with no body. The reader takes `or`, `and` and nested `not` apart, so that one rule of a sheet can
    become several of these.
    """

    head: Atom
    positive: tuple[Atom, ...] = ()
    negative: tuple[Atom, ...] = ()
    distinct: tuple[tuple[Term, Term], ...] = ()
    line: int = 0  # where its form begins in the sheet, from 1
    column: int = 0


@dataclass(frozen=True)
class Sheet:
    """A rule sheet that was read and checked."""

    name: str
    roles: tuple[str, ...]  # in the sheet's order, `random` included
    rules: tuple[Rule, ...]
    text: str = ""
    warnings: tuple[str, ...] = ()  # what is doubtful, but no error


def is_variable(term: Term) -> bool:
    return isinstance(term, str) and term[:1] == "?"


def variables(term: Term | Atom) -> Iterator[str]:
    """The variables of a term or atom, in order, with repetitions."""
    todo: list[Term] = [term]
    while todo:  # no recursion: terms can grow deep in play
        part = todo.pop()
        if not isinstance(part, str):
            todo.extend(reversed(part))
        elif part[:1] == "?":
            yield part


def is_ground(term: Term | Atom) -> bool:
    return next(variables(term), None) is None


def substitute(term: Term, values: dict[str, Term]) -> Term:
    """The term with its variables replaced by what they stand for."""
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(substitute(part, values) for part in term)


def kif(term: Term | Atom) -> str:
    """A term or atom as KIF writes it: ``(cell 1 1 b)``; an atom without arguments is its name alone."""
    words: list[str] = []
    todo: list[Term] = [term]
    while todo:
        part = todo.pop()
        if not isinstance(part, str) and len(part) == 1:
            part = part[0]
        if isinstance(part, str):
            words.append(part)
        else:
            words.append("(")
            todo.append(")")
            todo.extend(reversed(part))
    return " ".join(words).replace("( ", "(").replace(" )", ")")
