"""Can't Stop: how far a player is, which actions are listed first, and what rollouts prefer."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.games.cant_stop.rule28 import RULE_OF_28
from astragal.games.cant_stop.rules import ROLL, STOP, TO_DECIDE, TO_ROLL, nth_choice
from astragal.games.cant_stop.tables import SPACES, spaces, success_table

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        choices: Any
        columns: Any
        evaluation: Any
        goal: Any
        mover: Any
        playable: Any
        players: Any
        runners_left: Any
        sides: Any
        sums: Any
        top: Any
else:
    Rest = object

ONE = 1 << 20  # a whole column in the table of fractions
LISTING = replace(RULE_OF_28, odd=0, even=0, high=0, low=0)  # by which actions are listed and rollouts choose


RISKS = 32  # steps in which a learned evaluation sees the chance of a bust


def inputs_of(players, columns):
    """The inputs of a learned evaluation."""
    return 2 * players * columns * (SPACES + 1) + 3 * players + 4 * RISKS


class CantStopEvaluation(Rest):
    """The evaluation, the order of actions, and what rollouts prefer."""

    # Evaluation

    @property
    def best_alone(self):
        """Whether the evaluation counts as many columns as win, rather than all."""
        return self.evaluation == "best_three"

    @property
    def fraction(self):
        """[column, spaces] -> how much of the column that is."""
        shares = np.minimum(np.arange(SPACES + 1)[None, :] / self.top[:, None], 1.0)
        return np.rint(ONE * shares).astype(np.int64)

    @property
    def success(self):
        """[playable columns] -> the chance that a roll is no bust."""
        return success_table(self.sides)

    @property
    def usual_turns(self):
        """Roughly what a whole game takes one player."""
        return 0.75 * float(self.top.max())

    def heuristic(self, state, player):
        """How much further one is than the best of the others; alone, 100 less an estimate of the turns needed.

        Before a decision runners count in full, since the player can stop. Before a roll what they have climbed counts
        by the chance that the roll is no bust.
        """
        mine = self.progress(state, player)
        if self.players == 1:
            return max(-100.0, 100.0 - state.turn - (1.0 - mine) * self.usual_turns)
        others = 0.0
        for other in range(self.players):
            if other != player:
                others = max(others, self.progress(state, other))
        return 100.0 * (mine - others)

    def heuristic_dealt(self, state, outcome, player):
        """All rolls that are a bust are worth the same, and so are all others: both are found once for many rolls."""
        if self.players == 1:
            return np.nan
        mover = self.mover(state)
        ahead = self.climbed_share(state.markers[mover] + state.climbed)
        mine, others, mine_bust, others_bust = 0.0, 0.0, 0.0, 0.0
        for seat in range(self.players):
            behind = self.climbed_share(state.markers[seat])
            share = ahead if seat == mover else behind
            if seat == player:
                mine, mine_bust = share, behind
            else:
                others, others_bust = max(others, share), max(others_bust, behind)
        bust = self.sums[outcome] & self.playable(state) == 0
        return 100.0 * (mine_bust - others_bust) if bust else 100.0 * (mine - others)

    def progress(self, state, player):
        """From 0 to 1: the mean of the best columns' fractions, or a third of the sum of all fractions' squares."""
        markers = state.markers[player]
        runs = self.mover(state) == player and state.placed != 0
        ahead = self.climbed_share(markers + (state.climbed if runs else 0))
        if not runs or state.roll != TO_ROLL:
            return ahead
        success = self.success[self.playable(state)]
        return success * ahead + (1.0 - success) * self.climbed_share(markers)

    def climbed_share(self, markers):
        if not self.best_alone:
            total = 0.0
            for column in range(self.columns):
                share = self.fraction[column, spaces(markers, column)] / ONE
                total += share * share
            return min(1.0, total / self.goal)
        a = b = c = d = e = np.int64(0)  # the largest ones; those that the goal does not ask for are compiled away
        for column in range(self.columns):
            share = self.fraction[column, spaces(markers, column)]
            a, share = max(a, share), min(a, share)
            b, share = max(b, share), min(b, share)
            c, share = max(c, share), min(c, share)
            d, share = max(d, share), min(d, share)
            e = max(e, share)
        best = a
        best += b if self.goal > 1 else 0
        best += c if self.goal > 2 else 0
        best += d if self.goal > 3 else 0
        best += e if self.goal > 4 else 0
        return best / (ONE * self.goal)

    # For learned evaluations: each player's markers as a player sees them, the runners, and the chance of a bust

    def own_inputs(self):
        return inputs_of(self.players, self.columns), (self.players + 1) * self.columns + 2

    def features(self, state, player, out):
        count, mover = 0, self.mover(state)
        for seat in range(self.players):
            markers = state.markers[(player + seat) % self.players]
            for column in range(self.columns):
                climbed = spaces(markers, column)
                if climbed > 0:
                    out[count] = (seat * self.columns + column) * (SPACES + 1) + climbed
                    count += 1
        seat = (mover + self.players - player) % self.players
        base = (self.players + seat) * self.columns * (SPACES + 1)
        for column in range(self.columns):
            if state.placed >> column & 1:
                out[count] = base + column * (SPACES + 1) + spaces(state.markers[mover] + state.climbed, column)
                count += 1
        base = 2 * self.players * self.columns * (SPACES + 1)
        out[count] = base + 3 * seat + (0 if state.roll == TO_ROLL else 1 if state.roll == TO_DECIDE else 2)
        risk = np.int64(RISKS * self.success[self.playable(state)])
        out[count + 1] = base + 3 * self.players + min(risk, RISKS - 1) * 4 + self.runners_left(state)  # type: ignore[operator]
        return count + 2

    # Order of actions and rollout preference: the Rule of 28 without its adjustments, which rollouts have no time for

    def goes_on(self, state):
        """Whether to roll comes before to stop."""
        return LISTING.goes_on(self, state)

    def worth(self, state, action):
        """What a choice is worth next to the others by the rule; if equal, two columns come first."""
        return 2 * LISTING.score(self, state, action) + (action & 15 != 0)

    def prefer(self, state, word):
        """By the Rule of 28; of choices worth the same, the first from a random one on."""
        if state.roll == TO_DECIDE:
            return ROLL if self.goes_on(state) else STOP
        found, count = self.choices(state)
        i = word * count >> 32
        best, most = 0, -1000
        for _ in range(count):
            action = nth_choice(found, i)
            worth = self.worth(state, action)
            if worth > most:
                best, most = action, worth
            i = i + 1 if i + 1 < count else 0
        return best
