"""Can't Stop, by Sid Sackson: climb columns with runners, and stop before the dice take back what was climbed.

The board has a column for each sum of two dice, 2 to 12, with 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 spaces. A turn
begins with a compulsory roll of four dice, which the player splits into two pairs. The sum of each pair is a column to
climb: there are three neutral runners, and a column that has none gets a free one, on the space above the player's own
marker; a runner already there goes up a space. After that the player rolls again or stops. Stopping puts the player's
markers where the runners stand. A marker on the top space wins the column, which is closed to all from then on, and
other markers there are removed. **Three columns win the game.** A roll with which no column can be climbed is a bust:
the runners are removed, nothing is gained, and the next player rolls.

A column can be climbed unless it is closed, its runner is on the top space, or it has no runner and none is free. Of
the pairing chosen, both sums are climbed if they can be (a sum that comes twice, twice if there is room), else the one
that can be. Where each can be climbed but not both, two new columns and one free runner, the player chooses which. A
pairing that climbs one column may be chosen even if another climbs two.

Where sources differ: markers of several players share a space (none is jumped over), one may stop with runners
unplaced, and three columns in hand are won by stopping only.

Smaller boards have dice with fewer ``sides``, and other lengths: the outer columns are ``shortest``, and each is two
spaces longer than the next one outwards. With one player the game is a solitaire in which turns are counted: its end is
worth 100 less the number of turns, and never less than -100.

**Actions** are what is climbed, whatever the dice were: 16 times one column plus the other (the lower one first), or 16
times the column if it is one alone; or `STOP` and `ROLL`. So two rolls that offer the same choices are worth the same,
and one stands for both (`representative`).

Markers are packed into one number, five bits for each column, the lowest first, so that stopping is an addition.
"""

# mypy: ignore-errors
from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np

from astragal.game.bits import bit_count, lowest_bit
from astragal.game.decorator import CHANCE, TERMINAL, game
from astragal.parameters import Constant, parameter

STOP, ROLL = 0, 1  # actions; climbing is from 2 * 16 on
TO_ROLL, TO_DECIDE, OVER = 253, 254, 255  # instead of a roll
RUNNERS = 3
BITS = 5  # for the spaces of a column
SPACES = (1 << BITS) - 1
MOST_COLUMNS = 11
LETTERS = "ABCD"
EVALUATIONS = ("best_three", "squared")
ENOUGH = 28  # points of the Rule of 28 (Michael Keller) at which to stop
NEW_RUNNER = 6  # what counts there against placing a runner
ONE = 1 << 20  # a whole column in the table of fractions

POINTS = np.array([1, 2, 3, 4, 5, 6], np.int64)  # for a space, from the middle column outwards
FIRST = np.zeros(256, np.uint8)  # [action] -> column climbed, from 0
SECOND = np.zeros(256, np.uint8)  # [action] -> the other one, or the same
CLIMB = np.zeros(256, np.int64)  # [action] -> what is added to packed spaces
COLUMNS = np.zeros(256, np.int64)  # [action] -> the columns climbed, one bit each
for low in range(2, 13):
    for high in (0, *range(low, 13)):
        number = 16 * low + high
        x, y = low - 2, max(low, high) - 2
        FIRST[number], SECOND[number] = x, y
        CLIMB[number] = (1 << BITS * x) + (1 << BITS * y if high else 0)
        COLUMNS[number] = 1 << x | 1 << y

FIELDS = np.zeros(1 << MOST_COLUMNS, np.int64)  # [columns] -> all the bits of their spaces
for columns in range(1 << MOST_COLUMNS):
    FIELDS[columns] = sum(SPACES << BITS * c for c in range(MOST_COLUMNS) if columns >> c & 1)


def spaces(packed, column):
    return packed >> BITS * column & SPACES


