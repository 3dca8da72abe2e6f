"""The player that looks one action ahead."""

from __future__ import annotations

from dataclasses import replace

from astragal.game.dice import Dice
from astragal.parameters import parameter
from astragal.players.player import Player, player, require_decision
from astragal.search.depth_first.settings import EVALUATION
from astragal.search.limits import Limits
from astragal.search.multiplayer.settings import MaxnSettings
from astragal.search.request import SearchRequest
from astragal.search.result import SearchResult


@player("greedy", 4)
class Greedy(Player):
    """Plays the action after which its evaluation is best, in expectation where chance follows; ties by the seed.

    That is max^n one decision deep, whose kernel it runs: who compiles ahead compiles `maxn`.
    """

    evaluation: str = parameter("own", EVALUATION)

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.search.multiplayer.search import MaxnSearch

        require_decision(request.position, "greedy")
        one_deep = replace(request, limits=Limits(nodes=10**9, depth=1), progress=None)
        found = MaxnSearch(one_deep, MaxnSettings(table="off")).answer()
        equal = [action for action in found.actions if action.value == found.value]
        chosen = equal[Dice(request.seed).below(len(equal))]
        rest = [action for action in found.actions if action is not chosen]
        return replace(
            found, action_number=chosen.number, action=chosen.action, actions=[chosen, *rest], line=[chosen.action]
        )
