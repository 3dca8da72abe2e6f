"""Clocks of a game: ``60+1`` gives each player 60 seconds for the whole game, and one more after each of its moves.

The referee shares the time out, the same way for all players: a move gets a part of what is left, and most of the
increment. A player whose clock runs out loses the game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from astragal.base.errors import SpecError

PART = 20  # of what is left, a move gets one such part
OF_INCREMENT = 0.75
MOST_OF_REST = 0.5  # no move gets more of what is left
LEAST_SECONDS = 0.001
MOST_SECONDS = 1e9
FORM = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class TimeControl:
    """Seconds that a clock has at first, and that each move adds."""

    base: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        form = FORM.fullmatch(text.strip())
        found = cls(float(form[1]), float(form[2] or 0.0)) if form else None
        if found is None or not 0.0 < found.base <= MOST_SECONDS or found.increment > MOST_SECONDS:
            raise SpecError(
                f"'{text}' is not a time control; write seconds a game, or 60+1 with seconds that a move adds"
            )
        return found

    def for_move(self, left: float) -> float:
        """Seconds for a move, of what the clock has left."""
        wanted = left / PART + OF_INCREMENT * self.increment
        return max(LEAST_SECONDS, min(wanted, MOST_OF_REST * left))
