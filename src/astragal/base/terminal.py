"""The terminal: its width, colours if they can be seen, and one line that is overwritten again and again.

In a notebook that line is an output of the cell. Nothing of it goes into pipes and files. ``NO_COLOR``, set to
anything, means no colours (https://no-color.org), and so does ``TERM=dumb``.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable
from html import escape
from typing import Any, TextIO

COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "bold": 1, "dim": 2}
FILLED, EMPTY = "█", "░"
BAR = 20  # columns of a progress bar, where there is room


def is_coloured(stream: TextIO) -> bool:
    """Whether the stream shows colours, and the user has not switched them off."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """The text in a colour; unchanged where colours are not shown."""
    shown = is_coloured(sys.stdout if stream is None else stream)
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if shown else text


COMMANDS = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")  # all but colours


def without_commands(text: str) -> str:
    """A text without what a terminal would take for commands, which names and files of data may contain."""
    return text if text.isprintable() else COMMANDS.sub(" ", text)


PLAIN = {"±": "+-", "≥": ">=", "≤": "<=", "−": "-", "·": ".", "…": "...", "●": "*", "○": "o"}


def in_signs_of(encoding: str | None, text: str) -> str:
    """A text with plain signs for those that an encoding lacks: an umlaut without its dots, or a question mark."""
    while True:
        try:
            text.encode(encoding or "utf-8")
            return text
        except UnicodeEncodeError as error:
            sign = text[error.start]
            basic = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
            text = text.replace(sign, PLAIN.get(sign, basic) or "?")


class CleanStream:
    """A stream that accepts any text: commands of a terminal are left out, and signs that it lacks become plain ones.

    All but its writing is that of the stream below."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(in_signs_of(getattr(self.stream, "encoding", None), without_commands(text)))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def knows_unicode(stream: TextIO) -> bool:
    """Whether signs beyond the plain ones can be written there."""
    return (getattr(stream, "encoding", None) or "").lower().startswith("utf")


def width() -> int:
    """Columns that a line may have without being broken."""
    return max(1, shutil.get_terminal_size().columns - 1)


def hung(head: str, text: str) -> str:
    """A head and a text beside it, or below it where that leaves no room; broken only where the columns are known."""
    if not (sys.stdout.isatty() or os.environ.get("COLUMNS")):
        return head + text
    indent = len(head) if len(head) <= width() // 2 else min(8, width() // 4)
    first = "" if indent == len(head) else f"{head.rstrip()}\n"
    margin = " " * indent
    lines = textwrap.wrap(
        text,
        max(width(), indent + 10),
        initial_indent=margin if first else head,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return first + "\n".join(lines or [head])


def bar(done: float, wanted: float, columns: int = BAR) -> str:
    """A progress bar; in ASCII if the terminal has no other signs."""
    share = min(1.0, max(0.0, done / wanted)) if wanted > 0 else 1.0
    filled = round(share * columns)
    full, empty = (FILLED, EMPTY) if knows_unicode(sys.stderr) else ("#", ".")
    return full * filled + empty * (columns - filled)


def fitted(parts: list[str], columns: int) -> str:
    """As many parts as fit into `columns`, from the first; the first one is cut if it alone does not fit."""
    line = parts[0][:columns] if parts else ""
    for part in parts[1:]:
        if len(line) + 2 + len(part) > columns:
            break
        line += f"  {part}"
    return line


def is_in_notebook() -> bool:
    return "ipykernel" in sys.modules and not sys.stderr.isatty()


def is_watched() -> bool:
    """Whether standard error is a terminal, or this is a notebook."""
    return sys.stderr.isatty() or is_in_notebook()


def overwrite(line: str) -> None:
    """Replace the line before by this one, on a terminal or in a notebook; what does not fit is cut off."""
    if is_in_notebook():
        below_cell.show(line)
    elif is_watched():
        print(f"\r\x1b[K{line[: width()]}", end="", file=sys.stderr, flush=True)


class BelowCell:
    """A line below the running cell of a notebook, which has no terminal codes and shows standard error in red."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.cell: int | None = None

    def show(self, line: str) -> None:
        from IPython import get_ipython
        from IPython.display import HTML, display

        shell = get_ipython()
        if shell is None:
            return
        content = HTML(f"<pre>{escape(line)}</pre>" if line else "")
        if self.handle is not None and self.cell == shell.execution_count:
            self.handle.update(content)
        elif line:
            self.handle, self.cell = display(content, display_id=True), shell.execution_count


below_cell = BelowCell()
