"""`astragal perft`: count move sequences, the classical proof that the rules are right."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from astragal.cli.options import Game, Json, PositionText, print_json
from astragal.errors import SpecError
from astragal.game.position import Position
from astragal.games import game_spec, load_game

MOST_PLIES = 1000


def perft(
    game: Game,
    depth: Annotated[
        int, typer.Option("--depth", help="Plies to count; a decision and a chance outcome are one each.")
    ] = 4,
    position: PositionText = None,
    json: Json = False,
) -> None:
    """Count the sequences of exactly N plies from the start or a position.

    A decision and a chance outcome each count as one ply, outcomes as the game lists them; a finished game has no
    continuation.
    """
    if depth < 1:
        raise SpecError(f"depth must be at least 1, not {depth}")
    if depth > MOST_PLIES:
        raise SpecError(f"depth must be at most {MOST_PLIES}, not {depth}")
    from astragal.game.perft import count_sequences

    rules = load_game(game)
    root = Position.parse(rules, position) if position is not None else Position.start(rules)
    counts = []
    count_sequences(root, 1)  # compiles: no row is to pay for that
    for plies in range(1, depth + 1):
        started = time.perf_counter()
        counts.append(count_sequences(root, plies))
        seconds = time.perf_counter() - started
        if not json:
            print(f"perft {plies:>2}  {counts[-1]:>20,}  {seconds:8.3f} s", flush=True)
    if json:
        print_json(
            {"game": game_spec(rules), "position": root.text, "depth": depth, "count": counts[-1], "counts": counts}
        )
