"""A rule as a chain of joins: from the questions asked of its head to the answers that it gives.

The values of the variables bound so far are a row; each literal of the body turns a set of rows into another. Positive
literals come in an order that makes few rows of each, and what must not hold is tested as soon as it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter
from typing import Protocol, TypeAlias

from astragal.base.errors import AstragalError
from astragal.gdl.reading.rules import Atom, Rule, Term, is_ground, is_variable, kif, variables
from astragal.gdl.reasoning.tables import BOUND, GIVEN, Row, Shape, Table, Terms

Places: TypeAlias = tuple[int, ...]  # the arguments of a relation, from 0, whose values a question gives
Maker: TypeAlias = Callable[[Row], Term]

ASKED = "(asked)"  # the literal that stands for the questions; no relation of a sheet has such a name

MAX_ROWS = 2_000_000  # that a join may give; a sheet can ask for more than any memory holds
GUESS = 4.0  # values of a variable that a relation holds beside others that are bound


class Known(Protocol):
    """Where a chain finds what is true."""

    def table(self, relation: str) -> Table | None:
        """All of a relation, where all of it is known."""

    def ask(self, relation: str, places: Places, keys: set[Row]) -> Table:
        """A table with all rows of a relation that have one of these keys at these places, and perhaps others."""


@dataclass(frozen=True)
class Join:
    """A positive literal: rows go on with all that its relation adds to them."""

    relation: str
    places: Places
    key: Callable[[Row], Row]  # the question that a row asks
    shape: Shape
    given: Row
    bound: Callable[[Row], Row]  # what a row says of the places that are bound
    kept: Callable[[Row], Row]  # what later literals need of a row and what was found

    def apply(self, rows: set[Row], known: Known, table: Table | None = None) -> set[Row]:
        if table is None:
            table = known.table(self.relation)
        if table is None:
            table = known.ask(self.relation, self.places, set(map(self.key, rows)))
        bound, kept = self.bound, self.kept
        found = table.find(self.shape, self.given)
        if not found:
            return set()
        joined = (kept(row + more) for row in rows for more in found.get(bound(row), ()))
        result = set(islice(joined, MAX_ROWS))
        if next(joined, None) is not None:
            raise AstragalError(f"a rule with '{self.relation}' in its body has more than {MAX_ROWS:,} instances")
        return result


@dataclass(frozen=True)
class Absent:
    """A negative literal: only rows go on for which it does not hold."""

    relation: str
    places: Places
    arguments: Callable[[Row], Row]

    def apply(self, rows: set[Row], known: Known) -> set[Row]:
        arguments = self.arguments
        table = known.table(self.relation)
        if table is None:
            table = known.ask(self.relation, self.places, set(map(arguments, rows)))
        true = table.rows
        return {row for row in rows if arguments(row) not in true}


@dataclass(frozen=True)
class Distinct:
    """Only rows go on for which two terms are not the same."""

    left: Maker
    right: Maker

    def apply(self, rows: set[Row], known: Known) -> set[Row]:
        left, right = self.left, self.right
        return {row for row in rows if left(row) is not right(row)}


Step: TypeAlias = Join | Absent | Distinct


@dataclass(frozen=True)
class Chain:
    """Steps, of which the first is a join, and the arguments of the head that they come to."""

    steps: Sequence[Step]
    arguments: Callable[[Row], Row]

    def results(self, known: Known, first: Table, asked: Table) -> set[Row]:
        """What follows where the first join finds only the rows of a table, and the questions are these."""
        rows: set[Row] = {()}
        for number, step in enumerate(self.steps):
            if isinstance(step, Join):
                table = first if number == 0 else asked if step.relation == ASKED else None
                rows = step.apply(rows, known, table)
            else:
                rows = step.apply(rows, known)
            if not rows:
                return rows
        return set(map(self.arguments, rows))


@dataclass(frozen=True)
class Literal:
    """A positive literal, with the places that its relation is queried by."""

    atom: Atom
    places: Places = ()

    @property
    def relation(self) -> str:
        return str(self.atom[0])


def best_order(rule: Rule, places: Places, terms: Terms, known: Known) -> list[Literal]:
    """The positive literals of a rule in a good order, after the questions, which give these places of its head."""
    planner = _Planner(rule, terms)
    asked = Literal((ASKED, *(rule.head[1 + place] for place in places)))
    planner.take_join(asked, list(rule.positive))
    order = [asked]
    left = list(rule.positive)
    while left:
        atom = left.pop(min(range(len(left)), key=lambda number: planner.cost(left[number], known)))
        order.append(Literal(atom, planner.bound_places(atom)))
        planner.take_join(order[-1], left)
    return order


def chain_of(rule: Rule, order: Sequence[Literal], terms: Terms) -> Chain:
    """The chain of a rule that takes its positive literals and the questions in this order."""
    planner = _Planner(rule, terms)
    for number, literal in enumerate(order):
        planner.take_join(literal, [other.atom for other in order[number + 1 :]])
        planner.take_tests()
    unbound = [*variables(rule.head), *variables((*planner.absent, *planner.distinct))]
    for name in unbound:
        if name not in planner.slots:
            raise AstragalError(f"the rule for {kif(rule.head)} in line {rule.line} leaves open what {name} stands for")
    return Chain(planner.steps, planner.maker_of_row(rule.head[1:]))


@dataclass
class _Pattern:
    """A literal's arguments, by what is known of them."""

    shape: Shape = ()
    given: Row = ()  # its constants
    bound: list[int] = field(default_factory=list)  # the slots of its variables that are bound
    found: dict[str, int] = field(default_factory=dict)  # the numbers of those that are not


