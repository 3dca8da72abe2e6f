"""The star of Chinese Checkers: its cells and corners, packed into nets in which steps and hops are shifts.

Cells have cube coordinates x + y + z = 0. A hop changes two of them by two, so a man keeps the parity of x and of y as
long as it hops: the star falls into four **nets**, and cells of a net are a number of 62 bits in which the bit of (x,
y) is x/2 + 8 y/2, rounded down (and one more in the net where both are odd). So in every net a hop along an axis is a
shift by 1, 8 or 7, a step is a shift into another net, and no shift goes round the rim onto another cell of the star.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from functools import cache

import numpy as np

from astragal.compiler.intrinsics.vector_words import both, down, either, rearranged, up

AXES = ((1, 0), (0, 1), (-1, 1))  # changes of x and y
ACROSS = (1, 2, 3)  # [axis] -> net a step leads to, by exclusive or with the net it begins in
CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # [players] -> where each begins


def spot_of(x, y):
    """Where a cell is kept: the net from the sixth bit on, and below it the bit in that net."""
    net = (x & 1) | (y & 1) << 1
    return net << 6 | (x >> 1) + 8 * (y >> 1) + 30 + (net == 3)


# [net, axis] -> the shift of a step along an axis, into the net across
STEP = np.array([[spot_of(p + a, q + b) % 64 - spot_of(p, q) % 64 for a, b in AXES] for q in (0, 1) for p in (0, 1)])

# Kinds of steps: of each net, forth and back along each axis.
KINDS = 24
FIRST_STEP = np.array(  # [kind] -> the step of a man on the lowest bit, which need not be a cell
    [
        (net << 14 | (net ^ ACROSS[axis]) << 6) + (-STEP[net ^ ACROSS[axis], axis] if back else STEP[net, axis])
        for net in range(4)
        for axis in range(3)
        for back in range(2)
    ]
)
NEXT_STEP = 1 << 8 | 1  # what is added to it for each bit above

NOWHERE = 63  # a spot that is no cell of any star
# [spot, net] -> its bit
BITS = np.array(
    [[1 << spot % 64 if net == spot >> 6 and spot % 64 < 63 else 0 for net in range(4)] for spot in range(256)]
)

# Of four nets at once: the shifts of a hop along each axis, the nets that a step leads to, and its shifts
HOP0, HOP1, HOP2 = (1,) * 4, (8,) * 4, (7,) * 4
NET0, NET1, NET2 = ((across, 1 ^ across, 2 ^ across, 3 ^ across) for across in ACROSS)
STEP0, STEP1, STEP2 = (tuple(STEP[:, axis].tolist()) for axis in range(3))


@cache
def star(m):
    """The cells (x, y) of the star with points of side m, from the top left, row by row."""
    side = range(-2 * m, 2 * m + 1)
    cells = [(z, x, -x - z) for z in side for x in side]
    cells = [(z, x, y) for z, x, y in cells if min(x, y, z) >= -m or max(x, y, z) <= m]
    return [(x, y) for z, x, y in sorted(cells)]


def corner_of(m, x, y):
    """Which corner a cell lies in, clockwise from the top, or None."""
    z = -x - y
    beyond = (z < -m, x > m, y < -m, z > m, x < -m, y > m)
    return beyond.index(True) if any(beyond) else None


def tip_of(m, corner):
    """The outermost cell of a corner: x, y."""
    return ((m, m), (2 * m, -m), (m, -2 * m), (-m, -m), (-2 * m, m), (-m, 2 * m))[corner]


def nets(cells):
    """A set of cells as four numbers."""
    words = np.zeros(4, np.int64)
    for x, y in cells:
        spot = spot_of(x, y)
        words[spot >> 6] |= 1 << (spot & 63)
    return words


@cache
def corner_nets(m, corner):
    return nets([cell for cell in star(m) if corner_of(m, *cell) == corner])


@cache
def ways(m):
    """[spot, direction, 0 or 1] -> the neighbouring cell, and the one right behind it; NOWHERE where the star ends."""
    table = np.full((256, 6, 2), NOWHERE, np.uint8)
    for x, y in star(m):
        for way, (a, b) in enumerate((*AXES, *((-a, -b) for a, b in AXES))):
            if (x + a, y + b) in star(m):
                table[spot_of(x, y), way, 0] = spot_of(x + a, y + b)
                if (x + 2 * a, y + 2 * b) in star(m):
                    table[spot_of(x, y), way, 1] = spot_of(x + 2 * a, y + 2 * b)
    return table


@cache
def distances(m, players):
    """[player, spot] -> steps to the tip of the player's goal."""
    table = np.zeros((players, 256), np.uint8)
    for player, corner in enumerate(CORNERS[players]):
        a, b = tip_of(m, (corner + 3) % 6)
        for x, y in star(m):
            table[player, spot_of(x, y)] = max(abs(x - a), abs(y - b), abs(x + y - a - b))
    return table


def hops(men, over0, over1, over2, free):
    """The free cells that are one hop from men of a net; of each axis: cells with a man right behind them."""
    return free & (
        (men & over0) << 1
        | men >> 1 & over0
        | (men & over1) << 8
        | men >> 8 & over1
        | (men & over2) << 7
        | men >> 7 & over2
    )


def chains(man, over0, over1, over2, free):
    """The free cells that are any number of hops from men of a net."""
    found = 0
    fresh = man
    while fresh:
        fresh = hops(fresh, over0, over1, over2, free) & ~found
        found |= fresh
    return found


def overs(taken):
    """Of each axis: the cells of all nets that have a man right behind them."""
    return (
        down(rearranged(taken, NET0), STEP0),
        down(rearranged(taken, NET1), STEP1),
        down(rearranged(taken, NET2), STEP2),
    )


def joined(cells, ways0, ways1, ways2):
    """The cells of all nets that are one hop from any of these; of each axis: the lower cells of the hops there are."""
    along0 = either(both(ways0, down(cells, HOP0)), up(both(ways0, cells), HOP0))
    along1 = either(both(ways1, down(cells, HOP1)), up(both(ways1, cells), HOP1))
    along2 = either(both(ways2, down(cells, HOP2)), up(both(ways2, cells), HOP2))
    return either(either(along0, along1), along2)


def over(taken, net, axis):
    """The cells of a net that have a man right behind them along an axis."""
    return taken[net ^ ACROSS[axis]] >> STEP[net, axis]


def spots_of(words):
    """The cells of four numbers."""
    return [net << 6 | bit for net in range(4) for bit in range(64) if int(words[net]) >> bit & 1]


@cache
def cell_names(m):
    """[spot] -> row.place."""
    names, row, place = {}, None, 0
    for x, y in star(m):
        place = place + 1 if row == x + y else 0
        row = x + y
        names[spot_of(x, y)] = f"{2 * m - row}.{place}"
    return names
