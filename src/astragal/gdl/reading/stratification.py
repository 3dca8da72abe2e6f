"""Negation in circles: refused where something would hold if it does not, else taken apart until there is no circle.

A sheet is stratified if no cycle of its relations goes through a negation, as the language wants it. In some sheets
``goal`` depends on ``not goal`` of another value, or what holds of a number on what does not hold of the one before.
There the relations of a cycle are split: rules whose heads can be the same stay together, and what a literal of a
body can never mean is left out of it. If that is not enough, the rules are written out for all that relations
independent of states say, and split again. Only what is still a cycle then is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from astragal.base.errors import AstragalError, SheetError, at_place
from astragal.gdl.reading.clauses import DISTINCT, Clause, Literal, substituted, unify
from astragal.gdl.reading.dependencies import check_recursion, dependencies, dependents, path_between
from astragal.gdl.reading.rules import Atom, Term, is_ground, substitute, variables
from astragal.gdl.reasoning.components import components
from astragal.gdl.reasoning.evaluation import Evaluation, Knowledge
from astragal.gdl.reasoning.tables import Row, Terms

MAX_CLAUSES = 20_000  # that the rules of a cycle may become
MAX_ROWS = 200_000  # looked at for that

OUTSIDE = ("init", "role", "base", "input")  # what is known before anything else


def stratified(clauses: list[Clause], name: str) -> tuple[list[Clause], list[str]]:
    """Clauses that mean the same and have no negation in a cycle, and what was doubtful; or a SheetError."""
    warnings: list[str] = []
    while True:
        found = negative_cycle(clauses)
        if found is None:
            return clauses, warnings
        clause, literal, cycle, sentence = found
        refusal = SheetError(sentence, name, literal.line, literal.column)
        relations = set(cycle)
        graph = dependencies(clauses)
        if not dependents(graph, cycle[0]).isdisjoint(OUTSIDE):
            raise refusal
        taken_apart = split(clauses, relations)
        if is_cyclic(taken_apart, relations):
            taken_apart = split(written_out(clauses, relations, refusal, name), relations)
        if is_cyclic(taken_apart, relations):
            raise refusal
        where = f"{sentence}; the language forbids that, but it is never so of the same arguments"
        warnings.append(at_place(where, name, clause.line, clause.column))
        clauses = taken_apart


def negative_cycle(clauses: list[Clause]) -> tuple[Clause, Literal, list[str], str] | None:
    """A clause with a negated literal that depends on its head, the relations of that cycle, and a sentence.

    There is no such cycle in what this one depends on.
    """
    graph = dependencies(clauses)
    groups = list(components(graph, graph.__getitem__))
    component = {relation: i for i, group in enumerate(groups) for relation in group}
    for clause in sorted(clauses, key=lambda clause: component[clause.relation]):
        for literal in clause.atoms:
            if not literal.holds and component[literal.relation] == component[clause.relation]:
                path = path_between(graph, literal.relation, clause.relation)
                cycle = " <- ".join([clause.relation, f"not {path[0]}", *path[1:]])
                sentence = f"'{clause.relation}' depends on its own negation: {cycle}"
                return clause, literal, groups[component[clause.relation]], sentence
    return None


def is_cyclic(clauses: list[Clause], relations: set[str]) -> bool:
    """Whether a negative cycle is left of those between relations that were split."""
    found = negative_cycle([clause for clause in clauses if origin(clause.relation) in relations])
    return found is not None


def origin(relation: str) -> str:
    """The relation that one was split off; no name of a sheet has a blank in it."""
    return relation.partition(" ")[0]


def split(clauses: list[Clause], relations: set[str]) -> list[Clause]:
    """The clauses with each of the relations split into as many as it has kinds of heads that are never the same."""
    heads: dict[str, list[tuple[str, Atom]]] = {relation: [] for relation in relations}
    result: list[Clause] = []
    renamed: list[Clause] = []
    for clause in clauses:
        if clause.relation in relations and not clause.void:
            renamed.append(clause)
        elif clause.relation not in relations:
            result.append(clause)
    names = names_of_groups(renamed, heads)
    for clause, group in zip(renamed, names, strict=True):
        result += with_parts(replace(clause, head=named(clause.head, group)), heads)
    for relation, groups in heads.items():
        for group in dict.fromkeys(group for group, _ in groups):
            atom = next(each for own, each in groups if own == group)
            arguments = [f"?{i}" for i in range(len(atom) - 1)]
            whole = Literal((relation, *arguments), True, 0, 0)
            result.append(Clause(whole, (named(whole, group),), 0, 0))
    return result


def names_of_groups(clauses: list[Clause], heads: dict[str, list[tuple[str, Atom]]]) -> list[str]:
    """A name for each clause, the same where heads can be the same; `heads` takes in all names with their heads."""
    groups: dict[int, int] = {}  # clause -> one of its group
    ground: dict[Atom, int] = {}
    patterns: dict[str, list[int]] = {}

    def root(i: int) -> int:
        while groups[i] != i:
            i = groups[i]
        return i

    for i, clause in enumerate(clauses):
        groups[i] = i
        atom = clause.head.atom
        if is_ground(atom):
            groups[i] = root(ground.setdefault(atom, i))
        else:
            for other, number in ground.items():
                if other[0] == atom[0] and can_be_same(atom, other):
                    groups[root(number)] = i
        for j in patterns.get(clause.relation, ()):
            if can_be_same(atom, clauses[j].head.atom):
                groups[root(j)] = root(i)
        if not is_ground(atom):
            patterns.setdefault(clause.relation, []).append(i)
    names = [f"{clause.relation} {root(i)}" for i, clause in enumerate(clauses)]
    for name, clause in zip(names, clauses, strict=True):
        heads[clause.relation].append((name, clause.head.atom))
    return names


def with_parts(clause: Clause, heads: dict[str, list[tuple[str, Atom]]]) -> Iterator[Clause]:
    """The clause with the literals of its body replaced by those that they can mean; one for each choice of them."""
    ways: list[list[tuple[Literal, ...]]] = []
    for literal in clause.body:
        if literal.relation not in heads:
            ways.append([(literal,)])
            continue
        own = heads[literal.relation]
        meant = dict.fromkeys(group for group, atom in own if can_be_same(literal.atom, atom))
        parts = [named(literal, group) for group in meant]
        ways.append([(part,) for part in parts] if literal.holds else [tuple(parts)])
    for chosen in product(*ways):
        yield replace(clause, body=tuple(literal for way in chosen for literal in way))


def named(literal: Literal, relation: str) -> Literal:
    return replace(literal, atom=(relation, *literal.atom[1:]))


def can_be_same(one: Atom, other: Atom) -> bool:
    """Whether there are arguments for which two atoms of a relation are the same; their variables are not."""
    if is_ground(one) and is_ground(other):
        return one == other
    apart: Term = substitute(other, {variable: f"{variable} other" for variable in variables(other)})
    return len(one) == len(other) and unify(one, apart, {})


def written_out(clauses: list[Clause], relations: set[str], refusal: SheetError, name: str) -> list[Clause]:
    """The clauses of a cycle for all values that relations allow which depend neither on a state nor on the cycle."""
    graph = dependencies(clauses)
    some = next(iter(relations))  # all of them depend on each other
    moving = {one for start in ("true", "does", some) for one in dependents(graph, start)}
    fixed = [clause for clause in clauses if clause.relation not in moving and not clause.void]
    check_recursion(fixed, name)  # what grows without end is not to be followed
    used = {other for relation in relations for other in graph[relation]}
    wanted = sorted(used.intersection(clause.relation for clause in fixed))
    try:
        known = Evaluation(Knowledge([clause.rule() for clause in fixed], wanted, Terms()), {})
        tables = {relation: sorted(known.whole(relation).rows, key=repr) for relation in wanted}
    except AstragalError:
        raise refusal from None
    result: list[Clause] = []
    looked = [0]  # rows
    for clause in clauses:
        if clause.relation not in relations:
            result.append(clause)
            continue
        for instance in instances(clause, tables, looked):
            result.append(instance)
            if len(result) > MAX_CLAUSES + len(clauses):
                raise refusal
        if looked[0] > MAX_ROWS:
            raise refusal
    return result


def instances(clause: Clause, tables: dict[str, list[Row]], looked: list[int]) -> Iterator[Clause]:
    """A clause for every choice of rows of its tabled literals."""
    pending = [clause]
    while pending and looked[0] <= MAX_ROWS:  # not by recursion: bodies may be long
        clause = pending.pop()
        open_literals = [literal for literal in clause.positive if literal.relation in tables]
        if not open_literals:
            if not any(each.relation == DISTINCT and each.atom[1] == each.atom[2] for each in clause.body):
                yield clause
            continue
        literal = min(open_literals, key=lambda each: len(set(variables(each.atom))))
        rest = tuple(each for each in clause.body if each is not literal)
        for row in tables[literal.relation]:
            looked[0] += 1
            values: dict[str, Term] = {}
            if looked[0] <= MAX_ROWS and unify(literal.atom, (literal.relation, *row), values):
                body = tuple(substituted(each, values) for each in rest) if values else rest
                pending.append(replace(clause, head=substituted(clause.head, values), body=body))
