"""Pig with chance listed as the 36 ordered throws of two dice, instead of their eleven distinct outcomes."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.games.pig.rules import Pig, outcome_of
from astragal.rules.decorator import game

THROWS = 36
OUTCOME = np.zeros(THROWS, np.uint8)  # [throw] -> the outcome of Pig that it is
for throw in range(THROWS):
    OUTCOME[throw] = outcome_of(throw // 6 + 1, throw % 6 + 1)


@game
class Pig36(Pig):
    """Pig, two dice: the same game, three times as many outcomes."""

    max_outcomes = THROWS
    settle, told = Pig.deal, Pig.heuristic_dealt  # other names: kernels cannot call a method that is overridden

    def outcomes(self, state, out):
        for i in range(THROWS):
            out[i] = i
        return THROWS

    def probability(self, state, outcome):
        return 1 / THROWS

    def draw(self, state, word):
        return word * THROWS >> 32

    def deal(self, state, outcome):
        self.settle(state, np.int64(OUTCOME[outcome]))

    def heuristic_dealt(self, state, outcome, player):
        return self.told(state, np.int64(OUTCOME[outcome]), player)

    def outcome_name(self, state, outcome):
        return f"{outcome // 6 + 1}-{outcome % 6 + 1}"
