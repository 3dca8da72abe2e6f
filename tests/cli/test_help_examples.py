"""The example line in the help of every command: it parses, and it runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from astragal.cli.app import app
from support.helpers import TESTS
from test_pages_run import LONG, SERVERS, run, shortened

ROOT = TESTS.parent
LINE = "Example: astragal "
ELSEWHERE = ("lab job", "lab replay", "lab report", "lab export", "cache clear", "ggp play", "ggp match")
"""They need a long run or another program, or would empty the cache."""
BEFORE = (  # what a user has when a command is useful
    "match ewn star2 uct --games 6 --nodes 300",
    "results replay 1 1 2 --save game.json",
    "match ewn star2 uct --games 2 --nodes 300 --seed 7 --shard 1/1 --db part1.db",
    "match kalah uct:sims=20 mm:depth=2 --games 2",
    "match kalah uct:sims=40 mm:depth=2 --games 2",
    "tune ewn star2ss --param width=1..4 --nodes 100 --games 2 --candidates 2",
)


def examples(command: Any) -> Iterator[str]:
    """The examples of a command and of all commands in it."""
    context = typer.Context(command, info_name="astragal")
    if (command.epilog or "").startswith(LINE):
        yield command.epilog.removeprefix(LINE)
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            yield from examples(command.resolve_command(context, [name])[1])


COMMANDS = typer.main.get_command(app)
EXAMPLES = list(dict.fromkeys(examples(COMMANDS)))


def test_there_are_examples():
    assert len(EXAMPLES) > 30


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_words_and_options_that_are_there(example):
    command, words = COMMANDS, shlex.split(example)
    context = typer.Context(command, info_name="astragal")
    while hasattr(command, "resolve_command"):
        _, command, words = command.resolve_command(context, words)
    command.make_context("astragal", words, parent=context)


def is_run(example: str) -> bool:
    first, second = example.split()[:2] if " " in example else (example, "")
    return first not in SERVERS and not {(first,), (first, second)} & LONG and not example.startswith(ELSEWHERE)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_examples_run(tmp_path):
    """One after the other in a folder with a results file, a game and a part of a contest."""
    for name in ("examples", "tests", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    for line in (*BEFORE, *filter(is_run, EXAMPLES)):
        run(shortened(words_of(line, tmp_path)), tmp_path)


def words_of(line: str, folder: Path) -> list[str]:
    """Its words, with names of files in the place of a star."""
    words = (
        sorted(map(str, folder.glob(word))) if "*" in word and word.endswith(".db") else [word]
        for word in shlex.split(line)
    )
    return [word for found in words for word in found]
