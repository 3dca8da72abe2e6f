"""Make the tables of pages from what the code says: python docs/tables.py

Those of writing-a-game.md are from `astragal.game.protocol`, that of position.md from the docstrings of `Position`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from astragal import Position
from astragal.game.protocol import ALWAYS, DECLARATIONS, METHODS, OPTIONAL, OWN, Mark

PAGE = Path(__file__).with_name("writing-a-game.md")
POSITION_PAGE = Path(__file__).with_name("position.md")


def declarations() -> Iterator[str]:
    yield "| declaration | unless it is declared | |"
    yield "|---|---|---|"
    for member in DECLARATIONS:
        default = "must be" if member.mark.needed == ALWAYS else f"`{member.mark.default}`"
        yield f"| `{member.name}` | {default} | {member.about} |"


def methods() -> Iterator[str]:
    yield "| method | needed | |"
    yield "|---|---|---|"
    for member in METHODS:
        yield f"| `{member.name}({member.signature})` | {needed(member.mark)} | {member.about} |"


def needed(mark: Mark) -> str:
    when = mark.needed if mark.needed in (ALWAYS, OPTIONAL) else f"with `{mark.needed}`"
    return f"{when}, Python only" if mark.python_only else when


def own() -> Iterator[str]:
    yield "| method | what it says | unless the game has it |"
    yield "|---|---|---|"
    for member in OWN:
        yield f"| `{member.name}({member.signature})` | {member.about} | {member.mark.otherwise} |"


def position() -> Iterator[str]:
    yield "| | |"
    yield "|---|---|"
    for name, member in vars(Position).items():
        if not name.startswith("_") and not inspect.ismemberdescriptor(member):
            about, *_ = (inspect.getdoc(member) or "").split("\n\n")
            yield f"| `{spelled(name, member)}` | {' '.join(about.split())} |"


def spelled(name: str, member: Any) -> str:
    """A member as it is written: ``position.play(action)``."""
    if isinstance(member, property):
        return f"position.{name}"
    is_class_method = isinstance(member, classmethod)
    given = list(inspect.signature(member.__func__ if is_class_method else member).parameters.values())[1:]
    texts = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in given]
    return f"{'Position' if is_class_method else 'position'}.{name}({', '.join(texts)})"


Tables = dict[str, Callable[[], Iterator[str]]]
TABLES: Tables = {"declarations": declarations, "methods": methods, "own": own}
POSITION_TABLES: Tables = {"position": position}


def with_tables(page: str, tables: Tables = TABLES) -> str:
    """A page with each table between its two marks as it is to be."""
    for name, rows in tables.items():
        begin, end = f"<!-- {name}: made by docs/tables.py -->", f"<!-- end of {name} -->"
        table = "\n".join([begin, "", *rows(), "", end])
        page, found = re.subn(f"{begin}.*?{end}", lambda _, table=table: table, page, flags=re.DOTALL)
        assert found == 1, f"the page has {found} places for the table of {name}"
    return page


if __name__ == "__main__":
    for path, tables in ((PAGE, TABLES), (POSITION_PAGE, POSITION_TABLES)):
        path.write_text(with_tables(path.read_text(encoding="utf-8"), tables), encoding="utf-8")
