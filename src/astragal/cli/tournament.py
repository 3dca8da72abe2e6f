"""`astragal tournament`: many players, and a rating of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from astragal.algorithms.limits import Limits
from astragal.arena.playing import Playing
from astragal.base.errors import SpecError, Stopped
from astragal.cli.arena import (
    meeting_printer,
    pessimism_among,
    print_note,
    print_part,
    print_tally,
    saying_where,
    tally_facts,
)
from astragal.cli.completion import complete_player
from astragal.cli.options import Game, Json, print_json, with_records
from astragal.games import load_game


@with_records
def tournament(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(
            help="The players, in the order of seeds for an elimination.",
            show_default=False,
            autocompletion=complete_player,
        ),
    ],
    limits: Limits,
    play: Playing,
    format: Annotated[
        str,
        typer.Option("--format", help="round-robin, gauntlet (the first against all others) or elimination."),
    ] = "round-robin",
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the ratings to .svg, .png or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    """Let players meet in pairs, and rate them.

    In a game for one, mean scores over the same seeds are compared.

    Every game is stored in the results file. The same command, run again, continues where it stopped. With more players
    or games it plays only the new ones.
    """
    from astragal.arena.api import DEFAULT_GAMES, going_on
    from astragal.arena.api import tournament as play_tournament
    from astragal.arena.plots import check_plot, plot_ratings

    if plot is not None:
        if load_game(game).players == 1:
            raise SpecError("players of a game for one have mean scores, not ratings to plot")
        check_plot(plot)
    if play.shard is not None:
        play_part(game, players, format, limits, play, json)
        return
    told = play if json else replace(saying_where(play), tell=meeting_printer(game))
    played = play_tournament(game, players, format=format, limits=limits, play=told)
    note = pessimism_among(game, played.players)
    if json:
        print_json({"game": game} | played.as_dict() | tally_facts(played.tally) | {"note": note})
    else:
        print(f"\n{played}")
        print_note(note)
        print_tally(played.tally)
    if plot is not None:
        plot_ratings(played.ratings, plot, f"{game}: {format}, {play.games or DEFAULT_GAMES} games a meeting")
    if not played.complete:
        raise going_on(Stopped("stopped; the same command goes on from here"), play)


def play_part(game: str, players: list[str], format: str, limits: Limits, play: Playing, json: bool) -> None:
    """Play one part of the games of every meeting, which does not compare the players yet."""
    from astragal.arena.api import going_on
    from astragal.arena.api import tournament as play_tournament

    played = play_tournament(game, players, format=format, limits=limits, play=play if json else saying_where(play))
    if json:
        print_json({"game": game, "shard": play.shard} | tally_facts(played.tally))
    else:
        print_tally(played.tally)
        print_part(play)
    if not played.complete:
        raise going_on(Stopped("stopped; the same command goes on from here"), play)
