"""What must hold of clauses: positive literals limit variables (safety), and a word has one number of arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from astragal.base.errors import SheetError
from astragal.gdl.reading.clauses import DISTINCT, Clause, Literal
from astragal.gdl.reading.rules import Term, is_variable, kif, variables

Place = tuple[int, int]
Uses = dict[str, dict[int, dict[Place, None]]]  # of a word: by number of arguments, the places of its literals


def limited_variables(clause: Clause) -> set[str]:
    """The variables that occur in positive literals of the body."""
    return {variable for literal in clause.positive for variable in variables(literal.atom)}


def with_role(clause: Clause) -> Clause | None:
    """A clause of `legal` or `goal` that names its role by a free variable, with the role said to be one; else None.

    Such clauses break the language's definition, but they can be meant in one way only and public sheets have them.
    """
    head = clause.head
    if head.relation not in ("legal", "goal"):
        return None
    role = head.atom[1]
    if not is_variable(role) or role in limited_variables(clause):
        return None
    return replace(clause, body=(*clause.body, replace(head, atom=("role", role))))


def check_safety(clause: Clause, name: str) -> None:
    """Refuse a clause in which a variable of the head, a negation or a `distinct` is in no positive literal."""
    limited = limited_variables(clause)
    others = [literal for literal in clause.body if not literal.holds or literal.relation == DISTINCT]
    for literal in (*others, clause.head):
        free = next((variable for variable in variables(literal.atom) if variable not in limited), None)
        if free:
            raise SheetError(_sentence(free, literal, clause), name, literal.line, literal.column)


def _sentence(variable: str, literal: Literal, clause: Clause) -> str:
    if not clause.body:
        return f"a fact may not hold a variable, and {kif(clause.head.atom)} holds {variable}"
    where = "in the head"
    if literal is not clause.head:
        where = "in a 'distinct'" if literal.relation == DISTINCT else "under 'not'"
    return f"the variable {variable} stands {where}, but in no positive literal of the rule's body"


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
                raise _arity_error(kind, word, by_arity, name)


def _note(words: Uses, word: str, arity: int, place: Place) -> None:
    words.setdefault(word, {}).setdefault(arity, {})[place] = None


def _functions(term: Term) -> Iterator[tuple[str, int]]:
    if not isinstance(term, str):
        yield str(term[0]), len(term) - 1
        for part in term[1:]:
            yield from _functions(part)


def _arity_error(kind: str, word: str, by_arity: dict[int, dict[Place, None]], name: str) -> SheetError:
    """The error stands where the rarer number of arguments is first used; of equally rare ones, the later."""
    first = {arity: min(places) for arity, places in by_arity.items()}
    rarest = min(by_arity, key=lambda arity: (len(by_arity[arity]), *(-number for number in first[arity])))
    common = max(by_arity, key=lambda arity: (arity != rarest, len(by_arity[arity])))
    plural = "argument" if rarest == 1 else "arguments"
    sentence = f"the {kind} {word} has {rarest} {plural} here and {common} in line {first[common][0]}"
    return SheetError(sentence, name, *first[rarest])
