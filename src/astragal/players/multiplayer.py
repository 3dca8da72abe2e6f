"""Searches for any number of players: maxn and paranoid."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from astragal.players.player import SearchingPlayer, player
from astragal.search.multiplayer.settings import MaxnSettings
from astragal.search.star.settings import StarSettings

if TYPE_CHECKING:
    from astragal.search.search import Search


@player("maxn", 2)
class Maxn(MaxnSettings, SearchingPlayer):
    """Max^n: every player maximises their own utility; any number of players (Luckhardt & Irani 1986)."""

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.search.multiplayer.search import MaxnSearch

        return MaxnSearch


@player("paranoid", 2)
class Paranoid(StarSettings, SearchingPlayer):
    """Paranoid search: all others play against the player to move; any number of players (Sturtevant & Korf 2000)."""

    prunes: ClassVar[bool] = True
    one_against_all: ClassVar[bool] = True

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.search.multiplayer.search import ParanoidSearch

        return ParanoidSearch
