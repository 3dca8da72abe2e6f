"""Whether searches that were limited by seconds had them: what the processor gave, of what the clock says.

A search on a machine that does other things as well gets part of its time only, and is another, weaker player. Those
with less than 90% are dropped; of games, whole pairs in which a player had less than that on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from astragal.arena.record import GameRecord

LEAST = 0.9  # of its time that a search must have had


class Timed(Protocol):
    """A search of a game or of a study."""

    @property
    def seconds(self) -> float: ...
    @property
    def processor(self) -> float | None: ...


def share_of_time(searches: Iterable[Timed]) -> float:
    """What part of their seconds the processor gave searches; all of it where that was not written down."""
    known = [search for search in searches if search.processor is not None]
    seconds = sum(search.seconds for search in known)
    return sum(search.processor or 0.0 for search in known) / seconds if seconds else 1.0


def had_its_time(search: Timed) -> bool:
    return share_of_time([search]) >= LEAST


def attended_pairs(records: Sequence[GameRecord]) -> set[int]:
    """The pairs in which each player had its time, over all its searches of the pair's games."""
    searches: dict[tuple[int, int], list[Timed]] = {}
    for record in records:
        for search in record.searches:
            kind = -1 if search.seat is None else record.seats[search.seat]
            searches.setdefault((record.pair, kind), []).append(search)
    short = {pair for (pair, _), found in searches.items() if share_of_time(found) < LEAST}
    return {record.pair for record in records} - short


def attention_note(what: str, share: float, dropped: int, of: int) -> str:
    had = f"the processor gave searches {share:.0%} of their seconds"
    return f"{what}: {had}; {dropped} of {of} had too little and are dropped."
