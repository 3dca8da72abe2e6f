"""Ra for two players, by Reiner Knizia: auctions of tiles drawn from a bag, paid with numbered suns, over three epochs.

**Material.** 180 tiles of 23 kinds are in the bag: 8 gods, 5 gold, 12 floods, 5 of each of five civilisations, 5 of
each of eight monuments, 25 pharaohs, 25 Nile tiles, 2 funerals, 2 droughts, 4 unrests and 2 earthquakes (the
disasters), and 30 Ra tiles. Player 1 has the suns 2, 5, 6 and 9, player 2 the suns 3, 4, 7 and 8, all face up; sun 1
lies on the board. Each has 10 fame. Player 1, who owns sun 9, begins.

**A turn.** A player with a face-up sun does one of three things.

- *Draw* a tile, if fewer than eight lie on the auction track. It is put there; a Ra tile goes to the Ra track and
  starts an auction, but the sixth ends the epoch at once, and what lies on the auction track is lost.
- *Invoke* Ra, which starts an auction. This and gods are all that is left to do when the auction track is full.
- *Take* tiles: each god tile given up takes one tile from the auction track, any but a god, disasters too. One may take
  several in a turn; each is an action of its own, and *stop* ends the turn if no lack of gods or tiles does.

A player without a face-up sun is passed over; the other then has turn after turn.

**An auction.** Both bid once, the opponent first and the player who drew or invoked, the Ra player, last: a face-up sun
higher than the bid that stands, or *pass*. A Ra player who invoked, and not because the track was full, must bid if the
other has not. The winner takes all tiles on the auction track and the sun from the board, which he lays face down, and
puts the sun he bid in its place. If nobody bids, the tiles stay, but those of a full track are lost. The next turn is
that of the Ra player's opponent, whoever has won.

**Disasters** are resolved after all tiles of an auction, or of a turn with gods, are placed: each costs two tiles.
Funeral: pharaohs. Drought: floods first, then Nile tiles. Unrest: civilisations. Earthquake: monuments. Which
civilisations or monuments go is their owner's choice, tile by tile, unless all must go.

**The end of an epoch** comes when the last face-up sun is used, or with the sixth Ra tile. Then score: a god 2, gold 3;
a Nile tile or flood 1, if there is a flood; 0 to 5 different civilisations -5, 0, 0, 5, 10 and 15; more pharaohs 5,
fewer -2. After the third epoch also: 1 to 8 different monuments 1, 2, 3, 4, 5, 6, 10 and 15, and 3, 4 or 5 of a kind 5,
10 or 15 more; the higher sum of suns 5, the lower -5. Fame never falls below 0. Then gods, gold, floods, civilisations
and all tiles on the tracks leave the game; all suns are turned face up, and the owner of the highest sun begins. After
the third epoch more fame wins, or, if it is equal, the highest sun.

**Choices where sources differ.** A god may take a disaster but not a god; Ra may be invoked on an empty track; the
floor of 0 applies to all points of an epoch together, in the third with those for monuments and suns (the first, second
and third are parameters). Players without a bid that is high enough are not asked. Which set of suns goes to whom is
not left to chance. Fame, face down on the table, can be worked out and is open here.

**Notation.** Tiles are letters: g god, o gold, f flood, v w x y z civilisations, A to H monuments, p pharaoh, n Nile, k
funeral, d drought, u unrest, q earthquake, r Ra; with a number where there are several. A position is

    bag track ra-tiles board-sun suns/face-down/fame/tiles suns/face-down/fame/tiles epoch phase

where the phase is ``turn P``, ``gods P`` (player P has taken a tile and may go on), ``draw P``, ``auction P R B`` or
``ra-auction P R B`` (P is to bid, R is the Ra player, B the bid that stands or 0), ``discard P R C,M`` (P owes C
civilisations and M monuments) or ``over``.

The counts of eight kinds are one number with eight bits for each, so that a player takes all tiles of the track in
three additions, and the partial sums of eight counts, among which a drawn tile is found by bisection, are three more.
"""

# mypy: ignore-errors
from __future__ import annotations

import math
import re

import numpy as np

from astragal.game.bits import bit_count, lowest_bit
from astragal.game.decorator import CHANCE, TERMINAL, game
from astragal.parameters import Constant, parameter

LETTERS = "gofvwxyzABCDEFGHpnkduqr"
NAMES = (
    *("god", "gold", "flood", "astronomy", "agriculture", "writing", "religion", "art"),  # leave after each epoch
    *("fortress", "obelisk", "palace", "pyramid", "temple", "statue", "steps", "sphinx"),
    *("pharaoh", "nile", "funeral", "drought", "unrest", "earthquake", "ra"),
)
BOX = (8, 5, 12, *[5] * 5, *[5] * 8, 25, 25, 2, 2, 4, 2, 30)  # [kind] -> how many tiles there are
GOD, GOLD, FLOOD = 0, 1, 2
CIVILISATIONS, MONUMENTS = 3, 8  # the first of each
PHARAOH, NILE, FUNERAL, DROUGHT, UNREST, EARTHQUAKE, RA = range(16, 23)
DISASTERS = range(FUNERAL, RA)

