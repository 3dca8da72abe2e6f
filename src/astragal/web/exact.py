"""Exact values beside estimates, where a game was solved before (`astragal solve`). Nothing is solved for a request."""

from __future__ import annotations

import shlex
from typing import Any

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.solve.solution import kept_values
from astragal.web.views import seat


def exact_view(position: Position) -> dict[str, Any]:
    """The value for the player to move, player 1 at chance; and that of every action, the best first.

    Of most positions it is not known, which is no error; then it is said why.
    """
    known = kept_values(position)
    if known is None:
        spec = shlex.quote(game_spec(position.game))
        return unknown(position, f"the value of this position is not known; astragal solve {spec} may find it")
    try:
        values = known.action_values(position)
        value = known.value(position) * (-1.0 if position.turn == 1 else 1.0)
    except AstragalError as error:
        return unknown(position, str(error))
    rows = [
        {"number": number, "name": position.action_name(number), "value": worth} for number, worth in values.items()
    ]
    rows.sort(key=lambda row: -float(row["value"]))  # type: ignore[arg-type]
    return {"value": value, "player": seat(position.turn), "actions": rows, "why": None}


def unknown(position: Position, why: str) -> dict[str, Any]:
    return {"value": None, "player": seat(position.turn), "actions": [], "why": why}
