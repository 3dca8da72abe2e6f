"""The player that looks its move up in a solved game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from astragal.game.position import Position
from astragal.players.player import Player, player, require_decision
from astragal.search.mixing import drawn
from astragal.search.request import SearchRequest
from astragal.search.result import EXACT, ActionValue, SearchResult

if TYPE_CHECKING:
    from astragal.solve.exact import Exact


@player("optimal", 4)
class Optimal(Player):
    """Plays perfectly in a game that was solved (astragal solve), by a mix where players choose at once."""

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.solve.exact import exact_values

        require_decision(request.position, "optimal")
        solution = exact_values(request.position)
        stage = solution.stage(request.position)
        values = solution_values(solution, request.position)
        if stage is not None:
            values = drawn_first(values, stage.mix, request.seed)
        answer = request.answer(values[0].number)
        return replace(answer, value=values[0].value, bound=EXACT, actions=values, complete=True)


def drawn_first(values: list[ActionValue], mix: dict[int, float], seed: int) -> list[ActionValue]:
    """The actions with their shares of a mix, the one drawn from it first."""
    shared = [replace(row, share=mix[row.number]) for row in values]
    chosen = shared[drawn([mix[row.number] for row in values], seed)]
    return [chosen, *sorted((row for row in shared if row is not chosen), key=lambda row: -mix[row.number])]


def solution_values(solution: Exact, position: Position) -> list[ActionValue]:
    values = sorted(solution.action_values(position).items(), key=lambda item: -item[1])
    return [ActionValue(action, position.action_name(action), value, EXACT) for action, value in values]
