"""Tables of results for papers and programs: text, CSV, JSON, Parquet, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from astragal.errors import AstragalError

Rows = list[dict[str, Any]]


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
    """Write rows to a file in the form that its ending asks for."""
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
