"""The three paths of the first page, each followed to its end: hobbyist, student, researcher."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from test_pages_run import BLOCKS, OURS, ROOT, SERVERS, beside_sources, is_run, run, shortened, texts_of

PROGRAMS = [block for block in BLOCKS if block.language == "python" and not block.mark]
STOPS = {"results/report.md", "index.md"}  # pages to read only
LAB = ["lab", "run", "multiplayer-table1", "--scale", "quick", "--size", "games=2"]


def paths(page: str) -> dict[str, list[str]]:
    """The pages of each path, as a table of the README or of the site's first page links to them."""
    text, found = (ROOT / page).read_text(encoding="utf-8"), {}
    for line in re.findall(r"^\| \*\*a \w+\*\*.*$", text, re.MULTILINE):
        links = re.findall(r"\]\(([^)#]+\.md)", line)
        found[line.split("**")[1]] = [link if link.startswith("docs/") else f"docs/{link}" for link in links]
    return found


PATHS = paths("README.md")


def test_the_readme_and_the_first_page_have_the_same_paths():
    site = paths("docs/index.md")
    assert list(PATHS) == list(site) == ["a hobbyist", "a student", "a researcher"]
    for name, pages in PATHS.items():
        assert [page for page in site[name] if page not in pages and page.removeprefix("docs/") not in STOPS] == []
        assert [page for page in pages if page not in site[name]] == []


@pytest.mark.parametrize("page", sorted({page for pages in PATHS.values() for page in pages}))
def test_every_page_of_a_path_has_something_to_run(page):
    shown = [line for line in OURS if line.page == page]
    assert shown or texts_of(PROGRAMS, page)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", PATHS)
def test_a_path_is_followed_to_its_end(name, tmp_path):
    """Page by page in one folder, with fewer games and less time; servers have tests of their own."""
    folder = beside_sources(tmp_path)
    for page in PATHS[name]:
        done = subprocess.run([sys.executable, "-c", "".join(texts_of(PROGRAMS, page))], cwd=folder, timeout=600)
        assert done.returncode == 0, page
        for line in OURS:
            if line.page == page:
                follow(line, folder)


def follow(line, folder: Path) -> None:
    words = line.words[1:]
    if words[:2] == ["lab", "run"]:
        run(LAB, folder)
    elif words[:2] == ["lab", "report"]:
        run(["lab", "report"], folder)
    elif words[0] not in SERVERS and is_run(line):
        run(shortened(words), folder)
