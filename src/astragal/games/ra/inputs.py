"""Ra's inputs of a learned evaluation, as one player sees the table.

What tiles come to depends on how many kinds there are and not on which, since civilisations can be exchanged for each
other, and so can monuments; with it, what the track would add. Most things are worth something else in each epoch, so
each epoch has inputs of its own for them: it is those that are on that cost time, and not those there are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count
from astragal.games.ra.tiles import (
    CIVILISATION_BYTES,
    DISASTER_BYTES,
    DROUGHT,
    EARTHQUAKE,
    FLOOD,
    FUNERAL,
    GOD,
    GOLD,
    NILE,
    ONE,
    PHARAOH,
    RA,
    SUN_COUNT,
    SUN_LISTED,
    TWO,
    UNREST,
    at_least,
    count_of,
    sets_in,
)
from astragal.rules.inputs import QUARTERS, list_spread

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        in_bag: Any
        on_track: Any
        sun_lead: Any
else:
    Rest = object

SUNS = 10
FAME, FAME_GRID = 60, 41  # the most that is ahead, and its inputs
PHARAOH_LEAD, SUN_LEAD = 8, 20  # the largest lead with an input of its own
RA_LEVELS = 8  # of how many of the tiles in the bag are Ra tiles

# Where the inputs of each thing begin: those of one player's tiles, from the beginning of that player's
GODS = 0
GOLDS = GODS + 6
RIVER = GOLDS + 6  # [floods, Nile tiles]
CULTURE = RIVER + 5 * 13  # [kinds of civilisations, kinds that the track adds]
BUILT = CULTURE + 6 * 6  # [kinds of monuments, kinds that the track adds]
PAIRS = BUILT + 9 * 4  # [monuments of which there are two, sets of three and more]
SETS = PAIRS + 6 * 6  # [sets that the track adds]
THREATS = SETS + 4  # [disaster on the track, what it can take]
ONE_PLAYER = THREATS + 4 * 9
# those of both players and of the track
LEAD = 2 * ONE_PLAYER  # [pharaohs ahead, pharaohs on the track]
TRACK = LEAD + (2 * PHARAOH_LEAD + 1) * 4  # [god, gold, flood or Nile; how many]
LENGTH = TRACK + 4 * 5  # [tiles on the track, whether another is drawn]
AHEAD = LENGTH + 9 * 2
EACH_SUN = AHEAD + FAME_GRID  # [mine up, mine down, theirs up, theirs down or on the board; the sun]
SUNS_AHEAD = EACH_SUN + 5 * SUNS
PHASE = SUNS_AHEAD + 2 * SUN_LEAD + 1  # [phase, whether it is the player's turn, whether a tile is drawn]
STANDING = PHASE + 5 * 4  # [the bid that stands]
RA_SHARE = STANDING + SUNS  # [Ra tiles drawn, share of those in the bag]
FLOODS_LEFT = RA_SHARE + 7 * RA_LEVELS
ONE_EPOCH = FLOODS_LEFT + 13
# and those that are the same in all epochs
ORDER = 3 * ONE_EPOCH  # [order of face-up suns]


def number_orders():
    """For each way to have suns 1 to 9 face up, the number of the order in which mine and theirs follow each other.

    A way is a sum of powers of 3, twice that of a sun that is theirs. Each player has four suns at most.
    """
    numbers: dict[tuple[bool, ...], int] = {}
    for mine in range(5):
        for length in range(mine, mine + 5):
            for places in combinations(range(length), mine):
                numbers[tuple(place in places for place in range(length))] = len(numbers)
    orders = np.zeros(3**9, np.uint8)
    for way in range(3**9):
        owners = [way // 3**sun % 3 for sun in range(9)]
        orders[way] = numbers.get(tuple(owner == 1 for owner in owners if owner), 0)
    return orders, len(numbers)


ORDERS, ORDER_COUNT = number_orders()
POWERS = np.array([sum(3**sun for sun in range(9) if suns >> sun + 1 & 1) for suns in range(1024)], np.int16)  # [suns]

STAGE = ORDER + ORDER_COUNT  # [Ra tiles drawn, my face-up suns, theirs, whether it is my turn]
INPUTS = STAGE + 7 * 5 * 5 * 2
MOST_ON = 2 * 11 + 6 + 2 * 8 + 2 + QUARTERS + 4 + 2


def kinds_in(counts):
    return bit_count(at_least(counts, ONE))


class RaInputs(Rest):
    """The inputs of a learned evaluation. Methods append the inputs that are on to the list."""

    def mover(self, state):
        return np.int64(state.mover) if state.mover >= 0 else np.int64(state.caller)

    def own_inputs(self):
        return INPUTS, MOST_ON

    def features(self, state, player, out):
        """Write the inputs that are on; how many."""
        count = self.list_tiles(state, player, 0, out, 0)
        count = self.list_tiles(state, 1 - player, ONE_PLAYER, out, count)
        count = self.list_track(state, player, out, count)
        count = self.list_suns(state, player, out, count)
        ahead = np.int64(state.fame[player]) - state.fame[1 - player]
        count = list_spread(ahead + FAME, 2 * FAME, FAME_GRID, AHEAD, out, count)
        count = self.list_stage(state, player, out, count)
        of_epoch = min(np.int64(state.epoch) - 1, 2) * ONE_EPOCH  # type: ignore[operator]
        for i in range(count):
            out[i] += of_epoch
        return self.list_order(state, player, out, count)

    def list_tiles(self, state, owner, base, out, count):
        """What a player's tiles come to, and what those of the track would add."""
        first, monuments = state.tiles[owner, 0], state.tiles[owner, 1]
        floods, nile = count_of(first, FLOOD), count_of(state.tiles[owner, 2], NILE)
        kinds, kinds_then = kinds_in(first & CIVILISATION_BYTES), kinds_in(first + state.track[0] & CIVILISATION_BYTES)
        built, built_then = kinds_in(monuments), kinds_in(monuments + state.track[1])
        sets, sets_then = sets_in(monuments), sets_in(monuments + state.track[1])
        out[count] = base + GODS + min(count_of(first, GOD), 5)
        out[count + 1] = base + GOLDS + min(count_of(first, GOLD), 5)
        out[count + 2] = base + RIVER + min(floods, 4) * 13 + min(nile, 12)
        out[count + 3] = base + CULTURE + kinds * 6 + kinds_then - kinds
        out[count + 4] = base + BUILT + built * 4 + min(built_then - built, 3)
        out[count + 5] = base + PAIRS + min(bit_count(at_least(monuments, TWO)), 5) * 6 + min(sets, 5)
        out[count + 6] = base + SETS + min(sets_then - sets, 3)
        count += 7
        if state.track[2] & DISASTER_BYTES != 0:
            pharaohs = count_of(state.tiles[owner, 2], PHARAOH)
            count = self.list_threat(state, FUNERAL, pharaohs, base, out, count)
            count = self.list_threat(state, DROUGHT, floods * 3 + min(nile, 2), base, out, count)
            count = self.list_threat(state, UNREST, kinds_then, base, out, count)
            count = self.list_threat(state, EARTHQUAKE, built_then, base, out, count)
        return count

    def list_threat(self, state, disaster, at_stake, base, out, count):
        if count_of(state.track[2], disaster) == 0:
            return count
        out[count] = base + THREATS + (disaster - FUNERAL) * 9 + min(at_stake, 8)
        return count + 1

    def list_track(self, state, player, out, count):
        """The lead in pharaohs with those to be had, and the other tiles on the track."""
        first, last = state.track[0], state.track[2]
        lead = count_of(state.tiles[player, 2], PHARAOH) - count_of(state.tiles[1 - player, 2], PHARAOH)
        lead = min(max(lead, -PHARAOH_LEAD), PHARAOH_LEAD) + PHARAOH_LEAD
        out[count] = LEAD + lead * 4 + min(count_of(last, PHARAOH), 3)
        out[count + 1] = TRACK + min(count_of(first, GOD), 4)
        out[count + 2] = TRACK + 5 + min(count_of(first, GOLD), 4)
        out[count + 3] = TRACK + 10 + min(count_of(first, FLOOD), 4)
        out[count + 4] = TRACK + 15 + min(count_of(last, NILE), 4)
        out[count + 5] = LENGTH + self.on_track(state) * 2 + np.int64(state.mover < 0)
        return count + 6

    def list_suns(self, state, player, out, count):
        """Every sun, whose it is and how it lies, and by how much a player's are higher."""
        for side in range(2):
            owner = player if side == 0 else 1 - player
            count = self.list_each_sun(state.up[owner], EACH_SUN + 2 * side * SUNS, out, count)
            count = self.list_each_sun(state.down[owner], EACH_SUN + (2 * side + 1) * SUNS, out, count)
        lead = min(max(self.sun_lead(state, player), -SUN_LEAD), SUN_LEAD)
        out[count] = EACH_SUN + 4 * SUNS + np.int64(state.board)
        out[count + 1] = SUNS_AHEAD + lead + SUN_LEAD
        return count + 2

    def list_each_sun(self, suns, base, out, count):
        for i in range(SUN_COUNT[suns]):
            out[count + i] = base + np.int64(SUN_LISTED[suns, i])
        return count + np.int64(SUN_COUNT[suns])

    def list_stage(self, state, player, out, count):
        """Whose turn it is, for what, and what is left in the bag."""
        calls, drawn = np.int64(state.caller == player), np.int64(state.mover < 0)
        ra_share = count_of(state.bag[2], RA) * 4 * RA_LEVELS // max(self.in_bag(state), 1)  # a quarter is the most
        out[count] = PHASE + np.int64(state.phase) * 4 + 2 * calls + drawn
        out[count + 1] = STANDING + np.int64(state.bid)
        out[count + 2] = RA_SHARE + np.int64(state.ra) * RA_LEVELS + min(ra_share, RA_LEVELS - 1)
        out[count + 3] = FLOODS_LEFT + count_of(state.bag[0], FLOOD)
        return count + 4

    def list_order(self, state, player, out, count):
        """How face-up suns of both players compare, and how many there are as the epoch nears its end."""
        mine, theirs = state.up[player], state.up[1 - player]
        suns = min(np.int64(SUN_COUNT[mine]), 4) * 5 + min(np.int64(SUN_COUNT[theirs]), 4)  # type: ignore[operator]
        out[count] = ORDER + np.int64(ORDERS[POWERS[mine] + 2 * POWERS[theirs]])
        out[count + 1] = STAGE + (np.int64(state.ra) * 25 + suns) * 2 + np.int64(state.caller == player)
        return count + 2
