"""Grounding: from a sheet with variables to the instances of its rules that can ever matter.

What can be reached is overestimated: a fact, once true in some state, is taken to be possible in every later one, and
what is negated is taken to be possible both ways. Relations that depend neither on the state nor on moves are derived
exactly first, and vanish: only facts, moves and what is derived from them are left. Rules with many variables are split
before (`astragal.gdl.reasoning.projection`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from string import digits as DIGITS
from typing import Any

from astragal.gdl.reading.rules import Atom, Rule, Sheet, Term, kif
from astragal.gdl.reasoning.joins import Budget, Database, Instance
from astragal.gdl.reasoning.projection import projected

Signature = tuple[Term, int]  # a relation and how many arguments it has
FROM_STATE: tuple[Signature, ...] = (("true", 1), ("does", 2))


@dataclass(frozen=True)
class Grounding:
    """A sheet without variables."""

    sheet: Sheet
    facts: tuple[Term, ...]  # that can be true in some state
    moves: dict[str, tuple[Term, ...]]  # that each role can ever make
    initial: frozenset[Term]
    rules: dict[Atom, list[Instance]]  # by head, for what depends on the state
    always: frozenset[Atom]  # what is derived in every state


def ground(sheet: Sheet, budget: Budget | None = None) -> Grounding:
    """The instances of a sheet's rules, or a GroundingError if they are too many."""
    database = Database(budget or Budget())
    split = projected(sheet.rules)
    moving = depending_on_state(split)
    roles = set(sheet.roles)

    def fixed(atom: Atom) -> bool:
        return signature(atom) not in moving

    def follow(atom: Atom) -> Atom | None:
        if atom[0] == "next":
            return ("true", atom[1])
        return ("does", *atom[1:]) if atom[0] == "legal" and atom[1] in roles else None

    derive_fixed(database, [rule for rule in split if fixed(rule.head)])
    always = frozenset(database.facts)
    initial = frozenset(atom[1] for atom in always if atom[0] == "init")
    for fact in sorted(initial, key=natural):
        database.add(("true", fact))
    for atom in sorted(filter(None, map(follow, always)), key=natural):
        database.add(atom)
    rules: dict[Atom, list[Instance]] = {}
    for instance in database.run([rule for rule in split if not fixed(rule.head)], fixed, follow):
        if instance.head not in always:
            rules.setdefault(instance.head, []).append(instance)
    facts = sorted((atom[1] for atom in database.facts if atom[0] == "true"), key=natural)
    moves = {role: [atom[2] for atom in database.facts if atom[:2] == ("does", role)] for role in sheet.roles}
    ordered = {role: tuple(sorted(own, key=natural)) for role, own in moves.items()}
    return Grounding(sheet, tuple(facts), ordered, initial, rules, always)


def signature(atom: Atom) -> Signature:
    return atom[0], len(atom) - 1


def depending_on_state(rules: Iterable[Rule]) -> set[Signature]:
    """The relations that are not the same in every state."""
    found = set(FROM_STATE)
    rules = list(rules)
    before = 0
    while len(found) > before:
        before = len(found)
        for rule in rules:
            if any(signature(atom) in found for atom in (*rule.positive, *rule.negative)):
                found.add(signature(rule.head))
    return found


def derive_fixed(database: Database, rules: list[Rule]) -> None:
    """Derive what is the same in every state, stratum by stratum, so that negation is decided."""
    strata = strata_of(rules)
    for level in range(max(strata.values(), default=0) + 1):

        def lower(atom: Atom, level: int = level) -> bool:
            return strata.get(signature(atom), -1) < level

        database.run([rule for rule in rules if strata[signature(rule.head)] == level], lower, lambda atom: None)


def strata_of(rules: list[Rule]) -> dict[Signature, int]:
    """For each relation how many negations lie below it. The reader has made sure that there is an answer."""
    level = {signature(rule.head): 0 for rule in rules}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            least = max(
                [level.get(signature(atom), -1) for atom in rule.positive]
                + [level.get(signature(atom), -1) + 1 for atom in rule.negative],
                default=0,
            )
            if least > level[signature(rule.head)]:
                level[signature(rule.head)] = least
                changed = True
    return level


def natural(term: Term | Atom) -> list[Any]:
    """Order as people count: ``(drop 2)`` before ``(drop 10)``, and ``(drop 2)`` before ``(drop 02)``."""
    text = kif(term)
    parts = (part for part in re.split(r"([0-9]+)", text) if part)
    numbers = [(0, len(part.lstrip("0")), part.lstrip("0")) if part[0] in DIGITS else (1, 0, part) for part in parts]
    return [*numbers, (-1, len(text), text)]
