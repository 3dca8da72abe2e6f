"""Focus: how a player stands, and which moves are listed first."""

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


class FocusEvaluation:
    """The evaluation, and the static score by which actions are listed and rollouts prefer them."""

    # Evaluation

    def heuristic(self, state, player):
        """By how much a player stands better than the best of the others."""
        best = -1e9
        for other in range(self.players):
            if other != player:
                best = max(best, self.standing(state, other))
        return min(99.0, max(-99.0, self.standing(state, player) - best))

    def standing(self, state, player):
        """Up to 85 for captures and up to 15 for the share of all men that one's own stacks and reserve have.

        With the long rules the share is all; a player who is out has nothing.
        """
        if self.is_out(state, player):
            return 0.0
        men = 0
        for other in range(self.players):
            men += self.men_held(state, other)
        share = self.men_held(state, player) / men
        if not self.by_captures:
            return 100.0 * share
        return 85.0 * (6 - self.captures_needed(state.captured[player], player)) / 6 + 15.0 * share

    def men_held(self, state, player):
        return (np.int64(state.held) >> 8 * player & 255) + state.reserve[player]

    # Order of actions, which is the rollout preference too

    def move_score(self, me, stack, below, k):
        """Of moving the top k men of a stack onto another, counted from the lowest there is."""
        return np.int64(LEAVING[me, stack, k]) + LANDING[me, below, k] - LOWEST_SCORE

    def drop_score(self, me, below):
        """Of putting a man from the reserve on a stack."""
        return 1 + np.int64(LANDING[me, below, 1]) - LOWEST_SCORE
