"""Alpha-beta under iterative deepening: which variant its settings ask for, and the games it cannot search."""

from __future__ import annotations

from itertools import product
from typing import Any

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.alphabeta import AlphaBeta
from astragal.search.deepening import Deepening, refuse_game
from astragal.search.limits import Limits, search_name
from astragal.search.ordering import new_ordering
from astragal.search.progress import Progress
from astragal.search.result import SearchResult
from astragal.search.settings import AlphaBetaSettings

FLAGS = product((False, True), repeat=4)
VARIANTS = {(t, o, s, b): AlphaBeta(t, o, s, b) for t, o, s, b in FLAGS}  # made once: Numba knows each


def alphabeta_search(
    position: Position,
    settings: AlphaBetaSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position within limits; progress hears of each finished iteration. The seed decides nothing."""
    refuse_chance(position.game, search_name(player))
    return AlphaBetaDeepening(position, variant_of(settings), settings, limits, seed, player, progress).result()


def variant_of(settings: AlphaBetaSettings) -> AlphaBeta:
    """The variant to compile. Killers or history, or values or moves in the table, are told apart at run time."""
    ordered = settings.killers or settings.history
    return VARIANTS[settings.table != "off", ordered, settings.pvs, settings.order == "reversed"]


class AlphaBetaDeepening(Deepening):
    """One alpha-beta search, with what it learns of the order of actions."""

    settings: AlphaBetaSettings

    def prepare(self) -> None:
        if self.variant.backwards:
            self.actions = self.actions[::-1]
        if self.variant.ordered:
            self.ordering = new_ordering(self.settings.killers, self.settings.history)
            self.work["ordering"] = self.ordering.ctypes.data


def refuse_chance(game: Any, player: str) -> None:
    """Say in a sentence what kind of game alpha-beta cannot search."""
    refuse_game(game, player)
    if game.max_outcomes > 0:
        raise AstragalError(f"{player} needs a game without chance; {game_spec(game)} has it, so try star2")
