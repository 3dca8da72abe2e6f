"""`astragal match`: players against each other, for a number of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.algorithms.limits import Limits
from astragal.arena.playing import Playing
from astragal.base.errors import SpecError, Stopped
from astragal.cli.arena import SprtText, parse_sprt, pessimism_among, print_note, print_part, print_tally, saying_where
from astragal.cli.completion import complete_player
from astragal.cli.options import Game, Json, print_json, with_records

if TYPE_CHECKING:
    from astragal.arena.contest import Finish


@with_records
def match(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(
            help="Two players, or one for each seat; any number in a game for one.",
            show_default=False,
            autocompletion=complete_player,
        ),
    ],
    limits: Limits,
    play: Playing,
    sprt: SprtText = None,
    matched: Annotated[
        int | None,
        typer.Option("--node-matched", min=1, max=2, help="Give this player as many nodes as its opponent would need."),
    ] = None,
    finish: Annotated[
        str | None,
        typer.Option(
            "--finish", metavar="A;B@ply=14", help="Players that finish the games, from a ply or terminal_ratio on."
        ),
    ] = None,
    expanded: Annotated[
        str, typer.Option("--expanded", help="Which nodes --node-matched counts: all, or interior ones.")
    ] = "all",
    json: Json = False,
) -> None:
    """Play pairs of seat-swapped games that share dice and starting position, and report who is stronger.

    In a game for one, each player plays the same seeds, and mean scores are compared.

    Every game is stored in the results file (--db none: nowhere). The same command, run again, continues where it
    stopped. Ctrl-C stops after the games in progress.
    """
    from astragal.arena.api import going_on
    from astragal.arena.api import match as play_match

    result = play_match(
        game,
        players,
        sprt=parse_sprt(sprt),
        node_matched=matched,
        finish=parse_finish(finish),
        expanded=expanded,
        limits=limits,
        play=play if json else saying_where(play),
    )
    note = pessimism_among(game, players)
    if json:
        print_json(result.as_dict() | {"note": note})
    else:
        print(result)
        print_note(note)
        print_tally(result.tally)
        print_part(play)
    if not result.complete:
        raise going_on(Stopped("stopped; the same command goes on from here"), play)


def parse_finish(text: str | None) -> Finish | None:
    """``mm:depth=8;mm:depth=8@ply=14``: who finishes for each player, and when.

    ``@terminal_ratio=0.003,judge=2`` is the ratio of the second player's searches."""
    from astragal.arena.contest import Finish

    if text is None:
        return None
    players, _, conditions = text.rpartition("@")
    condition, _, judge = conditions.partition(",judge=")
    name, _, number = condition.partition("=")
    try:
        when: dict[str, Any] = {"ply": int(number)} if name == "ply" else {"terminal_ratio": float(number)}
        when |= {"judge": int(judge) - 1} if judge else {}
    except ValueError:
        when = {}
    if not players or name not in ("ply", "terminal_ratio") or not when:
        raise SpecError(f"--finish takes players and when, such as 'mm:depth=8;mm:depth=8@ply=14', not '{text}'")
    return Finish(tuple(players.split(";")), **when)
