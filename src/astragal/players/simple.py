"""The players that search nothing, or one action ahead: `random` and `greedy`."""

from __future__ import annotations

from dataclasses import replace

from astragal.algorithms.depth_first.settings import EVALUATION
from astragal.algorithms.limits import Limits
from astragal.algorithms.multiplayer.settings import MaxnSettings
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter
from astragal.players.player import Player, player, require_decision
from astragal.rules.dice import Dice


@player("greedy", 4)
class Greedy(Player):
    """Plays the action with the best evaluation after it, on average over chance: a quick, fixed opponent.

    That is max^n one decision deep, whose kernel it runs: who compiles ahead compiles `maxn`.
    """

    evaluation: str = parameter("own", EVALUATION)

    def versions(self) -> dict[str, int]:
        from astragal.algorithms.multiplayer.search import MaxnSearch

        return MaxnSearch.versions()

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.algorithms.multiplayer.search import MaxnSearch

        require_decision(request.position, "greedy")
        one_deep = replace(request, limits=Limits(nodes=10**9, depth=1), progress=None)
        found = MaxnSearch(one_deep, MaxnSettings(table="off")).answer()
        equal = [action for action in found.actions if action.value == found.value]
        chosen = equal[Dice(request.seed).below(len(equal))]
        rest = [action for action in found.actions if action is not chosen]
        return replace(
            found, action_number=chosen.number, action=chosen.action, actions=[chosen, *rest], line=[chosen.action]
        )


@player("random", 4)
class Random(Player):
    """Plays a uniformly random legal action: the weakest reference."""

    def answer(self, request: SearchRequest) -> SearchResult:
        actions = require_decision(request.position, "random")
        return request.answer(actions[Dice(request.seed).below(len(actions))])
