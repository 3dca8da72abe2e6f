"""Chinese Checkers: a uniformly random move without listing them all.

Tickets are drawn until one is that of a move. They are easy to count, and each move has one.

- A single step or hop: a man and one of six directions. There he steps, or hops if a man is in the way, or cannot move.
- A longer chain, in each net: a man with a hop to a cell from which there is another one, and a number below that of
  the free cells with hops between them. The chains of the man are followed only then; the number says which is meant.

Longer chains are few. What has to be known of them is found for all men and nets at once (`astragal.game.fours`), and
is not waited for: which single move it would be follows from the random bits first, whether it is one from what they
leave over. As little as possible branches on what cannot be foreseen.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.bits import bit_count, nth_bit
from astragal.game.fours import both, either, one_of
from astragal.game.order import ACTION
from astragal.game.redraw import another_word
from astragal.game.scratch import scratch
from astragal.games.chinese_checkers.board import chains, four, hops, joined, over, overs

TRIES = 64  # tickets drawn before all moves are listed, should there be few or none
NO_MOVE = -1
WIDTH, MASK = 12, (1 << 12) - 1  # of sums that lie side by side in a word: four nets, ten men and 36 cells are 1440


class ChineseCheckersSampling:
    """A uniformly random move."""

    def pick(self, state, word):
        me = np.int64(state.turn)
        men = four(state.men, me)
        everybody = men
        for player in range(self.players):
            everybody = either(everybody, four(state.men, player))
        vacant = one_of((self.board[0], self.board[1], self.board[2], self.board[3]), everybody)
        over0, over1, over2 = overs(everybody)
        linked = both(vacant, joined(vacant, over0, over1, over2))
        hopping = both(men, joined(linked, over0, over1, over2))
        taken, free = scratch(np.int64, 4), scratch(np.int64, 4)
        links, movers = scratch(np.int64, 4), scratch(np.int64, 4)
        write(taken, everybody)
        write(free, vacant)
        write(links, linked)
        write(movers, hopping)
        own = sums(counts(men))
        chained = sums(tickets(hopping, linked))
        single, longer = 6 * (own >> 4 * WIDTH), chained >> 4 * WIDTH
        for _ in range(TRIES):
            product = word * single
            ticket = (product & 0xFFFFFFFF) * (single + longer) >> 32
            if ticket >= longer:
                action = self.single_move(state, me, product >> 32, own, free)
            else:
                action = self.chain(me, ticket, chained, movers, links, taken, free)
            if action != NO_MOVE:
                return action
            word = another_word(word)
        return self.pick_listed(state, word)

    def single_move(self, state, me, ticket, own, free):
        """The step or hop of a ticket."""
        man = ticket * 43691 >> 18  # a sixth
        way = ticket - 6 * man & 7
        net = place_in(own, man)
        here = net << 6 | nth_bit(state.men[me, net], man - before(own, net))
        near, far = np.int64(self.ways[here, way, 0]), np.int64(self.ways[here, way, 1])
        to = near if free[near >> 6] >> (near & 63) & 1 else far
        return here << 8 | to if free[to >> 6] >> (to & 63) & 1 and self.may_end(me, here, to) else NO_MOVE

    def chain(self, me, ticket, chained, movers, links, taken, free):
        """The longer chain of a ticket: one of those that end where no single hop does."""
        net = place_in(chained, ticket)
        ticket -= before(chained, net)
        most = bit_count(links[net]) - 1
        man = 0
        while ticket >= most:  # not by dividing: there is seldom more than one man
            ticket -= most
            man += 1
        here = nth_bit(movers[net], man)
        over0, over1, over2 = over(taken, net, 0), over(taken, net, 1), over(taken, net, 2)
        first = hops(1 << here, over0, over1, over2, free[net])
        ends = chains(first, over0, over1, over2, free[net]) & ~first & self.allowed[me, net]
        if self.stay and 1 << here & self.goal[me, net]:
            ends &= self.goal[me, net]
        if ticket >= bit_count(ends):
            return NO_MOVE
        return net << 14 | here << 8 | net << 6 | nth_bit(ends, ticket)

    def may_end(self, me, here, to):
        """Whether the options let a man end a move on a cell."""
        if self.transits and not self.allowed[me, to >> 6] >> (to & 63) & 1:
            return False
        if self.stay and self.goal[me, here >> 6] >> (here & 63) & 1:
            return self.goal[me, to >> 6] >> (to & 63) & 1 != 0
        return True

    def pick_listed(self, state, word):
        keys = scratch(np.uint32, self.max_actions)
        count = self.scored(state, keys)
        return np.int64(keys[word * count >> 32]) & ACTION


def write(words, four):
    words[0], words[1], words[2], words[3] = four


def counts(four):
    return bit_count(four[0]), bit_count(four[1]), bit_count(four[2]), bit_count(four[3])


def tickets(movers, links):
    """How many there are for longer chains in each net; one does not end where its first hop does."""
    m, n = counts(movers), counts(links)
    return m[0] * (n[0] - 1), m[1] * (n[1] - 1), m[2] * (n[2] - 1), m[3] * (n[3] - 1)


def sums(four):
    """Nothing, and the sums of the first one, two, three and four of these, in one word."""
    one, two = four[0], four[0] + four[1]
    three = two + four[2]
    return one << WIDTH | two << 2 * WIDTH | three << 3 * WIDTH | three + four[3] << 4 * WIDTH


def before(word, place):
    """The sum of all before one of them."""
    return word >> WIDTH * place & MASK


def place_in(word, number):
    """How many of the first three sums a number reaches, which is where it belongs."""
    return (
        np.int64(number >= before(word, 1)) + np.int64(number >= before(word, 2)) + np.int64(number >= before(word, 3))
    )
