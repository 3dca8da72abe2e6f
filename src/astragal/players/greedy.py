"""The player that looks one action ahead."""

from __future__ import annotations

from dataclasses import replace

from astragal.game.dice import Dice
from astragal.players.player import Player, Question, player, require_decision
from astragal.search.limits import Limits
from astragal.search.result import SearchResult
from astragal.search.settings import MaxnSettings


@player("greedy", 4)
class Greedy(Player):
    """Plays the action after which its evaluation is best, in expectation where chance follows; ties by the seed.

    That is max^n one decision deep, whose kernel it runs: who compiles ahead compiles `maxn`.
    """

    def answer(self, asked: Question) -> SearchResult:
        from astragal.search.multiplayer_search import maxn_search

        require_decision(asked.position, "greedy")
        limits = Limits(nodes=10**9, depth=1)
        found = maxn_search(asked.position, MaxnSettings(table="off"), limits, asked.seed, str(self))
        equal = [action for action in found.actions if action.value == found.value]
        chosen = equal[Dice(asked.seed).below(len(equal))]
        rest = [action for action in found.actions if action is not chosen]
        return replace(
            found, action_number=chosen.number, action=chosen.action, actions=[chosen, *rest], line=[chosen.action]
        )
