"""`astragal tune`: the settings with which a player plays best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.arena import DEFAULT_FILE, Cluster, File, Grace, Jobs, Playing, SprtText, Strict, meetings_in
from astragal.cli.options import Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError

if TYPE_CHECKING:
    from astragal.arena.tuning import Tuned


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
    candidates: Annotated[int, typer.Option("--candidates", min=2, help="Settings to try, in each round.")] = 16,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Eliminations to play; their winners meet in a last one.")
    ] = 1,
    grid: Annotated[bool, typer.Option("--grid", help="Lay candidates out on a grid instead of drawing them.")] = False,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of two settings, in whole pairs.")] = 1000,
    sprt: SprtText = None,
    time: Time = None,
    nodes: Nodes = None,
    sims: Sims = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    db: File = DEFAULT_FILE,
    grace: Grace = 1.0,
    strict: Strict = False,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Tune a player's settings by games against itself, and compare the best with those it had.

    Every game is kept in the results file. The same command again goes on where it stopped.
    """
    from astragal.arena.space import parse_space
    from astragal.arena.tuning import Tuner, check_method
    from astragal.arena.tuning import tune as find_settings
    from astragal.games import load_game
    from astragal.players import load_player

    if method == "optuna" and (rounds > 1 or grid):
        raise SpecError("--rounds and --grid are for elimination")
    check_method(method)
    rules = load_game(game)
    default = load_player(player, rules)
    space = parse_space(type(default), param or [])
    tuner = Tuner(default, rules, space, candidates, rounds, grid, seed)
    if method == "elimination":
        tuner.entrants(0)  # a sentence where they do not fit
    limits = limits_from(time, nodes, None, sims)
    playing = Playing(db, jobs, cluster, strict, grace)
    with meetings_in(playing, game, limits, seed, games, sprt, quiet=json) as meetings:
        meetings.prepare([str(default)])
        tuned = find_settings(method, tuner, meetings.meet)
    if json:
        print_json({"game": game} | tuned.as_dict() | {"file": str(db)})
    else:
        print_tuned(tuned)


def print_tuned(tuned: Tuned) -> None:
    from astragal.arena.means import MeanEstimate, estimate_text
    from astragal.arena.statistics import elo_interval

    if len(tuned.winners) > 1:
        print(f"\nbest: {', '.join(tuned.winners)}")
    if tuned.confirmation is None:
        print("\nthe settings that were compared with are the best")
    else:
        found = tuned.confirmation.estimate
        print(f"\nthe best against {tuned.default}, with fresh dice: ", end="")
        if isinstance(found, MeanEstimate):
            print(f"{estimate_text(found, signed=True)} in score", end="")
        else:
            elo = elo_interval(found)
            print(f"Elo {elo.elo:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]", end="")
        print(f", p = {tuned.confirmation.p_value:.2g}")
    print(f"tuned: {tuned.choice}")
