"""How things show themselves in notebooks: rows as an HTML table, and pictures by the layer that draws.

A notebook asks an object for `_repr_svg_` or `_repr_html_`; nothing is imported for it before.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

MOST_ROWS = 60  # shown; `frame()` has all


def svg_of(thing: Any) -> str | None:
    """The picture of a position or tree; None, so that its text is shown, where there is none.

    Drawing is a higher layer, reached by its name: whoever cannot draw still plays and searches.
    """
    return importlib.import_module("astragal.drawing.notebook").svg_of(thing)  # type: ignore[no-any-return]


def html_table(rows: Iterable[Mapping[str, Any]], title: str = "") -> str:
    """Rows as a table, with the names of columns on top; where there are many, the first ones and their number."""
    rows = list(rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns = [name for name in columns if any(row.get(name) is not None for row in rows)]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(cell(row.get(name)) for name in columns)}</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>{MOST_ROWS} of {len(rows)} rows; frame() has all</p>" if len(rows) > MOST_ROWS else ""
    above = f"<p>{escape(title)}</p>" if title else ""
    return f"<div>{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def cell(value: Any) -> str:
    """A number on the right with at most six digits, anything else on the left."""
    if value is None:
        return "<td></td>"
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.6g}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{escape(str(value))}</td>'
