"""What games share in which one of several players wins, or which are drawn after a number of plies.

Such a game's state has a ``turn`` and a ``result``, and its utilities go from -100 to 100.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.rules.decorator import TERMINAL

ON, DRAWN = 0, 255  # results of a game; any other number is the winner, from 1


class OneWinner:
    """Base of a game: the player to move, the utilities at the end, and both in words."""

    def turn(self, state):
        return TERMINAL if state.result != ON else np.int64(state.turn)

    def utility(self, state, player):
        if state.result == DRAWN:
            return 0.0
        return 100.0 if state.result == player + 1 else -100.0

    def standing_in_words(self, state):
        if state.result == DRAWN:
            return "drawn"
        return f"player {state.turn + 1} to move" if state.result == ON else f"player {state.result} has won"
