"""Fields of a state that grow as long as a solver finds new states: a warning that there may be no end of them.

A game in which a field has no bound, such as a count of moves, has states without end. This proves nothing, since a
field with a distant bound grows in the same way. But it names the field within seconds.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.games import game_spec

ENOUGH = 500_000  # states before anything is said: a few seconds
PARTS = np.array(
    [0.25, 0.5, 0.75, 0.95]
)  # where the states, as they were found, are cut: a field grows from part to part
LEAST = 0.05  # how much further it is in the last part than in the first, as a share


class Growth:
    """Watches the states of a game while they are found, and warns once."""

    def __init__(self, game: Any, max_states: int) -> None:
        self.game, self.max_states = game, max_states
        self.began = time.monotonic()
        self.before, self.warned = "", False  # the field that grew at the last look

    def look(self, states: npt.NDArray[Any], expanded: int) -> None:
        """Look at all states found so far, of which some were expanded; warn if a field grows a second time."""
        if self.warned or len(states) < ENOUGH or expanded == len(states):
            return
        name, text = growing(states)
        if name and name == self.before:
            self.warned = True
            left = (time.monotonic() - self.began) * (self.max_states / len(states) - 1)
            warnings.warn(
                f"{game_spec(self.game)} may have states without end: {text} in {len(states):,} states; "
                f"solving gives up beyond {self.max_states:,} states, in about {duration(left)}",
                stacklevel=2,
            )
        self.before = name


def growing(states: npt.NDArray[Any]) -> tuple[str, str]:
    """The first field that grows and how far it has, in words; nothing if none does."""
    return next(((name, text) for name, text in fields(states) if text), ("", ""))


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} minutes"


def fields(states: npt.NDArray[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each field of numbers, and how far it has grown; nothing of one that does not."""
    assert states.dtype.names
    for name in states.dtype.names:
        column = states[name]
        if column.dtype.names:
            yield from fields(column.reshape(len(states), -1)[:, 0], f"{prefix}{name}.")
        elif column.dtype.kind in "iuf":
            yield prefix + name, growth_of(column.reshape(len(states), -1), prefix + name)


def growth_of(column: npt.NDArray[Any], name: str) -> str:
    """How a field grows, or falls, with the states that were found; nothing if it does neither."""
    parts = [part for part in np.split(column, (PARTS * len(column)).astype(int)) if part.size]
    first = float(column[0].flat[0])
    for extremes, way in (([part.max() for part in parts], 1), ([part.min() for part in parts], -1)):
        reached = [way * float(each) for each in extremes]
        rising = all(earlier < later for earlier, later in pairwise(reached))
        if rising and reached[-1] - reached[0] > LEAST * abs(reached[-1]):
            return f"the field '{name}' has {'risen' if way > 0 else 'fallen'} from {first:g} to {way * reached[-1]:g}"
    return ""
