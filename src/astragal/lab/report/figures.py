"""Figures of a report: SVG, and PNG of what has too many lines for that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from astragal.arena.plots import plot_bars, plot_curves
from astragal.base.errors import AstragalError
from astragal.lab.findings import Figure, Table


def draw(figure: Figure, folder: Path) -> Path:
    """Write a figure; the file."""
    path = folder / f"{figure.name}{'.svg' if figure.picture is None else '.png'}"
    if figure.picture is not None:
        figure.picture(path)
    elif figure.table is not None:
        draw_table(figure, figure.table, path)
    return path


def draw_table(figure: Figure, table: Table, path: Path) -> None:
    reference = figure.fair
    what = table.title.partition(",")[0]
    if figure.shape == "curves":
        series = {
            row: [(float(column), entry.mean, entry.low, entry.high) for column, entry in table.row(row)]
            for row in table.rows
        }
        printed = [
            (float(column), entry.paper.value)
            for row in table.rows
            for column, entry in table.row(row)
            if entry.paper is not None
        ]
        plot_curves(
            series,
            path,
            table.columns_are,
            what,
            figure.caption,
            figure.log,
            reference,
            percent=table.percent,
            published=printed,
        )
    elif figure.shape == "bars":
        if len(table.columns) == 1:  # side by side, each with its name below
            table = replace(table, entries={(column, row): entry for (row, column), entry in table.entries.items()})
        groups: dict[str, dict[str, tuple[float, float, float]]] = {column: {} for column in table.columns}
        published: dict[str, dict[str, float]] = {column: {} for column in table.columns}
        for (row, column), entry in table.entries.items():
            groups[column][row] = (entry.mean, entry.low, entry.high)
            if entry.paper is not None:
                published[column][row] = entry.paper.value
        plot_bars(groups, path, what, figure.caption, published, reference, percent=table.percent)
    else:
        raise AstragalError(f"there is no figure of the shape {figure.shape}")
