"""What the pages show runs: every block of Python, every command, every session with its output; none is left out.

A block of Python that is a part of a class stands behind ``<!-- a part -->``, one that is in a file behind ``<!-- from
FILE -->``. Commands are the lines of indented and ``bash`` blocks; ``text`` is a session, a command behind ``$`` with
what it prints, or the transcript of an engine; ``lisp`` is a piece of a rule sheet. The default run looks at the words
and options of commands. The slow run starts them, page by page and in the order of a reader, with fewer games and less
time, and sessions as they stand.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main
from markdown_it import MarkdownIt  # which comes with typer

from astragal.cli.app import app
from astragal.cli.old_words import RENAMED
from astragal.gdl.reading.forms import read_forms
from astragal.gdl.reading.reader import read_sheet

ROOT = Path(__file__).parents[1]
OUTSIDE = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")
PAGES = [*(ROOT / name for name in OUTSIDE), *sorted((ROOT / "docs").rglob("*.md"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIBRARIES = r"^(?:import|from) (pyspiel|pettingzoo|gymnasium)"

SERVERS = {"web", "ggp", "engine"}  # which never end; tests of their own start them
LONG = {("lab", name) for name in ("run", "report", "export")} | {("ggp", "match"), ("tune",), ("cache", "build")}
"""Hours and what is made of them, or another program; tests of their own."""
ELSEWHERE = (
    "$address",
    "$PART",
    "part*.db",
    "tcp://",
    "sheet.kif",
    "positions.txt",
    "replay 1 3 2",
    "openspiel",
)  # need what is not here
OTHERS = {"dask", "srun", "sleep", "pytest", "ruff", "mypy", "mkdocs", "pipx", "uvx", "export", "empty/bin/astragal"}
"""Programs of others, which are not started here, and what only a shell understands."""


class Block(NamedTuple):
    """A block of code: its language, nothing where it is indented; the comment before it; and what it says."""

    page: str
    language: str
    mark: str
    text: str


MARKDOWN = MarkdownIt("commonmark").enable("table").disable("inline")  # only blocks are needed


def blocks_of(page: Path) -> Iterator[Block]:
    mark = ""
    for token in MARKDOWN.parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            yield Block(page.relative_to(ROOT).as_posix(), token.info, mark, token.content)
        mark = token.content.strip().removeprefix("<!-- ").removesuffix(" -->") if token.type == "html_block" else ""


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
PROGRAMS = [block for block in BLOCKS if block.language == "python" and not block.mark]


def by_page(blocks: list[Block]) -> list[str]:
    return list(dict.fromkeys(block.page for block in blocks))


def texts_of(blocks: list[Block], page: str) -> list[str]:
    return [block.text for block in blocks if block.page == page]


def test_there_is_no_block_of_another_kind():
    kinds = {"python", "bash", "", "text", "lisp", "mermaid", "yaml", "toml"}
    assert [block for block in BLOCKS if block.language not in kinds] == []
    assert len(PROGRAMS) > 15


def test_what_looks_like_a_command_is_shown_as_one():
    """An indented line after a list belongs to the list's last item, and is no code."""
    for page in PAGES:
        shown, text = "".join(texts_of(BLOCKS, page.relative_to(ROOT).as_posix())), page.read_text(encoding="utf-8")
        indented = re.findall(r"^    ((?:astragal|pip|python|dask) .*)$", text, re.MULTILINE)
        assert [line for line in indented if line not in shown] == [], page


# Python


