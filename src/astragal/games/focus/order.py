"""Focus: the static score of a move, by which actions are listed and which rollouts prefer.

Ten for a man captured, three for one that goes to the reserve, one for each man of the new stack, as many again as an
enemy stack had that is covered, less the men left behind that become an enemy's. The rules add the two parts up while
they find the moves: `FocusRules.scored`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.games.focus.board import FULL, HEIGHT, HIGHEST, OWNED, STACKS

LANDING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of putting k men on it
LEAVING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of taking k men off it
LOWEST_SCORE = -4


def fill(stacks: np.ndarray) -> None:
    """Score what all players can do with these stacks."""
    men = HEIGHT[stacks].astype(np.int64)
    for me in range(4):
        covered = men * (stacks & 3 != me)
        for k in range(1, HIGHEST + 1):
            leave = np.maximum(0, men + k - HIGHEST)  # from the bottom, where own men go to the reserve
            own = OWNED[stacks >> 2 * (men - leave)] >> 8 * me & 255
            LANDING[me, stacks, k] = 10 * leave - 7 * own + men + covered
            LEAVING[me, stacks, k] = k - np.maximum(0, men - k) * (stacks >> 2 * k & 3 != me)


fill(np.array(STACKS))