class _Planner:
    """Makes steps of a rule's literals."""

    def __init__(self, rule: Rule, terms: Terms) -> None:
        self.rule = rule
        self.terms = terms
        self.slots: dict[str, int] = {}  # where each variable's value lies in a row
        self.steps: list[Step] = []
        self.absent = list(rule.negative)
        self.distinct = list(rule.distinct)

    def cost(self, atom: Atom, known: Known) -> tuple[float, int]:
        """How many rows a join would make of one, on average; it is guessed for what changes from state to state."""
        pattern = self.pattern(atom)
        table = None if atom[0] == "true" else known.table(str(atom[0]))
        if table is None:
            return GUESS ** len(pattern.found), len(pattern.found)
        found = table.find(pattern.shape, pattern.given)
        return sum(map(len, found.values())) / max(1, len(found)), len(pattern.found)

    def take_join(self, literal: Literal, left: list[Atom]) -> None:
        """Join a literal; `left` are those still to come."""
        atom, places = literal.atom, literal.places
        key = self.maker_of_row(atom[1 + place] for place in places)
        pattern = self.pattern(atom)
        everything = [*self.slots, *pattern.found]
        needed = {name for part in (self.rule.head, *left, *self.absent, *self.distinct) for name in variables(part)}
        kept = [name for name in everything if name in needed]
        picked = _picker([everything.index(name) for name in kept])
        join = Join(literal.relation, places, key, pattern.shape, pattern.given, _picker(pattern.bound), picked)
        self.steps.append(join)
        self.slots = {name: slot for slot, name in enumerate(kept)}

    def pattern(self, atom: Atom) -> _Pattern:
        pattern = _Pattern()
        pattern.shape = tuple(self.shape(argument, pattern) for argument in atom[1:])
        return pattern

    def shape(self, term: Term, pattern: _Pattern) -> Shape:
        if is_ground(term):
            pattern.given += (self.terms.shared(term),)
            return GIVEN
        if isinstance(term, str):
            if term in self.slots:
                pattern.bound.append(self.slots[term])
                return BOUND
            return pattern.found.setdefault(term, len(pattern.found))
        return tuple(self.shape(part, pattern) for part in term)

    def take_tests(self) -> None:
        """Add the tests whose variables are all bound by now."""
        for pair in [pair for pair in self.distinct if self.is_bound(pair)]:
            self.distinct.remove(pair)
            self.steps.append(Distinct(self.maker(pair[0]), self.maker(pair[1])))
        for atom in [atom for atom in self.absent if self.is_bound(atom)]:
            self.absent.remove(atom)
            self.steps.append(Absent(str(atom[0]), tuple(range(len(atom) - 1)), self.maker_of_row(atom[1:])))

    def bound_places(self, atom: Atom) -> Places:
        return tuple(place for place, argument in enumerate(atom[1:]) if self.is_bound(argument))

    def is_bound(self, term: Term) -> bool:
        return all(name in self.slots for name in variables(term))

    def maker_of_row(self, pattern: Iterable[Term]) -> Callable[[Row], Row]:
        """From a row to the terms of a pattern with the row's values in them."""
        pattern = tuple(pattern)
        if all(is_variable(term) for term in pattern):
            return _picker([self.slots[str(term)] for term in pattern])
        makers = [self.maker(term) for term in pattern]
        return lambda row: tuple([make(row) for make in makers])

    def maker(self, pattern: Term) -> Maker:
        if is_ground(pattern):
            constant = self.terms.shared(pattern)
            return lambda row: constant
        if isinstance(pattern, str):
            return itemgetter(self.slots[pattern])
        parts, compound = self.maker_of_row(pattern), self.terms.compound
        return lambda row: compound(parts(row))


def _picker(slots: list[int]) -> Callable[[Row], Row]:
    """From a row to the values in these slots of it."""
    if not slots:
        return lambda row: ()
    if len(slots) == 1:
        slot = slots[0]
        return lambda row: (row[slot],)
    return itemgetter(*slots)
