"""`astragal tree`: draw the tree of a search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.base.errors import SpecError
from astragal.cli.options import (
    MOST,
    Game,
    PlayerText,
    PositionText,
    Seed,
    check_writable,
    keeping_tree,
    position_from,
    with_records,
)
from astragal.drawing import LIMIT
from astragal.drawing.layout import LAYOUTS
from astragal.games import game_spec, load_game
from astragal.players import load_player


@with_records
def tree(
    game: Game,
    player: PlayerText = "star2",
    position: PositionText = None,
    out: Annotated[Path, typer.Option("--out", help="The file to write, an .svg.", dir_okay=False)] = Path("tree.svg"),
    layout: Annotated[
        str, typer.Option("--layout", help="radial: depth is the distance from the root; layered: from top to bottom.")
    ] = "radial",
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            min=1,
            max=MOST,
            help="Most nodes to draw: those with most visits, or, of a depth-first search, with most nodes below them.",
        ),
    ] = LIMIT,
    limits: Limits = NO_LIMITS,
    seed: Seed = 0,
) -> None:
    """Draw the tree that a player searches: colours for players, squares for chance, size by visits, values on hover.

    A search that deepens draws its last finished iteration. Short lines that lead nowhere are pruned branches.
    Without --position, the game's start is searched, with the set-up and the first roll drawn from the seed.
    """
    if out.suffix.lower() != ".svg":
        raise SpecError(f"drawings are SVG: give --out a name that ends in .svg, not '{out.name}'")
    if layout not in LAYOUTS:
        raise SpecError(f"there is no layout '{layout}' (layouts: {', '.join(LAYOUTS)})")
    rules = load_game(game)
    root = position_from(rules, position, seed)
    chosen = load_player(player, rules)
    searcher = keeping_tree(chosen, "draw")
    check_writable(out)
    result = searcher.search(root, seed, limits)

    from astragal.drawing.svg import draw_tree

    assert result.tree is not None  # `keep` asks for it
    picture = draw_tree(result.tree, f"{chosen} on {game_spec(rules)}", layout, limit)
    out.write_text(picture.text, encoding="utf-8")
    print(f"nodes of the tree  {picture.nodes:,}")
    print(f"nodes drawn        {picture.drawn:,}")
    if picture.note:
        print(f"left out           {picture.note}")
    print(f"written to         {out}")
