"""Monte Carlo Search as a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from astragal.players.player import SearchingPlayer, player
from astragal.players.tree import BY_ORDER
from astragal.search.monte_carlo.settings import ProbeSettings

if TYPE_CHECKING:
    from astragal.search.search import Search


@player("mcs", 3)
class MCS(ProbeSettings, SearchingPlayer):
    """Monte Carlo Search: all actions for some levels, then random games (Genesereth & Thielscher, chapter 8)."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER

    @classmethod
    def search_class(cls) -> type[Search]:
        from astragal.search.monte_carlo.search import MonteCarloSearch

        return MonteCarloSearch
