"""`astragal tournament`: many players, and how strong each of them is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from astragal.cli.arena import (
    DEFAULT_FILE,
    Clock,
    Cluster,
    File,
    Grace,
    Jobs,
    Strict,
    meeting_printer,
    pessimism_among,
    print_note,
    this_command,
)
from astragal.cli.completion import complete_player
from astragal.cli.options import MOST, Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError, Stopped
from astragal.games import load_game


def tournament(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(
            help="The players; an elimination seeds them in this order.",
            show_default=False,
            autocompletion=complete_player,
        ),
    ],
    format: Annotated[
        str,
        typer.Option("--format", help="round-robin, gauntlet (the first against all others) or elimination."),
    ] = "round-robin",
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST, help="Games of each two players, in whole pairs.")
    ] = 100,
    time: Time = None,
    nodes: Nodes = None,
    sims: Sims = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    db: File = DEFAULT_FILE,
    clock: Clock = "wall",
    grace: Grace = 1.0,
    strict: Strict = False,
    cluster: Cluster = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the ratings to .svg, .png or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    """Let players meet in pairs, and rate them.

    In a game for one, mean scores over the same seeds are compared.

    Every game is kept in the results file. The same command again goes on where it stopped, and one with more players
    or games plays only what is new.
    """
    from astragal.arena.face import tournament as play_tournament
    from astragal.arena.plots import check_plot, plot_ratings

    if plot is not None:
        if load_game(game).players == 1:
            raise SpecError("players of a game for one have mean scores, not ratings to plot")
        check_plot(plot)
    played = play_tournament(
        game,
        players,
        games,
        format,
        **vars(limits_from(time, nodes, None, sims)),
        seed=seed,
        jobs=jobs,
        db=db,
        clock=clock,
        grace=grace,
        strict=strict,
        cluster=cluster,
        progress=True,
        command=this_command(),
        tell=None if json else meeting_printer(game),
    )
    note = pessimism_among(game, played.players)
    if json:
        print_json({"game": game} | played.as_dict() | {"file": str(db), "note": note})
    else:
        print(f"\n{played}")
        print_note(note)
        print(f"all games are in {db} (astragal results --db {db})")
    if plot is not None:
        plot_ratings(played.ratings, plot, f"{game}: {format}, {games} games a meeting")
    if not played.complete:
        raise Stopped("stopped; the same command goes on from here")
