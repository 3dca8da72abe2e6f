"""Arguments and options that several commands share, and how results are printed for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.completion import complete_game, complete_player
from astragal.errors import AstragalError, SpecError
from astragal.search.result import finite

if TYPE_CHECKING:
    from astragal.game.position import Position
    from astragal.players.player import Player
    from astragal.search.limits import Limits

MOST = 10**9  # of games, moves, nodes to write and all else that is counted
MOST_SECONDS = 1e9
MOST_JOBS = 1024  # processes


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
Time = Annotated[float | None, typer.Option("--time", help="Seconds to think.", show_default=False)]
Nodes = Annotated[int | None, typer.Option("--nodes", help="Nodes to visit.", show_default=False)]
Sims = Annotated[int | None, typer.Option("--sims", help="Simulations to run.", show_default=False)]
Depth = Annotated[int | None, typer.Option("--depth", help="Decisions to look ahead.", show_default=False)]
Seed = Annotated[int, typer.Option("--seed", help="What everything left to chance is drawn from.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def limits_from(time: float | None, nodes: int | None, depth: int | None, sims: int | None = None) -> Limits:
    from astragal.search.limits import Limits

    if time is not None and time != time:
        raise SpecError("time must be a number")
    return Limits(time, nodes, depth, sims)


def position_from(game: Any, text: str | None, seed: int) -> Position:
    """The position a text describes; without one, the start, with what comes before the first decision drawn."""
    from astragal.game.position import Position

    return Position.parse(game, text) if text is not None else Position.start(game, seed).settled(seed)


def keeping_tree(player: Player, purpose: str) -> Player:
    """The same player, with its tree in the result; a sentence if it has none to write or to draw."""
    if not hasattr(player, "keep"):
        raise SpecError(f"{player.player_name} has no search tree to {purpose}")
    try:
        return replace(player, keep=True)  # type: ignore[call-arg]
    except ValueError as error:
        raise SpecError(f"{player.player_name}: {error}") from None


def check_writable(path: Path) -> None:
    """Find out before a long search whether its result can be written."""
    try:
        path.open("a").close()
    except OSError as error:
        raise AstragalError(f"cannot write to {path}: {error.strerror}") from None


def print_json(value: Any) -> None:
    print(json.dumps(finite(value), indent=2, ensure_ascii=False, default=str, allow_nan=False))
