"""How a position came about, for players that must know more than the position."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.game.position import Position


@dataclass(frozen=True)
class History:
    """A position to begin with, and the number of every action and outcome since."""

    start: Position
    steps: tuple[int, ...] = ()
