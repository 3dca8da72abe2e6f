"""Backgammon: what dice allow, what is hit, and who wins. The rules in words are at the top of the package.

A player's **places** are counted from the rear: 0 is the bar, 1 to 24 are his points 24 to 1, and 25 is off. So the
other player's place for a place k on the board is 25 - k, a move by a die adds it, and the lowest bit of the places
that are held is the rearmost man.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from astragal.base.parameters import parameter
from astragal.compiler.intrinsics.primitives import lowest_bit, scratch
from astragal.games.backgammon.dice import ROLL_OF, ROLLS, SECOND, UNEQUAL
from astragal.rules.decorator import CHANCE, TERMINAL

BAR, HOME, OFF = 0, 19, 25  # places; HOME is the first of those from which men are borne off
PLACES, MEN = 26, 15
NOBODY = 31  # in an action, in the place of a die that is not played
PASS = NOBODY | NOBODY << 5 | NOBODY << 10 | NOBODY << 15
DECIDE, ROLL, OPENING = range(3)
START = {1: 2, 12: 5, 17: 3, 19: 5}  # place -> men


class Move(NamedTuple):
    """One man's way by one die, from place to place, and whether it hits."""

    source: int
    to: int
    hits: bool


@dataclass(frozen=True)
class BackgammonRules:
    """Parameters, state and rules."""

    score: str = parameter(
        "points", "value of a win: 1 point, 2 for a gammon, 3 for a backgammon; or always 1", choices=("points", "win")
    )

    state = np.dtype(
        [
            ("men", "i1", 2 * PLACES),  # [player * 26 + place] -> men
            ("dice", "i1", 2),  # the higher one first; 0 before a roll
            ("turn", "i1"),
            ("phase", "i1"),  # DECIDE, ROLL, or OPENING
        ]
    )
    max_actions = 3060  # more than any roll of any position has
    max_outcomes = 30

    @property
    def by_points(self):
        return self.score == "points"

    @property
    def utility_range(self):
        return (-3.0, 3.0) if self.by_points else (-1.0, 1.0)

    def start(self, state, dice):
        for player in range(2):
            for place, men in START.items():
                state.men[player * PLACES + place] = men
        state.phase = OPENING

    def turn(self, state):
        if state.men[OFF] == MEN or state.men[PLACES + OFF] == MEN:
            return TERMINAL
        return CHANCE if state.phase != DECIDE else state.turn

    # Decisions. Sets of places are bits; those that two men of the other side hold are blocked.

    def held(self, state, player, least):
        """The places on which a player has at least this many men, in his numbering, without men that are off."""
        places = 0
        for place in range(OFF):
            places |= (state.men[player * PLACES + place] >= least) << place
        return places

    def blocked(self, state):
        """The places of the mover that he may not go to."""
        places, other = 0, (1 - state.turn) * PLACES
        for place in range(1, OFF):
            places |= (state.men[other + OFF - place] >= 2) << place
        return places

    def sources(self, own, blocked, die):
        """The places from which a die can be played by a player who holds these."""
        if own == 0:
            return 0
        found = own & ~(blocked >> die) & (1 << OFF - die) - 1
        rear = lowest_bit(own)
        if rear == BAR:
            return found & 1
        if rear >= HOME:
            found |= own & 1 << OFF - die
            if rear + die > OFF:
                found |= 1 << rear
        return found

    def after(self, own, left, source, die):
        """The places held after a man has left a place, given how many men stay there."""
        if left == 0:
            own &= ~(1 << source)
        return own | 1 << source + die if source + die < OFF else own

    def actions(self, state, out):
        own, blocked = self.held(state, state.turn, 1), self.blocked(state)
        if state.dice[0] == state.dice[1]:
            return self.doubles(state, own, blocked, out)
        high, low = np.int64(state.dice[0]), np.int64(state.dice[1])
        count = self.pairs(state, own, blocked, high, low, out)
        if count == 0:
            count = self.singles(self.sources(own, blocked, high), 0, out)
        if count == 0:
            count = self.singles(self.sources(own, blocked, low), 5, out)
        if count == 0:
            out[0], count = PASS, 1
        return count

    def singles(self, sources, shift, out):
        """Turns of one die; how many."""
        count = 0
        while sources != 0:
            out[count] = PASS & ~(NOBODY << shift) | lowest_bit(sources) << shift
            sources &= sources - 1
            count += 1
        return count

    def pairs(self, state, own, blocked, high, low, out):
        """Turns of two different dice, each result once; how many."""
        mine = state.turn * PLACES
        single = self.held(state, 1 - state.turn, 1)  # places that may be hit, as the other counts
        seen = scratch(np.int64, PLACES)  # [the high die's place] -> places of the low die that go with it
        for place in range(PLACES):
            seen[place] = 0
        count = 0
        first = self.sources(own, blocked, high)
        while first != 0:
            x = lowest_bit(first)
            first &= first - 1
            second = self.sources(self.after(own, state.men[mine + x] - 1, x, high), blocked, low)
            while second != 0:
                count = self.add_pair(x, lowest_bit(second), high, low, single, seen, out, count)
                second &= second - 1
        second = self.sources(own, blocked, low)
        while second != 0:
            y = lowest_bit(second)
            second &= second - 1
            first = self.sources(self.after(own, state.men[mine + y] - 1, y, low), blocked, high)
            while first != 0:
                count = self.add_pair(lowest_bit(first), y, high, low, single, seen, out, count)
                first &= first - 1
        return count

    def add_pair(self, x, y, high, low, single, seen, out, count):
        """Add the turn that moves from x by the high die and from y by the low one, unless its result is listed.

        That is so if it is listed itself; if one man runs by both dice, the low one first, can do so in the other order
        and meets no man on either way; and if both men are borne off and could be by each other's die.
        """
        if seen[x] >> y & 1:
            return count
        seen[x] |= 1 << y
        runs = x == y + low and x < OFF and y + high < OFF and seen[y] >> y + high & 1
        if runs and not (single >> OFF - x & 1) and not (single >> OFF - y - high & 1):
            return count
        if x > y and y + low >= OFF and seen[y] >> x & 1:
            return count
        out[count] = PASS & ~1023 | x | y << 5
        return count + 1

    def doubles(self, state, own, blocked, out):
        """Turns of a double: the moves from the rear to the front, by depth first search; the longest ones count."""
        die, mine = np.int64(state.dice[0]), state.turn * PLACES
        men = scratch(np.int64, PLACES)
        for place in range(PLACES):
            men[place] = state.men[mine + place]
        chosen = scratch(np.int64, 4)
        holds = scratch(np.int64, 5)  # the places held before each move
        holds[0] = own
        count, longest, level, rear, arrived = 0, 0, 0, 0, True
        while True:
            found = self.sources(holds[level], blocked, die) >> rear << rear if level < 4 else 0
            if found != 0:
                source = lowest_bit(found)
                men[source] -= 1
                if source + die < OFF:
                    men[source + die] += 1
                holds[level + 1] = self.after(holds[level], men[source], source, die)
                chosen[level] = source
                level, rear, arrived = level + 1, source, True
                continue
            if arrived and level >= longest:
                count = count if level == longest else 0
                longest = level
                out[count] = self.packed(chosen, level)
                count += 1
            if level == 0:
                return count
            level, arrived = level - 1, False
            source = chosen[level]
            men[source] += 1
            if source + die < OFF:
                men[source + die] -= 1
            rear = source + 1

    def packed(self, chosen, count):
        action = PASS
        for i in range(count):
            action = action & ~(NOBODY << 5 * i) | chosen[i] << 5 * i
        return action

    def play(self, state, action):
        mine, theirs = state.turn * PLACES, (1 - state.turn) * PLACES
        for i in range(4):
            source = action >> 5 * i & 31
            if source != NOBODY:
                to = min(source + state.dice[i & 1], OFF)
                state.men[mine + source] -= 1
                state.men[mine + to] += 1
                if to < OFF and state.men[theirs + OFF - to] == 1:
                    state.men[theirs + OFF - to] = 0
                    state.men[theirs + BAR] += 1
        state.dice[0], state.dice[1] = 0, 0
        state.turn = 1 - state.turn
        state.phase = ROLL

    # Chance

    def outcomes(self, state, out):
        if state.phase == ROLL:
            for roll in range(21):
                out[roll] = roll
            return 21
        for i in range(15):
            out[i], out[15 + i] = UNEQUAL[i], UNEQUAL[i] | SECOND
        return 30

    def probability(self, state, outcome):
        if state.phase == OPENING:
            return 1 / 30
        return 1 / 36 if ROLLS[outcome, 0] == ROLLS[outcome, 1] else 1 / 18

    def draw(self, state, word):
        if state.phase == ROLL:
            return ROLL_OF[word * 36 >> 32]
        index = word * 30 >> 32
        return UNEQUAL[index >> 1] | SECOND * (index & 1)

    def deal(self, state, outcome):
        if state.phase == OPENING:
            state.turn = outcome >> 5
        roll = outcome & 31
        state.dice[0], state.dice[1] = ROLLS[roll, 0], ROLLS[roll, 1]
        state.phase = DECIDE

    # The end

    def utility(self, state, player):
        winner = 0 if state.men[OFF] == MEN else 1
        worth = self.worth(state, winner) if self.by_points else 1
        return worth if player == winner else -worth

    def worth(self, state, winner):
        """What a win is worth: 1, a gammon 2, a backgammon 3."""
        theirs = (1 - winner) * PLACES
        if state.men[theirs + OFF] > 0:
            return 1
        for place in range(7):  # the bar, and the winner's points 1 to 6
            if state.men[theirs + place] > 0:
                return 3
        return 2

    def decode(self, state, action):
        """The moves of a turn, from the rear to the front, which is an order in which they can be made."""
        dice = [int(state.dice[i & 1]) for i in range(4)]
        parts = [(action >> 5 * i & 31, dice[i]) for i in range(4) if action >> 5 * i & 31 != NOBODY]
        parts.sort(key=lambda part: part[0])
        theirs, hit, moves = (1 - state.turn) * PLACES, set(), []
        for source, die in parts:
            to = min(source + die, OFF)
            hits = to < OFF and to not in hit and state.men[theirs + OFF - to] == 1
            if hits:
                hit.add(to)
            moves.append(Move(source, to, hits))
        return moves
