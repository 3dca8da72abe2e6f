"""The *-Minimax family under iterative deepening: what its settings mean to its kernels."""

from __future__ import annotations

from typing import Any

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.search.deepening import Deepening, refuse_game
from astragal.search.limits import Limits, search_name
from astragal.search.result import Progress, SearchResult
from astragal.search.settings import SampledStarSettings, StarSettings
from astragal.search.table import eras
from astragal.search.variants import Expectimax
from astragal.search.work import Work, new_work


def star_search(
    position: Position,
    variant: Expectimax,
    settings: StarSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position with one of the six variants, within limits; progress hears of each finished iteration."""
    refuse_game(position.game, search_name(player))
    return StarDeepening(position, variant, settings, limits, seed, player, progress).result()


class StarDeepening(Deepening):
    """One search of the family."""

    settings: StarSettings

    def prepare(self) -> None:
        configure(self.work, self.settings)

    def begin(self, depth: int) -> None:
        set_iteration(self.work, self.settings, depth, self.max_depth, self.seed)


def configured_work(game: Any, settings: StarSettings) -> Work:
    """A work record for a game with what the settings say, before limits, table and iteration are set."""
    work = new_work(*game.utility_range)
    configure(work, settings)
    return work


def configure(work: Work, settings: StarSettings) -> None:
    """What the settings say, in a work record."""
    work["merge"] = settings.merge
    work["prune_above"] = settings.prune_above
    work["afterstates"] = settings.leaf == "afterstate"
    work["table_values"] = settings.table == "values"
    if isinstance(settings, SampledStarSettings):
        work["stratified"] = settings.sampling == "stratified"
        work["key_by_path"] = settings.key == "path"
        if settings.key == "path":
            work["table_values"] = 0  # on another path to a state its value is another


def set_iteration(work: Work, settings: StarSettings, depth: int, max_depth: int, seed: int) -> None:
    """The key, the widths and the table's era of one iteration.

    What the table knows of values is void with each: sampled iterations use different keys, and an exact one that took
    a value from an earlier one would not know that leaves were evaluated for it.
    """
    work["key"] = work["path"] = Dice(Dice(seed).bits() + depth).bits()
    work["table_era"] = next(eras)
    if isinstance(settings, SampledStarSettings):
        for left in range(depth):
            work["widths"][0, left] = settings.width.at_level(depth - 1 - left)
