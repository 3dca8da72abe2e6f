"""Chinese Checkers: a uniformly random move, several times as fast as from a list of all."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.bits import bit_count, nth_bit
from astragal.game.order import ACTION
from astragal.game.redraw import another_word
from astragal.game.scratch import scratch
from astragal.games.chinese_checkers.board import CHOICES, FIRST_STEP, KINDS, NEXT_STEP, beside, hops, over


class ChineseCheckersSampling:
    """A uniformly random move without listing them all."""

    def pick(self, state, word):
        """Steps are counted; for hops, a man and a cell that have any are drawn until a chain joins them."""
        me, taken, free = np.int64(state.turn), scratch(np.int64, 4), scratch(np.int64, 4)
        movers, before, ends = scratch(np.int64, CHOICES), scratch(np.int64, CHOICES), scratch(np.int64, 4)
        self.look(state, taken, free)
        total = self.find_steps(state, me, free, movers, before)
        if total == 0:
            return self.pick_listed(state, word)
        for net in range(4):
            men = state.men[me, net]
            either = free[net] | men
            near = (
                beside(either, over(taken, net, 0), 1)
                | beside(either, over(taken, net, 1), 8)
                | beside(either, over(taken, net, 2), 7)
            )
            movers[KINDS + net], ends[net] = near & men, near & free[net] & self.allowed[me, net]
            before[KINDS + net] = total
            total += bit_count(near & men) * bit_count(ends[net])
        while True:
            chosen = word * total >> 32
            kind = -1
            for i in range(CHOICES):
                kind += np.int64(before[i] <= chosen)
            chosen -= before[kind]
            if kind < KINDS:
                return FIRST_STEP[kind] + NEXT_STEP * nth_bit(movers[kind], chosen)
            net = kind - KINDS
            cells = bit_count(ends[net])
            here, to = nth_bit(movers[kind], chosen // cells), nth_bit(ends[net], chosen % cells)
            if self.can_hop(me, net, here, to, taken, free):
                return net << 14 | here << 8 | net << 6 | to
            word = another_word(word)

    def pick_listed(self, state, word):
        keys = scratch(np.uint32, self.max_actions)
        count = self.scored(state, keys)
        return np.int64(keys[word * count >> 32]) & ACTION

    def can_hop(self, me, net, here, to, taken, free):
        """Whether a man may hop from one cell of a net to another."""
        man, cell = 1 << here, 1 << to
        if self.stay and man & self.goal[me, net] and not cell & self.goal[me, net]:
            return False
        over0, over1, over2 = over(taken, net, 0), over(taken, net, 1), over(taken, net, 2)
        found, fresh = 0, man
        while fresh and not found & cell:
            fresh = hops(fresh, over0, over1, over2, free[net]) & ~found
            found |= fresh
        return found & cell != 0
