"""Rules with many variables, split so that fewer values have to be combined with each other.

A variable that is not in a rule's head, and in few of its literals, can be removed: a relation of its own
says for which values of the others there is one. A rule with five variables, each of which can be one of ten things,
has 100,000 instances; as two rules with three and four variables it has 11,000. Literals that several rules have in
common become one relation.

This is the elimination of variables one by one (Dechter, *Bucket elimination*, 1999), as grounders of logic programs
do it (Bichler, Morak & Woltran, *lpopt: a rule optimization tool for answer set programming*, 2016).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from astragal.gdl.reading.rules import Atom, Rule, Term, substitute, variables

Terms = TypeVar("Terms", Atom, tuple[Term, Term])  # an atom, or two terms that are to be distinct

FEWEST = 3  # variables of a rule that is looked at


def projected(rules: Iterable[Rule]) -> list[Rule]:
    """Rules that say the same of the relations of a sheet, with others beside them."""
    known: dict[Rule, str] = {}  # what a new relation says, with its variables numbered -> its name
    result: list[Rule] = []
    for rule in rules:
        while True:
            found = smallest_part(rule)
            if found is None:
                break
            part, names = found
            arguments = tuple(f"?{i}" for i in range(len(names)))
            numbered = canonical(part, names)
            if numbered not in known:
                known[numbered] = f"{rule.head[0]} {rule.line} {len(known)}"
                result.append(replace(numbered, head=(known[numbered], *arguments), line=rule.line, column=rule.column))
            rule = without(rule, part, (known[numbered], *names))
        result.append(rule)
    return result


def smallest_part(rule: Rule) -> tuple[Rule, tuple[str, ...]] | None:
    """The literals with some variable that is not in the head, with the fewest others; those known outside of it."""
    head = set(variables(rule.head))
    literals = (*rule.positive, *rule.negative, *rule.distinct)
    everything = head.union(*(variables(each) for each in literals))
    best: tuple[tuple[int, int], Rule, tuple[str, ...]] | None = None
    if len(everything) < FEWEST:
        return None
    for name in sorted(everything - head):
        part = Rule(("",), having(rule.positive, name), having(rule.negative, name), having(rule.distinct, name))
        inside = {other for each in part.positive for other in variables(each)}
        tests = {other for each in (*part.negative, *part.distinct) for other in variables(each)}
        left = [each for each in literals if name not in set(variables(each))]
        outside = head.union(*(variables(each) for each in left))
        if not tests <= inside or len(inside) >= len(everything) or len(part.positive) == len(rule.positive):
            continue
        names = tuple(dict.fromkeys(other for each in part.positive for other in variables(each) if other in outside))
        cost = len(inside), len(names)
        if best is None or cost < best[0]:
            best = cost, part, names
    return None if best is None else best[1:]


def having(literals: tuple[Terms, ...], name: str) -> tuple[Terms, ...]:
    return tuple(each for each in literals if name in set(variables(each)))


def canonical(part: Rule, names: tuple[str, ...]) -> Rule:
    """The part with its variables numbered, those known outside first."""
    inside = (other for each in part.positive for other in variables(each))
    values: dict[str, Term] = {name: f"?{i}" for i, name in enumerate(dict.fromkeys((*names, *inside)))}
    numbered = [
        tuple(tuple(substitute(term, values) for term in each) for each in own)
        for own in (part.positive, part.negative)
    ]
    distinct = tuple((substitute(one, values), substitute(other, values)) for one, other in part.distinct)
    return Rule(("", str(len(names))), numbered[0], numbered[1], distinct)


def without(rule: Rule, part: Rule, atom: Atom) -> Rule:
    """The rule with an atom in the place of a part of it."""
    return replace(
        rule,
        positive=(*(each for each in rule.positive if each not in part.positive), atom),
        negative=tuple(each for each in rule.negative if each not in part.negative),
        distinct=tuple(each for each in rule.distinct if each not in part.distinct),
    )
