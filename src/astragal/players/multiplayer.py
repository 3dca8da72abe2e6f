"""Searches for any number of players: maxn and paranoid."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from astragal.algorithms.multiplayer.settings import MaxnSettings
from astragal.algorithms.star.settings import StarSettings
from astragal.players.player import SearchingPlayer, player

if TYPE_CHECKING:
    from astragal.algorithms.search import Search


@player("maxn", 2)
class Maxn(MaxnSettings, SearchingPlayer):
    """Max^n (Luckhardt & Irani 1986): each player maximises their own utility; for more than two players."""

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.multiplayer.search import MaxnSearch

        return MaxnSearch


@player("paranoid", 2)
class Paranoid(StarSettings, SearchingPlayer):
    """Paranoid search (Sturtevant & Korf 2000): all others play against the mover; for more than two players."""

    prunes: ClassVar[bool] = True
    one_against_all: ClassVar[bool] = True

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.multiplayer.search import ParanoidSearch

        return ParanoidSearch
