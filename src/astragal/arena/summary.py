"""What the games of a contest say: win rates, paired estimates, Elo, duplicate scores, faults and lateness.

For games for one player, which have no winner, they report scores.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from astragal.arena.contest import Contest, GameRecord
from astragal.arena.statistics.estimates import (
    Estimate,
    PairedEstimate,
    duplicate_score,
    elo_interval,
    likelihood_of_superiority,
    paired,
    win_rate,
)
from astragal.arena.statistics.solo import MeanEstimate, differences, estimate_text, mean_of
from astragal.arena.statistics.sprt import Sprt, tally
from astragal.arena.store.game_numbers import GameNumbers, Games, Numbers

OVER = attrgetter("over")
COURSES = 1 << 52  # of games: as many as a number with a point holds exactly
DECISIONS, COURSE, OWN = 0, 1, 2  # of each game: how many, a hash of who moved how to what end, and what players got


@dataclass
class Standing:
    """The games of a contest so far, in any order."""

    contest: Contest
    worths: dict[float, float] = field(default_factory=dict)  # a share of a win -> what that was first worth
    margins: bool = False  # whether shares of the win are worth now this, now that: then utilities say more
    faults: list[tuple[int, int, str]] = field(default_factory=list)  # pair, kind, what it did
    chance: bool = False  # whether anything was left to it
    worst_overrun: float = 0.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.numbers = GameNumbers(len(self.contest.seatings), OWN + 2 * len(self.contest.kinds))

    @property
    def scores(self) -> Games:
        """Pair, game, kind: the kind's share of the win."""
        return Numbers(self.numbers, OWN, len(self.contest.kinds))

    @property
    def utilities(self) -> Games:
        """Pair, game, kind: the mean of the kind's seats; not a number where it has none."""
        return Numbers(self.numbers, OWN + len(self.contest.kinds), len(self.contest.kinds))

    def add(self, records: Iterable[GameRecord]) -> None:
        kinds = range(len(self.contest.kinds))
        for record in records:
            course = hash((record.seats, record.steps, record.utilities)) % COURSES
            scores = [record.score_of(kind) for kind in kinds]
            utilities = [record.utility_of(kind) for kind in kinds]
            numbers = [len(record.searches), course, *scores, *utilities]
            self.numbers.put(record.pair, record.game, numbers)
            if record.forfeit is None:
                for share, utility in zip(record.scores, record.utilities, strict=True):
                    self.margins |= self.worths.setdefault(share, utility) != utility
            if record.forfeit is not None:
                self.faults.append((record.pair, record.seats[record.forfeit], record.fault))
            self.chance |= len(record.steps) > len(record.searches)
            self.seconds += record.seconds
            self.worst_overrun = max([self.worst_overrun, *map(OVER, record.searches)])

    @property
    def games(self) -> int:
        return self.numbers.count

    @property
    def decisions(self) -> int:
        return int(self.numbers.of_all(DECISIONS).sum())

    @property
    def different(self) -> int:
        """How many games there are if those that went alike count once."""
        return len(np.unique(self.numbers.of_all(COURSE)))

    @property
    def repeats(self) -> bool:
        """Whether most games were played before, which an interval takes for new ones. Dice may fall alike: that is
        no repetition."""
        return not self.chance and 0 < 2 * self.different <= self.games

    def whole_pairs(self, games: Games | None = None) -> list[list[list[float]]]:
        """[pair][game][kind] of the pairs that are whole, in their order: scores, or utilities."""
        size = len(self.contest.seatings)
        chosen = self.scores if games is None else games
        numbers = [pair for pair in sorted(chosen) if len(chosen[pair]) == size]
        return [[chosen[pair][game] for game in range(size)] for pair in numbers]

    def keep_first(self, pairs: int) -> None:
        """Forget the pairs after these: how many there are depends on who was faster."""
        self.numbers.keep(lambda pair: pair < pairs)
        self.faults = [fault for fault in self.faults if fault[0] < pairs]

    def rate(self, kind: int) -> Estimate | None:
        """A kind's share of the wins, over all games; None before the first game, and in games without a winner."""
        if self.contest.is_solo:
            return None
        scores = self.numbers.of_all(OWN + kind).tolist()
        return win_rate(scores) if scores else None

    def mean_utility(self, kind: int) -> MeanEstimate | None:
        """What games were worth to a kind, taken pair by pair; None before there are any."""
        pairs = [[game[kind] for game in games.values()] for _, games in sorted(self.utilities.items())]
        seated = [[utility for utility in pair if not math.isnan(utility)] for pair in pairs]
        means = [sum(pair) / len(pair) for pair in seated if pair]
        return mean_of(means) if means else None

    def estimate(self, kind: int) -> Estimate | MeanEstimate | None:
        """How a kind did: its share of the wins, or its mean score in a game for one."""
        return self.mean_utility(kind) if self.contest.is_solo else self.rate(kind)

    def in_words(self, kind: int) -> str:
        """The same for people; nothing before there are games."""
        found = self.estimate(kind)
        if isinstance(found, MeanEstimate):
            return estimate_text(found)
        return f"{found.mean:.1%} [{found.low:.1%}, {found.high:.1%}]" if found else ""

    def paired(self, kind: int = 0) -> PairedEstimate | None:
        """The same over whole pairs, with the error that pairing leaves; None before there are two."""
        pairs = [[game[kind] for game in pair] for pair in self.whole_pairs()]
        return paired(pairs) if len(pairs) > 1 else None

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        facts: dict[str, Any] = {
            "contest": {"key": self.contest.key, "game": self.contest.game, "seed": self.contest.seed},
            "games": self.games,
            "different": self.different,
            "pairs": len(self.whole_pairs()),
            "measure": "score" if self.contest.is_solo else "share of wins",
            "expected": None if self.contest.is_solo else 1 / len(self.contest.kinds),
            "margins": self.margins,
            "players": [self.player_facts(kind) for kind in range(len(self.contest.kinds))],
            "decisions": self.decisions,
            "worst_overrun": self.worst_overrun,
        }
        if self.contest.is_duel:
            facts |= self.duel_facts()
        if self.contest.is_solo:
            facts["differences"] = differences(self)
        return facts

    def player_facts(self, kind: int) -> dict[str, Any]:
        rate, utility = self.rate(kind), self.mean_utility(kind)
        faults = Counter(fault for _, at_fault, fault in self.faults if at_fault == kind)
        return {
            "player": self.contest.kinds[kind],
            "rate": rate.mean if rate else None,
            "low": rate.low if rate else None,
            "high": rate.high if rate else None,
            "utility": vars(utility) if utility else None,
            "forfeits": faults.total(),
            "faults": dict(faults),
        }

    def superiority(self) -> float:
        """How likely the first kind is the better one."""
        estimate = self.paired()
        if estimate is not None:
            return estimate.superiority()
        games = self.numbers.of_all(OWN).tolist()
        return likelihood_of_superiority(games.count(1.0), games.count(0.0))

    def duel_facts(self) -> dict[str, Any]:
        """What can be said of two kinds."""
        estimate = self.paired() or self.rate(0)
        if estimate is None:
            return {}
        difference = elo_interval(estimate)
        facts: dict[str, Any] = {
            "elo": {"elo": difference.elo, "low": difference.low, "high": difference.high},
            "superior": self.superiority(),
        }
        if isinstance(estimate, PairedEstimate):
            facts["paired"] = {
                "rate": estimate.mean,
                "standard_error": estimate.standard_error,
                "low": estimate.low,
                "high": estimate.high,
                "pairing_helped": estimate.variance_ratio,
            }
        if self.contest.seats == 2 and self.whole_pairs():
            duplicate = duplicate_score([[game[0] for game in pair] for pair in self.whole_pairs()])
            facts["duplicate"] = {
                "taken_by_first": duplicate.taken_by_a,
                "taken_by_second": duplicate.taken_by_b,
                "set_aside": duplicate.set_aside,
                "share_set_aside": duplicate.share_set_aside,
            }
        return facts


class SprtWatch:
    """A sequential test over the pairs of a contest in their order, whichever are over first."""

    def __init__(self, standing: Standing, sprt: Sprt) -> None:
        self.standing, self.sprt = standing, sprt
        self.steps = math.lcm(*range(1, standing.contest.seats + 1))  # as many as that can share a win
        self.counts = np.zeros(len(standing.contest.seatings) * self.steps + 1, np.int64)
        self.pairs = 0  # how many were counted, without a gap
        self.decision: str | None = None

    def decided(self) -> bool:
        """Count the pairs that have become whole; whether the test is decided."""
        size = len(self.standing.contest.seatings)
        while self.decision is None and len(self.standing.scores.get(self.pairs, {})) == size:
            scores = [self.standing.scores[self.pairs][game][0] for game in range(size)]
            self.counts += tally([scores], self.steps)
            self.pairs += 1
            self.decision = self.sprt.decision(self.counts.tolist())
        return self.decision is not None

    @property
    def llr(self) -> float:
        return self.sprt.llr(self.counts.tolist()) if self.pairs else 0.0
