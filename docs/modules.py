"""Make modules.md, a line for each file of the package, from their docstrings: python docs/modules.py"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PAGE = Path(__file__).with_name("modules.md")
PACKAGE = Path(__file__).parents[1] / "src" / "astragal"
LAYERS = ["", "game", "gdl", "openspiel", "games", "search", "solve", "learn", "players", "engine", "environments"]
LAYERS += ["drawing", "arena", "lab", "ggp", "web", "cli"]
HEAD = """# The files of the package

Made by `python docs/modules.py` from the first lines of the files, lowest layer first. How they work together is in
[ARCHITECTURE.md](../ARCHITECTURE.md).
"""


@cache
def first_line(path: Path) -> str:
    """The first line of a module's docstring."""
    documented = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return documented.partition("\n")[0]


def folders() -> Iterator[Path]:
    """The folders with sources, layer by layer, each before those in it."""
    found = sorted({path.parent for path in PACKAGE.rglob("*.py")})
    ranks = {folder: LAYERS.index((*folder.relative_to(PACKAGE).parts, "")[0]) for folder in found}
    yield from sorted(found, key=lambda folder: (ranks[folder], folder))


def section(folder: Path) -> Iterator[str]:
    """A folder: what it is about, and a table of its files."""
    yield f"\n## {folder.relative_to(PACKAGE.parent).as_posix()}/\n"
    yield f"{first_line(folder / '__init__.py')}\n"
    files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    if files:
        yield "| file | about |"
        yield "|---|---|"
    for path in files:
        link = f"../{path.relative_to(PAGE.parents[1]).as_posix()}"
        about = first_line(path).replace("|", "\\|").replace("*-", "\\*-")
        yield f"| [`{path.name}`]({link}) | {about} |"


def page() -> str:
    return "\n".join([HEAD.rstrip(), *(line for folder in folders() for line in section(folder))]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
