"""Backgammon: how good a position is, by the race, by men that can be hit, and by points that are held.

A simple evaluation: points to go, less what single men stand to lose (the farther they have come, the more), and a
little for points that two or more men hold in front of the other's rear, more at home. It says who is ahead, hardly by
how much, and nothing of gammons.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.games.backgammon.inputs import INPUTS, MOST_ON, list_inputs
from astragal.games.backgammon.rules import BAR, HOME, MEN, OFF, PLACES

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        by_points: Any
        held: Any
else:
    Rest = object


class BackgammonEvaluation(Rest):
    """The evaluation."""

    ignores_outcomes = True  # it does not look at the dice

    def heuristic(self, state, player):
        lead = self.standing(state, player) - self.standing(state, 1 - player)
        return min(0.99, max(-0.99, lead / 100))

    def heuristic_dealt(self, state, outcome, player):
        return self.heuristic(state, player)

    # For learned evaluations

    def mover(self, state):
        return np.int64(state.turn)

    def own_results(self):
        """Lost or won, once, by a gammon or by a backgammon."""
        return (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0) if self.by_points else ()

    def own_inputs(self):
        return INPUTS, MOST_ON

    def features(self, state, player, out):
        mine, my_points = self.held(state, player, 1), self.held(state, player, 2)
        theirs, their_points = self.held(state, 1 - player, 1), self.held(state, 1 - player, 2)
        return list_inputs(state, player, mine, my_points, theirs, their_points, out)

    def standing(self, state, player):
        """What a player has, in points of the race."""
        mine, theirs = player * PLACES, (1 - player) * PLACES
        rear = BAR  # the rearmost man of the other side, as this player counts: behind it nothing can be hit
        for place in range(OFF):
            if state.men[theirs + place] > 0:
                rear = OFF - place
                break
        total = 0.0
        for place in range(OFF):
            men = np.int64(state.men[mine + place])
            total -= men * (OFF - place)
            if place == BAR:
                total -= 4 * men
            elif men == 1 and place < rear:
                total -= 1 + place * 0.35
            elif men >= 2 and place < rear:
                total += 4 if place >= HOME else 2
        return total + 2.0 * (state.men[mine + OFF] - MEN)
