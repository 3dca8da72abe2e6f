"""Max^n and paranoid search under iterative deepening, for any number of players. The seed decides nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.game.protocol import Game
from astragal.search.depth_first.deepening import DepthFirstSearch
from astragal.search.depth_first.recording import RECORDER
from astragal.search.depth_first.variant import Variant
from astragal.search.multiplayer.maxn import MaxnVariant
from astragal.search.multiplayer.settings import MaxnSettings
from astragal.search.star.search import StarSearch

MAXN, RECORDED_MAXN = MaxnVariant(), MaxnVariant(RECORDER)  # made once: Numba takes a while to get to know each


class MaxnSearch(DepthFirstSearch):
    """One search by max^n, with the memory in which nodes leave their vectors."""

    settings: MaxnSettings

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Any game will do."""

    def chosen_variant(self) -> Variant:
        return RECORDED_MAXN if self.settings.keep else MAXN

    def configure(self) -> None:
        self.vector = np.zeros(self.game.players)
        self.work["merge"] = self.settings.merge
        self.work["vector"] = self.vector.ctypes.data
        self.work["viewer"] = max(0, self.position.turn)


class ParanoidSearch(StarSearch):
    """One paranoid search: Star1 with the values of the player to move, the first where chance is."""

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Any game will do."""

    def configure(self) -> None:
        super().configure()
        self.work["viewer"] = max(0, self.position.turn)
