"""Fixed action numbers of Backgammon: a step moves one man by one die.

Its number is the place of the man, plus 26 for the low die. Places are the mover's, counted from the rear. Forced
passes are no steps.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.base.parameters import Constant
from astragal.compiler.intrinsics.primitives import lowest_bit, scratch
from astragal.games.backgammon.rules import BAR, OFF, PASS, PLACES
from astragal.rules.decorator import compiled
from astragal.rules.steps import OwnNumbers


@compiled
@dataclass(frozen=True)
class Steps(OwnNumbers):
    """Half-moves. A die that was played is 0 in the state; of a double, the number of steps made counts."""

    size: Constant[int] = 2 * PLACES
    parts = True

    def write_legal(self, game, state, made, mask):
        own, blocked = game.held(state, state.turn, 1), game.blocked(state)
        high, low = np.int64(state.dice[0]), np.int64(state.dice[1])
        if high == low:
            return self.write_doubles(game, state, own, blocked, high, 4 - made, mask)
        count = 0
        if made == 0:
            count += self.write_first(game, state, own, blocked, high, low, 0, mask)
            count += self.write_first(game, state, own, blocked, low, high, PLACES, mask)
            if count > 0:
                return count
        if high != 0:
            count = self.write_places(game.sources(own, blocked, high), 0, mask)
        if low != 0 and count == 0:
            count = self.write_places(game.sources(own, blocked, low), PLACES, mask)
        return count

    def write_first(self, game, state, own, blocked, die, other, base, mask):
        """The steps by one die after which the other can be played."""
        count, mine = 0, state.turn * PLACES
        sources = game.sources(own, blocked, die)
        while sources != 0:
            source = lowest_bit(sources)
            sources &= sources - 1
            if game.sources(game.after(own, state.men[mine + source] - 1, source, die), blocked, other) != 0:
                mask[base + source] = 1
                count += 1
        return count

    def write_places(self, sources, base, mask):
        count = 0
        while sources != 0:
            mask[base + lowest_bit(sources)] = 1
            sources &= sources - 1
            count += 1
        return count

    def write_doubles(self, game, state, own, blocked, die, most, mask):
        """The steps after which as many more can be made as possible."""
        longest = self.longest(game, state, own, blocked, die, most, OFF)
        count, sources = 0, game.sources(own, blocked, die)
        while sources != 0:
            source = lowest_bit(sources)
            sources &= sources - 1
            if longest == 1 or 1 + self.longest(game, state, own, blocked, die, most - 1, source) == longest:
                mask[source] = 1
                count += 1
        return count

    def longest(self, game, state, own, blocked, die, most, first):
        """How many steps of a double can be made, up to most, after one from the first place (`OFF` for none)."""
        if most == 0:
            return 0
        mine = state.turn * PLACES
        men = scratch(np.int64, PLACES)
        for place in range(PLACES):
            men[place] = state.men[mine + place]
        if first < OFF:
            men[first] -= 1
            men[min(first + die, OFF)] += 1
            own = game.after(own, men[first], first, die)
        chosen, holds = scratch(np.int64, 4), scratch(np.int64, 5)
        holds[0] = own
        best, level, rear = 0, 0, 0
        while True:
            found = game.sources(holds[level], blocked, die) >> rear << rear
            if found == 0:
                if level == 0:
                    return best
                level -= 1
                source = chosen[level]
                men[source] += 1
                men[min(source + die, OFF)] -= 1
                rear = source + 1
                continue
            source = lowest_bit(found)
            men[source] -= 1
            men[min(source + die, OFF)] += 1
            holds[level + 1] = game.after(holds[level], men[source], source, die)
            chosen[level] = source
            level, rear = level + 1, source
            best = max(best, level)
            if best == most:
                return best

    def take(self, game, state, made, step):
        low = step >= PLACES
        source = step - PLACES if low else step
        die = np.int64(state.dice[1] if low else state.dice[0])
        mine, theirs = state.turn * PLACES, (1 - state.turn) * PLACES
        to = min(source + die, OFF)
        state.men[mine + source] -= 1
        state.men[mine + to] += 1
        if to < OFF and state.men[theirs + OFF - to] == 1:
            state.men[theirs + OFF - to] = 0
            state.men[theirs + BAR] += 1
        doubled = state.dice[0] == state.dice[1]
        if not doubled:
            state.dice[1 if low else 0] = 0
        if made + 1 < (4 if doubled else 2):
            return made + 1
        self.end_turn(game, state)
        return 0

    def end_turn(self, game, state):
        game.play(state, PASS)


STEPS = Steps()
