"""The player that looks its move up in a solved game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from astragal.game.position import Position
from astragal.players.player import Player, player, require_decision
from astragal.search.limits import Limits
from astragal.search.result import ActionValue, Progress, SearchResult

if TYPE_CHECKING:
    from astragal.solve.solution import Solution


@player("optimal", 4)
class Optimal(Player):
    """Plays perfectly in a game that was solved (astragal solve)."""

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
    ) -> SearchResult:
        from astragal.solve.solution import load_solution

        require_decision(position, "optimal")
        values = solution_values(load_solution(position.game), position)
        answer = self.without_search(position, seed, values[0].number)
        return replace(answer, value=values[0].value, actions=values, complete=True)


def solution_values(solution: Solution, position: Position) -> list[ActionValue]:
    values = solution.action_values(position)
    rows = [ActionValue(action, position.action_name(action), value, "exact") for action, value in values.items()]
    return sorted(rows, key=lambda row: -row.value)
