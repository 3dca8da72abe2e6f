"""`astragal probcut`: what ChanceProbCut should believe of a game."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from astragal.cli.options import MOST, Game, Json, Seed, print_json
from astragal.games import game_spec, load_game


def probcut(
    game: Game,
    depth: Annotated[int, typer.Option("--depth", min=2, max=63, help="Units left below the chance nodes.")] = 4,
    positions: Annotated[
        int, typer.Option("--positions", min=10, max=MOST, help="Chance nodes of random games to search.")
    ] = 300,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure how well a search two units less deep predicts the value of a chance node.

    The slope and the standard deviation printed are what the setting probcut of star1, star2, star1ss and star2ss needs
    as probcut_slope and probcut_sigma. For pig and ewn they are known.
    """
    from astragal.search.star.probcut_fit import fitted

    rules = load_game(game)
    found = fitted(rules, depth, positions, seed)
    if json:
        print_json({"game": game_spec(rules), "depth": depth, "seed": seed, **asdict(found)})
        return
    print(f"{game_spec(rules)}: {found.positions} chance nodes, {depth} units below them predicted from {depth - 2}")
    print(f"  correlation  {found.correlation:.3f}")
    print(f"  settings     probcut_slope={found.slope:.2f},probcut_sigma={found.sigma:.3g}")
