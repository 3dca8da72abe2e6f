"""The player that looks one action ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.players.player import Player, player, require_decision
from astragal.search.limits import Limits
from astragal.search.result import Progress, SearchResult
from astragal.search.settings import MaxnSettings


@player("greedy", 4)
class Greedy(Player):
    """Plays the action after which its evaluation is best, in expectation where chance follows; ties by the seed.

    That is max^n one decision deep, whose kernel it runs: who compiles ahead compiles `maxn`.
    """

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
    ) -> SearchResult:
        from astragal.search.multiplayer_search import maxn_search

        require_decision(position, "greedy")
        found = maxn_search(position, MaxnSettings(table="off"), Limits(nodes=10**9, depth=1), seed, str(self))
        equal = [action for action in found.actions if action.value == found.value]
        chosen = equal[Dice(seed).below(len(equal))]
        rest = [action for action in found.actions if action is not chosen]
        return replace(
            found, action_number=chosen.number, action=chosen.action, actions=[chosen, *rest], line=[chosen.action]
        )
