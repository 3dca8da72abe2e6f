"""Make the tables of writing-a-game.md from what `astragal.game.protocol` says: python docs/tables.py"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from astragal.game.protocol import ALWAYS, DECLARATIONS, METHODS, OPTIONAL, OWN, Mark

PAGE = Path(__file__).with_name("writing-a-game.md")


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


TABLES = {"declarations": declarations, "methods": methods, "own": own}


def with_tables(page: str) -> str:
    """A page with each table between its two marks as it is to be."""
    for name, rows in TABLES.items():
        begin, end = f"<!-- {name}: made by docs/tables.py -->", f"<!-- end of {name} -->"
        table = "\n".join([begin, "", *rows(), "", end])
        page, found = re.subn(f"{begin}.*?{end}", lambda _, table=table: table, page, flags=re.DOTALL)
        assert found == 1, f"the page has {found} places for the table of {name}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
