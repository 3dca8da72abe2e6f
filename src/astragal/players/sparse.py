"""Two relatives of sparse sampling that choose what to sample: `fsss` and `ams`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from astragal.algorithms.sparse.settings import AmsSettings, FsssSettings
from astragal.players.player import SearchingPlayer, player
from astragal.players.star import ExpSS

if TYPE_CHECKING:
    from astragal.algorithms.search import Search


@player("fsss", 5)
class Fsss(FsssSettings, SearchingPlayer):
    """Forward Search Sparse Sampling (Walsh et al. 2010): the values of expss, found best first by bounds."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = ExpSS.game_defaults  # so that their values are equal

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.sparse.search import FsssSearch

        return FsssSearch


@player("ams", 5)
class Ams(AmsSettings, SearchingPlayer):
    """Adaptive multistage sampling (Chang et al. 2005): samples good actions more often than expss does."""

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.sparse.search import AmsSearch

        return AmsSearch
