"""Figures of a report, each as SVG and as PNG."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from astragal.arena.plots import plot_bars, plot_curves
from astragal.errors import AstragalError
from astragal.lab.findings import Figure, Table

SUFFIXES = (".svg", ".png")


def draw(figure: Figure, folder: Path) -> list[Path]:
    """Write a figure; the files."""
    paths = [folder / f"{figure.name}{suffix}" for suffix in SUFFIXES]
    for path in paths:
        if figure.picture is not None:
            figure.picture(path)
        elif figure.table is not None:
            draw_table(figure, figure.table, path)
    return paths


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
