"""The *-Minimax family as players: exp, star1, star2, and with sparse sampling expss, star1ss, star2ss.

These are the players of the papers. `star` and `starss` are Star2 and star2SS with all that was measured to save work.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from astragal.algorithms.star.settings import ForwardSettings, SampledStarSettings, StarSettings
from astragal.base.parameters import with_default
from astragal.players.player import SearchingPlayer, player

if TYPE_CHECKING:
    from astragal.algorithms.search import Search
    from astragal.rules.protocol import Game


class StarPlayer(SearchingPlayer):
    """A player of the family: its fields are the settings, and its class says which search of it."""

    @classmethod
    @cache
    def search_class(cls) -> type[Search]:
        from astragal.algorithms.star.search import StarSearch

        return StarSearch


@player("exp", 0)
class Exp(StarSettings, StarPlayer):
    """Expectimax: every action and every outcome to a depth; the reference for star1 and star2."""


@player("star1", 0)
class Star1(ForwardSettings, StarPlayer):
    """Star1 (Ballard 1983): the values of exp, with pruning by bounds on chance nodes and alpha-beta."""

    prunes: ClassVar[bool] = True


@player("star2", 0)
class Star2(ForwardSettings, StarPlayer):
    """Star2 (Ballard 1983): Star1 after a probe of one action for each outcome, which prunes more."""

    prunes: ClassVar[bool] = True
    probes: ClassVar[bool] = True


class SavingPlayer(StarPlayer):
    """Settings measured to save work: evaluate before the roll in games whose evaluation does not depend on it."""

    @classmethod
    def defaults_for(cls, game: Game) -> dict[str, str]:
        leaf = {"leaf": "afterstate"} if game.ignores_outcomes else {}
        return super().defaults_for(game) | leaf

    @classmethod
    def varied_settings(cls) -> set[str]:
        return super().varied_settings() | {"leaf"}


@player("star", 0)
class Star(SavingPlayer, Star2):
    """Star2 with every saving switched on: for two players, dice and a fair evaluation."""

    # In Ra a tile drawn changes the evaluation, but a decision more of depth is worth more (docs/less-work.md).
    game_defaults: ClassVar[dict[str, dict[str, str]]] = {"ra": {"leaf": "afterstate"}}
    table: str = with_default(Star2, "table", "values")
    chances: bool = with_default(Star2, "chances", True)
    ceilings: bool = with_default(Star2, "ceilings", True)
    merge: bool = with_default(Star2, "merge", True)
    prune_above: int = with_default(Star2, "prune_above", 1)


def paper_widths(pig: int, ewn: int, cant_stop: int, ra: int) -> dict[str, dict[str, str]]:
    """Sample widths found by tuning in Lanctot et al. 2013, Section 4.2."""
    widths = {"pig": pig, "ewn": ewn, "cant_stop": cant_stop, "ra": ra}
    return {game: {"width": str(width)} for game, width in widths.items()}


@player("expss", 1)
class ExpSS(SampledStarSettings, StarPlayer):
    """Expectimax with sparse sampling (Lanctot et al. 2013); the reference for star1ss and star2ss."""

    game_defaults: ClassVar[dict[str, dict[str, str]]] = paper_widths(20, 1, 25, 5)


@player("star1ss", 1)
class Star1SS(ForwardSettings, SampledStarSettings, StarPlayer):
    """Star1 with sparse sampling (Lanctot et al. 2013): draws only some outcomes where there are many."""

    prunes: ClassVar[bool] = True
    game_defaults: ClassVar[dict[str, dict[str, str]]] = paper_widths(25, 1, 30, 5)


@player("star2ss", 1)
class Star2SS(ForwardSettings, SampledStarSettings, StarPlayer):
    """Star2 with sparse sampling (Lanctot et al. 2013): draws only some outcomes where there are many."""

    prunes: ClassVar[bool] = True
    probes: ClassVar[bool] = True
    game_defaults: ClassVar[dict[str, dict[str, str]]] = paper_widths(18, 2, 15, 2)


@player("starss", 1)
class StarSS(SavingPlayer, Star2SS):
    """star2ss with every saving switched on: for more outcomes than star can search."""

    table: str = with_default(Star2SS, "table", "values")
    chances: bool = with_default(Star2SS, "chances", True)
    ceilings: bool = with_default(Star2SS, "ceilings", True)
    merge: bool = with_default(Star2SS, "merge", True)
    prune_above: int = with_default(Star2SS, "prune_above", 1)
