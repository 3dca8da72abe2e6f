"""`astragal tune`: the settings with which a player plays best."""

from __future__ import annotations

from typing import Annotated

import typer

from astragal.cli.arena import (
    DEFAULT_FILE,
    Clock,
    Cluster,
    File,
    Grace,
    Jobs,
    SprtText,
    Strict,
    meeting_printer,
    parse_sprt,
    this_command,
)
from astragal.cli.options import MOST, Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError

MOST_CANDIDATES = 10_000


def tune(
    game: Game,
    player: Annotated[
        str, typer.Argument(help="The player, with the settings to be compared with.", show_default=False)
    ],
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", metavar="NAME=VALUES", help="What to try: width=1..40, c=10..200:log or policy=uniform|order."
        ),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="elimination, or optuna.")] = "elimination",
    candidates: Annotated[
        int, typer.Option("--candidates", min=2, max=MOST_CANDIDATES, help="Settings to try, in each round.")
    ] = 16,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=MOST, help="Eliminations to play; their winners meet in a last one.")
    ] = 1,
    grid: Annotated[bool, typer.Option("--grid", help="Lay candidates out on a grid instead of drawing them.")] = False,
    games: Annotated[
        int, typer.Option("--games", min=1, max=MOST, help="Games of two settings, in whole pairs.")
    ] = 1000,
    sprt: SprtText = None,
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
    json: Json = False,
) -> None:
    """Tune a player's settings by games against itself, and compare the best with those it had.

    Every game is kept in the results file. The same command again goes on where it stopped.
    """
    from astragal.arena.face import tune as find_settings

    if method == "optuna" and (rounds > 1 or grid):
        raise SpecError("--rounds and --grid are for elimination")
    tuned = find_settings(
        game,
        player,
        param or [],
        games,
        method,
        candidates=candidates,
        rounds=rounds,
        grid=grid,
        sprt=parse_sprt(sprt),
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
    if json:
        print_json({"game": game} | tuned.as_dict() | {"file": str(db)})
    else:
        print(f"\n{tuned}")
