"""Chinese Checkers: tickets for chains of two hops and more, a little more of them than there are chains.

Free cells are **linked** if a man between them lets a man hop from one to the other. A chain of a man begins with a hop
to a linked cell, one of the **first**, and goes on over links. If it ends neither on a first cell nor **beside** one,
then all that it passes between its first cell and its end have two links or more: they are **inner** cells. So it ends
beside an inner cell; and one of those that are beside a first cell, but not first themselves, is inner. All of that is
found for all men and nets at once (`astragal.compiler.intrinsics.vector_words`), and mostly it is where chains end. A
ticket is a man and a number below that of these cells; the chains of the man himself are followed only when it is
drawn.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit, nth_bit
from astragal.compiler.intrinsics.vector_words import both, down, each, either, one_of, up, where, word
from astragal.games.chinese_checkers.board import HOP0, HOP1, HOP2, hops, joined

NO_MOVE = -1
ROUNDS = 2  # after which the cells of most chains are all known


def links(free, over, hop):
    """The links along an axis, each by its lower cell."""
    return both(both(over, free), down(free, hop))


def longer_chains(men, free, overs):
    """The men that may have longer chains, the cells where these may end, and which of them are first cells."""
    over0, over1, over2 = overs
    low0, low1, low2 = links(free, over0, HOP0), links(free, over1, HOP1), links(free, over2, HOP2)
    high0, high1, high2 = up(low0, HOP0), up(low1, HOP1), up(low2, HOP2)
    any0, any1, any2 = either(low0, high0), either(low1, high1), either(low2, high2)
    linked = either(either(any0, any1), any2)
    two_of_an_axis = either(either(both(low0, high0), both(low1, high1)), both(low2, high2))
    inner = either(two_of_an_axis, either(both(any0, any1), both(either(any0, any1), any2)))
    hoppers = both(men, joined(linked, over0, over1, over2))
    first = both(linked, joined(men, over0, over1, over2))
    second = either(first, joined(first, low0, low1, low2))
    beyond = where(both(one_of(second, first), inner), joined(inner, low0, low1, low2))
    return hoppers, either(second, beyond), first


def tickets(chains):
    """How many there are in each net: every first cell is one of some man's, who has no longer chain to it."""
    hoppers, ends, first = chains
    m, n, less = counts(hoppers), counts(ends), counts(first)
    return m[0] * n[0] - less[0], m[1] * n[1] - less[1], m[2] * n[2] - less[2], m[3] * n[3] - less[3]


def chain_of(game, me, ticket, chained, vacant, overs, chains):
    """The longer chain of a ticket: one of those of a man that end where no single hop does."""
    net, ticket = placed(ticket, chained)
    left, ends, free = word(chains[0], net), word(chains[1], net), word(vacant, net)
    over0, over1, over2 = word(overs[0], net), word(overs[1], net), word(overs[2], net)
    most = bit_count(ends)
    first = hops(left & -left, over0, over1, over2, free)
    own = most - bit_count(first & ends)
    while ticket >= own:  # there is seldom more than one man
        ticket -= own
        left &= left - 1
        if left == 0:
            return NO_MOVE
        first = hops(left & -left, over0, over1, over2, free)
        own = most - bit_count(first & ends)
    found = first
    for _ in range(ROUNDS):
        found |= hops(found, over0, over1, over2, free)
    fresh = hops(found, over0, over1, over2, free) & ~found
    while fresh:
        found |= fresh
        fresh = hops(fresh, over0, over1, over2, free) & ~found
    found &= ~first & game.allowed_ends(me, net, left & -left)
    if ticket >= bit_count(found):
        return NO_MOVE
    return net << 14 | lowest_bit(left) << 8 | net << 6 | nth_bit(found, ticket)


def counts(four):
    a, b, c, d = each(four)
    return bit_count(a), bit_count(b), bit_count(c), bit_count(d)


def in_all(four):
    return four[0] + four[1] + four[2] + four[3]


def placed(number, shares):
    """Which of four shares a number is in, and the number within that share."""
    one, two = shares[0], shares[0] + shares[1]
    a, b, c = np.int64(number >= one), np.int64(number >= two), np.int64(number >= two + shares[2])
    return a + b + c, number - (a * shares[0] + b * shares[1] + c * shares[2])
