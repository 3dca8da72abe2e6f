"""The words that the language gives a meaning to: how many arguments they take and where they may stand."""

from __future__ import annotations

from astragal.base.errors import SheetError
from astragal.gdl.reading.clauses import Clause, Literal
from astragal.gdl.reading.rules import Term, is_ground, is_variable, kif

ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "terminal": 0,
    "goal": 2,
    "base": 1,
    "input": 2,
}
ONLY_IN_BODIES = ("true", "does")
ONLY_IN_HEADS = ("init", "next")
WITH_ROLE = ("does", "legal", "goal", "input")  # their first argument is a role

MAX_GOAL = 100


def check_keywords(clause: Clause, name: str) -> None:
    """Refuse a clause that uses a keyword with other arguments or in other places than the language allows."""
    head = clause.head
    if head.relation in ONLY_IN_BODIES:
        raise _error(head, f"'{head.relation}' may stand only in bodies of rules", name)
    for literal in (head, *clause.atoms):
        _check_arity(literal, name)
    for literal in clause.body:
        if literal.relation in ONLY_IN_HEADS:
            raise _error(literal, f"'{literal.relation}' may stand only in heads of rules", name)
    if head.relation == "role":
        _check_role(clause, name)
    if head.relation == "goal" and not is_goal(head.atom[2]):
        value = kif(head.atom[2])
        raise _error(head, f"a goal is a whole number from 0 to {MAX_GOAL}, and '{value}' is none", name)


def _check_arity(literal: Literal, name: str) -> None:
    wanted, given = ARITIES.get(literal.relation), len(literal.atom) - 1
    if wanted is not None and wanted != given:
        takes = ("no argument", "one argument", "two arguments")[wanted]
        raise _error(literal, f"'{literal.relation}' takes {takes}, not {given}", name)


def _check_role(clause: Clause, name: str) -> None:
    role = clause.head.atom[1]
    if clause.body:
        raise _error(clause.head, "roles are facts; they may not depend on anything", name)
    if not is_ground(role):
        raise _error(clause.head, f"a role may not hold a variable, and '{kif(role)}' does", name)
    if not isinstance(role, str):
        raise _error(clause.head, f"a role is one word, and '{kif(role)}' is none", name)


def is_goal(value: Term) -> bool:
    """Whether a term can be a goal value. What a variable stands for is seen only when the game is played."""
    if is_variable(value):
        return True
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 3 and int(value) <= MAX_GOAL


def _error(literal: Literal, sentence: str, name: str) -> SheetError:
    return SheetError(sentence, name, literal.line, literal.column)
