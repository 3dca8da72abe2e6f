"""`astragal match`: players against each other, over as many games as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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
    parse_sprt,
    pessimism_among,
    print_note,
    this_command,
)
from astragal.cli.completion import complete_player
from astragal.cli.options import MOST, Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError, Stopped

if TYPE_CHECKING:
    from astragal.arena.contest import Finish


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
    games: Annotated[
        int | None, typer.Option("--games", min=1, max=MOST, help="Games to play, rounded up to whole pairs (100).")
    ] = None,
    sprt: SprtText = None,
    time: Time = None,
    nodes: Nodes = None,
    sims: Sims = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    db: File = DEFAULT_FILE,
    matched: Annotated[
        int | None,
        typer.Option(
            "--node-matched", min=1, max=2, help="This player may use the nodes its opponent would need there."
        ),
    ] = None,
    finish: Annotated[
        str | None,
        typer.Option("--finish", metavar="A;B@ply=14", help="Who finishes games, from a ply or terminal_ratio on."),
    ] = None,
    clock: Clock = "wall",
    grace: Grace = 1.0,
    strict: Strict = False,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play pairs of seat-swapped games that share dice and starting position, and say who is stronger.

    In a game for one, each player plays the same seeds and mean scores are compared.

    Every game is kept in the results file. The same command again goes on where it stopped. Ctrl-C stops after the
    games under way.
    """
    from astragal.arena.face import match as play_match

    result = play_match(
        game,
        players,
        games,
        **vars(limits_from(time, nodes, None, sims)),
        sprt=parse_sprt(sprt),
        seed=seed,
        jobs=jobs,
        db=db,
        node_matched=matched,
        finish=parse_finish(finish),
        clock=clock,
        grace=grace,
        strict=strict,
        cluster=cluster,
        progress=True,
        command=this_command(),
    )
    note = pessimism_among(game, players)
    if json:
        print_json(result.as_dict() | {"note": note})
    else:
        print(result)
        print_note(note)
        print(f"all games are in {db} (astragal results --db {db})")
    if not result.complete:
        raise Stopped("stopped; the same command goes on from here")


def parse_finish(text: str | None) -> Finish | None:
    """``mm:depth=8;mm:depth=8@ply=14``: who finishes for each player, and when."""
    from astragal.arena.contest import Finish

    if text is None:
        return None
    players, _, condition = text.rpartition("@")
    name, _, number = condition.partition("=")
    try:
        when: dict[str, Any] = {"ply": int(number)} if name == "ply" else {"terminal_ratio": float(number)}
    except ValueError:
        when = {}
    if not players or name not in ("ply", "terminal_ratio") or not when:
        raise SpecError(f"--finish takes players and when, such as 'mm:depth=8;mm:depth=8@ply=14', not '{text}'")
    return Finish(tuple(players.split(";")), **when)
