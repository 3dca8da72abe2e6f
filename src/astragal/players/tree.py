"""Tree search and Monte Carlo Search as players: compositions of steps with the papers' settings."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from astragal.algorithms.monte_carlo.settings import ProbeSettings
from astragal.algorithms.tree.settings import TreeSettings
from astragal.base.parameters import with_default
from astragal.players.player import SearchingPlayer, player

if TYPE_CHECKING:
    from astragal.algorithms.search import Search


class TreePlayer(SearchingPlayer):
    """A composition of the steps of tree search, by settings."""

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.tree.search import TreeSearch

        return TreeSearch

    def new_session(self) -> Any:
        from astragal.algorithms.tree.store import TreeSession

        return TreeSession()


KALAH = {"kalah": {"c": "2.5", "unit": "points"}}  # Ramanujan & Selman 2011, Figure 4

# Uniformly random games hardly ever end in Focus, and never in Chinese Checkers.
BY_ORDER = {game: {"policy": "order", "epsilon": "0.05"} for game in ("focus", "chinese_checkers")}


def of_paper_1(**settings: tuple[float, ...]) -> dict[str, dict[str, str]]:
    """(C1, d_r) or (C1, d_r, C2, alpha) of each game, found by tuning in Lanctot et al. 2013, Section 4.2."""
    names = ("c", "rollout", "c2", "alpha")
    return {game: dict(zip(names, map(str, values), strict=False)) for game, values in settings.items()}


@player("uct", 3)
class UCT(TreeSettings, TreePlayer):
    """UCT (Kocsis & Szepesvari 2006): averages random games from each new leaf; needs no evaluation."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER
    final: str = with_default(TreeSettings, "final", "mean")


@player("uct_h", 3)
class UCTH(TreeSettings, TreePlayer):
    """UCT_H (Ramanujan & Selman 2011): the evaluation in place of random games, if it is a good one."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = KALAH
    c: float | None = with_default(TreeSettings, "c", 5.0)
    rollout: int | None = with_default(TreeSettings, "rollout", 0)
    final: str = with_default(TreeSettings, "final", "mean")


@player("uctmax_h", 3)
class UCTMaxH(TreeSettings, TreePlayer):
    """UCTMAX_H (Ramanujan & Selman 2011): UCT_H that backs up minimax values in place of averages."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = KALAH
    c: float | None = with_default(TreeSettings, "c", 5.0)
    rollout: int | None = with_default(TreeSettings, "rollout", 0)
    backup: str = with_default(TreeSettings, "backup", "minimax")
    final: str = with_default(TreeSettings, "final", "mean")


@player("mcts", 3)
class MCTS(TreeSettings, TreePlayer):
    """MCTS (Lanctot et al. 2013): d_r random moves from a leaf, then the evaluation; between uct and uct_h."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER | of_paper_1(
        pig=(50, 0), ewn=(200, 100), cant_stop=(50, 10), ra=(50, 0)
    )
    c: float | None = with_default(TreeSettings, "c", 50.0)
    rollout: int | None = with_default(TreeSettings, "rollout", 10)


@player("dpw", 3)
class DPW(TreeSettings, TreePlayer):
    """MCTS with Double Progressive Widening (Lanctot et al. 2013): for very many actions or outcomes."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER | of_paper_1(
        pig=(50, 0, 5, 0.2), ewn=(200, 100, 4, 0.25), cant_stop=(50, 10, 25, 0.3), ra=(50, 0, 2, 0.1)
    )
    c: float | None = with_default(TreeSettings, "c", 50.0)
    rollout: int | None = with_default(TreeSettings, "rollout", 10)
    widening: bool = with_default(TreeSettings, "widening", True)


@player("ggp", 3)
class GGP(TreeSettings, TreePlayer):
    """The textbook's tree search for rule sheets (Genesereth & Thielscher, chapter 8): opponents play their best."""

    c: float | None = with_default(TreeSettings, "c", math.sqrt(2))
    unit: str = with_default(TreeSettings, "unit", "score")
    backup: str = with_default(TreeSettings, "backup", "minimum")
    final: str = with_default(TreeSettings, "final", "mean")


@player("mcs", 3)
class MCS(ProbeSettings, SearchingPlayer):
    """Monte Carlo Search (Genesereth & Thielscher, chapter 8): some levels in full, then random games."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = BY_ORDER

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.monte_carlo.search import MonteCarloSearch

        return MonteCarloSearch
