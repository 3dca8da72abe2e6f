"""Intervals that a value is proven to lie in, in numbers and in words. Printed digits are rounded outwards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from astragal.rules.ending import measure
from astragal.rules.protocol import Game

FEWEST, MOST = 2, 12  # decimals that are printed


class Interval(NamedTuple):
    """A value is at least the one and at most the other."""

    lower: float
    upper: float

    @property
    def width(self) -> float:
        return self.upper - self.lower

    @property
    def middle(self) -> float:
        return self.lower + self.width / 2

    def __str__(self) -> str:
        """``between +0.1201 and +0.1203``, or one number where that is all there is."""
        return self.in_units(1.0, "+")

    def in_units(self, unit: float | Fraction, sign: str = "", name: str = "") -> str:
        """The same with numbers that are multiples of a unit."""
        low, high = printed(Fraction(self.lower) / Fraction(unit), Fraction(self.upper) / Fraction(unit))
        return f"{low:{sign}f}{name}" if low == high else f"between {low:{sign}f}{name} and {high:{sign}f}{name}"


def loss_between(known: Mapping[int, Interval], action: int) -> Interval:
    """The loss of an action against the best one, from the intervals of all actions; rounded outwards."""
    own, others = known[action], [found for number, found in known.items() if number != action]
    least = max((other.lower for other in others), default=own.upper)
    most = max((other.upper for other in others), default=own.lower)
    return Interval(
        difference(least, own.upper, 0.0) if least > own.upper else 0.0,
        difference(most, own.lower, math.inf) if most > own.lower else 0.0,
    )


def difference(one: float, other: float, towards: float) -> float:
    """The one less the other, rounded this way if it is no double."""
    rounded = one - other
    return rounded if Fraction(rounded) == Fraction(one) - Fraction(other) else math.nextafter(rounded, towards)


def printed(lower: Fraction, upper: Fraction) -> tuple[Decimal, Decimal]:
    """Both ends rounded outwards, with as many decimals as show the width."""
    decimals = min(MOST, max(FEWEST, -math.floor(math.log10(upper - lower)))) if upper > lower else FEWEST
    if lower == upper and (lower * 10**decimals).denominator > 1:
        decimals = MOST
    scale = 10**decimals
    ends = math.floor(lower * scale), math.ceil(upper * scale)
    return Decimal(ends[0]).scaleb(-decimals), Decimal(ends[1]).scaleb(-decimals)


def in_words(game: Game, turn: int, interval: Interval) -> str:
    """What an interval of the player to move, or of the first player at a chance node, proves.

    Where values can be read so, it is a chance to win, a draw counting half: ``player 1 wins between 56.00% and
    56.02%, proven``.
    """
    who = f"player {max(turn, 0) + 1}"
    if measure(game) != "win":
        return f"{'the score' if game.players == 1 else f'the value for {who}'} is {interval}, proven"
    low, high = game.utility_range
    if interval.lower == high or interval.upper == low:
        return f"{who} {'wins' if interval.lower == high else 'loses'}, proven"
    share = worth_in_words(game, interval)
    return f"{who} wins {share if share.startswith('between') else f'with a chance of {share}'}, proven"


def worth_in_words(game: Game, interval: Interval) -> str:
    """``between 56.00% and 56.02%`` where values can be read as a chance to win, else in utilities."""
    if measure(game) != "win":
        return str(interval)
    low, high = map(Fraction, game.utility_range)
    least, most = printed(*(100 * (Fraction(end) - low) / (high - low) for end in interval))
    return f"{least}%" if least == most else f"between {least}% and {most}%"
