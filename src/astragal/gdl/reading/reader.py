"""Rule sheets from text: the Game Description Language (GDL-I) in KIF's prefix form.

The language is that of Love, Hinrichs, Haley, Schkufza and Genesereth, *General Game Playing: Game Description Language
Specification* (Stanford, 2008). Symbols are the same in either case.
"""

from __future__ import annotations

from pathlib import Path

from astragal.base.errors import AstragalError, SheetError
from astragal.gdl.reading.checks import checked_sheet
from astragal.gdl.reading.clauses import Clause, clauses_of
from astragal.gdl.reading.forms import read_forms
from astragal.gdl.reading.rules import Sheet

MAX_BYTES = 16_000_000
MAX_LITERALS = 2_000_000


def load_sheet(path: str | Path) -> Sheet:
    """The rule sheet in a file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise AstragalError(f"cannot read {path}: {problem.strerror}") from None
    if len(data) > MAX_BYTES:
        raise SheetError(f"the file has more than {MAX_BYTES} bytes", path.name)
    return read_sheet(_text_of(data, path.name), path.name)


def read_sheet(text: str, name: str) -> Sheet:
    """The rule sheet that a text says; `name` is what errors call it."""
    forms = read_forms(text, name)
    if not forms:
        raise SheetError("there are no rules in it", name)
    clauses: list[Clause] = []
    size = 0
    for form in forms:
        found = clauses_of(form, name)
        clauses += found
        size += sum(1 + len(clause.body) for clause in found)
        if size > MAX_LITERALS:
            raise SheetError(
                f"taken apart, its rules have more than {MAX_LITERALS} literals", name, form.line, form.column
            )
    return checked_sheet(clauses, name, text)


def _text_of(data: bytes, name: str) -> str:
    """The text of a file, which is UTF-8, with or without a mark of it at the beginning."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SheetError("the file is UTF-16; store it as UTF-8", name, 1, 1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8", "replace")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        sentence = f"the file is not UTF-8 text: byte {data[problem.start]:02x} cannot stand here"
        raise SheetError(sentence, name, line, column) from None
