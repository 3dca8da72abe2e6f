"""A relation, and a function, has the same number of arguments wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from astragal.errors import SheetError
from astragal.gdl.clauses import DISTINCT, Clause
from astragal.gdl.rules import Term

Place = tuple[int, int]
Uses = dict[str, dict[int, dict[Place, None]]]  # of a word: by number of arguments, the places of its literals


def uses(clauses: Iterable[Clause]) -> tuple[Uses, Uses]:
    """Where relations and functions stand. A place counts once, however many clauses were made of its rule."""
    relations: Uses = {}
    functions: Uses = {}
    for clause in clauses:
        for literal in (clause.head, *clause.body):
            place = literal.line, literal.column
            if literal.relation != DISTINCT:
                _note(relations, literal.relation, len(literal.atom) - 1, place)
            for term in literal.atom[1:]:
                for function, arity in _functions(term):
                    _note(functions, function, arity, place)
    return relations, functions


def check_arities(clauses: Iterable[Clause], name: str) -> None:
    relations, functions = uses(clauses)
    for kind, words in (("relation", relations), ("function", functions)):
        for word, by_arity in words.items():
            if len(by_arity) > 1:
                raise _error(kind, word, by_arity, name)


def _note(words: Uses, word: str, arity: int, place: Place) -> None:
    words.setdefault(word, {}).setdefault(arity, {})[place] = None


def _functions(term: Term) -> Iterator[tuple[str, int]]:
    if not isinstance(term, str):
        yield str(term[0]), len(term) - 1
        for part in term[1:]:
            yield from _functions(part)


def _error(kind: str, word: str, by_arity: dict[int, dict[Place, None]], name: str) -> SheetError:
    """The error stands where the rarer number of arguments is first used; of equally rare ones, the later."""
    first = {arity: min(places) for arity, places in by_arity.items()}
    rarest = min(by_arity, key=lambda arity: (len(by_arity[arity]), *(-number for number in first[arity])))
    common = max(by_arity, key=lambda arity: (arity != rarest, len(by_arity[arity])))
    plural = "argument" if rarest == 1 else "arguments"
    sentence = f"the {kind} {word} has {rarest} {plural} here and {common} in line {first[common][0]}"
    return SheetError(sentence, name, *first[rarest])
