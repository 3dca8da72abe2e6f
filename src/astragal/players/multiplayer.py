"""Searches for any number of players: maxn and paranoid."""

from __future__ import annotations

from typing import Any, ClassVar

from astragal.game.position import Position
from astragal.players.player import Player, player
from astragal.search.limits import Limits
from astragal.search.result import Progress, SearchResult
from astragal.search.settings import MaxnSettings, StarSettings


@player("maxn", 2)
class Maxn(MaxnSettings, Player):
    """Max^n: every player maximises their own utility; any number of players (Luckhardt & Irani 1986)."""

    compiles: ClassVar[bool] = True

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
    ) -> SearchResult:
        from astragal.search.multiplayer_search import maxn_search

        return maxn_search(position, self, self.limits_or(limits), seed, str(self), progress)


@player("paranoid", 2)
class Paranoid(StarSettings, Player):
    """Paranoid search: all others play against the player to move; any number of players (Sturtevant & Korf 2000)."""

    compiles: ClassVar[bool] = True

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
    ) -> SearchResult:
        from astragal.search.multiplayer_search import paranoid_search

        return paranoid_search(position, self, self.limits_or(limits), seed, str(self), progress)