@pytest.mark.few(3)
@pytest.mark.parametrize("page", by_page(PROGRAMS))
def test_the_programs_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    """One after the other, with the examples beside them; what a comment says is printed is printed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    programs = texts_of(PROGRAMS, page)
    for library in re.findall(LIBRARIES, "".join(programs), re.MULTILINE):
        pytest.importorskip(library)
    if ".frame()" in "".join(programs):
        pytest.importorskip("pandas")
    names: dict[str, object] = {"__name__": "page"}
    for program in programs:
        exec(compile(program, page, "exec"), names)
    printed = capsys.readouterr().out
    for line in re.findall(r"# (State\(.*)", "".join(programs)):
        assert line in printed


def test_what_is_no_program_says_why():
    marked = [block for block in BLOCKS if block.language == "python" and block.mark]
    for block in marked:
        file = block.mark.removeprefix("from ")
        assert block.mark in ("a part", f"from {file}"), block
        if block.mark != "a part":
            source = (ROOT / file).read_text(encoding="utf-8")
            assert block.text in source or textwrap.indent(block.text, "    ") in source, block
    assert len(marked) > 5


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language in ("yaml", "toml")], ids=str)
def test_data_can_be_read(block):
    if block.language == "toml":
        assert tomllib.loads(block.text)
    else:
        found = pytest.importorskip("yaml").safe_load(block.text)
        assert found.get("kind") == "DaskCluster" or {"play", "merge"} == set(found["jobs"])


def test_rules_of_sheets_can_be_read():
    """All of them; and those of the walk through tic-tac-toe are a game."""
    sheets = [block.text for block in BLOCKS if block.language == "lisp"]
    assert all(read_forms(text, "page") for text in sheets)
    walk = sheets[: next(place for place, text in enumerate(sheets) if "(goal " in text) + 1]
    assert sorted(read_sheet("\n".join(walk), "page").roles) == ["o", "x"]


# Commands


class Line(NamedTuple):
    """A command of a page."""

    page: str
    command: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command, comments=True)


def lines_of(block: Block) -> Iterator[Line]:
    """The commands of a block, one by one, without what joins them."""
    for line in block.text.splitlines():
        plain = re.sub(r"(^| )#.*", "", line).rstrip(" &")
        loop = re.fullmatch(r"for (\w+) in (.*); do (.*); done", plain)
        turns = [loop[3].replace(f"${loop[1]}", value) for value in loop[2].split()] if loop else plain.split(" && ")
        for command in turns:
            if command:
                yield Line(block.page, command)


def is_output(block: Block) -> bool:
    """One line that a command before it prints: a place in a file, and what is wrong there."""
    return re.match(r"\S+ line \d+, column \d+: ", block.text) is not None


LINES = [
    line
    for block in BLOCKS
    if block.language == "bash" or (block.language == "" and not is_output(block))
    for line in lines_of(block)
]
OURS = list(dict.fromkeys(line for line in LINES if line.command.startswith("astragal ")))


@pytest.mark.parametrize("line", [line for line in LINES if line not in OURS], ids=str)
def test_a_command_of_others_names_what_is_there(line):
    """A file of the repository, an extra of the package, or a program that is known."""
    program, *rest = line.words
    if program == "python" and not rest[0].startswith("-"):
        assert (ROOT / rest[0]).is_file()
    elif program.rpartition("/")[2] == "pip":
        for extra in re.findall(r"\[(\w+)\]", line.command):
            assert extra in PROJECT["optional-dependencies"]
    else:
        assert program in OTHERS or program == "python" or (ROOT / program).is_file() or program.startswith("address=")


COMMANDS = typer.main.get_command(app)


@pytest.mark.parametrize("line", OURS, ids=str)
def test_a_command_of_ours_has_words_and_options_that_are_there(line):
    words = line.words[1:]
    if words[0].startswith("-"):
        return
    assert words[0] not in RENAMED
    command = COMMANDS
    context = typer.Context(command, info_name="astragal")
    while hasattr(command, "resolve_command"):
        _, command, words = command.resolve_command(context, words)
    command.make_context("astragal", words, parent=context, resilient_parsing="--help" in words)


def is_run(line: Line) -> bool:
    first, second = line.words[1:3] if len(line.words) > 2 else (line.words[1], "")
    return (
        first not in SERVERS
        and not {(first,), (first, second)} & LONG
        and not any(word in line.command for word in ELSEWHERE)
    )


RUN = [line for line in OURS if is_run(line)]


def shortened(words: list[str]) -> list[str]:
    """A command with fewer games and less time, also where it leaves them as they usually are."""
    most = {"--games": 6, "--time": 0.02, "--sims": 300, "--nodes": 3000, "--minutes": 0.05}
    limit = {"match": "--games", "tournament": "--games", "learn": "--minutes"}.get(words[0])
    if limit is not None and limit not in words:
        words = [*words, limit, str(most[limit])]
    given = zip(["", *words[:-1]], words, strict=True)
    return [str(most[before]) if before in most and float(word) > most[before] else word for before, word in given]


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "astragal", *words], cwd=folder, input="", capture_output=True, text=True, timeout=600
    )
    assert done.returncode in (0, 1 if words[0] == "play" else 0), (words, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def beside_sources(folder: Path) -> Path:
    """A folder in which examples and tests are found as a page names them."""
    for name in ("examples", "tests"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("page", list(dict.fromkeys(line.page for line in RUN)))
def test_the_commands_of_a_page_end_well(page, tmp_path):
    """In one folder, so that one finds what another has left."""
    folder = beside_sources(tmp_path)
    for line in RUN:
        if line.page == page:
            run(shortened(line.words[1:]), folder)


# Sessions

ROWS = "docs/results/rows.md"  # which the laboratory's report writes: players and matches of its rows
SESSIONS = [block for block in BLOCKS if block.language == "text" and block.mark != "transcript" and block.page != ROWS]


def test_a_session_begins_with_a_command():
    assert [block for block in SESSIONS if not block.text.startswith("$ astragal ")] == []
    assert SESSIONS


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("block", SESSIONS, ids=lambda block: f"{block.page} {block.text.splitlines()[0]}")
def test_a_session_prints_what_it_shows(block, tmp_path):
    """But for seconds, and whether something was kept from before."""
    command, *shown = block.text.splitlines()
    printed = run(shlex.split(command)[2:], beside_sources(tmp_path)).stdout.splitlines()
    timeless = [untimed(line) for line in printed]
    assert [line for line in shown if untimed(line) not in timeless] == []


def untimed(line: str) -> str:
    return re.sub(r"[\d.]+ s( \(kept from before\))?$", "", line)
