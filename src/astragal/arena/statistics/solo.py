"""Games for one player: mean scores of any size, and their differences seed by seed, over the same seeds for all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.arena.statistics.estimates import holm, t_reach, t_tails
from astragal.base.errors import AstragalError
from astragal.rules.ending import score_text

if TYPE_CHECKING:
    from astragal.arena.summary import Standing


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its interval by Student's t, and what the numbers were like; one number says nothing of the mean's
    error, which is infinite then."""

    mean: float
    standard_error: float
    low: float
    high: float
    spread: float  # standard deviation
    worst: float
    best: float
    count: int

    def p_value(self) -> float:
        """How likely a mean at least this far from 0 is if that is the truth (two-sided)."""
        if self.mean == 0.0 or self.count < 2:
            return 1.0
        if self.standard_error == 0.0:
            return float(0.5 ** (self.count - 1))  # all alike, as signs could be
        return t_tails(self.mean / self.standard_error, self.count - 1)

    def superiority(self) -> float:
        """The likelihood that the true mean is above 0, given what was seen."""
        half = self.p_value() / 2.0
        return 1.0 - half if self.mean > 0.0 else half


def mean_of(numbers: Sequence[float], confidence: float = 0.95) -> MeanEstimate:
    """The mean of independent numbers."""
    if not numbers:
        raise AstragalError("there are no games to compute from")
    found = np.asarray(numbers, dtype=np.float64)
    mean, count = float(found.mean()), len(found)
    spread = float(found.std(ddof=1)) if count > 1 else 0.0
    error = spread / math.sqrt(count) if count > 1 else math.inf
    reach = error * t_reach(confidence, count - 1) if count > 1 else math.inf
    return MeanEstimate(mean, error, mean - reach, mean + reach, spread, float(found.min()), float(found.max()), count)


def estimate_text(estimate: MeanEstimate, signed: bool = False) -> str:
    """A mean with its interval, where there is one."""
    mean = score_text(estimate.mean, signed)
    if math.isinf(estimate.standard_error):
        return mean
    return f"{mean} [{score_text(estimate.low, signed)}, {score_text(estimate.high, signed)}]"


NO_TEST = "a sequential test counts wins, and games for one player have scores: name a number of games instead"


@dataclass(frozen=True)
class SoloMeeting:
    """Two players who played the same seeds. The first player is named first."""

    players: tuple[str, str]
    scores: tuple[tuple[float, ...], tuple[float, ...]]  # of each player, seed by seed
    forfeits: tuple[int, int] = (0, 0)
    occasion: str = ""
    decision = None  # there is no sequential test
    different = None  # each player's games are counted where it plays alone

    @property
    def games(self) -> int:
        return sum(map(len, self.scores))

    @property
    def estimate(self) -> MeanEstimate:
        """How much more the first player scored."""
        return mean_of([one - other for one, other in zip(*self.scores, strict=True)])

    @property
    def winner(self) -> int:
        """0 or 1, by mean score. Where they are equal it is the first player."""
        return 0 if self.estimate.mean >= 0.0 else 1

    @property
    def p_value(self) -> float:
        """How likely a difference at least this large is between equal players."""
        return self.estimate.p_value()

    def mean_score(self, player: int) -> MeanEstimate:
        return mean_of(self.scores[player])

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        difference = self.estimate
        return {
            "occasion": self.occasion,
            "players": self.players,
            "games": self.games,
            "scores": [self.mean_score(player).mean for player in (0, 1)],
            "difference": difference.mean,
            "low": difference.low,
            "high": difference.high,
            "forfeits": self.forfeits,
            "decision": self.decision,
        }

    def rows(self, label: Callable[[str], str] = str) -> list[dict[str, Any]]:
        """How each of the players did, and how much more it scored than the other."""
        found, (first, second) = self.estimate, map(label, self.players)
        more = (found.mean, found.low, found.high), (-found.mean, -found.high, -found.low)
        return [
            {
                "player": player,
                "opponent": opponent,
                "games": self.games,
                "score": self.mean_score(number).mean,
                "difference": difference,
                "low": low,
                "high": high,
                "forfeits": self.forfeits[number],
                "p": self.p_value,
            }
            for number, (player, opponent, (difference, low, high)) in enumerate(
                zip((first, second), (second, first), more, strict=True)
            )
        ]


def differences(standing: Standing) -> list[dict[str, Any]]:
    """How much more each player of a contest scored than each later one, over the seeds that all have played."""
    seeds = standing.whole_pairs(standing.utilities)
    if not seeds:
        return []
    rows: list[dict[str, Any]] = []
    for one, other in combinations(range(len(standing.contest.kinds)), 2):
        found = mean_of([games[one][one] - games[other][other] for games in seeds])  # game i is player i's
        rows.append(
            {"players": [standing.contest.kinds[one], standing.contest.kinds[other]]}
            | {"mean": found.mean, "low": found.low, "high": found.high, "p": found.p_value()}
            | {"superior": found.superiority()}
        )
    for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = corrected
    return rows
