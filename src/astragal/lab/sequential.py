"""When a pairing has enough games: looks that are few and fixed beforehand, and strict but for the last.

Whoever looks often and stops when it pleases is wrong more often than 5%. So a pairing is looked at after about 50
games, 100, 200 and so on. It ends at a look before the last one only if the 99.9% interval leaves no doubt about its
claim; the interval that is reported is the usual 95% (Haybittle 1971; Peto et al. 1976). With n looks a true claim is
contradicted with a probability of at most 5% + (n - 1) 0.1%. It also ends once its 95% interval is as narrow as the
experiment asks for, which favours no side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from astragal.lab.findings import Entry

STRICT = 0.999  # the confidence of a look before the last one
USUAL = 0.95
FIRST_GAMES = 50


def looks(pairs: int, games_a_pair: int) -> Iterator[int]:
    """After how many pairs to look, the last look being at all of them."""
    look = max(1, math.ceil(FIRST_GAMES / games_a_pair))
    while look < pairs:
        yield look
        look *= 2
    yield pairs


@dataclass(frozen=True)
class Stop:
    """When to stop: at an interval of this reach, or when the strict one holds none of the levels asked about."""

    reach: float
    levels: Sequence[float] = ()

    def is_enough(self, entry: Callable[[float], Entry | None]) -> bool:
        """Whether it is, by the entry that a confidence gives."""
        usual, strict = entry(USUAL), entry(STRICT)
        if usual is None or strict is None:
            return False
        narrow = (usual.high - usual.low) / 2 <= self.reach
        return narrow or (bool(self.levels) and not any(strict.low <= level <= strict.high for level in self.levels))
