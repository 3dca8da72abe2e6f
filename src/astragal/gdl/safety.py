"""Safety: what a clause says of a variable must be limited by a positive literal of its body."""

from __future__ import annotations

from dataclasses import replace

from astragal.errors import SheetError
from astragal.gdl.clauses import DISTINCT, Clause, Literal
from astragal.gdl.rules import is_variable, kif, variables


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
