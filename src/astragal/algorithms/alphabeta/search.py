"""Alpha-beta under iterative deepening: which variant its settings ask for, and the games it cannot search."""

from __future__ import annotations

from functools import cache
from typing import Any

from astragal.algorithms.alphabeta.alphabeta import AlphaBetaVariant
from astragal.algorithms.alphabeta.ordering import new_ordering
from astragal.algorithms.alphabeta.settings import AlphaBetaSettings
from astragal.algorithms.depth_first.deepening import DepthFirstSearch, refuse_game
from astragal.algorithms.depth_first.recording import RECORDER
from astragal.algorithms.depth_first.variant import Variant
from astragal.algorithms.depth_first.work import SILENT, Work
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.protocol import Game

VERSION = 1  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)


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

    def equip(self, work: Work) -> None:
        if self.settings.killers or self.settings.history:
            ordering = new_ordering(self.settings.killers, self.settings.history)
            work["ordering"] = ordering.ctypes.data
            self.written.append(ordering)


def variant_for(settings: AlphaBetaSettings) -> AlphaBetaVariant:
    """The variant to compile. Killers or history, or values or moves in the table, are decided at run time."""
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
    """An equal variant made before: a new one costs Numba some time."""
    return variant
