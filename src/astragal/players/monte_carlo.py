"""Monte Carlo Search as a player."""

from __future__ import annotations

from typing import Any, ClassVar

from astragal.players.player import Player, Question, player
from astragal.players.tree import BY_ORDER
from astragal.search.result import SearchResult
from astragal.search.settings import ProbeSettings


@player("mcs", 3)
class MCS(ProbeSettings, Player):
    """Monte Carlo Search: all actions for some levels, then random games (Genesereth & Thielscher, chapter 8)."""

    compiles: ClassVar[bool] = True
    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER

    def refuse_unfit(self, game: Any) -> None:
        from astragal.search.tree.compose import refuse_game

        super().refuse_unfit(game)
        refuse_game(game, self.player_name)

    def answer(self, asked: Question) -> SearchResult:
        from astragal.search.monte_carlo import monte_carlo_search

        return monte_carlo_search(asked.position, self, asked.limits, asked.seed, str(self), asked.progress)
