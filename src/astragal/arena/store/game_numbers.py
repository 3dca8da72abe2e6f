"""Some numbers of every game of a contest, in a few bytes each: a contest may have millions of games."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan

import numpy as np
import numpy.typing as npt


class GameNumbers:
    """The same numbers of each game, by pair and game. What is not there is no number."""

    def __init__(self, games: int, width: int) -> None:
        self.games, self.width = games, width  # of a pair; numbers of a game
        self.rows: dict[int, int] = {}  # pair -> where its numbers are
        self.numbers = array("d")
        self.count = 0  # games that are there

    def put(self, pair: int, game: int, numbers: Sequence[float]) -> None:
        size = self.games * self.width
        row = self.rows.setdefault(pair, len(self.rows))
        if row * size == len(self.numbers):
            self.numbers.extend([nan] * size)
        first = row * size + game * self.width
        self.count += isnan(self.numbers[first])
        self.numbers[first : first + self.width] = array("d", numbers)

    def table(self) -> npt.NDArray[np.float64]:
        """[row of a pair, game, number]"""
        return np.array(self.numbers).reshape(-1, self.games, self.width)

    def of_all(self, number: int) -> npt.NDArray[np.float64]:
        """One of the numbers, of the games that are there; it is never missing where a game is there."""
        found = self.table()[:, :, number]
        return found[~np.isnan(found)]

    def keep(self, is_kept: Callable[[int], bool]) -> None:
        """Forget the pairs of which this is not true."""
        table = self.table()
        kept = {pair: row for pair, row in self.rows.items() if is_kept(pair)}
        self.numbers = array("d", table[list(kept.values())].tobytes())
        self.rows = {pair: row for row, pair in enumerate(kept)}
        self.count = len(self.of_all(0))


Games = Mapping[int, dict[int, list[float]]]  # pair, game, numbers


class Numbers(Games):
    """Neighbouring numbers of each game, read as a mapping. The first number of all says which games are there."""

    def __init__(self, all_numbers: GameNumbers, first: int, count: int) -> None:
        self.all, self.first, self.count = all_numbers, first, count

    def __getitem__(self, pair: int) -> dict[int, list[float]]:
        everything, width = self.all, self.all.width
        begin = everything.rows[pair] * everything.games * width
        found = {}
        for game in range(everything.games):
            start = begin + game * width
            if not isnan(everything.numbers[start]):
                found[game] = list(everything.numbers[start + self.first : start + self.first + self.count])
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self.all.rows)

    def __len__(self) -> int:
        return len(self.all.rows)
