"""The 21 rolls of two dice, and the opening roll, which says who begins."""

from __future__ import annotations

from itertools import product

import numpy as np

ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)  # [roll] -> both dice
ROLL_OF = np.array(  # [first die * 6 + second die, from 0] -> roll
    [max(pair) * (max(pair) - 1) // 2 + min(pair) - 1 for pair in product(range(1, 7), repeat=2)], np.int64
)
UNEQUAL = np.array([roll for roll, (high, low) in enumerate(ROLLS.tolist()) if high != low], np.int64)
SECOND = 32  # an opening roll after which the second player begins
