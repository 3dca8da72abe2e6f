"""Terms without variables from KIF text: facts of a position, moves that others send."""

from __future__ import annotations

from astragal.errors import SheetError
from astragal.gdl.forms import Form, read_forms
from astragal.gdl.rules import Term


def read_terms(text: str, name: str = "text") -> list[Term]:
    """The terms that a text lists."""
    return [ground_term(form, name) for form in read_forms(text, name)]


def ground_term(form: Form, name: str = "text") -> Term:
    """The term of a form; a list of one symbol is that symbol, as in a rule sheet."""
    if form.is_variable:
        raise SheetError(f"{form.symbol} is a variable where a term is wanted", name, form.line, form.column)
    if not form.is_list:
        return form.symbol
    if not form.word:
        raise SheetError("a term begins with its function", name, form.line, form.column)
    if len(form.parts) == 1:
        return form.word
    return (form.word, *(ground_term(part, name) for part in form.arguments))
