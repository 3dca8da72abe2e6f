"""`astragal search --positions`: search every position of a file, and write a line of JSON for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import typer

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult, finite
from astragal.arena.many import ProgressBar, Searches, Task, refuse_ended
from astragal.base.errors import AstragalError, SpecError
from astragal.base.terminal import overwrite
from astragal.cli.options import SearchFiles
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position


def search_file(game: str, player: str, many: SearchFiles, seed: int, limits: Limits) -> None:
    """Search every position of a file that was not searched by an earlier run."""
    file, out = Path(many.positions or ""), None if many.out is None else Path(many.out)
    rules = load_game(game)
    chosen = load_player(player, rules)
    tasks = read_positions(rules, file)
    wanted = {"limits": limits_of(limits)}
    searches = Searches(chosen, seed, limits, many.jobs, ProgressBar(), JsonLine(wanted["limits"]))
    with output(out) as (stream, kept):
        refuse_other_lines(out, kept, tasks, {"player": chosen.text_for(rules), "seed": seed} | wanted)

        def keep(line: str) -> None:
            stream.write(line.encode())
            stream.flush()

        try:
            finished = searches.run(tasks[len(kept) :], keep, before=len(kept))
        finally:
            overwrite("")
    if out is not None:
        again = f", {len(kept):,} of them by earlier runs" if kept else ""
        print(f"{len(tasks):,} positions searched{again}: {out}" if finished else f"the same command resumes {out}")
    if not finished:
        raise typer.Exit(130)


def read_positions(rules: Any, file: Path) -> list[Task]:
    """The positions of a file, one a line; a sentence with the number of the first line that holds none."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise AstragalError(f"{file} is not a text file") from None
    except OSError as error:
        raise AstragalError(f"cannot read {file}: {error.strerror}") from None
    tasks: list[Task] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            task = Task(len(tasks), f"{file}, line {number}", Position.parse(rules, line.strip()))
        except AstragalError as error:
            raise AstragalError(f"{file}, line {number}: {error}") from None
        refuse_ended(task)
        tasks.append(task)
    if not tasks:
        raise AstragalError(f"{file} has no positions; write one a line, in the game's notation")
    return tasks


def limits_of(limits: Limits) -> dict[str, Any]:
    return {name: value for name, value in asdict(limits).items() if value is not None}


class JsonLine:
    """The line of a result: what `astragal search --json` prints, with its number in the file and the limits."""

    def __init__(self, limits: dict[str, Any]) -> None:
        self.limits = limits

    def __call__(self, task: Task, result: SearchResult) -> str:
        facts = {"number": task.number + 1, "limits": self.limits} | result.as_dict()
        return json.dumps(finite(facts), default=str, allow_nan=False) + "\n"


@contextmanager
def output(out: Path | None) -> Iterator[tuple[IO[bytes], list[str]]]:
    """Where lines go, and the lines that are there; the last one is cut off where a killed run left it unfinished."""
    if out is None:
        sys.stdout.flush()
        yield sys.stdout.buffer, []
        return
    try:
        with out.open("a+b") as stream:
            stream.seek(0)
            whole, newline, _ = stream.read().rpartition(b"\n")
            stream.truncate(len(whole) + len(newline))
            yield stream, whole.decode("utf-8", "replace").split("\n") if newline else []
    except OSError as error:
        raise AstragalError(f"cannot write to {out}: {error.strerror}") from None


def refuse_other_lines(out: Path | None, lines: list[str], tasks: list[Task], wanted: dict[str, Any]) -> None:
    """Raise a sentence where the lines of an output file are not those of the first positions, searched like this."""
    for number, line in enumerate(lines):
        where = f"{out}, line {number + 1}"
        try:
            facts = json.loads(line)
            there = {name: facts[name] for name in (*wanted, "position")}
        except (ValueError, KeyError, TypeError):
            raise SpecError(f"{where} was not written by astragal search --positions; choose another --out") from None
        here = wanted | {"position": tasks[number].position.known().text if number < len(tasks) else None}
        for name in here:
            if there[name] != here[name]:
                raise SpecError(
                    f"{where} has {name} {in_words(there[name])}, not {in_words(here[name])}: it is of another search; "
                    "choose another --out"
                )


def in_words(value: Any) -> str:
    """A value of a line in a sentence."""
    if isinstance(value, dict):
        return " ".join(f"{name}={each:g}" for name, each in value.items()) or "none"
    return "none" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