@cache
def dice_tables(sides):
    """All rolls of four dice, by their total: dice, weights, pairings and sums, as `CantStop` describes them."""
    rolls = sorted(combinations_with_replacement(range(1, sides + 1), 4), key=lambda roll: (sum(roll), roll))
    weights, pairs, counts, sums = [], np.zeros((len(rolls), 3, 2), np.uint8), [], []
    for i, (a, b, c, d) in enumerate(rolls):
        pairings = sorted({tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))})
        pairs[i] = np.array([*pairings, pairings[0], pairings[0]])[:3] - 2
        counts.append(len(pairings))
        sums.append(sum({1 << column - 2 for pairing in pairings for column in pairing}))
        repeats = np.prod([factorial((a, b, c, d).count(face)) for face in {a, b, c, d}])
        weights.append(24 // int(repeats))
    return rolls, np.array(weights), pairs, np.array(counts, np.uint8), np.array(sums, np.uint16)


@cache
def thrown_table(sides):
    return np.repeat(np.arange(len(dice_tables(sides)[0]), dtype=np.uint8), dice_tables(sides)[1])


@cache
def success_table(sides):
    _, weights, _, _, sums = dice_tables(sides)
    playable = np.arange(1 << 2 * sides - 1)[:, None]
    return ((sums & playable) != 0) @ weights / sides**4


@cache
def alike_table(sides):
    rolls, _, pairs, _, sums = dice_tables(sides)
    playable = np.arange(1 << 2 * sides - 1)[:, None]
    whole = np.zeros((len(playable), len(rolls)), bool)  # whether both sums of a pairing are playable
    for i in range(3):
        both = 1 << pairs[:, i, 0].astype(int) | 1 << pairs[:, i, 1].astype(int)
        whole |= (playable & both) == both
    totals = np.array([sum(roll) for roll in rolls])
    keys = (sums & playable) * 64 + whole * totals
    order = np.argsort(keys, axis=1, kind="stable")  # equal keys together, each roll after the one that stands for it
    ordered = np.take_along_axis(keys, order, axis=1)
    begins = np.diff(ordered, axis=1, prepend=-1) != 0
    first = np.maximum.accumulate(np.where(begins, np.arange(len(rolls)), 0), axis=1)
    alike = np.zeros(keys.shape, np.uint8)
    np.put_along_axis(alike, order, np.take_along_axis(order, first, axis=1).astype(np.uint8), axis=1)
    return alike


@game
class CantStop:
    """Can't Stop: pair four dice, climb columns, and stop in time."""

    players: Constant[int] = parameter(2, "players; one plays a solitaire for few turns", low=1, high=4)
    sides: Constant[int] = parameter(6, "sides of the dice", low=2, high=6)
    shortest: Constant[int] = parameter(3, "spaces of the two outer columns", low=1, high=21)
    goal: Constant[int] = parameter(3, "columns that win", low=1, high=5)
    evaluation: str = parameter(
        "best_three", "evaluation: how far one's best columns are climbed, or all, squared", choices=EVALUATIONS
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
    def best_alone(self):
        """Whether the evaluation counts as many columns as win, rather than all."""
        return self.evaluation == "best_three"

    @property
    def top(self):
        """[column] -> its spaces."""
        return np.array([self.shortest + 2 * min(c, self.columns - 1 - c) for c in range(self.columns)], np.uint8)

    @property
    def outwards(self):
        """[column] -> how far it is from the middle one."""
        return np.array([abs(c + 1 - self.sides) for c in range(self.columns)], np.uint8)

    @property
    def fraction(self):
        """[column, spaces] -> how much of the column that is."""
        shares = np.minimum(np.arange(SPACES + 1)[None, :] / self.top[:, None], 1.0)
        return np.rint(ONE * shares).astype(np.int64)

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
    def success(self):
        """[playable columns] -> the chance that a roll is no bust."""
        return success_table(self.sides)

    @property
    def usual_turns(self):
        """Roughly what a whole game takes one player."""
        return 0.75 * float(self.top.max())

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
            action, k = found >> 8 * i & 255, i
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
        return found >> 8 * (word * count >> 32) & 255

    def prefer(self, state, word):
        """By the Rule of 28; of choices worth the same, the first from a random one on."""
        if state.roll == TO_DECIDE:
            return ROLL if self.goes_on(state) else STOP
        found, count = self.choices(state)
        i = word * count >> 32
        best, most = 0, -1000
        for _ in range(count):
            action = found >> 8 * i & 255
            worth = self.worth(state, action)
            if worth > most:
                best, most = action, worth
            i = i + 1 if i + 1 < count else 0
        return best

    def goes_on(self, state):
        """The Rule of 28 without its adjustments: roll again while a runner waits or 28 points are not reached."""
        if self.wins_by_stopping(state):
            return False
        return self.runner_waits(state) or self.points(state, POINTS) < ENOUGH

    def runner_waits(self, state):
        """Whether a runner is free, and a column open for it."""
        return self.runners_left(state) > 0 and self.playable(state) & ~np.int64(state.placed) != 0

    def points(self, state, weight):
        """What was climbed in this turn: a space counts the weight of its column, the first one twice.

        Weights go from the middle column outwards.
        """
        total, left = 0, np.int64(state.placed)
        while left != 0:
            column = lowest_bit(left)
            total += np.int64(weight[self.outwards[column]]) * (spaces(state.climbed, column) + 1)
            left &= left - 1
        return total

    def gain(self, state, action, weight):
        """What a choice adds to the points."""
        placed, x, y = np.int64(state.placed), np.int64(FIRST[action]), np.int64(SECOND[action])
        total = np.int64(weight[self.outwards[x]]) * (2 - (placed >> x & 1))
        if action & 15:
            total += np.int64(weight[self.outwards[y]]) * (1 if x == y else 2 - (placed >> y & 1))
        return total

    def worth(self, state, action):
        """The points that a choice adds, less a toll for each runner it places; if equal, two columns come first."""
        toll = NEW_RUNNER * bit_count(COLUMNS[action] & ~np.int64(state.placed))
        return 2 * (self.gain(state, action, POINTS) - toll) + (action & 15 != 0)

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
        """How many columns a player has won: in a closed column nobody else has a marker."""
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

    def progress(self, state, player):
        """From 0 to 1: the mean of the best columns' fractions, or a third of the sum of all fractions' squares."""
        markers = state.markers[player]
        if self.mover(state) != player or state.placed == 0:
            return self.climbed_share(markers)
        ahead = self.climbed_share(markers + state.climbed)
        if state.roll != TO_ROLL:
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

    def action_name(self, state, action):
        if action <= ROLL:
            return "roll" if action == ROLL else "stop"
        return f"{action >> 4}+{action & 15}" if action & 15 else str(action >> 4)

    def outcome_name(self, state, outcome):
        return "".join(map(str, dice_tables(self.sides)[0][outcome]))

    def show(self, state):
        """Each column from its bottom to its top; A to D are the players' markers, * is a runner."""
        lines = []
        for column in range(self.columns):
            here = [spaces(state.markers[player], column) for player in range(self.players)]
            runner = spaces(state.climbed, column)
            runner += here[self.mover(state)] if runner else 0
            cells = []
            for space in range(1, self.top[column] + 1):
                standing = "".join(LETTERS[player] for player in range(self.players) if here[player] == space)
                cells.append(standing + ("*" if runner == space else "") or ".")
            won = f"won by {LETTERS[[at > 0 for at in here].index(True)]}" if state.closed >> column & 1 else ""
            lines.append(f"{column + 2:2d}  {''.join(f'{cell:<3}' for cell in cells)}{won}".rstrip())
        if state.roll != OVER:
            who = f"turn {state.turn + 1}" if self.players == 1 else f"player {state.turn + 1} ({LETTERS[state.turn]})"
            phase = {TO_ROLL: "to roll", TO_DECIDE: "to roll again or stop"}
            dice = phase[state.roll] if state.roll in phase else "rolled " + self.outcome_name(state, state.roll)
            lines.append(f"{who} {dice}")
        return "\n".join(lines)

    def to_text(self, state):
        """``6:3,7:2 8:1 7:4 1 decide``: the spaces of each player's markers, those of the runners, the player to move,
        and what is next: roll, decide, the four dice, or over. None is written ``-``.

        Alone, the number of turns taken stands for the player.
        """
        me = self.mover(state)
        climbed = state.climbed + (state.markers[me] & FIELDS[state.placed])
        words = [self.spaces_text(state.markers[player]) for player in range(self.players)]
        phase = {TO_ROLL: "roll", TO_DECIDE: "decide", OVER: "over"}
        now = phase[state.roll] if state.roll in phase else self.outcome_name(state, state.roll)
        number = state.turn if self.players == 1 else state.turn + 1
        return " ".join([*words, self.spaces_text(climbed), str(number), now])

    def spaces_text(self, packed):
        spots = [f"{c + 2}:{spaces(packed, c)}" for c in range(self.columns) if spaces(packed, c)]
        return ",".join(spots) or "-"

    def from_text(self, state, text):
        words = text.split()
        players = self.players
        numbers = range(201) if players == 1 else range(1, players + 1)
        if len(words) != players + 3 or words[players + 1] not in map(str, numbers):
            example = " ".join([*["6:3,7:2", "8:1", "-", "-"][:players], "7:4", "1", "decide"])
            number = "turns taken" if players == 1 else f"player(1-{players})"
            raise ValueError(f"write the markers of each player, runners, {number}, what is next, such as '{example}'")
        markers = [self.parse_spaces(word) for word in words[:players]]
        runners = self.parse_spaces(words[players])
        self.place_markers(state, markers)
        state.turn = int(words[players + 1]) - (players > 1)
        self.place_runners(state, markers[self.mover(state)], runners)
        self.set_phase(state, words[-1])

    def parse_spaces(self, word):
        """``6:3,7:2`` as a dictionary of columns, from 0, and spaces."""
        spots = {}
        for spot in word.split(",") if word != "-" else []:
            column, _, space = spot.partition(":")
            if not column.isdecimal() or not space.isdecimal():
                raise ValueError(f"'{spot}' is not column:space; write them as in 6:3,7:2, or - for none")
            c = int(column) - 2
            if not 0 <= c < self.columns:
                raise ValueError(f"there is no column {column}; columns are 2 to {self.columns + 1}")
            if not 1 <= int(space) <= self.top[c]:
                raise ValueError(f"column {column} has spaces 1 to {self.top[c]}, not {space}")
            if c in spots:
                raise ValueError(f"column {column} is written twice in {word}")
            spots[c] = int(space)
        return spots

    def place_markers(self, state, markers):
        for player, spots in enumerate(markers):
            state.markers[player] = sum(space << BITS * c for c, space in spots.items())
            for c, space in spots.items():
                if space == self.top[c]:
                    state.closed |= 1 << c
                    if sum(c in other for other in markers) > 1:
                        raise ValueError(f"column {c + 2} is won, so nobody else can have a marker there")

    def place_runners(self, state, mine, runners):
        if len(runners) > RUNNERS:
            raise ValueError(f"there are {RUNNERS} runners, not {len(runners)}")
        for c, space in runners.items():
            if state.closed >> c & 1:
                raise ValueError(f"column {c + 2} is won, so no runner can be there")
            if space <= mine.get(c, 0):
                raise ValueError(f"the runner in column {c + 2} must be above the player's marker")
            state.climbed += space - mine.get(c, 0) << BITS * c
            state.placed |= 1 << c
            state.topped |= (space == self.top[c]) << c

    def set_phase(self, state, word):
        """What is next, if it fits the markers and runners."""
        winners = [player for player in range(self.players) if self.won(state, player) >= self.goal]
        if (word == "over") != (winners == [self.mover(state)]) or (winners and word != "over"):
            raise ValueError(f"the game is over if and only if the player named has won {self.goal} columns")
        if word == "over" and state.placed:
            raise ValueError("the game is over and no runner is left on the board")
        if word == "decide" and not state.placed:
            raise ValueError("a turn begins with a roll; to decide, a runner must be on the board")
        if word in ("roll", "decide", "over"):
            state.roll = {"roll": TO_ROLL, "decide": TO_DECIDE, "over": OVER}[word]
            return
        rolls = dice_tables(self.sides)[0]
        faces = tuple(sorted(int(face) for face in word)) if word.isdecimal() else ()
        if faces not in rolls:
            raise ValueError(f"what is next is roll, decide, over or four dice from 1 to {self.sides}, such as 1122")
        state.roll = rolls.index(faces)
        if self.sums[state.roll] & self.playable(state) == 0:
            raise ValueError(f"the roll {word} is a bust, so the turn is over")
