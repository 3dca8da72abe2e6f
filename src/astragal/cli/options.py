"""Arguments and options that several commands share, and how results are printed for programs."""

from __future__ import annotations

import inspect
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.algorithms.result import finite
from astragal.arena.playing import MOST_JOBS, Playing
from astragal.base.errors import AstragalError, SpecError
from astragal.base.parameters import field_kind, parameter
from astragal.base.terminal import knows_unicode
from astragal.cli.completion import complete_game, complete_player

if TYPE_CHECKING:
    from astragal.players.player import Player
    from astragal.rules.position import Position

MOST = 10**9  # of games, moves, nodes to write and all else that is counted
MOST_SECONDS = 1e9
DEFAULT_FILE = Path("results.db")
OWN_DEFAULTS = {"jobs": None, "db": str(DEFAULT_FILE)}  # on the command line, where Python has others
METAVARS = {
    "positions": "FILE",
    "out": "FILE",
    "html": "FILE",
    "shard": "N/COUNT",
    "control": "SECONDS+SECONDS",
    "cluster": "ADDRESS",
    "db": "FILE|none",
}


def a_number(value: float | None) -> float | None:
    """For options that say how long: their range alone lets "nan" through."""
    if value is not None and value != value:
        raise typer.BadParameter("must be a number")
    return value


GAME_HELP = "A game: name, name:key=value,..., or path/to/file.py:Class (see astragal games)."
Game = Annotated[str, typer.Argument(help=GAME_HELP, show_default=False, autocompletion=complete_game)]
PlayerText = Annotated[
    str,
    typer.Option(
        "--player", help="A player: name or name:key=value,... (see astragal players).", autocompletion=complete_player
    ),
]
PositionText = Annotated[
    str | None,
    typer.Option("--position", help="A position in the game's notation, instead of the start.", show_default=False),
]
Seed = Annotated[int, typer.Option("--seed", help="The seed of everything random.")]
File = Annotated[Path, typer.Option("--db", help="The results file.")]


@dataclass(frozen=True)
class SearchFiles:
    """Files that a search reads or writes."""

    positions: str | None = parameter(
        None, "Search every position of a file, one per line, and write a line of JSON for each."
    )
    out: str | None = parameter(
        None, "With --positions: the file to write, instead of standard output; the same command resumes it."
    )
    jobs: int | None = parameter(
        None, "With --positions: positions searched at the same time (one per core).", low=1, high=MOST_JOBS
    )
    html: str | None = parameter(None, "Write the steps of a small search as one HTML file.")


def name_own_game(spec: str | None) -> str | None:
    """Note that the user has named a game, so that data may name its Python file, too."""
    if spec is not None:
        from astragal.games import name_game

        name_game(spec)
    return spec


OneGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="Only contests of this game. A Python file is run only if it is named here.",
        show_default=False,
        callback=name_own_game,
    ),
]
OwnGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="The game's Python file, if it has one: it is run only if it is named here.",
        show_default=False,
        callback=name_own_game,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def with_records(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes records of parameters an option for each of their fields, or for the named ones:
    ``play: Annotated[Playing, "seed", "jobs"]``."""
    signature = inspect.signature(command, eval_str=True)
    given = signature.parameters.values()
    records = {each.name: kind for each in given if (kind := record_in(each.annotation))}
    options = {each.name: options_of(each.annotation) if each.name in records else [each] for each in given}

    @wraps(command)
    def call(**values: Any) -> None:
        for name, record in records.items():
            values[name] = record_from(record, {each.name: values.pop(each.name) for each in options[name]})
        command(**values)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [each.replace(kind=keyword) for each in chain.from_iterable(options.values())]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def record_in(annotation: Any) -> type[Any] | None:
    """The record that an argument is annotated with, if it is one."""
    kind = getattr(annotation, "__origin__", annotation)
    return kind if isinstance(kind, type) and is_dataclass(kind) else None


def options_of(annotation: Any) -> list[inspect.Parameter]:
    wanted = getattr(annotation, "__metadata__", None)
    options = [option_of(field) for field in fields(record_in(annotation) or annotation) if "help" in field.metadata]
    return [option for option in options if wanted is None or option.name in wanted]


def option_of(field: Field[Any]) -> inspect.Parameter:
    """The option that a field of a record becomes."""
    about, kind, default = field.metadata, field_kind(field), OWN_DEFAULTS.get(field.name, field.default)
    option = typer.Option(
        f"--{field.name.replace('_', '-')}",
        help=about["help"],
        min=about["low"],
        max=about["high"],
        metavar="|".join(about["choices"]) if about["choices"] else METAVARS.get(field.name),
        callback=a_number if about["high"] is not None and kind is float else None,
        show_default=default is not None,
    )
    allowed: Any = kind | None if "None" in str(field.type) else kind
    annotation = Annotated[allowed, option]
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def record_from(record: type[Any], values: dict[str, Any]) -> Any:
    if record is not Playing:
        return record(**values)
    db = values.pop("db", "none")
    kept = None if db.lower() == "none" else Path(db)
    return Playing(**values, db=kept, progress=True, command=this_command())


def this_command() -> str:
    """As it was typed, for the record."""
    return shlex.join(["astragal", *sys.argv[1:]])


def position_from(game: Any, text: str | None, seed: int) -> Position:
    """The position a text describes; without one, the start, with what comes before the first decision drawn."""
    from astragal.rules.position import Position

    return Position.parse(game, text) if text is not None else Position.start(game, seed).settled(seed)


def keeping_tree(player: Player, purpose: str) -> Player:
    """The same player, with its tree in the result; an error if it has none to write or to draw."""
    if not hasattr(player, "keep"):
        raise SpecError(f"{player.player_name} has no search tree to {purpose}")
    try:
        return replace(player, keep=True)  # type: ignore[call-arg]
    except ValueError as error:
        raise SpecError(f"{player.player_name}: {error}") from None


def check_writable(path: Path) -> None:
    """Raise before a long search if its result cannot be written."""
    try:
        path.open("a").close()
    except OSError as error:
        raise AstragalError(f"cannot write to {path}: {error.strerror}") from None


def print_json(value: Any) -> None:
    escaped = not knows_unicode(sys.stdout)
    print(json.dumps(finite(value), indent=2, ensure_ascii=escaped, default=str, allow_nan=False))
