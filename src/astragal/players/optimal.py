"""The player that looks its move up in a solved game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from astragal.game.position import Position
from astragal.players.player import Player, Question, player, require_decision
from astragal.search.result import ActionValue, SearchResult

if TYPE_CHECKING:
    from astragal.solve.exact import Exact


@player("optimal", 4)
class Optimal(Player):
    """Plays perfectly in a game that was solved (astragal solve)."""

    def answer(self, asked: Question) -> SearchResult:
        from astragal.solve.exact import exact_values

        require_decision(asked.position, "optimal")
        values = solution_values(exact_values(asked.position), asked.position)
        answer = self.without_search(asked, values[0].number)
        return replace(answer, value=values[0].value, actions=values, complete=True)


def solution_values(solution: Exact, position: Position) -> list[ActionValue]:
    values = solution.action_values(position)
    rows = [ActionValue(action, position.action_name(action), value, "exact") for action, value in values.items()]
    return sorted(rows, key=lambda row: -row.value)
