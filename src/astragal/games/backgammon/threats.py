"""Backgammon: which of the 36 rolls hit men that stand alone, and which let a man run, by what is in the way.

Rolls are bits, numbered as in `dice`. What is in the way are the places before a man, the nearest in the lowest bit.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
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


def goes(high: int, low: int, distance: int, ways: np.ndarray) -> np.ndarray:
    """Whether a roll takes a man so far, for each of these kinds of what is in the way."""
    found = np.zeros(len(ways), bool)
    for stops in stops_of(high, low, distance):
        found |= ways & sum(1 << stop - 1 for stop in stops) == 0
    return found


def hits_by_distance() -> np.ndarray:
    """[distance, what is in the way] -> the rolls that hit so far off."""
    table, ways = np.zeros((FARTHEST + 1, 1 << STOPS), np.int32), np.arange(1 << STOPS)
    for distance in range(1, FARTHEST + 1):
        for roll, (high, low) in enumerate(ROLLS.tolist()):
            table[distance] |= goes(high, low, distance, ways) << roll
    return table


def runs_by_way() -> np.ndarray:
    """[what is in the way] -> how many of 36 rolls take a man on by both dice."""
    table, ways = np.zeros(1 << FARTHEST, np.uint8), np.arange(1 << FARTHEST)
    for high, low in ROLLS.tolist():
        lands = ways >> high + low - 1 & 1 == 0
        table[goes(high, low, high + low, ways) & lands] += 1 if high == low else 2
    return table


HITS, RUNS = hits_by_distance(), runs_by_way()


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
                hitting |= np.int64(HITS[target - man, blocked >> man + 1 & (1 << STOPS) - 1])  # type: ignore[assignment]
        lost += weight(hitting & ~rolls) * (25 - target)
        rolls |= hitting
    return weight(rolls), lost
