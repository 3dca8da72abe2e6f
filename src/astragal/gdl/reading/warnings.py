"""What is doubtful in a rule sheet, though no rule of the language forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from astragal.base.errors import at_place, suggest
from astragal.gdl.reading.clauses import Clause, Literal
from astragal.gdl.reading.keywords import ARITIES, WITH_ROLE
from astragal.gdl.reading.rules import Term, is_variable, kif
from astragal.gdl.reading.safety import uses

MAX_WARNINGS = 100  # of a kind
MAX_TO_SUGGEST = 500  # relations, among which one that is meant is looked for

SheetWarning = tuple[str, int, int]  # a sentence, and the line and column it is about


def warnings_of(clauses: list[Clause], roles: tuple[str, ...], name: str) -> list[str]:
    """Sentences with their places, each once, in the order of the sheet."""
    found: dict[SheetWarning, None] = {}
    kinds: list[Callable[[list[Clause], tuple[str, ...]], Iterator[SheetWarning]]] = [
        _whole_sheet,
        _words,
        _unknown_roles,
        _undefined,
        _never_true,
        _void,
    ]
    for kind in kinds:
        found.update(dict.fromkeys(islice(kind(clauses, roles), MAX_WARNINGS)))
    return [
        at_place(sentence, name, line, column)
        for sentence, line, column in sorted(found, key=lambda warning: warning[1:])
    ]


def _whole_sheet(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    heads = [clause.head for clause in clauses]
    if not any(head.relation == "init" for head in heads):
        yield "nothing is true at the beginning: there is no 'init'", 0, 0
    for relation, sentence in (("legal", "the role {} has no legal move"), ("goal", "the role {} has no goal")):
        named = {head.atom[1] for head in heads if head.relation == relation}
        if not any(is_variable(role) for role in named):
            yield from ((sentence.format(role), 0, 0) for role in roles if role not in named)


def _words(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    relations, functions = uses(clauses)
    for word in functions:
        if word in relations or word in ARITIES:
            places = (place for by_place in functions[word].values() for place in by_place)
            yield f"the word {word} is a relation, and here a function", *min(places)
    for clause in clauses:
        if clause.relation in ("sees", "sees_xml"):
            yield f"'{clause.relation}' is of GDL-II; here all players see everything", clause.line, clause.column
    seen = set()
    for clause in clauses:
        if clause.relation == "role":
            if clause.head.atom in seen:
                yield f"the role {clause.head.atom[1]} is named twice", clause.line, clause.column
            seen.add(clause.head.atom)


def _unknown_roles(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    for literal in _literals(clauses):
        if literal.relation in WITH_ROLE:
            role = literal.atom[1]
            if not is_variable(role) and role not in roles:
                yield f"'{literal.relation}' speaks of {kif(role)}, which is not a role", literal.line, literal.column


def _undefined(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    defined = {"true", "does", *(clause.relation for clause in clauses)}
    for literal in (literal for clause in clauses for literal in clause.atoms):
        if literal.relation not in defined:
            near = suggest(literal.relation, sorted(defined - set(ARITIES))) if len(defined) < MAX_TO_SUGGEST else ""
            yield f"no fact or rule says when {literal.relation} holds{near}", literal.line, literal.column


def _never_true(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    """What bodies ask of states and moves, but no `init`, `next` or `legal` can bring about."""
    heads = [clause.head for clause in clauses]
    facts = _Patterns(head.atom[1] for head in heads if head.relation in ("init", "next"))
    moves = _Patterns(head.atom[2] for head in heads if head.relation == "legal")
    for literal in (literal for clause in clauses for literal in clause.atoms):
        if literal.relation == "true" and not facts.may_hold(literal.atom[1]):
            yield f"nothing ever makes {kif(literal.atom[1])} true", literal.line, literal.column
        if literal.relation == "does" and not moves.may_hold(literal.atom[2]):
            yield f"{kif(literal.atom[2])} is never a legal move", literal.line, literal.column


def _void(clauses: list[Clause], roles: tuple[str, ...]) -> Iterator[SheetWarning]:
    sentence = "this rule, or one way of its body, never holds: what it says of distinct terms cannot be"
    return ((sentence, clause.line, clause.column) for clause in clauses if clause.void)


def _literals(clauses: list[Clause]) -> Iterator[Literal]:
    for clause in clauses:
        yield clause.head
        yield from clause.atoms


class _Patterns:
    """Terms by function, and for each argument the constants it can be; a quick test that is never wrong to say no."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self.anything = False
        self.arguments: dict[tuple[str, int], list[set[str] | None]] = {}  # None: an argument can be anything
        for term in terms:
            if is_variable(term):
                self.anything = True
                continue
            function, parts = _parts(term)
            places = self.arguments.setdefault((function, len(parts)), [set() for _ in parts])
            for i, part in enumerate(parts):
                constants = places[i]
                if not isinstance(part, str) or is_variable(part):
                    places[i] = None
                elif constants is not None:
                    constants.add(part)

    def may_hold(self, term: Term) -> bool:
        if self.anything or is_variable(term):
            return True
        function, parts = _parts(term)
        places = self.arguments.get((function, len(parts)))
        if places is None:
            return False
        return all(
            constants is None or is_variable(part) or part in constants
            for part, constants in zip(parts, places, strict=True)
        )


def _parts(term: Term) -> tuple[str, tuple[Term, ...]]:
    return (term, ()) if isinstance(term, str) else (str(term[0]), term[1:])
