"""The player that looks its move up in a solved game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from astragal.game.position import Position
from astragal.players.player import Player, player, require_decision
from astragal.search.request import SearchRequest
from astragal.search.result import EXACT, ActionValue, SearchResult

if TYPE_CHECKING:
    from astragal.solve.exact import Exact


@player("optimal", 4)
class Optimal(Player):
    """Plays perfectly in a game that was solved (astragal solve)."""

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.solve.exact import exact_values

        require_decision(request.position, "optimal")
        values = solution_values(exact_values(request.position), request.position)
        answer = request.answer(values[0].number)
        return replace(answer, value=values[0].value, bound=EXACT, actions=values, complete=True)


def solution_values(solution: Exact, position: Position) -> list[ActionValue]:
    values = sorted(solution.action_values(position).items(), key=lambda item: -item[1])
    return [ActionValue(action, position.action_name(action), value, EXACT) for action, value in values]
