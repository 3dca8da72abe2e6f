"""What searches need of the range of utilities that a game declares."""

from __future__ import annotations

import math

from astragal.errors import AstragalError
from astragal.game.protocol import Game
from astragal.games import game_spec


def refuse_open_range(game: Game, player: str) -> None:
    """Say in a sentence that a range without an end gives no bounds and no scale."""
    low, high = game.utility_range
    if not (math.isfinite(low) and math.isfinite(high)):
        raise AstragalError(
            f"{player} needs a utility_range with two ends, and {game_spec(game)} declares {low:g} to {high:g}; "
            "name bounds that are never reached"
        )
