"""Can't Stop: what players can do, what dice allow, and who wins. The rules in words are at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from astragal.base.parameters import Constant, parameter
from astragal.compiler.intrinsics.primitives import bit_count
from astragal.games.cant_stop.tables import (
    CLIMB,
    COLUMNS,
    FIELDS,
    FIRST,
    SECOND,
    alike_table,
    dice_tables,
    spaces,
    thrown_table,
)
from astragal.rules.decorator import CHANCE, TERMINAL

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        goes_on: Any
        worth: Any
else:
    Rest = object

STOP, ROLL = 0, 1  # actions; climbing is from 2 * 16 on
TO_ROLL, TO_DECIDE, OVER = 253, 254, 255  # instead of a roll
RUNNERS = 3
EVALUATIONS = ("best_three", "squared")


class Choice(NamedTuple):
    """An action: to roll, to stop, or to climb one column or two, called 2 to 12; the same one twice if so climbed."""

    what: str
    columns: tuple[int, ...]


def nth_choice(found, i):
    """Of the choices found by `CantStopRules.choices`, the one of this number."""
    return found >> 8 * i & 255


@dataclass(frozen=True)
class CantStopRules(Rest):
    """Parameters, state and rules."""

    players: Constant[int] = parameter(2, "number of players; one player tries to win in few turns", low=1, high=4)
    sides: Constant[int] = parameter(6, "sides of the dice", low=2, high=6)
    shortest: Constant[int] = parameter(3, "spaces of the two outer columns", low=1, high=21)
    goal: Constant[int] = parameter(3, "columns that win", low=1, high=5)
    evaluation: str = parameter(
        "best_three",
        "evaluation: progress in the player's best columns, or the squared progress in all",
        choices=EVALUATIONS,
    )

    state = np.dtype(
        [
            ("markers", "i8", 4),  # [player] -> spaces of each column, packed
            ("climbed", "i8"),  # by the runners in this turn, packed
            ("placed", "u2"),  # columns with a runner, one bit each
            ("topped", "u2"),  # those of them whose runner is on the top space
            ("closed", "u2"),  # columns that were won
            ("roll", "u1"),  # the number of a roll, TO_ROLL, TO_DECIDE or OVER
            ("turn", "u1"),  # the player to move or, at the end, the winner; alone, the turns taken, up to 200
        ]
    )
    max_actions = 6
    max_plies = None  # a game can go on for ever
    utility_range = (-100.0, 100.0)

    def __post_init__(self):
        most = (self.columns - 1) // self.players + 1
        if self.goal > most:
            others = f"{self.players} players" if self.players > 1 else "one player"
            raise ValueError(
                f"with {self.columns} columns and {others} all columns may be won before anybody has {self.goal}; "
                f"the goal can be at most {most}"
            )

    @property
    def zero_sum(self):
        return self.players == 2

    @property
    def columns(self):
        return 2 * self.sides - 1

    @property
    def max_outcomes(self):
        return len(dice_tables(self.sides)[0])

    @property
    def top(self):
        """[column] -> its spaces."""
        return np.array([self.shortest + 2 * min(c, self.columns - 1 - c) for c in range(self.columns)], np.uint8)

    @property
    def outwards(self):
        """[column] -> how far it is from the middle one."""
        return np.array([abs(c + 1 - self.sides) for c in range(self.columns)], np.uint8)

    @property
    def chance(self):
        """[roll] -> probability."""
        return dice_tables(self.sides)[1] / self.sides**4

    @property
    def thrown(self):
        """[throw] -> roll; all throws are equally likely."""
        return thrown_table(self.sides)

    @property
    def pairs(self):
        """[roll, pairing] -> two columns, the lower one first; where fewer than three differ, the first again."""
        return dice_tables(self.sides)[2]

    @property
    def pairings(self):
        """[roll] -> how many differ."""
        return dice_tables(self.sides)[3]

    @property
    def halfway(self):
        """[roll] -> the only column that a pairing can have twice."""
        return np.array([sum(roll) // 2 - 2 for roll in dice_tables(self.sides)[0]], np.uint8)

    @property
    def sums(self):
        """[roll] -> the columns of all its pairings, one bit each."""
        return dice_tables(self.sides)[4]

    @property
    def alike(self):
        """[playable columns, roll] -> the first roll with the same playable sums and, if a pairing has two, total.

        Pairings of a roll have the same total, so all that a roll offers follows from these.
        """
        return alike_table(self.sides)

    @property
    def throws(self):
        return self.sides**4

    def start(self, state, dice):
        state.roll = TO_ROLL

    def turn(self, state):
        if state.roll == TO_ROLL:
            return CHANCE
        return TERMINAL if state.roll == OVER else self.mover(state)

    def mover(self, state):
        """The player whose turn it is, before the roll too."""
        return 0 if self.players == 1 else np.int64(state.turn)

    def runners_left(self, state):
        return RUNNERS - bit_count(np.int64(state.placed))

    def playable(self, state):
        """The columns that can be climbed, one bit each."""
        climbable = ((1 << self.columns) - 1) & ~(np.int64(state.closed) | np.int64(state.topped))
        return climbable if self.runners_left(state) > 0 else climbable & np.int64(state.placed)

    def room(self, state, column):
        """Spaces above the runner, or above the player's marker where there is none."""
        return self.top[column] - spaces(state.markers[self.mover(state)] + state.climbed, column)

    def plays_both(self, state, playable, x, y):
        """Whether both columns of a pairing are climbed."""
        both = 1 << x | 1 << y
        new = bit_count(both & ~np.int64(state.placed))
        fits = new <= self.runners_left(state) if x != y else self.room(state, x) > 1
        return playable & both == both and fits

    def choices(self, state):
        """What the roll allows to climb, pairing by pairing, eight bits each; and how many that is.

        No two pairings have a sum in common, so nothing comes twice.
        """
        playable, roll = self.playable(state), state.roll
        found: Any
        found, count = 0, 0
        for i in range(self.pairings[roll]):
            x, y = np.int64(self.pairs[roll, i, 0]), np.int64(self.pairs[roll, i, 1])
            if self.plays_both(state, playable, x, y):
                found |= 16 * (x + 2) + y + 2 << 8 * count
                count += 1
            else:
                if playable >> x & 1:
                    found |= 16 * (x + 2) << 8 * count
                    count += 1
                if x != y and playable >> y & 1:
                    found |= 16 * (y + 2) << 8 * count
                    count += 1
        return found, count

    def actions(self, state, out):
        if state.roll == TO_DECIDE:
            first = ROLL if self.goes_on(state) else STOP
            out[0] = first
            out[1] = ROLL + STOP - first
            return 2
        found, count = self.choices(state)
        for i in range(count):  # each goes before those that are worth less
            action, k = nth_choice(found, i), i
            worth = self.worth(state, action)
            while k > 0 and self.worth(state, np.int64(out[k - 1])) < worth:
                out[k] = out[k - 1]
                k -= 1
            out[k] = action
        return count

    def pick(self, state, word):
        if state.roll == TO_DECIDE:
            return word >> 31
        found, count = self.choices(state)
        return nth_choice(found, word * count >> 32)

    def runner_waits(self, state):
        """Whether a runner is free, and a column open for it."""
        return self.runners_left(state) > 0 and self.playable(state) & ~np.int64(state.placed) != 0

    def play(self, state, action):
        if action == ROLL:
            state.roll = TO_ROLL
        elif action == STOP:
            self.stop(state)
        else:
            x, y = np.int64(FIRST[action]), np.int64(SECOND[action])
            climbed = state.climbed + CLIMB[action]
            reached = state.markers[self.mover(state)] + climbed
            tops = np.int64(spaces(reached, x) == self.top[x]) << x | np.int64(spaces(reached, y) == self.top[y]) << y
            state.climbed = climbed
            state.placed |= COLUMNS[action]
            state.topped |= tops
            state.roll = TO_DECIDE

    def stop(self, state):
        me = self.mover(state)
        state.markers[me] += state.climbed
        if state.topped != 0:
            for player in range(self.players):
                if player != me:
                    state.markers[player] &= ~FIELDS[state.topped]
            state.closed |= state.topped
        won = state.topped != 0 and self.won(state, me) >= self.goal
        if won and self.players > 1:
            self.clear_runners(state)
        else:
            self.end_turn(state)
        state.roll = OVER if won else TO_ROLL

    def won(self, state, player):
        """How many columns a player has won: a closed column has no other player's marker."""
        mine, count = state.markers[player] & FIELDS[state.closed], 0
        for column in range(self.columns):
            count += spaces(mine, column) != 0
        return count

    def wins_by_stopping(self, state):
        return state.topped != 0 and self.won(state, self.mover(state)) + bit_count(np.int64(state.topped)) >= self.goal

    def clear_runners(self, state):
        state.climbed = 0
        state.placed = 0
        state.topped = 0

    def end_turn(self, state):
        self.clear_runners(state)
        if self.players == 1:
            state.turn = min(np.int64(state.turn) + 1, 200)
        else:
            state.turn = 0 if state.turn + 1 == self.players else state.turn + 1

    def outcomes(self, state, out):
        for roll in range(self.max_outcomes):
            out[roll] = roll
        return self.max_outcomes

    def probability(self, state, outcome):
        return self.chance[outcome]

    def draw(self, state, word):
        return np.int64(self.thrown[word * self.throws >> 32])

    def deal(self, state, outcome):
        """A bust is followed by the next player's forced roll."""
        if self.sums[outcome] & self.playable(state) == 0:
            self.end_turn(state)
        else:
            state.roll = outcome

    def representative(self, state, outcome):
        """The roll that stands for all those with the same choices.

        A pairing with two playable sums of which only one is climbed offers what they would singly. Where there is no
        other, the roll may have the choices of rolls with other totals. That is rare, and looked for.
        """
        playable = self.playable(state)
        splits = self.runners_left(state) == 1 or self.room(state, self.halfway[outcome]) == 1
        if not (splits and self.only_splits(state, playable, outcome)):
            return np.int64(self.alike[playable, outcome])
        found = outcome
        for roll in range(self.max_outcomes - 1, -1, -1):
            if (self.sums[roll] ^ self.sums[outcome]) & playable == 0:
                if not self.has_pair(playable, roll):
                    return np.int64(self.alike[playable, roll])
                if self.only_splits(state, playable, roll):
                    found = roll
        return found

    def only_splits(self, state, playable, roll):
        """Whether pairings of a roll have two playable sums, but none is climbed with both."""
        both = 0
        for i in range(3):
            x, y = np.int64(self.pairs[roll, i, 0]), np.int64(self.pairs[roll, i, 1])
            both += self.plays_both(state, playable, x, y)
        return both == 0 and self.has_pair(playable, roll)

    def has_pair(self, playable, roll):
        both = 0
        for i in range(3):
            both |= playable >> self.pairs[roll, i, 0] & playable >> self.pairs[roll, i, 1]
        return both & 1 != 0

    def utility(self, state, player):
        if self.players == 1:
            return 100.0 - state.turn
        return 100.0 if state.turn == player else -100.0

    # For drawings and texts

    def decode(self, state, action):
        """``Choice("climb", (6, 8))``, ``Choice("climb", (7,))``, ``Choice("roll", ())``, ``Choice("stop", ())``."""
        if action <= ROLL:
            return Choice("roll" if action == ROLL else "stop", ())
        return Choice("climb", (action >> 4, action & 15) if action & 15 else (action >> 4,))

    def faces(self, roll):
        """The four dice of a roll, lowest first."""
        return dice_tables(self.sides)[0][roll]

    def column_winner(self, state, column):
        """Who has won a column, which are counted from 0; None if it is open."""
        if not state.closed >> column & 1:
            return None
        return next(player for player in range(self.players) if spaces(state.markers[player], column))

    def runner_at(self, state, column):
        """The space of the runner in a column, 0 if there is none."""
        climbed = spaces(state.climbed, column)
        return climbed + spaces(state.markers[self.mover(state)], column) if climbed else 0
