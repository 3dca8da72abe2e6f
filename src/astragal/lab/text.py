"""Tables as text."""

from __future__ import annotations

from astragal.lab.findings import Entry, Table


def paper_words(table: Table, entry: Entry) -> str:
    """What the work printed, and whether that agrees."""
    return f"{table.number(entry.paper.value)} {entry.verdict or ''}".rstrip() if entry.paper is not None else ""


def cells(table: Table) -> list[list[str]]:
    """The table as rows of texts: a heading, then each row, and below it what the work printed, if it did."""
    columns = table.columns
    lines = [[table.rows_are or "", *columns]]
    for row in table.rows:
        entries = [table.entries.get((row, column)) for column in columns]
        lines.append([row, *(table.words(entry) if entry else "" for entry in entries)])
        if any(entry is not None and entry.paper is not None for entry in entries):
            lines.append(["  paper", *(paper_words(table, entry) if entry else "" for entry in entries)])
    return lines


def plain_table(table: Table) -> str:
    """For a terminal."""
    lines = cells(table)
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([f"  {table.caption}", *(f"    {line}" for line in text)])
