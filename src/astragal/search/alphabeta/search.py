"""Alpha-beta under iterative deepening: which variant its settings ask for, and the games it cannot search."""

from __future__ import annotations

from functools import cache
from typing import Any

from astragal.errors import AstragalError
from astragal.game.protocol import Game
from astragal.games import game_spec
from astragal.search.alphabeta.alphabeta import AlphaBetaVariant
from astragal.search.alphabeta.ordering import new_ordering
from astragal.search.alphabeta.settings import AlphaBetaSettings
from astragal.search.depth_first.deepening import DepthFirstSearch, refuse_game
from astragal.search.depth_first.recording import RECORDER, SILENT
from astragal.search.depth_first.variant import Variant


class AlphaBetaSearch(DepthFirstSearch):
    """One alpha-beta search, with what it learns of the order of actions. The seed decides nothing."""

    settings: AlphaBetaSettings

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)
        if game.max_outcomes > 0:
            raise AstragalError(f"{player} needs a game without chance; {game_spec(game)} has it, so try star2")

    def chosen_variant(self) -> Variant:
        return variant_for(self.settings)

    def configure(self) -> None:
        if self.settings.order == "reversed":
            self.actions = self.actions[::-1]
        if self.settings.killers or self.settings.history:
            self.ordering = new_ordering(self.settings.killers, self.settings.history)
            self.work["ordering"] = self.ordering.ctypes.data


def variant_for(settings: AlphaBetaSettings) -> AlphaBetaVariant:
    """The variant to compile. Killers or history, or values or moves in the table, are told apart at run time."""
    return known(
        AlphaBetaVariant(
            table=settings.table != "off",
            ordered=settings.killers or settings.history,
            scouts=settings.pvs,
            backwards=settings.order == "reversed",
            evaluated=settings.order == "evaluated",
            recorder=RECORDER if settings.keep else SILENT,
        )
    )


@cache
def known(variant: AlphaBetaVariant) -> AlphaBetaVariant:
    """An equal variant made before: Numba takes a while to get to know a new one."""
    return variant
