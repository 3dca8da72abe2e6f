"""What the pages show runs: every block of Python, every command.

A block that is a part of a class stands behind ``<!-- a part -->``, one that is in a file behind ``<!-- from FILE -->``
(see `test_documents.py`). Commands are those that begin a line of an indented or ``bash`` block. The default run looks
at their words and options; the slow run starts them, with fewer games and less time.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from astragal.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^(<!-- (?:a part|from \S+) -->\n+)?```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SERVERS = {"web", "ggp", "engine"}
ELSEWHERE = {"lab", "ggp-match", "compile", "tune"}  # hours at any size, another program, or tests of their own
STAND_INS = ("sheet.kif", "results.db", "=my-ewn.npz", "curve.svg", "GAME", "$", "cluster", "mybot")


def texts(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[tuple[str, str]]:
    """Blocks of Python of a page, each with the mark before it, if any."""
    return BLOCK.findall(texts(page))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=named)
def test_the_programs_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    """One after the other, with the examples beside them; what a comment says is printed is printed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for library in re.findall(r"^(?:import|from) (pyspiel|pettingzoo|gymnasium)", texts(page), re.MULTILINE):
        pytest.importorskip(library)
    names: dict[str, object] = {"__name__": "page"}
    shown = ""
    for mark, block in blocks(page):
        if not mark:
            exec(compile(block, str(page), "exec"), names)
            shown += block
    printed = capsys.readouterr().out
    for line in re.findall(r"# (State\(.*)", shown):
        assert line in printed


def commands(page: Path) -> list[str]:
    """The commands of a page, without their comments."""
    found = re.findall(r"^(?:    )?(?:\$ )?(astragal .*)$", texts(page), re.MULTILINE)
    return [line.split(" #")[0].split(" && ")[0].rstrip(" &") for line in found]


LINES = sorted({(named(page), line) for page in PAGES for line in commands(page)})


@pytest.mark.parametrize(("page", "line"), LINES, ids=lambda value: str(value))
def test_a_command_of_a_page_has_words_and_options_that_are_there(page, line):
    words = shlex.split(line)[1:]
    if not words or words[0].startswith(("-", "[")):
        return
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="astragal")
    while hasattr(command, "resolve_command"):
        _, command, words = command.resolve_command(context, words)
    if "..." not in words:
        command.make_context("astragal", words, parent=context, resilient_parsing="--help" in words)


RUN = [
    line
    for _, line in LINES
    if shlex.split(line)[1] not in SERVERS | ELSEWHERE and not any(x in line for x in STAND_INS)
]


def shortened(words: list[str]) -> list[str]:
    """A command with fewer games and less time."""
    most = {"--games": "2", "--time": "0.1", "--sims": "300", "--nodes": "3000"}
    return [most.get(before, word) for before, word in zip(["", *words[:-1]], words, strict=True)]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("line", RUN)
def test_a_command_of_a_page_ends_well(line, tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    words = shortened(shlex.split(line)[1:])
    done = subprocess.run(
        [sys.executable, "-m", "astragal", *words], cwd=tmp_path, input="", capture_output=True, text=True, timeout=300
    )
    assert done.returncode in (0, 1 if words[0] == "play" else 0), done.stderr
    assert "Traceback" not in done.stderr
