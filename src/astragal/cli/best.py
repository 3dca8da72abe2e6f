"""`astragal best`: the strongest player that we know of a game, and the ladder it stands on."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.games import game_spec, load_game
from astragal.players.ladders import BEST, SECONDS, Ladder, best_player, ladder_of
from astragal.terminal import paint

LONGEST = 3600.0


def best(
    game: Game,
    time: Annotated[
        float, typer.Option("--time", min=0.001, max=LONGEST, help="Seconds that the player may think about a move.")
    ] = SECONDS,
    json: Json = False,
) -> None:
    """Name the strongest player that we know of a game, and those it was rated against.

    Every command takes the word `best` for it, with a second for a move.
    """
    rules = load_game(game)
    player, found = best_player(rules, time), ladder_of(rules)
    if json:
        print_json({"game": game_spec(rules), "player": player, "ladder": facts_of(found)})
        return
    print(paint(player, "bold"))
    if found is None:
        print("\nNobody has measured that: it is what plays a game that nothing is known of.")
    else:
        print(f"\n{table(found)}")
    print(f"\nastragal play {game} --player {BEST if time == SECONDS else player}")


def facts_of(ladder: Ladder | None) -> Any:
    if ladder is None:
        return None
    return {"rungs": [vars(rung) for rung in ladder.rungs], "games": ladder.games, "command": ladder.command}


def table(ladder: Ladder) -> str:
    """The rungs, the strongest first, and how they were rated."""
    widest = max(len(rung.player) for rung in ladder.rungs)
    rows = [f"  {rung.elo:+6.0f} ±{rung.error:<4.0f} {rung.player:<{widest}}".rstrip() for rung in ladder.rungs[::-1]]
    told = f"Elo above the lowest, {ladder.games} games of each two: {ladder.command}"
    return "\n".join([*rows, told])
