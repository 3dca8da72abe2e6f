"""Rows as data frames of pandas or polars, whichever is installed."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from html import escape
from importlib.util import find_spec
from typing import Any

from astragal.displays import html_table
from astragal.errors import AstragalError, SpecError, suggest

Rows = list[dict[str, Any]]
LIBRARIES = ("pandas", "polars")


class Tabular(ABC):
    """What has rows for a program to read, one for each thing it is about and with the same names in each."""

    @abstractmethod
    def rows(self) -> Rows:
        """A dictionary for each row, from the name of a column to its value."""

    def frame(self, library: str | None = None) -> Any:
        """The rows as a data frame of pandas or polars: of the one that is named, or else of the first installed."""
        return frame(self.rows(), library)

    def _repr_html_(self) -> str:
        """What a notebook shows: the text as it is printed, and the rows as a table."""
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
    if library == "polars":  # it looks at a few rows only, unless told, to find out what a column holds
        return module.DataFrame(rows, infer_schema_length=None)
    return module.DataFrame(rows)