SUNS = ((2, 5, 6, 9), (3, 4, 7, 8))
FAME = 10
EPOCHS = 3
SPACES = 8  # on the auction track
LAST_RA = 6  # the Ra tile that ends an epoch

TURN, GODS, AUCTION, RA_AUCTION, DISCARDS = range(5)  # phases
PHASES = ("turn", "gods", "auction", "ra-auction", "discard")
DRAW, INVOKE, STOP = 0, 1, 2  # actions
BID, TAKE, DISCARD = 10, 32, 64  # plus a sun, a kind, a kind
PASS = BID

ONES = 0x0101010101010101  # one tile of each of eight kinds
CIVILISATION_BYTES = -1 << 24  # those of the first eight kinds that are civilisations
DISASTER_BYTES = 0xFFFFFFFF << 16  # those of the last eight kinds that are disasters
ONE, TWO, THREE, FOUR, FIVE = (ONES * (32 - least) for least in (1, 2, 3, 4, 5))  # for `at_least`

KINDS_POINTS = np.array([-5, 0, 0, 5, 10, 15], np.int8)  # [different civilisations]
MONUMENT_POINTS = np.array([0, 1, 2, 3, 4, 5, 6, 10, 15], np.int8)  # [different monuments]
SUN_COUNT = np.zeros(1024, np.uint8)  # [suns, bit s for sun s] -> how many
SUN_SUM = np.zeros(1024, np.uint8)  # [suns] -> their sum
SUN_LISTED = np.zeros((1024, 10), np.uint8)  # [suns, i] -> each of them, from the lowest
for suns in range(1024):
    listed = [sun for sun in range(10) if suns >> sun & 1]
    SUN_COUNT[suns], SUN_SUM[suns] = len(listed), sum(listed)
    SUN_LISTED[suns, : len(listed)] = listed

# What the evaluation counts, by least squares from games that a search with an earlier evaluation played.
NILE_WORTH = np.array([0.0, 1.0, 0.85, 0.45])  # [epoch]
PHARAOH_LEAD = np.array([0.0, 12.0, 9.5, 7.2])
PHARAOH_WORTH = np.array([0.0, 1.3, 0.9, 0.0])
SUN_LEAD = np.array([0.0, 0.0, 0.5, 3.6])
KINDS_WORTH = np.array([0.0, 3.1, 4.6, 8.6, 13.3, 17.0])  # [different civilisations]
MONUMENTS_WORTH = np.array([0.0, 1.4, 2.8, 4.2, 5.8, 7.4, 9.0, 12.5, 17.0])  # [different monuments]
# [tiles on the auction track] -> how often rollouts by order invoke, of 2^32 times
INVOKES = np.array([0.0, 0.0, 0.01, 0.03, 0.07, 0.15, 0.25, 0.4, 1.0]) * 2.0**32


def count_of(counts, kind):
    return counts >> 8 * (kind & 7) & 255


def running_sums(counts):
    """For each of eight kinds, the sum of the counts up to it.

    No eight counts of ours sum to 128: the sign bit stays 0. Machine code may assume that additions do not overflow.
    """
    counts += counts << 8
    counts += counts << 16
    return counts + (counts << 32)


def sum_of(counts):
    return running_sums(counts) >> 56 & 255


def at_least(counts, level):
    """The lowest bit of each count that reaches a level, such as `TWO`, and no other bit; counts are less than 32."""
    return counts + level >> 5 & ONES


def kinds_with(counts, level):
    """The same with one bit for each of eight kinds, side by side."""
    bits = at_least(counts, level)
    bits |= bits >> 7
    bits |= bits >> 14
    return (bits | bits >> 28) & 255


def kind_at(counts, number):
    """Of eight kinds laid out in a row, tile by tile, the kind of the tile of this number, by bisection."""
    sums = running_sums(counts)
    kind = 0 if number < (sums >> 24 & 255) else 4
    kind += 0 if number < (sums >> 8 * kind + 8 & 255) else 2
    return kind + (0 if number < (sums >> 8 * kind & 255) else 1)


def write_kinds(kinds, first_action, out, count):
    """Add to so many actions that of each kind, given as bits; how many there are then."""
    while kinds != 0:
        out[count] = first_action + lowest_bit(kinds)
        kinds &= kinds - 1
        count += 1
    return count


def nth_bit(bits, n):
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


