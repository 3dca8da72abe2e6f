"""Backgammon: which of the 36 rolls hit men that stand alone, and which let a man run, by what is in the way.

Rolls are bits, numbered as in `dice`. What is in the way are the places before a man, the nearest in the lowest bit.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.bits import bit_count, lowest_bit
from astragal.games.backgammon.dice import ROLLS

FARTHEST = 12  # places that two dice reach; doubles that reach farther are left out
STOPS = 9  # places on the way there on which a man may have to stop
ROLL_COUNT = 36
DOUBLES = sum(1 << roll for roll, (high, low) in enumerate(ROLLS.tolist()) if high == low)


def stops_of(high: int, low: int, distance: int) -> list[list[int]]:
    """The ways in which a man goes so far by a roll, each as the places on which it stops before."""
    if high == low:
        return [list(range(high, distance, high))] if distance % high == 0 and distance <= 4 * high else []
    if distance in (high, low):
        return [[]]
    return [[high], [low]] if distance == high + low else []


def goes(high: int, low: int, distance: int, in_the_way: int) -> bool:
    """Whether a roll takes a man so far."""
    return any(not any(in_the_way >> stop - 1 & 1 for stop in stops) for stops in stops_of(high, low, distance))


HITS = np.array(  # [distance, what is in the way] -> the rolls that hit so far off
    [
        [
            sum(
                1 << roll
                for roll, (high, low) in enumerate(ROLLS.tolist())
                if distance and goes(high, low, distance, way)
            )
            for way in range(1 << STOPS)
        ]
        for distance in range(FARTHEST + 1)
    ],
    np.int32,
)
RUNS = np.array(  # [what is in the way] -> how many of 36 rolls take a man on by both dice
    [
        sum(
            (1 if high == low else 2) * (goes(high, low, high + low, way) and not way >> high + low - 1 & 1)
            for high, low in ROLLS.tolist()
        )
        for way in range(1 << FARTHEST)
    ],
    np.uint8,
)


def weight(rolls):
    """How many of the 36 rolls these are."""
    return 2 * bit_count(rolls) - bit_count(rolls & DOUBLES)


def runs(man, blocked):
    """How many of 36 rolls take a man on by both dice, by the places that he may not go to."""
    return np.int64(RUNS[blocked >> man + 1 & (1 << FARTHEST) - 1])


def shots(single, attackers, blocked):
    """How many of 36 rolls hit one of these men, and the places they lose by that, over all rolls.

    Places are the attackers', as are those blocked to them; with men on the bar no others are taken to hit. A hit man
    loses what he has gone; the roll is taken to hit where that is most.
    """
    if attackers & 1:
        attackers = 1
    rolls, lost = 0, 0
    while single != 0:
        target = lowest_bit(single)  # the attackers' rear is the others' front
        single &= single - 1
        hitting, left = 0, attackers & (1 << target) - 1
        while left != 0:
            man = lowest_bit(left)
            left &= left - 1
            if target - man <= FARTHEST:
                hitting |= np.int64(HITS[target - man, blocked >> man + 1 & (1 << STOPS) - 1])
        lost += weight(hitting & ~rolls) * (25 - target)
        rolls |= hitting
    return weight(rolls), lost
