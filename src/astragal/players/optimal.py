"""The player that plays only what loses nothing: by a solved game, or because `prove` shows a best move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from astragal.algorithms.interval import loss_between
from astragal.algorithms.limits import Limits
from astragal.algorithms.prove.settings import ProveSettings
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import AT_MOST, EXACT, ActionValue, SearchResult
from astragal.base.errors import AstragalError, GameError, Stopped
from astragal.base.interruptible import is_stopped
from astragal.players.player import Player, player, require_decision
from astragal.rules.dice import drawn
from astragal.rules.position import Position

if TYPE_CHECKING:
    from astragal.solvers.exact import Exact

NODES = 100_000  # of a proof that a move is best where nothing is solved
LOSS = 1e-9  # of the range of utilities, which a best move may lose: of equal moves with chance no digit says which


@player("optimal", 4)
class Optimal(Player):
    """Plays perfectly where the game was solved (astragal solve) or 100,000 nodes prove a best move; else refuses."""

    def versions(self) -> dict[str, int]:
        from astragal.algorithms.prove.search import ProveSearch

        return ProveSearch.versions()

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.solvers.exact import exact_values

        require_decision(request.position, "optimal")
        try:
            return looked_up(exact_values(request.position), request)
        except Stopped:
            raise
        except AstragalError as unsolved:
            return proven(request, unsolved)


def looked_up(solution: Exact, request: SearchRequest) -> SearchResult:
    """The best move by exact values, or one drawn from a mix."""
    stage = solution.stage(request.position)
    values = solution_values(solution, request.position)
    if stage is not None:
        values = drawn_first(values, stage.mix, request.seed)
    answer = request.answer(values[0].number)
    return replace(answer, value=values[0].value, bound=EXACT, actions=values, complete=True)


def proven(request: SearchRequest, unsolved: AstragalError) -> SearchResult:
    """The move that `prove` shows to be best; a limit on nodes alone, so that it can be repeated."""
    from astragal.algorithms.prove.search import ProveSearch

    try:
        settings = ProveSettings(tolerance=LOSS / 2)  # so that where it ends the best move loses no more
        found = ProveSearch(replace(request, limits=Limits(nodes=NODES)), settings).answer()
    except (GameError, Stopped):
        raise
    except AstragalError:  # nothing can be proven of this game
        raise unsolved from None
    if found.best_proven or can_lose(found) <= LOSS * span(request.position):
        return found
    if is_stopped():
        raise Stopped("it was stopped before it was done")
    raise AstragalError(f"{unsolved} ({NODES:,} nodes of prove do not show a best move here)")


def can_lose(found: SearchResult) -> float:
    """The most that the move found may lose against another one."""
    assert found.action_number is not None
    return loss_between({row.number: row.interval for row in found.actions if row.interval}, found.action_number).upper


def span(position: Position) -> float:
    low, high = position.game.utility_range
    return float(high - low)


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
