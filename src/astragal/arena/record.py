"""A game that was played, with all it takes to play it again and to know how the players searched."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class SearchStats:
    """What is noted of the search behind a decision."""

    seconds: float
    nodes: int
    depth: int
    value: float | None  # for the mover
    over: float  # seconds beyond the limit
    budget: int | None  # nodes the player was allowed by its opponent, where budgets are matched
    seat: int | None = None  # who decided; older files do not say
    processor: float | None = None  # seconds that the processor gave it; nor this


@dataclass(frozen=True)
class GameRecord:
    """A game. Seats, players and plies are numbered from 0."""

    pair: int
    game: int  # which of the pair's seatings
    seats: tuple[int, ...]  # seat -> kind of player
    seed: int  # of the starting position and the dice
    steps: tuple[int, ...]  # every action and outcome, in order
    searches: tuple[SearchStats, ...]  # one for each action
    utilities: tuple[float, ...]  # seat -> what the end was worth
    forfeit: int | None = None  # the seat that lost by a fault
    fault: str = ""
    finished_from: int | None = None  # the ply from which other players finished the game
    seconds: float = 0.0

    @property
    def number(self) -> tuple[int, int]:
        return self.pair, self.game

    @property
    def scores(self) -> tuple[float, ...]:
        """Seat -> its share of the win: those with the highest utility share it."""
        best = max(self.utilities)
        winners = [utility == best for utility in self.utilities]
        return tuple(won / sum(winners) for won in winners)

    def utility_of(self, kind: int) -> float:
        """What the end was worth to the seats of a kind, on average; not a number where it has none."""
        found = [utility for utility, seated in zip(self.utilities, self.seats, strict=True) if seated == kind]
        return sum(found) / len(found) if found else math.nan

    def score_of(self, kind: int) -> float:
        """The share of the win that went to seats of a kind; where all seats share it, a kind's share of the kinds."""
        scores = self.scores
        if len(set(scores)) == 1:
            return 1 / len(set(self.seats))
        return sum(score for score, seated in zip(scores, self.seats, strict=True) if seated == kind)
