"""Forms as clauses: a head, and a body without `or`, `and` or nested `not`.

One rule of a sheet becomes as many clauses as its body has alternatives once it is written as an `or` of `and`s. The
terms of ``(not (distinct s t))`` are the same, so the clause is specialised to where they are: their most general
unifier is put in for its variables (Robinson, *A machine-oriented logic based on the resolution principle*, 1965).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from astragal.base.errors import SheetError
from astragal.gdl.reading.forms import Form, read_forms
from astragal.gdl.reading.rules import Atom, Rule, Term, is_variable, substitute, variables

ARROW = "<="
CONNECTIVES = ("not", "or", "and", "distinct")
MAX_ALTERNATIVES = 1000  # of one rule's body
MAX_LITERALS = 100_000  # of them all

DISTINCT, SAME = "distinct", "(same)"  # relations of literals that no sheet can have as its own


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom, or a pair of terms said to be distinct or the same, that has to hold or must not."""

    atom: Atom
    holds: bool
    line: int
    column: int

    @property
    def relation(self) -> str:
        return str(self.atom[0])


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule with the places of its literals. One that says a term differs from itself is `void`: it never holds."""

    head: Literal
    body: tuple[Literal, ...]
    line: int
    column: int
    void: bool = False

    @property
    def atoms(self) -> Iterator[Literal]:
        """The literals of the body that are atoms."""
        return (literal for literal in self.body if literal.relation != DISTINCT)

    @property
    def relation(self) -> str:
        return self.head.relation

    @property
    def positive(self) -> Iterator[Literal]:
        return (literal for literal in self.atoms if literal.holds)

    def rule(self) -> Rule:
        return Rule(
            self.head.atom,
            tuple(literal.atom for literal in self.positive),
            tuple(literal.atom for literal in self.atoms if not literal.holds),
            tuple((literal.atom[1], literal.atom[2]) for literal in self.body if literal.relation == DISTINCT),
            self.line,
            self.column,
        )


def clauses_of(form: Form, name: str) -> list[Clause]:
    """The clauses that a form of a sheet says; `name` is the sheet's."""
    reader = _Reader(name)
    if form.word != ARROW:
        return [Clause(reader.head(form), (), form.line, form.column)]
    if not form.is_list:
        raise reader.error(form, f"{ARROW} stands outside of any list; a rule is ({ARROW} head body ...)")
    if len(form.parts) < 2:
        raise reader.error(form, "this rule has no head")
    head = reader.head(form.parts[1])
    count, literals = _joined([reader.count(part, True) for part in form.parts[2:]])
    if count > MAX_ALTERNATIVES or literals > MAX_LITERALS:
        raise reader.error(form, f"taken apart, this rule has more than {MAX_ALTERNATIVES} alternatives or is too long")
    bodies = reader.conjunction(form.parts[2:], True)
    return [_specialised(Clause(head, tuple(body), form.line, form.column)) for body in bodies]


