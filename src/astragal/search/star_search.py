"""The *-Minimax family under iterative deepening: what its settings mean to its kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.search.deepening import Deepening, refuse_game
from astragal.search.limits import Limits, search_name
from astragal.search.prediction import prediction, refuse_forward
from astragal.search.progress import Progress
from astragal.search.result import SearchResult
from astragal.search.settings import SAMPLINGS, ForwardSettings, SampledStarSettings, StarSettings
from astragal.search.table import eras
from astragal.search.variants import CHECKED_VARIANTS, FORWARD_VARIANTS, VARIANTS, Expectimax
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
    refuse_forward(position.game, settings, search_name(player))
    return StarDeepening(position, compiled_for(variant, settings), settings, limits, seed, player, progress).result()


class StarDeepening(Deepening):
    """One search of the family."""

    settings: StarSettings

    def prepare(self) -> None:
        configure(self.work, self.settings)
        configure_forward(self.work, self.settings, self.position.game)

    def begin(self, iteration: int, depth: int) -> None:
        set_iteration(self.work, self.settings, iteration, depth, self.seed)


def compiled_for(variant: Expectimax, settings: StarSettings) -> Expectimax:
    """The variant with what the settings ask of its compiled code."""
    return replace(variant, controlled=isinstance(settings, SampledStarSettings) and settings.control)


def configured_work(game: Any, settings: StarSettings) -> Work:
    """A work record for a game with what the settings say, before limits, table and iteration are set."""
    work = new_work(*game.utility_range)
    configure(work, settings)
    configure_forward(work, settings, game)
    return work


def configure(work: Work, settings: StarSettings) -> None:
    """What the settings say, in a work record."""
    work["merge"] = settings.merge
    work["prune_above"] = settings.prune_above
    work["afterstates"] = settings.leaf == "afterstate"
    work["table_values"] = settings.table == "values"
    if isinstance(settings, SampledStarSettings):
        work["sampling"] = SAMPLINGS.index(settings.sampling)
        work["common"] = settings.common
        work["key_by_path"] = settings.common or settings.key == "path"
        work["path_of_state"] = settings.key == "state"
        if settings.key == "path":
            work["table_values"] = 0  # on another path to a state its value is another


def variant_for(player: str, settings: StarSettings) -> Expectimax:
    """The variant to compile for a player's name and settings."""
    if settings.check:
        return CHECKED_VARIANTS[player]
    forward = isinstance(settings, ForwardSettings) and settings.prunes_forward
    return (FORWARD_VARIANTS if forward else VARIANTS)[player]


def configure_forward(work: Work, settings: StarSettings, game: Any) -> None:
    """What the settings say of forward pruning, in a work record."""
    if not isinstance(settings, ForwardSettings):
        return
    for name in ("null", "multicut", "multicut_moves", "multicut_reduction"):
        work[name] = getattr(settings, name)
    believed = prediction(game, settings) if settings.probcut > 0 else None
    if believed is not None:
        slope, sigma = believed
        work["probcut_slope"], work["probcut_margin"] = slope, settings.probcut * sigma


def set_iteration(work: Work, settings: StarSettings, iteration: int, depth: int, seed: int) -> None:
    """The key, the widths and the table's era of one iteration, to a depth.

    What the table knows of values is void with each: sampled iterations use different keys, and an exact one that took
    a value from an earlier one would not know that leaves were evaluated for it.

    Widths may grow by a factor with each iteration. A deeper one is begun only while time is left: so they grow with
    the time there is.
    """
    work["key"] = work["path"] = Dice(Dice(seed).bits() + iteration).bits()
    work["table_era"] = next(eras)
    if isinstance(settings, SampledStarSettings):
        factor = settings.growth ** (iteration - 1)
        for left in range(depth):
            work["widths"][0, left] = settings.width.grown(depth - 1 - left, factor)
