"""What the games of a contest say: win rates, paired estimates, Elo, duplicate scores, faults and lateness."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
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


@dataclass
class Standing:
    """The games of a contest so far, in any order."""

    contest: Contest
    scores: dict[int, dict[int, list[float]]] = field(default_factory=lambda: defaultdict(dict))  # match, game, kind
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)  # (kind, what it did)
    decisions: int = 0
    worst_overrun: float = 0.0
    seconds: float = 0.0

    def add(self, records: list[GameRecord]) -> None:
        kinds = range(len(self.contest.kinds))
        for record in records:
            self.scores[record.match][record.game] = [record.score_of(kind) for kind in kinds]
            if record.forfeit is not None:
                self.faults[record.seats[record.forfeit], record.fault] += 1
            self.decisions += len(record.thoughts)
            self.seconds += record.seconds
            self.worst_overrun = max([self.worst_overrun, *(thought.over for thought in record.thoughts)])

    @property
    def games(self) -> int:
        return sum(map(len, self.scores.values()))

    def whole_matches(self, limit: int | None = None) -> list[list[list[float]]]:
        """[match][game][kind] of the matches that are whole, in their order; with a limit only those before it."""
        size = len(self.contest.seatings)
        numbers = [match for match in sorted(self.scores) if len(self.scores[match]) == size]
        chosen = [match for match in numbers if limit is None or match < limit]
        return [[self.scores[match][game] for game in range(size)] for match in chosen]

    def rate(self, kind: int) -> Estimate:
        """A kind's share of the wins, over all games."""
        return win_rate([scores[kind] for games in self.scores.values() for scores in games.values()])

    def paired(self, kind: int = 0) -> PairedEstimate | None:
        """The same over whole matches, with the error that pairing leaves; None before there are two."""
        matches = [[game[kind] for game in match] for match in self.whole_matches()]
        return paired(matches) if len(matches) > 1 else None

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        facts: dict[str, Any] = {
            "contest": {"key": self.contest.key, "game": self.contest.game, "seed": self.contest.seed},
            "games": self.games,
            "matches": len(self.whole_matches()),
            "expected": 1 / len(self.contest.kinds),
            "players": [self.player_facts(kind) for kind in range(len(self.contest.kinds))],
            "decisions": self.decisions,
            "worst_overrun": self.worst_overrun,
        }
        if len(self.contest.kinds) == 2:
            facts |= self.duel_facts()
        return facts

    def player_facts(self, kind: int) -> dict[str, Any]:
        rate = self.rate(kind)
        faults = {fault: count for (at_fault, fault), count in self.faults.items() if at_fault == kind}
        return {
            "player": self.contest.kinds[kind],
            "rate": rate.mean,
            "low": rate.low,
            "high": rate.high,
            "forfeits": sum(faults.values()),
            "faults": faults,
        }

    def duel_facts(self) -> dict[str, Any]:
        """What can be said of two kinds."""
        estimate = self.paired() or self.rate(0)
        difference = elo_interval(estimate)
        games = [scores[0] for match in self.scores.values() for scores in match.values()]
        facts: dict[str, Any] = {
            "elo": {"elo": difference.elo, "low": difference.low, "high": difference.high},
            "superior": likelihood_of_superiority(games.count(1.0), games.count(0.0)),
        }
        if isinstance(estimate, PairedEstimate):
            facts["paired"] = {
                "rate": estimate.mean,
                "standard_error": estimate.standard_error,
                "low": estimate.low,
                "high": estimate.high,
                "pairing_helped": estimate.variance_ratio,
            }
        if self.contest.rules.players == 2 and self.whole_matches():
            duplicate = duplicate_score([[game[0] for game in match] for match in self.whole_matches()])
            facts["duplicate"] = {
                "taken_by_first": duplicate.taken_by_a,
                "taken_by_second": duplicate.taken_by_b,
                "set_aside": duplicate.set_aside,
                "share_set_aside": duplicate.share_set_aside,
            }
        return facts


class SprtWatch:
    """A sequential test over the matches of a contest in their order, whichever are over first."""

    def __init__(self, standing: Standing, sprt: Sprt) -> None:
        self.standing, self.sprt = standing, sprt
        self.steps = 2 if standing.contest.rules.players == 2 else 12  # shares of a win are halves, thirds or quarters
        self.counts = np.zeros(len(standing.contest.seatings) * self.steps + 1, np.int64)
        self.matches = 0  # how many were counted, without a gap
        self.decision: str | None = None

    def decided(self) -> bool:
        """Count the matches that have become whole; whether the test is decided."""
        size = len(self.standing.contest.seatings)
        while self.decision is None and len(self.standing.scores.get(self.matches, {})) == size:
            scores = [self.standing.scores[self.matches][game][0] for game in range(size)]
            self.counts += tally([scores], self.steps)
            self.matches += 1
            self.decision = self.sprt.decision(self.counts.tolist())
        return self.decision is not None

    @property
    def llr(self) -> float:
        return self.sprt.llr(self.counts.tolist()) if self.matches else 0.0
