"""Games of stages, at which two players choose at once, for solving: Goofspiel, Oshi-Zumo, and one that may go on.

All of them say who has chosen as `AtOnce` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.base.parameters import Constant
from astragal.rules.decorator import CHANCE, TERMINAL, game
from support.simultaneous_games import AtOnce


@game
@dataclass(frozen=True)
class Goofspiel(AtOnce):
    """Hands of some cards each, for prizes that chance turns up; the utility is the difference of prizes taken."""

    cards: Constant[int] = 3

    state = np.dtype(
        [("lead", "i1"), ("hand", "u1", 2), ("left", "u1"), ("prize", "u1"), ("choice", "u1", 2), ("first", "u1")]
    )
    players = 2
    utility_range = (-36.0, 36.0)

    @property
    def max_actions(self):
        return self.cards

    @property
    def max_outcomes(self):
        return self.cards

    def start(self, state, dice):
        state.hand[0] = state.hand[1] = state.left = (1 << self.cards) - 1

    def turn(self, state):
        if state.prize != 0:
            return self.chooser(state)
        return CHANCE if state.left != 0 else TERMINAL

    def listed(self, cards, out):
        count = 0
        for card in range(self.cards):
            if cards >> card & 1:
                out[count] = card
                count += 1
        return count

    def actions(self, state, out):
        return self.listed(state.hand[self.chooser(state)], out)

    def end_round(self, state):
        if state.choice[0] != state.choice[1]:
            state.lead += state.prize if state.choice[0] > state.choice[1] else -np.int64(state.prize)
        for player in range(2):
            state.hand[player] -= 1 << (state.choice[player] - 1)
        state.prize = 0

    def outcomes(self, state, out):
        return self.listed(state.left, out)

    def probability(self, state, outcome):
        count = 0
        for card in range(self.cards):
            count += state.left >> card & 1
        return 1.0 / count

    def deal(self, state, outcome):
        state.left -= 1 << outcome
        state.prize = outcome + 1

    def utility(self, state, player):
        return np.float64(state.lead) if player == 0 else -np.float64(state.lead)


@game
@dataclass(frozen=True)
class OshiZumo(AtOnce):
    """Both bid coins, one at least, which are gone; the higher bid pushes the wrestler a step towards the edge."""

    coins: int = 4
    size: int = 1

    state = np.dtype([("place", "i1"), ("coins", "u1", 2), ("choice", "u1", 2), ("first", "u1")])
    players = 2
    max_actions = 16

    def start(self, state, dice):
        state.coins[0] = state.coins[1] = self.coins

    def turn(self, state):
        over = abs(np.int64(state.place)) > self.size or state.coins[0] + state.coins[1] == 0
        return TERMINAL if over else self.chooser(state)

    def actions(self, state, out):
        coins = np.int64(state.coins[self.chooser(state)])
        least = min(coins, 1)
        for bid in range(least, coins + 1):
            out[bid - least] = bid
        return coins + 1 - least

    def end_round(self, state):
        one, other = np.int64(state.choice[0]), np.int64(state.choice[1])
        state.place += (one > other) - np.int64(one < other)
        state.coins[0] -= one - 1
        state.coins[1] -= other - 1

    def utility(self, state, player):
        sign = 1.0 if state.place > 0 else -1.0 if state.place < 0 else 0.0
        return sign if player == 0 else -sign


@game
@dataclass(frozen=True)
class Again(AtOnce):
    """Both choose 0 or 1. Player 0 wins if they differ and loses at 1 and 1; at 0 and 0 a coin ends it in a draw, or it
    begins again. Its value v is that of the matrix (v/2, 1; 1, -1): v v - 5 v + 2 = 0."""

    state = np.dtype([("won", "i1"), ("stage", "u1"), ("choice", "u1", 2), ("first", "u1")])
    players = 2
    max_actions = 2
    max_outcomes = 2

    def turn(self, state):
        return TERMINAL if state.stage == 2 else CHANCE if state.stage == 1 else self.chooser(state)

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def end_round(self, state):
        both = np.int64(state.choice[0]) + np.int64(state.choice[1])
        state.stage = 1 if both == 2 else 2
        state.won = 1 if both == 3 else -1 if both == 4 else 0

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.5

    def deal(self, state, outcome):
        state.stage = 0 if outcome == 0 else 2

    def utility(self, state, player):
        return np.float64(state.won) if player == 0 else -np.float64(state.won)


AGAIN = (5.0 - 17.0**0.5) / 2.0
