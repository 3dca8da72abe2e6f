"""Max^n and paranoid search under iterative deepening, for any number of players. The seed decides nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.algorithms.depth_first.deepening import DepthFirstSearch
from astragal.algorithms.depth_first.recording import RECORDER
from astragal.algorithms.depth_first.variant import Variant
from astragal.algorithms.depth_first.work import Work
from astragal.algorithms.multiplayer.maxn import MaxnVariant
from astragal.algorithms.multiplayer.settings import MaxnSettings
from astragal.algorithms.star.search import StarSearch
from astragal.rules.protocol import Game

VERSION = 1  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)
MAXN, RECORDED_MAXN = MaxnVariant(), MaxnVariant(RECORDER)  # made once: a new one costs Numba some time


class MaxnSearch(DepthFirstSearch):
    """One search by max^n, with the memory in which nodes leave their vectors."""

    settings: MaxnSettings

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Any game will do."""

    def chosen_variant(self) -> Variant:
        return RECORDED_MAXN if self.settings.keep else MAXN

    def configure(self) -> None:
        self.work["merge"] = self.settings.merge
        self.work["viewer"] = max(0, self.position.turn)

    def equip(self, work: Work) -> None:
        vector = np.zeros(self.game.players)
        work["vector"] = vector.ctypes.data
        self.written.append(vector)


class ParanoidSearch(StarSearch):
    """One paranoid search: Star1 with the values of the player to move, the first where chance is."""

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Any game will do."""

    def configure(self) -> None:
        super().configure()
        self.work["viewer"] = max(0, self.position.turn)
