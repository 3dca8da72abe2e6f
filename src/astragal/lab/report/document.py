"""A document of headings, paragraphs, tables, lists and pictures, written as Markdown and as a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape

from astragal.lab.findings import Entry, Table


@dataclass(frozen=True)
class Heading:
    text: str
    level: int

    @property
    def anchor(self) -> str:
        """What links lead to it by, the same on a page as where Markdown is shown."""
        return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", self.text.lower()))


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Listing:
    items: list[str]


@dataclass(frozen=True)
class Grid:
    """A table: the first row is its heading."""

    rows: list[list[str]]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    file: str
    caption: str


@dataclass(frozen=True)
class Details:
    """Lines as they are typed: folded on a page, and in a file of their own beside Markdown."""

    title: str
    lines: list[str]

    @property
    def anchor(self) -> str:
        return Heading(self.title, 2).anchor


DETAILS, EARLIER_FILE = "rows.md", "earlier.md"  # beside report.md
UNFOLDED = "Players with all settings, and the command that plays each row"
Block = Heading | Paragraph | Listing | Grid | Picture | Details
STYLE = """
:root { color-scheme: light dark; --text: #1a1a1a; --page: #fff; --line: #ccc; --faint: #5a5a5a; --code: #f3f3f3;
  --link: #0b57d0; --agrees: #00695c; --disagrees: #b00020; --undecided: #6d5f00; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --page: #15181c; --line: #3a3f46; --faint: #a8adb5;
  --code: #23272e; --link: #8ab4f8; --agrees: #58d0b8; --disagrees: #ff8a9a; --undecided: #e0cc5a; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: var(--text);
  background: var(--page); overflow-wrap: break-word; } a { color: var(--link); }
h1, h2, h3 { line-height: 1.2; } h2 { border-top: 1px solid var(--line); padding-top: 1.5rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-size: 0.85rem; margin: 0.5rem 0; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.6rem; text-align: right; vertical-align: top; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; } caption { text-align: left; font-style: italic; }
td.words { white-space: normal; text-align: left; min-width: 11rem; } tr.paper td { color: var(--faint); }
.agrees { color: var(--agrees); } .disagrees { color: var(--disagrees); }
.undecided, .too-wide-to-say { color: var(--undecided); }
figure { margin: 1rem 0; } img { max-width: 100%; background: #fff; border-radius: 4px; }
code, pre { background: var(--code); padding: 0 0.2rem; } pre { overflow-x: auto; font-size: 0.8rem; }
@media (max-width: 40rem) { body { margin: 0.5rem auto; padding: 0 0.6rem; font-size: 15px; } h1 { font-size: 1.5rem; }
  ul { padding-left: 1.1rem; } th, td { padding: 0.2rem 0.35rem; } }
"""
WORDS = re.compile(r"\b(agrees|disagrees|undecided|too wide to say)\b")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
LONG = 40  # letters from which a cell is words, and may have several lines


@dataclass
class Document:
    """Blocks in their order."""

    title: str
    blocks: list[Block] = field(default_factory=list)

    def add(self, *blocks: Block) -> None:
        self.blocks.extend(blocks)

    def markdown(self) -> str:
        return "\n\n".join([f"# {self.title}", *map(block_as_markdown, self.blocks)]) + "\n"

    def details(self) -> list[str]:
        """The blocks of `DETAILS`, in Markdown."""
        blocks = [block for block in self.blocks if isinstance(block, Details)]
        return [f"## {block.title}\n\n```text\n{chr(10).join(block.lines)}\n```" for block in blocks]

    def page(self) -> str:
        body = "\n".join(map(block_as_html, self.blocks))
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<h1>{escape(self.title)}</h1>\n{body}\n</body>\n</html>\n"
        )


def block_as_markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Listing):
        return "\n".join(f"- {item}" for item in block.items)
    if isinstance(block, Picture):
        return f"![{block.caption}]({block.file})\n\n*{block.caption}*"
    if isinstance(block, Details):
        return f"[{UNFOLDED}]({DETAILS}#{block.anchor})"
    if isinstance(block, Grid):
        rule = ["---"] + ["---:"] * (len(block.rows[0]) - 1)
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in block.rows]
        table = "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])
        return f"*{block.caption}*\n\n{table}" if block.caption else table
    return block.text


def block_as_html(block: Block) -> str:
    if isinstance(block, Heading):
        return f'<h{block.level} id="{block.anchor}">{in_html(block.text)}</h{block.level}>'
    if isinstance(block, Listing):
        return "<ul>" + "".join(f"<li>{in_html(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Picture):
        image = f'<img src="{escape(block.file)}" alt="{escape(block.caption)}">'
        return f"<figure>{image}<figcaption>{in_html(block.caption)}</figcaption></figure>"
    if isinstance(block, Details):
        typed = escape("\n".join(block.lines))
        return f"<details><summary>{UNFOLDED}</summary><pre>{typed}</pre></details>"
    if isinstance(block, Grid):
        caption = f"<caption>{in_html(block.caption)}</caption>" if block.caption else ""
        rows = "".join(row_as_html(row, "th" if number == 0 else "td") for number, row in enumerate(block.rows))
        return f"<table>{caption}{rows}</table>"
    return f"<p>{in_html(block.text)}</p>"


def row_as_html(row: list[str], tag: str) -> str:
    kind = ' class="paper"' if row[0].strip() == "paper" else ""
    cells = (f"<{tag}{' class=words' if len(cell) > LONG else ''}>{in_html(cell)}</{tag}>" for cell in row)
    return f"<tr{kind}>" + "".join(cells) + "</tr>"


def in_html(text: str) -> str:
    """A text with its code, links and verdicts marked."""
    marked = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
    marked = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", marked)
    marked = LINK.sub(r'<a href="\2">\1</a>', marked.replace(f"({EARLIER_FILE}#", "(#"))
    return WORDS.sub(lambda found: f'<span class="{found[1].replace(" ", "-")}">{found[1]}</span>', marked)


EARLIER = "†"  # beside a number by an earlier version of the searches


def paper_words(table: Table, entry: Entry) -> str:
    """What the work printed, and whether that agrees."""
    return f"{table.number(entry.paper.value)} {entry.verdict or ''}".rstrip() if entry.paper is not None else ""


def cells(table: Table) -> list[list[str]]:
    """The table as rows of texts: a heading, then each row, and below it what the work printed, if it did.

    Numbers by an earlier version of the searches have a mark."""
    columns = table.columns
    lines = [[table.rows_are or "", *columns]]
    for row in table.rows:
        entries = [table.entries.get((row, column)) for column in columns]
        words = [
            table.words(entry) + (EARLIER if (row, column) in table.earlier else "") if entry else ""
            for column, entry in zip(columns, entries, strict=True)
        ]
        lines.append([row, *words])
        if any(entry is not None and entry.paper is not None for entry in entries):
            lines.append(["  paper", *(paper_words(table, entry) if entry else "" for entry in entries)])
    return lines


def plain_table(table: Table) -> str:
    """For a terminal."""
    lines = cells(table)
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([f"  {table.caption}", *(f"    {line}" for line in text)])