@game
class Ra:
    """Ra: draw tiles or call an auction, and bid your suns for what Egypt has to offer."""

    score: str = parameter("win", "what the end is worth: win or loss, or the fame ahead", choices=("win", "margin"))
    ties: str = parameter("sun", "equal fame is decided by the highest sun, or a draw", choices=("sun", "draw"))
    god_takes_disasters: Constant[bool] = parameter(True, "a god may take a disaster from the track")
    empty_auctions: Constant[bool] = parameter(True, "Ra may be invoked while the auction track is empty")
    floor: Constant[bool] = parameter(True, "fame never falls below 0")

    state = np.dtype(
        [
            ("bag", "i8", 3),  # counts of eight kinds each
            ("track", "i8", 3),
            ("tiles", "i8", (2, 3)),  # of each player; disasters among them until they are resolved
            ("fame", "i2", 2),
            ("up", "u2", 2),  # each player's face-up suns, bit s for sun s
            ("down", "u2", 2),
            ("owed", "u1", 2),  # civilisations and monuments that the mover must still discard
            ("board", "u1"),  # the sun there
            ("ra", "u1"),  # tiles on the Ra track
            ("epoch", "u1"),  # from 1
            ("phase", "u1"),
            ("bid", "u1"),  # the sun bid, 0 if none
            ("caller", "u1"),  # whose turn it is, who is the Ra player in auctions; at the end who has the highest sun
            ("mover", "i1"),  # a player, CHANCE or TERMINAL
        ]
    )
    players = 2
    max_actions = 9  # to draw, to invoke, and to take one of seven kinds
    max_outcomes = 23
    # Draws: 150 tiles and 18 times Ra. Decisions: to draw them, to invoke 24 auctions that are won and 18 of a full
    # track, 16 with gods, both bids in those auctions and in 15 of Ra tiles, 12 discards.
    max_plies = 2 * 168 + 24 + 18 + 16 + 2 * (24 + 18 + 15) + 12
    utility_range = (-100.0, 100.0)
    zero_sum = True

    @property
    def by_margin(self):
        return self.score == "margin"

    @property
    def sun_breaks_ties(self):
        return self.ties == "sun"

    def start(self, state, dice):
        for kind in range(len(BOX)):
            state.bag[kind >> 3] += BOX[kind] << 8 * (kind & 7)
        for player in range(2):
            state.fame[player] = FAME
            state.up[player] = sun_bits(SUNS[player])
        state.board = 1
        state.epoch = 1

    def turn(self, state):
        return np.int64(state.mover)

    # What can be done

    def on_track(self, state):
        """How many tiles lie on the auction track."""
        return sum_of(state.track[0] + state.track[1] + state.track[2])

    def targets(self, state):
        """The kinds that the mover's gods can take, one bit each."""
        if state.tiles[state.mover, 0] & 255 == 0:
            return 0
        last = state.track[2] if self.god_takes_disasters else state.track[2] & ~DISASTER_BYTES
        return kinds_with(state.track[0], ONE) & ~1 | kinds_with(state.track[1], ONE) << 8 | kinds_with(last, ONE) << 16

    def biddable(self, state):
        """The mover's suns that are higher than the bid that stands."""
        return np.int64(state.up[state.mover]) >> state.bid + 1 << state.bid + 1

    def may_pass(self, state):
        """All may but a Ra player who invoked with the track not full, if nobody has bid."""
        chosen = (state.phase == AUCTION) & (state.mover == state.caller) & (state.bid == 0)
        return not chosen or self.on_track(state) == SPACES

    def losable(self, state, level):
        """The kinds among which the mover must choose what to discard, one bit each, if he has as many of them."""
        if state.owed[0] > 0:
            return kinds_with(state.tiles[state.mover, 0] & CIVILISATION_BYTES, level)
        return kinds_with(state.tiles[state.mover, 1], level) << 8

    def actions(self, state, out):
        if state.phase == TURN:
            return self.turn_actions(state, out)
        if state.phase == DISCARDS:
            return self.discard_actions(state, out)
        if state.phase == GODS:
            out[0] = STOP
            return self.take_actions(state, out, 1)
        return self.bid_actions(state, out)

    def turn_actions(self, state, out):
        """To draw comes first while the track is short, to invoke when it is long."""
        tiles = self.on_track(state)
        count = 0
        if tiles < SPACES:
            out[count] = DRAW
            count += 1
        if tiles > 0 or self.empty_auctions:
            out[count] = INVOKE
            count += 1
        if SPACES // 2 < tiles < SPACES:
            out[0], out[1] = INVOKE, DRAW
        return self.take_actions(state, out, count)

    def take_actions(self, state, out, count):
        return write_kinds(self.targets(state), TAKE, out, count)

    def bid_actions(self, state, out):
        """Bids from the cheapest up; to pass comes first where there is little to win."""
        suns = self.biddable(state)
        count = 0
        passing = self.may_pass(state)
        early = passing and self.on_track(state) < 3
        if early:
            out[count] = PASS
            count += 1
        for i in range(SUN_COUNT[suns]):
            out[count] = BID + SUN_LISTED[suns, i]
            count += 1
        if passing and not early:
            out[count] = PASS
            count += 1
        return count

    def discard_actions(self, state, out):
        """Second copies come first."""
        doubles = self.losable(state, TWO)
        count = write_kinds(doubles, DISCARD, out, 0)
        return write_kinds(self.losable(state, ONE) & ~doubles, DISCARD, out, count)

    def pick(self, state, word):
        phase = state.phase
        if phase == TURN:
            tiles = self.on_track(state)
            draws, invokes = np.int64(tiles < SPACES), np.int64(self.empty_auctions or tiles > 0)
            kinds = self.targets(state)
            i = word * (draws + invokes + bit_count(kinds)) >> 32
            if i < draws + invokes:
                return DRAW if i < draws else INVOKE
            return TAKE + nth_bit(kinds, i - draws - invokes)
        if phase in (AUCTION, RA_AUCTION):
            suns = self.biddable(state) | np.int64(self.may_pass(state))
            return BID + np.int64(SUN_LISTED[suns, word * SUN_COUNT[suns] >> 32])
        if phase == DISCARDS:
            kinds = self.losable(state, ONE)
            return DISCARD + nth_bit(kinds, word * bit_count(kinds) >> 32)
        kinds = self.targets(state)
        i = word * (1 + bit_count(kinds)) >> 32
        return STOP if i == 0 else TAKE + nth_bit(kinds, i - 1)

    # What happens then

    def play(self, state, action):
        if action == DRAW:
            state.mover = CHANCE
        elif action == INVOKE:
            self.open_auction(state, AUCTION)
        elif action == STOP:
            self.suffer(state, np.int64(state.mover))
        elif action < TAKE:
            self.bid(state, action - BID)
        elif action < DISCARD:
            self.take(state, action - TAKE)
        else:
            self.discard(state, action - DISCARD)

    def open_auction(self, state, phase):
        state.phase = phase
        other = 1 - state.caller
        state.mover = other if state.up[other] != 0 else state.caller

    def bid(self, state, sun):
        """A sun, or 0 to pass; the Ra player is asked last, if he can bid at all."""
        caller = state.caller
        standing = max(sun, np.int64(state.bid))
        if state.mover != caller and state.up[caller] >> standing + 1 != 0:
            state.bid = standing
            state.mover = caller
        elif standing != 0:
            self.win(state, standing)
        else:
            if self.on_track(state) == SPACES:
                self.clear_track(state)
            self.next_turn(state)

    def win(self, state, sun):
        winner = 1 - (np.int64(state.up[0]) >> sun & 1)
        for i in range(3):
            state.tiles[winner, i] += state.track[i]
        self.clear_track(state)
        state.up[winner] ^= 1 << sun
        state.down[winner] |= 1 << np.int64(state.board)
        state.board = sun
        state.bid = 0
        self.suffer(state, winner)

    def clear_track(self, state):
        for i in range(3):
            state.track[i] = 0

    def take(self, state, kind):
        me = np.int64(state.mover)
        tile = 1 << 8 * (kind & 7)
        state.track[kind >> 3] -= tile
        state.tiles[me, kind >> 3] += tile
        state.tiles[me, 0] -= 1  # a god
        state.phase = GODS
        if self.targets(state) == 0:
            self.suffer(state, me)

    def suffer(self, state, player):
        """Resolve the disasters that a player has taken; if there is nothing to choose, the next turn begins."""
        if state.tiles[player, 2] & DISASTER_BYTES != 0:
            self.lose_pharaohs_and_nile(state, player)
            state.owed[0] = self.owing(state, player, 0, CIVILISATION_BYTES, UNREST)
            state.owed[1] = self.owing(state, player, 1, -1, EARTHQUAKE)
            state.tiles[player, 2] &= ~DISASTER_BYTES
        if state.owed[0] != 0 or state.owed[1] != 0:
            state.phase = DISCARDS
            state.mover = player
        else:
            self.next_turn(state)

    def lose_pharaohs_and_nile(self, state, player):
        last = state.tiles[player, 2]
        pharaohs = min(2 * count_of(last, FUNERAL), count_of(last, PHARAOH))
        dry = 2 * count_of(last, DROUGHT)
        floods = min(dry, count_of(state.tiles[player, 0], FLOOD))
        nile = min(dry - floods, count_of(last, NILE))
        state.tiles[player, 0] -= floods << 8 * FLOOD
        state.tiles[player, 2] -= nile << 8 | pharaohs

    def owing(self, state, player, word, category, disaster):
        """How many tiles of a category a player must choose to discard; if all must go, they go at once."""
        owed = 2 * count_of(state.tiles[player, 2], disaster)
        if sum_of(state.tiles[player, word] & category) > owed:
            return owed
        if owed > 0:
            state.tiles[player, word] &= ~category
        return 0

    def discard(self, state, kind):
        state.tiles[state.mover, kind >> 3] -= 1 << 8 * (kind & 7)
        state.owed[kind >> 3] -= 1
        if state.owed[0] == 0 and state.owed[1] == 0:
            self.next_turn(state)

    def next_turn(self, state):
        """The other player's turn, if he has a face-up sun; without any, the epoch is over."""
        other = 1 - state.caller
        if state.up[other] != 0:
            state.caller = other
        elif state.up[state.caller] == 0:
            self.end_epoch(state)
            return
        state.phase = TURN
        state.mover = state.caller

    # The bag

    def outcomes(self, state, out):
        count = 0
        for kind in range(RA + 1):
            if count_of(state.bag[kind >> 3], kind) != 0:
                out[count] = kind
                count += 1
        return count

    def probability(self, state, outcome):
        return count_of(state.bag[outcome >> 3], outcome) / self.in_bag(state)

    def in_bag(self, state):
        return sum_of(state.bag[0]) + sum_of(state.bag[1]) + sum_of(state.bag[2])

    def draw(self, state, word):
        """The kind of a tile, all in the bag being equally likely: the right eight kinds, then the one among them."""
        first, second = sum_of(state.bag[0]), sum_of(state.bag[1])
        number = word * self.in_bag(state) >> 32
        if number >= first + second:
            return 16 + kind_at(state.bag[2], number - first - second)
        if number >= first:
            return 8 + kind_at(state.bag[1], number - first)
        return kind_at(state.bag[0], number)

    def deal(self, state, outcome):
        tile = 1 << 8 * (outcome & 7)
        state.bag[outcome >> 3] -= tile
        if outcome != RA:
            state.track[outcome >> 3] += tile
            self.next_turn(state)
        elif state.ra == LAST_RA - 1:
            self.end_epoch(state)
        else:
            state.ra += 1
            self.open_auction(state, RA_AUCTION)

    def representative(self, state, outcome):
        """Civilisations, or monuments, of which everybody has the same number can be exchanged: the first of them."""
        if outcome < CIVILISATIONS or outcome >= PHARAOH:
            return outcome
        first = CIVILISATIONS if outcome < MONUMENTS else MONUMENTS
        wanted = self.whereabouts(state, outcome)
        for kind in range(first, outcome):
            if self.whereabouts(state, kind) == wanted:
                return kind
        return outcome

    def whereabouts(self, state, kind):
        """How many tiles of a kind are in the bag, on the track and with each player, as one number."""
        word = kind >> 3
        with_players = count_of(state.tiles[0, word], kind) << 8 | count_of(state.tiles[1, word], kind)
        return count_of(state.bag[word], kind) << 24 | count_of(state.track[word], kind) << 16 | with_players

    # Scoring

    def end_epoch(self, state):
        first, second = self.fame_after(state, 0), self.fame_after(state, 1)
        state.fame[0], state.fame[1] = first, second
        for player in range(2):
            state.tiles[player, 0] = 0  # gods, gold, floods and civilisations
            state.up[player] |= state.down[player]
            state.down[player] = 0
        self.clear_track(state)
        state.ra = 0
        state.phase = TURN
        state.caller = 0 if state.up[0] > state.up[1] else 1  # who owns the highest sun
        state.mover = state.caller if state.epoch < EPOCHS else TERMINAL
        state.epoch = min(np.int64(state.epoch) + 1, EPOCHS)

    def fame_after(self, state, player):
        """A player's fame if the epoch ended now."""
        fame = state.fame[player] + self.epoch_points(state, player)
        if state.epoch == EPOCHS:
            fame += self.monument_points(state, player) + self.sun_points(state, player)
        return max(fame, 0) if self.floor else fame

    def epoch_points(self, state, player):
        """What the end of any epoch brings."""
        first, last = state.tiles[player, 0], state.tiles[player, 2]
        floods = count_of(first, FLOOD)
        points = 2 * count_of(first, GOD) + 3 * count_of(first, GOLD)
        points += floods + count_of(last, NILE) if floods > 0 else 0
        points += KINDS_POINTS[bit_count(at_least(first & CIVILISATION_BYTES, ONE))]
        lead = count_of(last, PHARAOH) - count_of(state.tiles[1 - player, 2], PHARAOH)
        return points + (5 if lead > 0 else -2 if lead < 0 else 0)

    def monument_points(self, state, player):
        counts = state.tiles[player, 1]
        more = sum_of(at_least(counts, THREE) + at_least(counts, FOUR) + at_least(counts, FIVE))
        return MONUMENT_POINTS[bit_count(at_least(counts, ONE))] + 5 * more

    def sun_points(self, state, player):
        lead = self.sun_lead(state, player)
        return 5 if lead > 0 else -5 if lead < 0 else 0

    def sun_lead(self, state, player):
        """By how much the sum of a player's suns, face up and face down, is higher."""
        mine = state.up[player] | state.down[player]
        theirs = state.up[1 - player] | state.down[1 - player]
        return np.int64(SUN_SUM[mine]) - np.int64(SUN_SUM[theirs])

    def utility(self, state, player):
        ahead = np.int64(state.fame[player]) - state.fame[1 - player]
        if self.by_margin:
            return float(max(-100, min(100, ahead)))
        if ahead == 0 and self.sun_breaks_ties:
            ahead = 1 if state.caller == player else -1
        return 100.0 if ahead > 0 else -100.0 if ahead < 0 else 0.0

    def heuristic(self, state, player):
        """The fame ahead that can be expected, and, where only winning counts, how likely that makes it."""
        ahead = self.prospects(state, player) - self.prospects(state, 1 - player) + self.leads(state, player)
        if self.by_margin:
            return max(-100.0, min(100.0, ahead))
        return 100.0 * math.tanh(ahead / 30.0)

    def prospects(self, state, player):
        """What a player's own fame, tiles and face-up suns promise. A sun is worth more if few Ra tiles are drawn."""
        first, monuments = state.tiles[player, 0], state.tiles[player, 1]
        floods, nile = count_of(first, FLOOD), count_of(state.tiles[player, 2], NILE)
        worth = state.fame[player] + 3.0 * (count_of(first, GOD) + count_of(first, GOLD)) + floods
        worth += nile * (NILE_WORTH[state.epoch] + (0.65 if floods > 0 else 0.0))
        worth += KINDS_WORTH[bit_count(at_least(first & CIVILISATION_BYTES, ONE))]
        worth += MONUMENTS_WORTH[bit_count(at_least(monuments, ONE))] + 1.2 * bit_count(at_least(monuments, TWO))
        worth += 4.5 * sum_of(at_least(monuments, THREE) + at_least(monuments, FOUR) + at_least(monuments, FIVE))
        up, to_come = state.up[player], LAST_RA - np.int64(state.ra)
        if up == 0:
            return worth - 1.7 * to_come
        return worth + SUN_COUNT[up] * (3.7 + to_come) - 0.25 * SUN_SUM[up]

    def leads(self, state, player):
        """What more pharaohs and higher suns than the opponent's promise, and to be the one who may draw or invoke."""
        pharaohs = count_of(state.tiles[player, 2], PHARAOH) - count_of(state.tiles[1 - player, 2], PHARAOH)
        suns = self.sun_lead(state, player)
        worth = PHARAOH_LEAD[state.epoch] * math.tanh(0.5 * pharaohs) + PHARAOH_WORTH[state.epoch] * pharaohs
        worth += SUN_LEAD[state.epoch] * math.tanh(suns / 3.0) + 0.6 * suns
        if state.phase == TURN:
            wanted = self.on_track(state) - 2 * sum_of(state.track[2] & DISASTER_BYTES)
            worth += (0.4 * wanted - 0.6) * (1.0 if state.caller == player else -1.0)
        return worth

    def prefer(self, state, word):
        """To draw, or with a longer track more and more often to invoke; to bid low for what seems worth it."""
        if state.phase == TURN:
            return INVOKE if word < INVOKES[self.on_track(state)] else DRAW
        if state.phase == DISCARDS:
            doubles = self.losable(state, TWO)
            return DISCARD + lowest_bit(doubles if doubles != 0 else self.losable(state, ONE))
        if state.phase == GODS:
            return STOP
        wanted = self.on_track(state) - 3 * sum_of(state.track[2] & DISASTER_BYTES)
        if 6 * word > wanted * 2**32 and self.may_pass(state):  # for six good tiles one always bids
            return PASS
        return BID + lowest_bit(self.biddable(state))

    # Texts

    def action_name(self, state, action):
        if action in (DRAW, INVOKE, STOP, PASS):
            return {DRAW: "draw", INVOKE: "invoke", STOP: "stop", PASS: "pass"}[action]
        if action < TAKE:
            return f"bid-{action - BID}"
        return f"take-{NAMES[action - TAKE]}" if action < DISCARD else f"discard-{NAMES[action - DISCARD]}"

    def outcome_name(self, state, outcome):
        return NAMES[outcome]

    def show(self, state):
        bag, track = tiles_of(state.bag), tiles_of(state.track)
        lines = [
            f"epoch {state.epoch} of {EPOCHS}   Ra track {'R' * state.ra:.<6}   sun {state.board} on the board",
            f"bag of {sum(bag)}: {in_words(bag, 0, 8)}",
            f"    {in_words(bag, 8, 16)}",
            f"    {in_words(bag, 16, 23)}",
            f"auction track: {in_words(track)}",
        ]
        for player in range(2):
            mark = ">" if state.mover != TERMINAL and state.caller == player else " "
            suns = " ".join(map(str, suns_in(state.up[player]))) or "none"
            down = f", face down {' '.join(map(str, suns_in(state.down[player])))}" if state.down[player] else ""
            lines.append(f"{mark} player {player + 1}: {state.fame[player]} fame, suns {suns}{down}")
            lines.append(f"    {in_words(tiles_of([state.tiles[player, i] for i in range(3)]))}")
        return "\n".join([*lines, self.what_next(state)])

    def what_next(self, state):
        if state.mover == TERMINAL:
            return "the game is over"
        if state.mover == CHANCE:
            return f"player {state.caller + 1} draws a tile"
        mover = f"player {state.mover + 1}"
        if state.phase == DISCARDS:
            kind = "civilisations" if state.owed[0] else "monuments"
            return f"{mover} must discard {state.owed[0] or state.owed[1]} {kind}"
        if state.phase in (AUCTION, RA_AUCTION):
            why = f"player {state.caller + 1} invoked Ra" if state.phase == AUCTION else "a Ra tile was drawn"
            return f"{why}: {mover} to bid, {f'{state.bid} was bid' if state.bid else 'no bid yet'}"
        return f"{mover} may take more tiles" if state.phase == GODS else f"{mover} to move"

    def to_text(self, state):
        """See the notation at the top."""
        sides = [
            f"{written_suns(state.up[player])}/{written_suns(state.down[player])}/{state.fame[player]}/"
            + written_tiles([state.tiles[player, i] for i in range(3)])
            for player in range(2)
        ]
        table = f"{written_tiles(state.bag)} {written_tiles(state.track)} {state.ra} {state.board}"
        return f"{table} {sides[0]} {sides[1]} {state.epoch} {self.phase_text(state)}"

    def phase_text(self, state):
        if state.mover == TERMINAL:
            return "over"
        if state.mover == CHANCE:
            return f"draw {state.caller + 1}"
        text = f"{PHASES[state.phase]} {state.mover + 1}"
        if state.phase in (TURN, GODS):
            return text
        end = f"{state.owed[0]},{state.owed[1]}" if state.phase == DISCARDS else state.bid
        return f"{text} {state.caller + 1} {end}"

    def from_text(self, state, text):
        fame = r"\d{1,3}" if self.floor else r"-?\d{1,3}"
        side = rf"(\w+|-)/(\w+|-)/({fame})/(\w+|-)"
        phase = r"(over|(?:turn|gods|draw) [12]|(?:auction|ra-auction) [12] [12] \d|discard [12] [12] \d,\d)"
        found = re.fullmatch(rf"(\w+|-) (\w+|-) (\d) (\d) {side} {side} ([123]) {phase}", " ".join(text.split()))
        if not found:
            raise ValueError(
                "write bag, track, Ra tiles, board sun, suns/face-down/fame/tiles of both players, epoch and phase, "
                "such as 'g8r30 n2p 0 1 2569/-/10/- 3478/-/10/fA2 1 turn 1'"
            )
        bag, track, ra, board, *sides, epoch, phase = found.groups()
        read_tiles(state.bag, bag)
        read_tiles(state.track, track)
        state.ra, state.board, state.epoch = int(ra), int(board), int(epoch)
        for player in range(2):
            up, down, fame, tiles = sides[4 * player : 4 * player + 4]
            state.up[player], state.down[player] = sun_bits(read_suns(up)), sun_bits(read_suns(down))
            state.fame[player] = int(fame)
            read_tiles(state.tiles[player], tiles)
        self.read_phase(state, phase.split())
        self.refuse_table(state, board + "".join(sides[i] for i in (0, 1, 4, 5)))
        self.refuse_phase(state)

    def read_phase(self, state, words):
        if words[0] == "over":
            state.caller = 0 if state.up[0] > state.up[1] else 1
            state.mover = TERMINAL
            return
        state.phase = PHASES.index(words[0]) if words[0] != "draw" else TURN
        state.caller = int(words[2 if len(words) > 2 else 1]) - 1
        state.mover = int(words[1]) - 1 if words[0] != "draw" else CHANCE
        if words[0] == "discard":
            state.owed[0], state.owed[1] = map(int, words[3].split(","))
        elif len(words) > 2:
            state.bid = int(words[3])

    def refuse_table(self, state, suns):
        """Say in a sentence why tiles and suns cannot lie as they do."""
        bag, track = tiles_of(state.bag), tiles_of(state.track)
        hands = [tiles_of(state.tiles[player]) for player in range(2)]
        if sorted(suns.replace("-", "")) != list("123456789") or any(
            SUN_COUNT[state.up[player] | state.down[player]] != 4 for player in range(2)
        ):
            raise ValueError("each player has four of the suns 1 to 9, and one is on the board")
        if track[RA] or any(hand[RA] for hand in hands):
            raise ValueError("Ra tiles lie only in the bag and on the Ra track")
        for kind, most in enumerate(BOX):
            there = bag[kind] + track[kind] + hands[0][kind] + hands[1][kind] + (state.ra if kind == RA else 0)
            if there > most:
                raise ValueError(f"there are {there} tiles of the kind {NAMES[kind]}; the game has {most}")
        if sum(track) > SPACES:
            raise ValueError(f"{sum(track)} tiles lie on the auction track, which has {SPACES} spaces")
        if state.ra >= LAST_RA:
            raise ValueError("the sixth Ra tile ends an epoch; at most 5 lie on the Ra track")
        least = BOX[RA] - LAST_RA * (state.epoch - (state.mover != TERMINAL)) - state.ra
        if bag[RA] < least:
            raise ValueError(f"at least {least} Ra tiles must be in the bag: no more can have been drawn")
        for player in range(2):
            if any(hands[player][kind] for kind in DISASTERS) and (state.phase, state.mover) != (GODS, player):
                raise ValueError("only a player who is taking tiles with gods can have a disaster to resolve")

    def refuse_phase(self, state):
        """Say in a sentence why the phase does not fit the table."""
        caller, mover, bidding = state.caller, state.mover, state.phase in (AUCTION, RA_AUCTION)
        if mover == TERMINAL:
            left = sum(tiles_of(state.track)) + state.ra + state.down[0] + state.down[1]
            if state.epoch != EPOCHS or left or state.tiles[0, 0] or state.tiles[1, 0]:
                raise ValueError("at the end, after epoch 3, the tracks are empty, suns face up, and epoch tiles gone")
            return
        if state.phase in (TURN, GODS) and not state.up[caller]:
            raise ValueError(f"player {caller + 1} has no face-up sun and is passed over")
        if (mover == CHANCE or state.phase == RA_AUCTION) and self.on_track(state) == SPACES:
            raise ValueError("no tile can be drawn while the auction track is full")
        if state.phase == RA_AUCTION and state.ra == 0:
            raise ValueError("an auction of a Ra tile needs a tile on the Ra track")
        if state.phase == GODS and not self.targets(state):
            raise ValueError(f"player {mover + 1} has no god, or there is nothing to take")
        if bidding and (not state.up[caller] or not self.biddable(state)):
            raise ValueError("the Ra player needs a face-up sun, and the player to bid one that is high enough")
        if bidding and state.bid and (mover != caller or not state.up[1 - caller] >> state.bid & 1):
            raise ValueError("the bid that stands must be a face-up sun of the Ra player's opponent, who bids first")
        if state.phase == DISCARDS:
            owned = [sum_of(state.tiles[mover, 0] & CIVILISATION_BYTES), sum_of(state.tiles[mover, 1])]
            if not any(state.owed) or any(state.owed[i] and state.owed[i] >= owned[i] for i in range(2)):
                raise ValueError("who must discard has a choice: more tiles of the category than must go")


