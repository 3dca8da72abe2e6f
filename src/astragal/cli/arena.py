"""What commands that play contests share: their options, and how those are read."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.options import MOST_JOBS, MOST_SECONDS, a_number
from astragal.errors import SpecError

if TYPE_CHECKING:
    from astragal.arena.meeting import AnyMeeting

DEFAULT_FILE = Path("results.db")

Jobs = Annotated[int | None, typer.Option("--jobs", min=1, max=MOST_JOBS, help="Games played at a time (one a core).")]
File = Annotated[Path, typer.Option("--db", help="The results file.")]
SprtText = Annotated[
    str | None,
    typer.Option("--sprt", metavar="ELO0:ELO1", help="Stop when a sequential test has decided, such as 0:20."),
]
Clock = Annotated[
    str,
    typer.Option(
        "--clock", metavar="wall|processor", help="What seconds are counted by; the processor's fit a busy machine."
    ),
]
Grace = Annotated[
    float, typer.Option("--grace", min=0.0, max=MOST_SECONDS, callback=a_number, help="Seconds a player may be late.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first fault instead of a forfeit.")]
Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler.")
]


def this_command() -> str:
    """As it was typed, for the record."""
    return shlex.join(["astragal", *sys.argv[1:]])


def parse_sprt(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise SpecError(f"--sprt takes two Elo differences, such as 0:20, not '{text}'") from None
    return low, high


def pessimism_among(game: str, players: Sequence[str]) -> str | None:
    """What to know of players who take turns in their searches where the game lets them choose at once."""
    from astragal.game.position import Position
    from astragal.games import load_game
    from astragal.players import load_player

    rules = load_game(game)
    named = [player for player in players if load_player(player, rules).pessimistic]
    if not named or not Position.start(rules).settled(0).at_once:
        return None
    search = "searches" if len(named) == 1 else "search"
    return (
        f"players choose at once in {game}, and {', '.join(named)} {search} as if the others knew their choice; "
        "simultaneous=decoupled (uct, mcts, dpw) looks for mixed strategies, final=mixed plays them"
    )


def print_note(note: str | None) -> None:
    if note:
        print(f"note: {note}")


def meeting_printer(game: str) -> Callable[[AnyMeeting], None]:
    """What prints a line about each meeting of players of a game."""
    from astragal.arena.tables import meeting_text
    from astragal.games import load_game
    from astragal.players import load_player

    def print_meeting(meeting: AnyMeeting) -> None:
        print(meeting_text(meeting, lambda player: load_player(player).text_for(load_game(game))), flush=True)

    return print_meeting
