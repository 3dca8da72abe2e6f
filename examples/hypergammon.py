"""Hypergammon, Backgammon with three men a side: astragal play examples/hypergammon.py --player star2

A whole turn is one action: where the player's three men stand after both dice, or after four moves of a double.
"""

from itertools import product

import numpy as np

from astragal import CHANCE, TERMINAL, game
from astragal.compiler.intrinsics.primitives import scratch

BAR, OFF, HOME = 25, 0, 6  # places of a man, counted by its owner: from the bar over the points 24 to 1 and off
MEN = 3
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
ROLL_OF = np.array([max(pair) * (max(pair) - 1) // 2 + min(pair) - 1 for pair in product(range(1, 7), repeat=2)])


@game
class Hypergammon:
    """Hypergammon: Backgammon with three men a side, first to bear them off."""

    state = np.dtype([("men", "i1", (2, MEN)), ("dice", "i1", 2), ("turn", "i1"), ("rolling", "i1")])
    max_actions = 18
    max_outcomes = 21

    def start(self, state, dice):
        for player in range(2):
            for man in range(MEN):
                state.men[player][man] = 24 - man
        state.rolling = 1

    def turn(self, state):
        if state.men[0][0] == OFF or state.men[1][0] == OFF:  # the first is the one farthest back
            return TERMINAL
        return CHANCE if state.rolling else state.turn

    # A turn: men are packed into five bits a place, farthest back first, and above them who was hit, a bit a man

    def packed(self, state):
        men = state.men[state.turn]
        return np.int64(men[0]) | np.int64(men[1]) << 5 | np.int64(men[2]) << 10

    def actions(self, state, out):
        start, high, low = self.packed(state), np.int64(state.dice[0]), np.int64(state.dice[1])
        if high == low:
            return self.doubles(state, start, high, out)
        first = scratch(np.uint32, MEN)
        count = 0
        for die, other in ((high, low), (low, high)):
            for i in range(self.moves(state, start, die, first, 0)):
                count = self.moves(state, np.int64(first[i]), other, out, count)
        for die in (high, low):  # who cannot play both must play the higher one, if that is possible
            if count == 0:
                count = self.moves(state, start, die, out, 0)
        if count == 0:
            out[0], count = start, 1
        return count

    def doubles(self, state, start, die, out):
        """Four moves, or as many as can be made."""
        before = scratch(np.uint32, 16)
        out[0], count = start, 1
        for _ in range(4):
            many = count
            for i in range(many):
                before[i] = out[i]
            count = 0
            for i in range(many):
                count = self.moves(state, np.int64(before[i]), die, out, count)
            if count == 0:
                for i in range(many):
                    out[i] = before[i]
                return many
        return count

    def moves(self, state, men, die, out, count):
        """Add to a list what one man can make of a die, unless it is there already; how many it has then."""
        rear = men & 31
        for i in range(MEN):
            place = men >> 5 * i & 31
            target = place - die
            if place == OFF or (rear == BAR and place != BAR):
                continue
            if target <= OFF and (rear > HOME or (target < OFF and place < rear)):
                continue
            hit = self.hit_on(state, target, men >> 15) if target > OFF else 0
            if hit < 0:
                continue
            after = self.replaced(men, i, max(target, OFF)) | hit << 15
            at = 0
            while at < count and out[at] != after:
                at += 1
            if at == count:
                out[count] = after
                count += 1
        return count

    def hit_on(self, state, point, hit):
        """Which man of the other player is hit on a point, as a bit; 0 if none is there, -1 if two hold it."""
        found = 0
        for man in range(MEN):
            if 25 - state.men[1 - state.turn][man] == point and not hit >> man & 1:
                if found:
                    return -1
                found = 1 << man
        return found

    def replaced(self, men, i, place):
        """The men with one of them on a lower place, those farthest back still first."""
        while i < MEN - 1 and (men >> 5 * (i + 1) & 31) > place:
            men = men & ~(31 << 5 * i) | (men >> 5 * (i + 1) & 31) << 5 * i
            i += 1
        return men & ~(31 << 5 * i) | place << 5 * i

    def play(self, state, action):
        mover, other = state.turn, 1 - state.turn
        for man in range(MEN):
            state.men[mover][man] = action >> 5 * man & 31
        back = 0  # men that were hit go to the front of the list, which is the bar
        for man in range(MEN):
            if action >> 15 + man & 1:
                for i in range(man, back, -1):
                    state.men[other][i] = state.men[other][i - 1]
                state.men[other][back] = BAR
                back += 1
        state.turn = other
        state.rolling = 1

    # Dice

    def outcomes(self, state, out):
        for roll in range(21):
            out[roll] = roll
        return 21

    def probability(self, state, outcome):
        return (1 if ROLLS[outcome, 0] == ROLLS[outcome, 1] else 2) / 36

    def draw(self, state, word):
        return ROLL_OF[word * 36 >> 32]

    def deal(self, state, outcome):
        state.dice[0], state.dice[1] = ROLLS[outcome, 0], ROLLS[outcome, 1]
        state.rolling = 0

    # What it is worth

    def utility(self, state, player):
        return 1.0 if state.men[player][0] == OFF else -1.0

    def heuristic(self, state, player):
        """Who has fewer points to go."""
        lead = 0
        for man in range(MEN):
            lead += state.men[1 - player][man] - state.men[player][man]
        return lead / (BAR * MEN)

    # Words

    def action_name(self, state, action):
        places = "-".join(str(action >> 5 * man & 31) for man in range(MEN))
        hit = [man for man in range(MEN) if action >> 15 + man & 1]
        return places + "".join(f"*{25 - state.men[1 - state.turn][man]}" for man in hit)

    def outcome_name(self, state, outcome):
        return f"{ROLLS[outcome, 0]}{ROLLS[outcome, 1]}"

    def show(self, state):
        sides = [" ".join("bar" if p == BAR else "off" if p == OFF else str(p) for p in men) for men in state.men]
        dice = "to roll" if state.rolling else f"rolled {state.dice[0]}{state.dice[1]}"
        return f"player 1: {sides[0]}\nplayer 2: {sides[1]}\nplayer {state.turn + 1} {dice}"
