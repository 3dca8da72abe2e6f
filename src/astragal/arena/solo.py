"""Games for one player: every player plays the same seeds, and mean scores are compared seed by seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from astragal.arena.means import MeanEstimate, mean_of
from astragal.arena.statistics import holm

if TYPE_CHECKING:
    from astragal.arena.summary import Standing

NO_TEST = "a sequential test counts wins, and games for one player have scores: name a number of games instead"


@dataclass(frozen=True)
class SoloMeeting:
    """Two players who played the same seeds. The first player is named first."""

    players: tuple[str, str]
    scores: tuple[tuple[float, ...], tuple[float, ...]]  # of each player, seed by seed
    forfeits: tuple[int, int] = (0, 0)
    occasion: str = ""
    decision = None  # there is no sequential test
    different = None  # each player's games are told apart where it plays alone

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