@dataclass(frozen=True)
class _Reader:
    name: str

    def error(self, form: Form, sentence: str) -> SheetError:
        return SheetError(sentence, self.name, form.line, form.column)

    def head(self, form: Form) -> Literal:
        if form.word in CONNECTIVES or form.word == ARROW:
            raise self.error(form, f"'{form.word}' may not be the head of a rule or a fact")
        return Literal(self.atom(form), True, form.line, form.column)

    def atom(self, form: Form) -> Atom:
        """The relation and its arguments that a form says."""
        self.check_word(form, "a relation")
        return (form.word, *(self.term(part) for part in form.arguments))

    def term(self, form: Form) -> Term:
        if not form.is_list:
            if form.symbol == ARROW:
                raise self.error(form, f"{ARROW} may not stand inside a rule or a fact")
            return form.symbol
        self.check_word(form, "a function")
        if form.word in CONNECTIVES or form.word == ARROW:
            raise self.error(form, f"'{form.word}' may not stand inside a term")
        if len(form.parts) == 1:
            return form.word
        return (form.word, *(self.term(part) for part in form.arguments))

    def check_word(self, form: Form, what: str) -> None:
        if form.is_list and not form.parts:
            raise self.error(form, "this list is empty")
        if not form.word:
            raise self.error(form, f"a list stands where the name of {what} should")
        if form.word[0] == "?":
            raise self.error(form, f"the variable {form.word} stands where the name of {what} should")

    def connective(self, form: Form) -> str:
        """Which connective a form of a body begins with, its arguments counted; empty where it is an atom."""
        word, given = form.word, len(form.arguments)
        if word == ARROW:
            raise self.error(form, f"{ARROW} may not stand inside a rule")
        if word not in CONNECTIVES:
            return ""
        if word == "not" and given != 1:
            raise self.error(form, f"'not' takes one argument, not {given}")
        if word == "distinct" and given != 2:
            raise self.error(form, f"'distinct' takes two arguments, not {given}")
        if word in ("or", "and") and not given:
            raise self.error(form, f"'{word}' has nothing to join")
        return word

    def count(self, form: Form, holds: bool) -> tuple[int, int]:
        """How many alternatives a part of a body has, if it is to hold or to fail, and how many literals they have."""
        word = self.connective(form)
        if word == "not":
            return self.count(form.arguments[0], not holds)
        if word in ("or", "and"):
            counts = [self.count(part, holds) for part in form.arguments]
            if (word == "or") == holds:
                return sum(count for count, _ in counts), sum(literals for _, literals in counts)
            return _joined(counts)
        return 1, 1

    def alternatives(self, form: Form, holds: bool) -> list[list[Literal]]:
        """The ways in which a part of a body holds, or fails, each as literals."""
        word = self.connective(form)
        if word == "not":
            inner = form.arguments[0]
            found = self.alternatives(inner, not holds)
            if self.connective(inner):
                return found
            return [[replace(literal, line=form.line, column=form.column) for literal in way] for way in found]
        if word in ("or", "and"):
            if (word == "or") == holds:
                return [way for part in form.arguments for way in self.alternatives(part, holds)]
            return self.conjunction(form.arguments, holds)
        if word == "distinct":
            relation = DISTINCT if holds else SAME
            atom = (relation, *(self.term(part) for part in form.arguments))
            return [[Literal(atom, True, form.line, form.column)]]
        return [[Literal(self.atom(form), holds, form.line, form.column)]]

    def conjunction(self, forms: tuple[Form, ...], holds: bool) -> list[list[Literal]]:
        ways = [self.alternatives(form, holds) for form in forms]
        return [[literal for way in chosen for literal in way] for chosen in product(*ways)]


def _joined(counts: list[tuple[int, int]]) -> tuple[int, int]:
    """The alternatives and literals of a conjunction, from those of its parts; no more than a little above the most."""
    count, literals = 1, 0
    for more, of_more in counts:
        literals = min(literals * more + count * of_more, 2 * MAX_LITERALS)
        count = min(count * more, 2 * MAX_ALTERNATIVES)
    return count, literals


def _specialised(clause: Clause) -> Clause:
    """The clause without literals that say two terms are the same: they are made the same, or it is void."""
    values: dict[str, Term] = {}
    void = False
    for literal in clause.body:
        if literal.relation == SAME:
            void |= not unify(literal.atom[1], literal.atom[2], values)
    body = tuple(literal for literal in clause.body if literal.relation != SAME)
    if values and not void:
        clause = replace(clause, head=substituted(clause.head, values))
        body = tuple(substituted(literal, values) for literal in body)
    void |= any(literal.relation == DISTINCT and literal.atom[1] == literal.atom[2] for literal in body)
    return replace(clause, body=body, void=void)


def substituted(literal: Literal, values: dict[str, Term]) -> Literal:
    """A literal with its variables replaced by what they stand for."""
    atom = (literal.atom[0], *(substitute(term, values) for term in literal.atom[1:]))
    return replace(literal, atom=atom)


def unify(left: Term, right: Term, values: dict[str, Term]) -> bool:
    """Whether two terms can be the same; `values` becomes what their variables stand for then, without each other."""
    left, right = substitute(left, values), substitute(right, values)
    if left == right:
        return True
    if is_variable(right):
        left, right = right, left
    if isinstance(left, str):
        if left[:1] != "?" or left in variables(right):
            return False
        for variable in values:
            values[variable] = substitute(values[variable], {left: right})
        values[left] = right
        return True
    if isinstance(right, str) or len(left) != len(right) or left[0] != right[0]:
        return False
    return all(unify(one, other, values) for one, other in zip(left[1:], right[1:], strict=True))


def read_terms(text: str, name: str = "text") -> list[Term]:
    """The terms that a text lists."""
    return [ground_term(form, name) for form in read_forms(text, name)]


def ground_term(form: Form, name: str = "text") -> Term:
    """The term of a form; a list of one symbol is that symbol, as in a rule sheet."""
    if form.is_variable:
        raise SheetError(f"{form.symbol} is a variable where a term is needed", name, form.line, form.column)
    if not form.is_list:
        return form.symbol
    if not form.word:
        raise SheetError("a term begins with its function", name, form.line, form.column)
    if len(form.parts) == 1:
        return form.word
    return (form.word, *(ground_term(part, name) for part in form.arguments))
