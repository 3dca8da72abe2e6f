"""The player of Pig that holds at a number of points."""

from __future__ import annotations

from typing import ClassVar

from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter
from astragal.players.player import Player, player, require_decision


@player("hold", 4)
class Hold(Player):
    """Pig: rolls until the turn total is n or wins, then holds: a fixed opponent."""

    only_for: ClassVar[tuple[str, ...]] = ("pig",)
    n: int = parameter(
        23, "turn total at which to hold (23 is the best single threshold with two dice)", low=1, high=1000
    )

    def answer(self, request: SearchRequest) -> SearchResult:
        position = request.position
        require_decision(position, "hold")
        self.refuse_unfit(position.game)
        state = position.state
        wins = state.score[state.turn] + state.pot >= position.game.goal
        action = "hold" if wins or state.pot >= self.n else "roll"
        return request.answer(position.find_action(action))
