"""Searches for any number of players: maxn and paranoid."""

from __future__ import annotations

from typing import ClassVar

from astragal.players.player import Player, Question, player
from astragal.search.result import SearchResult
from astragal.search.settings import MaxnSettings, StarSettings


@player("maxn", 2)
class Maxn(MaxnSettings, Player):
    """Max^n: every player maximises their own utility; any number of players (Luckhardt & Irani 1986)."""

    compiles: ClassVar[bool] = True

    def answer(self, asked: Question) -> SearchResult:
        from astragal.search.multiplayer_search import maxn_search

        return maxn_search(asked.position, self, asked.limits, asked.seed, str(self), asked.progress)


@player("paranoid", 2)
class Paranoid(StarSettings, Player):
    """Paranoid search: all others play against the player to move; any number of players (Sturtevant & Korf 2000)."""

    compiles: ClassVar[bool] = True

    def answer(self, asked: Question) -> SearchResult:
        from astragal.search.multiplayer_search import paranoid_search

        return paranoid_search(asked.position, self, asked.limits, asked.seed, str(self), asked.progress)
