"""All checks of a rule sheet before it is played, in their order."""

from __future__ import annotations

from astragal.base.errors import SheetError, at_place
from astragal.gdl.reading.clauses import Clause
from astragal.gdl.reading.dependencies import check_keyword_dependencies, check_recursion
from astragal.gdl.reading.keywords import check_keywords
from astragal.gdl.reading.rules import Sheet
from astragal.gdl.reading.safety import check_arities, check_safety, with_role
from astragal.gdl.reading.stratification import stratified
from astragal.gdl.reading.warnings import warnings_of

NEEDED = {
    "role": "no role is declared",
    "legal": "no rule says which moves are legal",
    "terminal": "no rule says when the game ends",
    "goal": "no rule says what the game is worth to its roles",
}


def checked_sheet(clauses: list[Clause], name: str, text: str) -> Sheet:
    """The sheet that clauses make, with what is doubtful in it; a SheetError where they make none."""
    checked: list[Clause] = []
    warnings: list[str] = []
    for clause in clauses:
        check_keywords(clause, name)
        completed = with_role(clause)
        if completed:
            sentence = f"the variable {clause.head.atom[1]} is taken for a role, as nothing says what it is"
            warnings.append(at_place(sentence, name, clause.line, clause.column))
        check_safety(completed or clause, name)
        checked.append(completed or clause)
    defined = {clause.relation for clause in checked}
    for relation, sentence in NEEDED.items():
        if relation not in defined:
            raise SheetError(sentence, name)
    check_arities(checked, name)
    check_keyword_dependencies(checked, name)
    split, found = stratified(checked, name)
    warnings += found + check_recursion(split, name)
    roles = tuple(dict.fromkeys(str(clause.head.atom[1]) for clause in checked if clause.relation == "role"))
    warnings += warnings_of(checked, roles, name)
    rules = tuple(clause.rule() for clause in split if not clause.void)
    return Sheet(name, roles, rules, text, tuple(dict.fromkeys(warnings)))
