"""Focus: the static score of a move, by which actions are listed and which rollouts prefer.

Ten for a man captured, three for one that goes to the reserve, one for each man of the new stack, as many again as an
enemy stack had that is covered, less the men left behind that become an enemy's. The rules add the two parts up while
they find the moves: `FocusRules.scored`.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.games.focus.board import FULL, HIGHEST, STACKS, men_of

LANDING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of putting k men on it
LEAVING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of taking k men off it
LOWEST_SCORE = -4
for stack in STACKS:
    men = men_of(stack)
    for me in range(4):
        for k in range(1, HIGHEST + 1):
            leaving = men[: max(0, len(men) + k - HIGHEST)]
            score = 10 * len(leaving) - 7 * leaving.count(me) + len(men)
            LANDING[me, stack, k] = score + (len(men) if men and men[-1] != me else 0)
            rest = men[: max(0, len(men) - k)]
            LEAVING[me, stack, k] = k - (len(rest) if rest and rest[-1] != me else 0)
