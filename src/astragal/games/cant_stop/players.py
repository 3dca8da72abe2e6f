"""Players of Can't Stop that go by points: Michael Keller's Rule of 28, and its weights tuned by Glenn and Aloi.

The rule and both sets of weights are in `astragal.games.cant_stop.rule28`, which is imported when such a player moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter
from astragal.compiler.interpreted import interpreted
from astragal.players.player import Player, player, require_decision

if TYPE_CHECKING:
    from astragal.games.cant_stop.rule28 import PointsRule


@dataclass(frozen=True)
class PointsPlayer(Player):
    """A player that follows a points rule."""

    only_for: ClassVar[tuple[str, ...]] = ("cant_stop",)

    @property
    def rule(self) -> PointsRule:
        raise NotImplementedError

    def answer(self, request: SearchRequest) -> SearchResult:
        position = request.position
        require_decision(position, self.player_name)
        self.refuse_unfit(position.game)
        return request.answer(int(interpreted(self.rule).action(position.rules, position.state)))


@player("rule28", 4)
class Rule28(PointsPlayer):
    """Can't Stop: stops once the steps of the turn are worth 28 points (the Rule of 28): a fixed opponent."""

    threshold: int = parameter(28, "points at which to stop", low=1, high=1000)

    @property
    def rule(self) -> PointsRule:
        from astragal.games.cant_stop.rule28 import RULE_OF_28

        return replace(RULE_OF_28, threshold=self.threshold)


@player("glenn", 4)
class Glenn(PointsPlayer):
    """Can't Stop: the Rule of 28 with weights tuned for few turns (Glenn & Aloi 2009): a fixed opponent."""

    @property
    def rule(self) -> PointsRule:
        from astragal.games.cant_stop.rule28 import GLENN

        return GLENN
