"""Alpha-beta as players: alphabeta, with all that makes it faster, and mm, with nothing of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from astragal.algorithms.alphabeta.settings import AlphaBetaSettings
from astragal.algorithms.depth_first.settings import EVALUATION
from astragal.algorithms.limits import MAX_DEPTH
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter, with_default
from astragal.players.player import SearchingPlayer, player

if TYPE_CHECKING:
    from astragal.algorithms.search import Search

PLAIN = AlphaBetaSettings(
    deepening=False, unfinished="better", table="off", killers=False, history=False, pvs=False
)  # with no iteration before it, a search that is stopped has no other answer than the best action so far


class AlphaBetaPlayer(SearchingPlayer):
    """A player for games of two without chance."""

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.alphabeta.search import AlphaBetaSearch

        return AlphaBetaSearch


@player("alphabeta", 2)
class AlphaBeta(AlphaBetaSettings, AlphaBetaPlayer):
    """Alpha-beta (Knuth & Moore 1975) with table, move order and null windows: for two players without chance.

    Killers: Akl & Newborn 1977. History: Schaeffer 1983. Principal variation search: Marsland & Campbell 1982,
    Reinefeld 1983. In Kalah actions are tried by the evaluation after them, without history.
    """

    game_defaults: ClassVar[dict[str, dict[str, str]]] = {"kalah": {"order": "evaluated", "history": "off"}}


@player("mm", 2)
class MM(AlphaBetaPlayer):
    """MM-k: plain alpha-beta k decisions deep (Ramanujan & Selman 2011); a reference without chance.

    No table, no deepening, no learned order: what it expands is what two experiments of the paper give UCT. The paper
    does not say in which order it tried actions, on which that number depends. Limits on
    time and nodes can stop it early; it then answers with the best of the actions it finished.
    """

    depth: int = parameter(8, "decisions to look ahead (k in the paper)", low=1, high=MAX_DEPTH)
    order: str = with_default(AlphaBetaSettings, "order", "listed")
    time: float | None = parameter(None, "most seconds per move", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "most nodes per move", low=1, high=10**15)
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "return the tree with the result")

    def answer(self, request: SearchRequest) -> SearchResult:
        limits = replace(request.limits, depth=request.limits.depth or self.depth)
        settings = replace(PLAIN, order=self.order, keep=self.keep)
        return self.search_class()(replace(request, limits=limits), settings).answer()
