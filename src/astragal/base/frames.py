"""Rows for people and programs: as data frames, and as files of text, CSV, JSON, Parquet, Markdown and LaTeX."""

from __future__ import annotations

import csv
import importlib
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from astragal.base.errors import AstragalError, SpecError, suggest

Rows = list[dict[str, Any]]
LIBRARIES = ("pandas", "polars")


class Tabular(ABC):
    """A result with rows for a program to read, all with the same column names."""

    @abstractmethod
    def rows(self) -> Rows:
        """A dictionary for each row, from the name of a column to its value."""

    def frame(self, library: str | None = None) -> Any:
        """The rows as a data frame of pandas or polars: the library that is named, or the first one installed."""
        return frame(self.rows(), library)

    def _repr_html_(self) -> str:
        """What a notebook shows: the printed text, and the rows as a table."""
        rows = self.rows()
        table = f"<details><summary>rows</summary>{html_table(rows)}</details>" if rows else ""
        return f"<div><pre>{escape(str(self))}</pre>{table}</div>"


def frame(rows: Rows, library: str | None = None) -> Any:
    """Rows as a data frame."""
    if library is None:
        library = next((name for name in LIBRARIES if find_spec(name)), None)
        if library is None:
            raise AstragalError("a frame needs pandas or polars: pip install one of them, or use the rows")
    if library not in LIBRARIES:
        raise SpecError(f"frames are of {' or '.join(LIBRARIES)}, not of '{library}'{suggest(library, LIBRARIES)}")
    try:
        module = importlib.import_module(library)
    except ImportError:
        raise AstragalError(f"{library} is not installed: pip install {library}") from None
    if library == "polars":  # by default it infers a column's type from a few rows only
        return module.DataFrame(rows, infer_schema_length=None)
    return module.DataFrame(rows)


def as_csv(rows: Rows) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_json(rows: Rows) -> str:
    return json.dumps(rows, indent=2, ensure_ascii=False, default=str) + "\n"


def as_markdown(rows: Rows) -> str:
    names = list(rows[0]) if rows else []
    lines = [names, ["---"] * len(names), *([cell(row[name]) for name in names] for row in rows)]
    return "".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |\n" for line in lines)


LATEX = {sign: "\\" + sign for sign in "&%$#_{}"}
LATEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}


def as_latex(rows: Rows) -> str:
    names = list(rows[0]) if rows else []
    numeric = [all(isinstance(row[name], int | float) for row in rows) for name in names]
    lines = [names, *([cell(row[name]) for name in names] for row in rows)]
    body = [" & ".join("".join(LATEX.get(sign, sign) for sign in text) for text in line) + r" \\" for line in lines]
    columns = "".join("r" if right else "l" for right in numeric)
    rule = [r"\hline"]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *body[:1], *rule, *body[1:], r"\end{tabular}"]) + "\n"


def cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)


def parquet(rows: Rows, path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise AstragalError('Parquet needs pyarrow: pip install "astragal[parquet]"') from None
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)


TEXTS: dict[str, Callable[[Rows], str]] = {
    ".csv": as_csv,
    ".json": as_json,
    ".md": as_markdown,
    ".tex": as_latex,
}


def export(rows: Rows, path: Path) -> None:
    """Write rows to a file in the format of its ending."""
    kinds = [*TEXTS, ".parquet"]
    if path.suffix not in kinds:
        raise AstragalError(f"{path} must end with {', '.join(kinds[:-1])} or {kinds[-1]}")
    try:
        if path.suffix == ".parquet":
            parquet(rows, path)
        else:
            path.write_text(TEXTS[path.suffix](rows), encoding="utf-8")
    except OSError as error:
        raise AstragalError(f"cannot write to {path}: {error.strerror}") from None


# In notebooks, which call `_repr_html_` of an object

MOST_ROWS = 60  # shown; `frame()` has all


def html_table(rows: Iterable[Mapping[str, Any]], title: str = "") -> str:
    """Rows as a table under the names of columns; of a long table, the first rows and their number."""
    rows = list(rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns = [name for name in columns if any(row.get(name) is not None for row in rows)]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(html_cell(row.get(name)) for name in columns)}</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>{MOST_ROWS} of {len(rows)} rows; frame() has all</p>" if len(rows) > MOST_ROWS else ""
    above = f"<p>{escape(title)}</p>" if title else ""
    return f"<div>{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def html_cell(value: Any) -> str:
    """A number on the right with at most six digits, anything else on the left."""
    if value is None:
        return "<td></td>"
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.6g}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{escape(str(value))}</td>'
