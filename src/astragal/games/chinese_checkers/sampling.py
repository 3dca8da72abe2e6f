"""Chinese Checkers: uniformly random moves without listing them all.

Tickets are drawn until one is that of a move. They are easy to count, and each move has one.

- A single step or hop: a man and one of six directions. There he steps, or hops if a man is in the way, or cannot move.
- A longer chain: see `astragal.games.chinese_checkers.longer`.

What has to be known of longer chains is not waited for: which single move it would be follows from the random bits
first, whether it is one from what they leave over. As little as possible branches on what cannot be foreseen.

A whole random game (`rollout`) has its men on a list, and the cells with their places on it beside the state: to find a
man among the bits of four words takes longer than all else of a single step.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import another_word, lowest_bit, nth_bit, scratch, two_words
from astragal.compiler.intrinsics.vector_words import four, one_of, word
from astragal.games.chinese_checkers.board import BITS, NOWHERE, overs
from astragal.games.chinese_checkers.longer import (
    NO_MOVE,
    chain_of,
    counts,
    in_all,
    longer_chains,
    placed,
    tickets,
)
from astragal.games.chinese_checkers.rules import PASS
from astragal.rules.one_winner import ON
from astragal.rules.order import ACTION

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        all_men: Any
        allowed: Any
        board: Any
        cells: Any
        each: Any
        end_turn: Any
        goal: Any
        max_actions: Any
        move: Any
        players: Any
        scored: Any
        stay: Any
        tip_distance: Any
        transits: Any
        vacant: Any
        ways: Any
else:
    Rest = object

TRIES = 64  # tickets drawn before all moves are listed, should there be few or none
FREE, NO_CELL = 255, 254  # instead of a man's place on the list


class ChineseCheckersSampling(Rest):
    """A uniformly random move, and a game of such moves."""

    # One move

    def pick(self, state, word):
        me, vacant = np.int64(state.turn), self.vacant(state)
        men, beyond = four(state.men, me), overs(one_of(self.cells, vacant))
        chains = longer_chains(men, vacant, beyond)
        own, chained = counts(men), tickets(chains)
        single, longer = 6 * in_all(own), in_all(chained)
        for _ in range(TRIES):
            product = word * single
            ticket = (product & 0xFFFFFFFF) * (single + longer) >> 32
            if ticket >= longer:
                action = self.single_move(state, me, product >> 32, own, vacant)
            else:
                action = chain_of(self, me, ticket, chained, vacant, beyond, chains)
            if action != NO_MOVE:
                return action
            word = another_word(word)
        return self.pick_listed(state, word)

    def single_move(self, state, me, ticket, own, vacant):
        """The step or hop of a ticket."""
        man, way = man_and_way(ticket)
        net, man = placed(man, own)
        here = net << 6 | nth_bit(state.men[me, net], man)
        near, far = np.int64(self.ways[here, way, 0]), np.int64(self.ways[here, way, 1])
        to = near if word(vacant, near >> 6) >> (near & 63) & 1 else far
        return here << 8 | to if word(vacant, to >> 6) >> (to & 63) & 1 and self.may_end(me, here, to) else NO_MOVE

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

    # A whole game

    def rollout(self, state, generator, decisions):
        spots, places = scratch(np.uint8, self.all_men), scratch(np.uint8, 256)
        self.list_men(state, spots, places)
        made, vacant = 0, self.vacant(state)
        while made < decisions and state.result == ON:
            me = np.int64(state.turn)
            generator, here, to = self.random_move(state, me, vacant, generator, spots, places)
            if here << 8 != PASS:
                self.move(state, me, here, to)
                place = places[here]
                places[here], places[to], spots[place] = FREE, place, to
                vacant = one_of(vacant, one_of(four(BITS, here), four(BITS, to)))
            self.end_turn(state, me)
            made += 1
        self.measure(state, spots)
        return generator, made

    def measure(self, state, spots):
        """How far all listed men have to go, which is not counted move by move."""
        for player in range(self.players):
            distance: Any = 0
            for man in range(player * self.each, (player + 1) * self.each):
                distance += np.int64(self.tip_distance[player, spots[man]])
            state.distance[player] = distance

    def list_men(self, state, spots, places):
        """Write the cells of all men, player by player, and the place of each cell's man on that list.

        A position given as a text may have fewer men than the game; those that are missing are nowhere.
        """
        for spot in range(256):
            places[spot] = FREE if self.board[spot >> 6] >> (spot & 63) & 1 else NO_CELL
        for place in range(self.all_men):
            spots[place] = NOWHERE
        for player in range(self.players):
            count = player * self.each
            for net in range(4):
                men = np.int64(state.men[player, net])
                while men:
                    spot = net << 6 | lowest_bit(men)
                    men &= men - 1
                    spots[count], places[spot] = spot, count
                    count += 1

    def random_move(self, state, me, vacant, generator, spots, places):
        """The generator's new state, and the two cells of a move as by `pick`."""
        single, beyond = 6 * self.each, overs(one_of(self.cells, vacant))
        chains = longer_chains(four(state.men, me), vacant, beyond)
        chained = tickets(chains)
        longer = in_all(chained)
        for _ in range(TRIES):
            generator, word, other = two_words(generator)
            ticket = word * single >> 32
            man, way = man_and_way(ticket)
            here = np.int64(spots[me * self.each + man])
            near, far = np.int64(self.ways[here, way, 0]), np.int64(self.ways[here, way, 1])
            to = far ^ (near ^ far) & -np.int64(places[near] == FREE)  # the near one if it is free, without a branch
            ticket = other * (single + longer) >> 32
            if ticket < longer:
                action = chain_of(self, me, ticket, chained, vacant, beyond, chains)
                if action != NO_MOVE:
                    return generator, action >> 8, action & 255
            elif places[to] == FREE and self.may_end(me, here, to):
                return generator, here, to
        generator, word, other = two_words(generator)
        action = self.pick_listed(state, word)
        return generator, action >> 8, action & 255


def man_and_way(ticket):
    """A number below 360, divided by six: quotient and remainder."""
    man = ticket * 43691 >> 18
    return man, ticket - 6 * man & 7
