"""The settings a tuner may try: ``width=1..40``, ``c=10..200:log``, ``policy=uniform|order``.

Each is checked against the player's own record of settings. Candidates of an elimination are drawn as a Latin
hypercube: each setting's range is cut into as many parts as there are candidates, and each part is used once. All other
ways to propose settings are Optuna's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, fields
from itertools import product
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.base.errors import SpecError, suggest
from astragal.base.parameters import check_range, convert, field_kind, parameter_fields, spell
from astragal.players.player import Player
from astragal.rules.dice import Dice

DIGITS = 4  # of numbers that are drawn, so that a person can read them
TRIES = 100  # for each candidate to be different from the others
FORMS = "write width=1..40, c=10..200:log or policy=uniform|order"

Settings = dict[str, Any]


@dataclass(frozen=True)
class Range:
    """All numbers from low to high; with log, each factor between two of them is equally likely."""

    name: str
    low: float
    high: float
    whole: bool
    log: bool

    @property
    def size(self) -> float:
        return self.high - self.low + 1 if self.whole else math.inf

    def at(self, share: float) -> float:
        """The number below which this share of the range lies."""
        room = 0.5 if self.whole else 0.0  # a whole number stands for all that are rounded to it
        low, high = self.low - room, self.high + room
        if self.log:
            return self.fit(low * (high / low) ** share)
        return self.fit(low + (high - low) * share)

    def fit(self, number: float) -> float:
        """The nearest number that may be used."""
        if self.whole:
            near: float = math.floor(number + 0.5)
        elif self.log:
            near = float(f"{number:.{DIGITS}g}")
        else:
            near = round(number, DIGITS - math.ceil(math.log10(self.high - self.low)))
        return min(max(near, self.low), self.high)

    def every(self) -> list[Any]:
        """All numbers of a range of whole ones."""
        return list(range(int(self.low), int(self.high) + 1))


@dataclass(frozen=True)
class Choices:
    """A few values."""

    name: str
    values: tuple[Any, ...]

    @property
    def size(self) -> float:
        return len(self.values)

    def at(self, share: float) -> Any:
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]

    def every(self) -> list[Any]:
        return list(self.values)


@dataclass(frozen=True)
class Space:
    """Every combination of some settings' values."""

    dimensions: tuple[Range | Choices, ...]

    @property
    def size(self) -> float:
        return math.prod(dimension.size for dimension in self.dimensions)

    def drawn(self, count: int, dice: Dice) -> list[Settings]:
        """This many different combinations at random, or all of them if there are no more.

        They can be fewer where random numbers are nearly equal, as in a very narrow range.
        """
        if self.size <= count:
            return self.named(product(*(dimension.every() for dimension in self.dimensions)))
        columns = [[dimension.at(share) for share in spread(count, dice)] for dimension in self.dimensions]
        found = dict.fromkeys(zip(*columns, strict=True))
        for _ in range(TRIES * count):
            if len(found) == count:
                break
            found[tuple(dimension.at(part(dice)) for dimension in self.dimensions)] = None
        return self.named(found)

    def named(self, rows: Any) -> list[Settings]:
        names = [dimension.name for dimension in self.dimensions]
        return [dict(zip(names, row, strict=True)) for row in rows]


def part(dice: Dice) -> float:
    """A number from 0 up to 1."""
    return (dice.bits() >> 11) / 2.0**53


def spread(count: int, dice: Dice) -> list[float]:
    """This many shares in random order, one in each of as many equal parts of 0 to 1."""
    parts = list(range(count))
    dice.shuffle(parts)
    return [(number + part(dice)) / count for number in parts]


def parse_space(player: type[Player], texts: Sequence[str]) -> Space:
    """The search space that texts describe, or a sentence about the first that does not fit the player."""
    dimensions = [parse_dimension(player, text) for text in texts]
    names = [dimension.name for dimension in dimensions]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"the values of '{name}' are given twice")
    if not names:
        raise SpecError(f"there is nothing to tune; {FORMS} after --param")
    return Space(tuple(dimensions))


def parse_dimension(player: type[Player], text: str) -> Range | Choices:
    what = player.player_name
    name, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not name or not values:
        raise SpecError(f"'{text}' names no values to try; {FORMS}")
    known = {field.name: field for field in parameter_fields(player)}
    if name not in known:
        raise SpecError(f"{what} has no setting '{name}' (it has: {', '.join(known) or 'none'}){suggest(name, known)}")
    if name in {limit.name for limit in fields(Limits)}:
        raise SpecError(f"{name} is a limit: more is always better, so it cannot be tuned")

    def value_of(each: str) -> Any:
        value = convert(known[name], each.strip(), what)
        check_range(known[name], value, what)
        return value

    if ".." in values:
        return parse_range(known[name], text, values, value_of)
    found = tuple(map(value_of, values.split("|")))
    if len(set(found)) < max(2, len(found)):
        raise SpecError(f"'{text}' needs at least two values, all different; {FORMS}")
    return Choices(name, found)


def parse_range(field: Field[Any], text: str, values: str, value_of: Callable[[str], Any]) -> Range:
    ends, colon, scale = values.partition(":")
    if field_kind(field) in (bool, str):
        allowed = field.metadata.get("choices") or ("on", "off")
        raise SpecError(f"{field.name} has no range; write {field.name}={'|'.join(map(spell, allowed))}")
    if colon and scale != "log":
        raise SpecError(f"'{text}' can end in :log only, not in :{scale}")
    low, high = (number_in(value_of(end)) for end in ends.split("..", 1))
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise SpecError(f"'{text}' is not a range; it goes from a smaller number to a larger one")
    if colon and low <= 0:
        raise SpecError(f"'{text}' starts at {low:g}, but a range by :log starts above 0")
    return Range(field.name, low, high, field_kind(field) is not float, bool(colon))


def as_number(value: Any) -> float | None:
    """A setting's value where it is a number, and not yes or no."""
    return None if isinstance(value, bool) else number_in(value)


def number_in(value: Any) -> Any:
    """The number that a value is or spells, as sample widths do that are the same on all levels; None otherwise."""
    if value is None or isinstance(value, int | float):
        return value
    return int(str(value)) if str(value).isdecimal() else None
