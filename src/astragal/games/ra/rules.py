"""Ra: what the players can do, what happens then, and who wins. The rules in words are at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from astragal.base.parameters import Constant, parameter
from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit, nth_bit
from astragal.games.ra.scoring import EPOCHS, RaScoring
from astragal.games.ra.tiles import (
    BOX,
    CIVILISATION_BYTES,
    CIVILISATIONS,
    DISASTER_BYTES,
    DROUGHT,
    EARTHQUAKE,
    FLOOD,
    FUNERAL,
    GOD,
    MONUMENTS,
    NILE,
    ONE,
    PHARAOH,
    RA,
    SUN_COUNT,
    SUN_LISTED,
    SUNS,
    TWO,
    UNREST,
    count_of,
    higher_suns,
    kind_at,
    kinds_with,
    packed,
    sum_of,
    sun_bits,
    word_of,
)
from astragal.rules.decorator import CHANCE, TERMINAL

FAME = 10
SPACES = 8  # on the auction track
LAST_RA = 6  # the Ra tile that ends an epoch

TURN, GODS, AUCTION, RA_AUCTION, DISCARDS = range(5)  # phases
DRAW, INVOKE, STOP = 0, 1, 2  # actions
BID, TAKE, DISCARD = 10, 32, 64  # plus a sun, a kind, a kind
PASS = BID
DEEDS = {DRAW: "draw", INVOKE: "invoke", STOP: "stop", PASS: "pass"}


def write_kinds(kinds, first_action, out, count):
    """Add the action of each kind, given as bits, to a list; return its new length."""
    while kinds != 0:
        out[count] = first_action + lowest_bit(kinds)
        kinds &= kinds - 1
        count += 1
    return count


class Deed(NamedTuple):
    """An action: what is done, and the sun bid or the kind of tile taken or discarded, if it is one of these."""

    what: str
    which: int | None


@dataclass(frozen=True)
class RaRules(RaScoring):
    """Parameters, state and rules."""

    score: str = parameter("win", "value of the end: win or loss, or the lead in fame", choices=("win", "margin"))
    ties: str = parameter("sun", "equal fame is decided by the highest sun, or is a draw", choices=("sun", "draw"))
    god_takes_disasters: Constant[bool] = parameter(True, "a god may take a disaster from the track")
    empty_auctions: Constant[bool] = parameter(True, "Ra may be invoked while the auction track is empty")
    floor: Constant[bool] = parameter(True, "fame never falls below 0")

    # How tiles are packed: three words (`word_of` a kind), with a count of eight bits for each of eight kinds, kind k
    # from bit 8 * (k % 8) on. Only the functions of `tiles` and the sets of bytes there depend on it.
    #
    # word   byte 0    1       2        3          4            5        6         7
    # 0      god       gold    flood    astronomy  agriculture  writing  religion  art       (leave after each epoch)
    # 1      fortress  obelisk palace   pyramid    temple       statue   steps     sphinx    (monuments)
    # 2      pharaoh   nile    funeral  drought    unrest       earthq.  ra        -
    #
    # Suns are sets: bit s for sun s. An action is DRAW, INVOKE, STOP, PASS, or a sun above BID, or a kind above TAKE or
    # DISCARD (`decode`); an outcome is a kind.
    state = np.dtype(
        [
            ("bag", "i8", 3),  # tiles
            ("track", "i8", 3),
            ("tiles", "i8", (2, 3)),  # of each player; disasters among them until they are resolved
            ("fame", "i2", 2),
            ("up", "u2", 2),  # each player's face-up suns
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
            state.bag[word_of(kind)] += packed(BOX[kind], kind)
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
        if count_of(state.tiles[state.mover, 0], GOD) == 0:
            return 0
        last = state.track[2] if self.god_takes_disasters else state.track[2] & ~DISASTER_BYTES
        first = kinds_with(state.track[0], ONE) & ~(1 << GOD)
        return first | kinds_with(state.track[1], ONE) << 8 | kinds_with(last, ONE) << 16

    def biddable(self, state):
        """The mover's suns that are higher than the bid that stands."""
        return higher_suns(np.int64(state.up[state.mover]), state.bid)

    def may_pass(self, state):
        """All may but a Ra player who invoked with the track not full, if no player has bid."""
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

    def decode(self, state, action):
        """``Deed("draw", None)``, ``Deed("bid", 7)``, ``Deed("take", GOLD)``."""
        if action in DEEDS:
            return Deed(DEEDS[action], None)
        if action < TAKE:
            return Deed("bid", action - BID)
        return Deed("take", action - TAKE) if action < DISCARD else Deed("discard", action - DISCARD)

    def open_auction(self, state, phase):
        state.phase = phase
        other = 1 - state.caller
        state.mover = other if state.up[other] != 0 else state.caller

    def bid(self, state, sun):
        """A sun, or 0 to pass; the Ra player bids last, if he can bid at all."""
        caller = state.caller
        standing = max(sun, np.int64(state.bid))
        if state.mover != caller and higher_suns(np.int64(state.up[caller]), standing) != 0:
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
        tile = packed(1, kind)
        state.track[word_of(kind)] -= tile
        state.tiles[me, word_of(kind)] += tile
        state.tiles[me, 0] -= packed(1, GOD)
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
        state.tiles[player, 0] -= packed(floods, FLOOD)
        state.tiles[player, 2] -= packed(nile, NILE) + packed(pharaohs, PHARAOH)

    def owing(self, state, player, word, category, disaster):
        """How many tiles of a category a player must choose to discard; if all must go, they go at once."""
        owed = 2 * count_of(state.tiles[player, 2], disaster)
        if sum_of(state.tiles[player, word] & category) > owed:
            return owed
        if owed > 0:
            state.tiles[player, word] &= ~category
        return 0

    def discard(self, state, kind):
        word = word_of(kind)  # 0 for civilisations, 1 for monuments
        state.tiles[state.mover, word] -= packed(1, kind)
        state.owed[word] -= 1
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
            if count_of(state.bag[word_of(kind)], kind) != 0:
                out[count] = kind
                count += 1
        return count

    def probability(self, state, outcome):
        return count_of(state.bag[word_of(outcome)], outcome) / self.in_bag(state)

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
        tile, word = packed(1, outcome), word_of(outcome)
        state.bag[word] -= tile
        if outcome != RA:
            state.track[word] += tile
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
        word = word_of(kind)
        with_players = count_of(state.tiles[0, word], kind) << 8 | count_of(state.tiles[1, word], kind)
        return count_of(state.bag[word], kind) << 24 | count_of(state.track[word], kind) << 16 | with_players

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
