"""The player that looks its move up in a solved game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import AT_MOST, EXACT, ActionValue, SearchResult
from astragal.players.player import Player, player, require_decision
from astragal.rules.dice import drawn
from astragal.rules.position import Position

if TYPE_CHECKING:
    from astragal.solvers.exact import Exact


@player("optimal", 4)
class Optimal(Player):
    """Plays a solved game perfectly (astragal solve); a mixed strategy where players choose at once."""

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.solvers.exact import exact_values

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
    """The value of every action, at most the best if it is unknown; the best first, ends of the game before others."""
    known = solution.action_values(position)
    best = max(known.values())

    def row(action: int) -> ActionValue:
        kind = EXACT if action in known else AT_MOST
        return ActionValue(action, position.action_name(action), known.get(action, best), kind)

    def rank(action: int) -> tuple[float, bool, bool]:
        return -known.get(action, best), action not in known, not position.follow(action).is_terminal

    return [row(action) for action in sorted(position.actions(), key=rank)]
