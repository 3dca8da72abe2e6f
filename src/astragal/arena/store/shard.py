"""A part of a contest, played for itself: every n-th pair, into a results file of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from astragal.base.errors import SpecError

MOST = 100_000


@dataclass(frozen=True)
class Shard:
    """Part number of count, numbered from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        if found:
            number, count = int(found[1]), int(found[2])
            if 1 <= number <= count <= MOST:
                return cls(number, count)
        raise SpecError(f"a part is written NUMBER/COUNT, such as 3/100, not '{text}'")

    def has(self, pair: int) -> bool:
        return pair % self.count == self.number - 1

    def pairs(self, pairs: int) -> int:
        """How many of the first pairs are in this part."""
        return len(range(self.number - 1, pairs, self.count))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"
