"""The player that proves what a position is worth at least and at most."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from astragal.algorithms.prove.settings import ProveSettings
from astragal.players.player import SearchingPlayer, player

if TYPE_CHECKING:
    from astragal.algorithms.search import Search


@player("prove", 4)
class Prove(ProveSettings, SearchingPlayer):
    """Bounds proven to contain a position's value, narrowed until they meet (McMahan et al. 2005); for endgames."""

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.prove.search import ProveSearch

        return ProveSearch
