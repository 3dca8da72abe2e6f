"""`astragal picture`: draw a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from astragal.base.errors import SpecError
from astragal.cli.options import Game, PositionText, Seed, check_writable, position_from
from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.palette import THEMES
from astragal.drawing.pictures.svg import picture_svg
from astragal.games import load_game


def picture(
    game: Game,
    position: PositionText = None,
    out: Annotated[Path, typer.Option("--out", help="The file to write, an .svg.", dir_okay=False)] = Path("board.svg"),
    theme: Annotated[str, typer.Option("--theme", help="Colours: light or dark.")] = "light",
    legal: Annotated[bool, typer.Option("--legal", help="Mark the squares that begin a legal move.")] = False,
    seed: Seed = 0,
) -> None:
    """Draw a position as the web page shows it, in one SVG file.

    Without --position, the game's start is drawn, with the set-up and the first roll drawn from the seed.
    """
    if out.suffix.lower() != ".svg":
        raise SpecError(f"pictures are SVG: give --out a name that ends in .svg, not '{out.name}'")
    if theme not in THEMES:
        raise SpecError(f"there is no theme '{theme}' (themes: {', '.join(THEMES)})")
    shown = picture_of(position_from(load_game(game), position, seed))
    check_writable(out)
    out.write_text(picture_svg(shown, theme, legal), encoding="utf-8")
    print(shown.note)
    print(f"written to {out}")
