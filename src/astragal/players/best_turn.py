"""The player of Can't Stop that plays each turn as well as it can be played on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from astragal.game.position import Position
from astragal.parameters import parameter
from astragal.players.player import Player, player, require_decision
from astragal.search.request import SearchRequest
from astragal.search.result import SearchResult

if TYPE_CHECKING:
    from astragal.solve.cant_stop import TurnSolution


@player("best_turn", 4)
class BestTurn(Player):
    """Can't Stop: plays each turn for its largest expected gain, whatever others do, and stops where that wins."""

    only_for: ClassVar[tuple[str, ...]] = ("cant_stop",)
    measure: str = parameter(
        "evaluation",
        "what a turn is to gain: by the game's evaluation, points of the Rule of 28, or turns in a solved solitaire",
        choices=("evaluation", "points", "turns"),
    )

    def new_session(self) -> dict[str, TurnSolution]:
        """The turn under way, once solved."""
        return {}

    def answer(self, request: SearchRequest) -> SearchResult:
        position = request.position
        require_decision(position, "best_turn")
        self.refuse_unfit(position.game)
        for action in position.actions():
            if (after := position.follow(action)).is_terminal and after.evaluations()[position.turn] > 0:
                return request.answer(action)
        return request.answer(self.turn_at(position, request.session).best_action(position))

    def turn_at(self, position: Position, session: dict[str, TurnSolution] | None) -> TurnSolution:
        """The solved turn that a position belongs to, from the session if it is there."""
        if session is None:
            return self.solve(position)
        if "turn" not in session or position not in session["turn"]:
            session["turn"] = self.solve(position)
        return session["turn"]

    def solve(self, position: Position) -> TurnSolution:
        from astragal.solve.cant_stop import on_demand, solve_turn

        if self.measure == "turns":
            return on_demand(position).turn(position)
        return solve_turn(position, self.measure, keeping=False)
