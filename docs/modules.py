"""The page of the site with a line for each file of the package; `python docs/modules.py` prints it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "astragal"
LAYERS = ["", "base", "compiler", "rules", "drawing", "games", "gdl", "algorithms", "solvers", "learn", "players"]
LAYERS += ["arena", "lab", "adapters", "web", "cli"]
HEAD = """# The files of the package

Made with the site from the first lines of the files, lowest layer first. How they work together is in
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
        link = f"../{path.relative_to(ROOT).as_posix()}"
        about = first_line(path).replace("|", "\\|").replace("*-", "\\*-")
        yield f"| [`{path.name}`]({link}) | {about} |"


def page() -> str:
    return "\n".join([HEAD.rstrip(), *(line for folder in folders() for line in section(folder))]) + "\n"


if __name__ == "__main__":
    print(page(), end="")
