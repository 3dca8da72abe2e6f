"""The terminal: how wide it is, colours where somebody sees them, and one line that is written over again and again.

In a notebook that line is an output of the cell. Nothing of it goes into pipes and files. ``NO_COLOR``, set to
anything, means no colours (https://no-color.org), and so does ``TERM=dumb``.
"""

from __future__ import annotations

import os
import shutil
import sys
from html import escape
from typing import Any, TextIO

COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "bold": 1, "dim": 2}
FILLED, EMPTY = "█", "░"
BAR = 20  # columns of a progress bar, where there is room


def is_coloured(stream: TextIO) -> bool:
    """Whether somebody sees colours there, and wants them."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """The text in a colour; as it is where nobody would see it."""
    shown = is_coloured(sys.stdout if stream is None else stream)
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if shown else text


def knows_unicode(stream: TextIO) -> bool:
    """Whether signs beyond the plain ones can be written there."""
    return (getattr(stream, "encoding", None) or "").lower().startswith("utf")


def width() -> int:
    """Columns that a line may have without being broken."""
    return max(1, shutil.get_terminal_size().columns - 1)


def bar(done: float, wanted: float, columns: int = BAR) -> str:
    """A progress bar; in plain signs where the terminal knows no others."""
    share = min(1.0, max(0.0, done / wanted)) if wanted > 0 else 1.0
    filled = round(share * columns)
    full, empty = (FILLED, EMPTY) if knows_unicode(sys.stderr) else ("#", ".")
    return full * filled + empty * (columns - filled)


def fitted(parts: list[str], columns: int) -> str:
    """As many parts as fit into so many columns, the first ones; the first one is cut where even it does not fit."""
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
    """Show a line in the place of the one before, where somebody is looking; what does not fit is cut off."""
    if is_in_notebook():
        below_cell.show(line)
    elif is_watched():
        print(f"\r\x1b[K{line[: width()]}", end="", file=sys.stderr, flush=True)


class BelowCell:
    """A line below the running cell of a notebook, which knows no terminal's signs and shows standard error in red."""

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
