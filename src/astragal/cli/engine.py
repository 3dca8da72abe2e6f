"""`astragal engine`: players for other programs, line by line."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from astragal import __version__
from astragal.cli.options import GAME_HELP, PlayerText


def engine(
    player: PlayerText = "star2",
    game: Annotated[
        str | None,
        typer.Option("--game", help=f"{GAME_HELP} Or the line `game` names it.", show_default=False),
    ] = None,
) -> None:
    """Answer other programs on standard input and output, line by line, as UCI and GTP engines do.

    Lines: hello, game, player, position, show, legal, go, stop, ready, help, quit. See docs/engine-protocol.md. A
    program that speaks these lines plays everywhere as engine:PROGRAM.
    """
    from astragal.adapters.engine import EngineServer

    EngineServer(player, __version__, lambda line: print(line, flush=True), game).serve(sys.stdin)
    sys.stdout.flush()
    os._exit(0)  # a kernel may not have seen its stop flag yet
