"""Max^n and paranoid search under iterative deepening."""

from __future__ import annotations

import numpy as np

from astragal.game.position import Position
from astragal.search.deepening import Deepening
from astragal.search.limits import Limits
from astragal.search.maxn import Maxn
from astragal.search.paranoid import CheckedParanoid, Paranoid
from astragal.search.progress import Progress
from astragal.search.result import SearchResult
from astragal.search.settings import MaxnSettings, StarSettings
from astragal.search.star_search import StarDeepening

MAXN, PARANOID, CHECKED_PARANOID = Maxn(), Paranoid(), CheckedParanoid()  # made once: Numba knows each


def maxn_search(
    position: Position,
    settings: MaxnSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position within limits; progress hears of each finished iteration. The seed decides nothing."""
    return MaxnDeepening(position, MAXN, settings, limits, seed, player, progress).result()


def paranoid_search(
    position: Position,
    settings: StarSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position within limits; progress hears of each finished iteration. The seed decides nothing."""
    variant = CHECKED_PARANOID if settings.check else PARANOID
    return ParanoidDeepening(position, variant, settings, limits, seed, player, progress).result()


class MaxnDeepening(Deepening):
    """One search by max^n, with the memory in which nodes leave their vectors."""

    settings: MaxnSettings

    def prepare(self) -> None:
        self.vector = np.zeros(self.position.game.players)
        self.work["merge"] = self.settings.merge
        self.work["vector"] = self.vector.ctypes.data
        self.work["viewer"] = viewer(self.position)


class ParanoidDeepening(StarDeepening):
    """One paranoid search."""

    def prepare(self) -> None:
        super().prepare()
        self.work["viewer"] = viewer(self.position)


def viewer(position: Position) -> int:
    """The player whose values are searched: the one to move, the first where chance is."""
    return max(0, position.turn)
