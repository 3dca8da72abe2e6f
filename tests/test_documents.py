"""Documents that are made from the code are what it says today."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import astragal
from astragal import Position, load_game
from astragal.rules import defaults
from astragal.rules.protocol import CONTRACT, DECLARATIONS, METHODS
from support.helpers import script

DOCS = Path(__file__).parents[1] / "docs"


def test_the_reference_of_games_has_every_member_once():
    reference = script("game_reference")
    tables, page = reference.tables(), (DOCS / "game-reference.md").read_text(encoding="utf-8")
    assert set(re.findall("<!-- table: (.*) -->", page)) == set(tables)
    rows = re.findall(r"^\| `(\w+)", "\n".join(tables.values()), re.MULTILINE)
    assert sorted(rows) == sorted(member.name for member in CONTRACT)
    assert {member.name for member in CONTRACT} > reference.FIRST


def test_every_member_has_a_sentence():
    assert [member.name for member in CONTRACT if not member.about.endswith(".")] == []


def test_every_member_of_a_position_has_a_sentence():
    public = {name: member for name, member in vars(Position).items() if not name.startswith("_")}
    documented = {name for name, member in public.items() if inspect.getdoc(member)}
    assert [name for name in public if name not in documented and not inspect.ismemberdescriptor(public[name])] == []
    page = (DOCS / "position.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`[Pp]osition\.(\w+)", page)) - set(public) == set()


def test_what_is_optional_in_kernels_has_a_default():
    """Compiled code calls it whether a game has it or not."""
    compiled = [member.name for member in METHODS if member.mark.needed != "always" and not member.mark.python_only]
    assert "deal" in compiled
    assert all(hasattr(defaults, name) for name in compiled)


@pytest.mark.parametrize("name", ["tic_tac_toe", "ewn", "tic_tac_toe.kif"])
def test_a_game_has_all_that_is_declared(name):
    game = load_game(name)
    assert [member.name for member in DECLARATIONS if not hasattr(game, member.name)] == []


def test_the_contract_needs_no_numba():
    program = "import sys, astragal.rules.decorator; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_list_of_files_says_what_each_is_about():
    modules = script("modules")
    page = modules.page()
    links = set(re.findall(r"\]\(\.\./(src/astragal/[^)]+)\) \| \S", page))
    files = {path.relative_to(modules.ROOT).as_posix() for path in modules.PACKAGE.rglob("*.py")}
    assert links == {path for path in files if not path.endswith("__init__.py")}
    folders = {path.rpartition("/")[0].removeprefix("src/") for path in files}
    assert set(re.findall(r"^## (\S+)/$", page, re.MULTILINE)) == folders


def test_every_file_says_in_its_first_line_what_it_is_about():
    modules = script("modules")
    files = list(modules.PACKAGE.rglob("*.py"))
    assert len(files) > 300
    assert [path for path in files if not modules.first_line(path).endswith((".", ")"))] == []


PAGES = [
    *DOCS.glob("*.md"),
    *DOCS.glob("a*/*.md"),
    *(DOCS.parent / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
]


def test_pages_name_files_that_are_there():
    """Links to files, and paths of sources: ``algorithms/star/star.py``."""
    folders = (DOCS.parent, DOCS.parent / "src" / "astragal")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
        assert [link for link in links if not (page.parent / link).exists()] == [], page
        paths = re.findall(r"`(\w+/[\w/]+\.py)`", text)
        assert [path for path in paths if not any((folder / path).exists() for folder in folders)] == [], page


@pytest.mark.parametrize("page", sorted((DOCS / "algorithms").glob("[!i]*.md")), ids=lambda page: page.stem)
def test_the_page_of_an_algorithm_has_steps_code_differences_and_a_drawing(page):
    text = page.read_text(encoding="utf-8")
    assert re.search(r"^\|.*\| here \|$", text, re.MULTILINE)
    assert "<!-- code: " in text
    assert "\n## What differs\n" in text
    if page.stem == "prove":  # its positions are a graph, which `astragal tree` does not draw
        return
    [drawing] = set(re.findall(r"!\[[^]]+\]\((\w+\.svg)\)", text))
    assert re.search(rf"astragal tree .* --out {re.escape(drawing)}$", text, re.MULTILINE)


def test_what_pages_quote_is_there():
    for page in DOCS.rglob("*.md"):
        for path, name in re.findall(r"<!-- code: (\S+) (\w+) -->", page.read_text(encoding="utf-8")):
            source = DOCS.parent / "src/astragal" / path
            text = (source if source.exists() else DOCS.parent / path).read_text(encoding="utf-8")
            assert re.search(rf"^ *(def|class) {name}\b", text, re.MULTILINE), f"{path} has no {name}, as {page} quotes"


def test_the_reference_has_every_public_name():
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    told = set(re.findall(r"^::: [\w.]+\.(\w+)$", pages, re.MULTILINE)) | set(re.findall(r"`(\w+)[`\[]", pages))
    assert set(astragal.__all__) - told == set()
