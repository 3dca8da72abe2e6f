"""`astragal tune`: the settings with which a player is strongest."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from astragal.algorithms.limits import Limits
from astragal.arena.playing import Playing
from astragal.cli.arena import SprtText, meeting_printer, parse_sprt, print_tally, saying_where, tally_facts
from astragal.cli.options import MOST, Game, Json, print_json, with_records

MOST_CANDIDATES = 10_000


@with_records
def tune(
    game: Game,
    player: Annotated[str, typer.Argument(help="The player, with the settings to compare with.", show_default=False)],
    limits: Limits,
    play: Playing,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", metavar="NAME=VALUES", help="Values to try: width=1..40, c=10..200:log or policy=uniform|order."
        ),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="elimination, or optuna.")] = "elimination",
    candidates: Annotated[
        int, typer.Option("--candidates", min=2, max=MOST_CANDIDATES, help="Settings to try, in each round.")
    ] = 16,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=MOST, help="Eliminations to play; their winners meet in a last one.")
    ] = 1,
    sprt: SprtText = None,
    json: Json = False,
) -> None:
    """Tune a player's settings by games against itself, and compare the best with the original ones.

    Every game is kept in the results file. The same command, run again, continues where it stopped.
    """
    from astragal.arena.api import tune as find_settings

    tuned = find_settings(
        game,
        player,
        param or [],
        method=method,
        candidates=candidates,
        rounds=rounds,
        sprt=parse_sprt(sprt),
        limits=limits,
        play=play if json else replace(saying_where(play), tell=meeting_printer(game)),
    )
    if json:
        print_json({"game": game} | tuned.as_dict() | tally_facts(tuned.tally))
    else:
        print()
        print_tally(tuned.tally)
        print(tuned)