def sun_bits(suns):
    return sum(1 << sun for sun in suns)


def suns_in(bits):
    return [sun for sun in range(1, 10) if bits >> sun & 1]


def written_suns(bits):
    return "".join(map(str, suns_in(bits))) or "-"


def read_suns(text):
    if text != "-" and not text.isdecimal():
        raise ValueError(f"suns are written as digits, such as 2569, or - for none; '{text}' is not")
    return {int(digit) for digit in text if digit != "-"}


def tiles_of(words):
    """The counts of all kinds."""
    return [count_of(words[kind >> 3], kind) for kind in range(len(BOX))]


def in_words(counts, first=0, end=RA + 1):
    kinds = [kind for kind in range(first, end) if counts[kind]]
    return ", ".join(NAMES[kind] + (f" x{counts[kind]}" if counts[kind] > 1 else "") for kind in kinds) or "none"


def written_tiles(words):
    """Letters of the kinds, each with its number of tiles if there are several; - for none."""
    counts = enumerate(tiles_of(words))
    return "".join(LETTERS[kind] + (str(count) if count > 1 else "") for kind, count in counts if count) or "-"


def read_tiles(words, text):
    found = re.findall(r"([A-Za-z])(\d*)", text)
    if text != "-" and "".join(letter + count for letter, count in found) != text:
        raise ValueError(f"tiles are letters with numbers after them, such as g2vA3, or - for none; '{text}' is not")
    for letter, count in found:
        kind = LETTERS.find(letter)
        if kind < 0:
            raise ValueError(f"there is no kind of tile '{letter}'; the kinds are {LETTERS}")
        if count_of(words[kind >> 3], kind):
            raise ValueError(f"the kind of tile '{letter}' is written twice in '{text}'")
        if count and not 1 <= int(count) <= max(BOX):
            raise ValueError(f"the game does not have {count} tiles of the kind {NAMES[kind]}")
        words[kind >> 3] += int(count or 1) << 8 * (kind & 7)
