"""What the games of a contest say: win rates, paired estimates, Elo, duplicate scores, faults and lateness.

Of games for one player, which nobody wins, they say how much was scored.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from astragal.arena.contest import Contest
from astragal.arena.means import MeanEstimate, estimate_text, mean_of
from astragal.arena.record import GameRecord
from astragal.arena.solo import differences
from astragal.arena.sprt import Sprt, tally
from astragal.arena.statistics import (
    Estimate,
    PairedEstimate,
    duplicate_score,
    elo_interval,
    likelihood_of_superiority,
    paired,
    win_rate,
)

Games = dict[int, dict[int, list[float]]]  # pair, game, kind


@dataclass
class Standing:
    """The games of a contest so far, in any order."""

    contest: Contest
    scores: Games = field(default_factory=dict)  # a kind's share of the win
    utilities: Games = field(default_factory=dict)  # the mean of a kind's seats; not a number where it has none
    worths: dict[float, float] = field(default_factory=dict)  # a share of a win -> what that was first worth
    margins: bool = False  # whether shares of the win are worth now this, now that: then utilities say more
    faults: list[tuple[int, int, str]] = field(default_factory=list)  # pair, kind, what it did
    decisions: Counter[int] = field(default_factory=Counter)  # by pair
    courses: dict[int, dict[int, int]] = field(
        default_factory=dict
    )  # pair, game -> a hash of who moved how to what end
    chance: bool = False  # whether anything was left to it
    worst_overrun: float = 0.0
    seconds: float = 0.0

    def add(self, records: list[GameRecord]) -> None:
        kinds = range(len(self.contest.kinds))
        for record in records:
            self.scores.setdefault(record.pair, {})[record.game] = [record.score_of(kind) for kind in kinds]
            self.utilities.setdefault(record.pair, {})[record.game] = [record.utility_of(kind) for kind in kinds]
            if record.forfeit is None:
                for share, utility in zip(record.scores, record.utilities, strict=True):
                    self.margins |= self.worths.setdefault(share, utility) != utility
            if record.forfeit is not None:
                self.faults.append((record.pair, record.seats[record.forfeit], record.fault))
            self.decisions[record.pair] += len(record.searches)
            self.courses.setdefault(record.pair, {})[record.game] = hash((record.seats, record.steps, record.utilities))
            self.chance |= len(record.steps) > len(record.searches)
            self.seconds += record.seconds
            self.worst_overrun = max([self.worst_overrun, *(stats.over for stats in record.searches)])

    @property
    def games(self) -> int:
        return sum(map(len, self.scores.values()))

    @property
    def different(self) -> int:
        """How many games there are if those that went alike count once."""
        return len({course for games in self.courses.values() for course in games.values()})

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
        self.scores = {pair: games for pair, games in self.scores.items() if pair < pairs}
        self.utilities = {pair: games for pair, games in self.utilities.items() if pair < pairs}
        self.courses = {pair: games for pair, games in self.courses.items() if pair < pairs}
        self.faults = [fault for fault in self.faults if fault[0] < pairs]
        self.decisions = Counter({pair: count for pair, count in self.decisions.items() if pair < pairs})

    def rate(self, kind: int) -> Estimate | None:
        """A kind's share of the wins, over all games; None before there are any, and where nobody wins."""
        if self.contest.is_solo:
            return None
        scores = [scores[kind] for games in self.scores.values() for scores in games.values()]
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
            "decisions": self.decisions.total(),
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
        games = [scores[0] for pair in self.scores.values() for scores in pair.values()]
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
