"""`astragal tournament`: many players, and how strong each of them is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.arena import (
    DEFAULT_FILE,
    Cluster,
    File,
    Grace,
    Jobs,
    Playing,
    Strict,
    meetings_in,
    pessimism_among,
    print_crosstable,
    print_note,
)
from astragal.cli.options import Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError
from astragal.games import load_game

if TYPE_CHECKING:
    from astragal.arena.tournament import Tournament


def tournament(
    game: Game,
    players: Annotated[
        list[str], typer.Argument(help="The players; an elimination seeds them in this order.", show_default=False)
    ],
    format: Annotated[
        str,
        typer.Option("--format", help="round-robin, gauntlet (the first against all others) or elimination."),
    ] = "round-robin",
    games: Annotated[int, typer.Option("--games", min=1, help="Games of each two players, in whole pairs.")] = 100,
    time: Time = None,
    nodes: Nodes = None,
    sims: Sims = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    db: File = DEFAULT_FILE,
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
    from astragal.arena.plots import check_plot, plot_ratings
    from astragal.arena.tournament import check_format, entrants, play_tournament

    check_format(format)
    named = entrants(game, players)
    if plot is not None:
        if load_game(game).players == 1:
            raise SpecError("players of a game for one have mean scores, not ratings to plot")
        check_plot(plot)
    limits = limits_from(time, nodes, None, sims)
    playing = Playing(db, jobs, cluster, strict, grace)
    with meetings_in(playing, game, limits, seed, games, None, quiet=json) as meetings:
        meetings.prepare(named)
        played = play_tournament(format, named, meetings.meet)
    note = pessimism_among(game, named)
    if json:
        print_json({"game": game} | played.as_dict() | {"file": str(db), "note": note})
    else:
        print_tournament(played)
        print_note(note)
        print(f"all games are in {db} (astragal results --db {db})")
    if plot is not None:
        plot_ratings(played.ratings, plot, f"{game}: {format}, {games} games a meeting")


def print_tournament(played: Tournament) -> None:
    if played.is_solo:
        print_mean_scores(played)
    else:
        print_ratings(played)
    print("\ndifferences (p values, and corrected by Holm for their number)")
    for meeting, corrected in zip(played.meetings, played.p_values, strict=True):
        print(f"  {' - '.join(meeting.players)}: p = {meeting.p_value:.2g}, corrected {corrected:.2g}")
    if played.champion is not None:
        print(f"\nwinner: {played.champion}")


def print_mean_scores(played: Tournament) -> None:
    from astragal.arena.means import estimate_text
    from astragal.game.ending import score_text

    print("\nmean scores (with 95% interval, over the same seeds)")
    widest = max(map(len, played.players))
    for player, mean in played.mean_scores.items():
        extremes = f"worst {score_text(mean.worst)}  best {score_text(mean.best)}"
        print(f"  {player:<{widest}}  {estimate_text(mean)}  spread {score_text(mean.spread)}  {extremes}")


def print_ratings(played: Tournament) -> None:
    from astragal.arena.meeting import Meeting

    points: dict[tuple[str, str], list[float]] = {}
    for meeting in played.meetings:
        assert isinstance(meeting, Meeting)
        first, second = meeting.players
        points[first, second] = [score for pair in meeting.scores for score in pair]
        points[second, first] = [1.0 - score for score in points[first, second]]
    print("\npoints against each other")
    print_crosstable(points, played.players)
    print("\nratings (Bradley-Terry, mean 0, with 95% interval)")
    widest = max(map(len, played.players))
    for rating in sorted(played.ratings.players, key=lambda rating: -rating.elo):
        interval = f"[{rating.low:+.0f}, {rating.high:+.0f}]"
        print(f"  {rating.player:<{widest}}  {rating.elo:+5.0f} {interval:<14} {rating.points:g}/{rating.games:g}")
