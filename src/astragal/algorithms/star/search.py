"""The *-Minimax family under iterative deepening: what its settings mean to its kernels."""

from __future__ import annotations

from typing import Any

from astragal.algorithms.depth_first.deepening import DepthFirstSearch, refuse_game
from astragal.algorithms.depth_first.variant import Variant
from astragal.algorithms.depth_first.work import Work
from astragal.algorithms.star.prediction import prediction, refuse_forward
from astragal.algorithms.star.settings import SAMPLINGS, ForwardSettings, SampledStarSettings, StarSettings
from astragal.algorithms.star.variant import variant_for
from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.protocol import Game

VERSION = 1  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)


class StarSearch(DepthFirstSearch):
    """One search of the family."""

    settings: StarSettings

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)
        if isinstance(settings, ForwardSettings) and settings.prunes_forward:
            refuse_forward(game, settings, player)

    def chosen_variant(self) -> Variant:
        return variant_for(self.settings)

    def configure(self) -> None:
        configure(self.work, self.settings)
        if not defines(type(self.game), "representative"):
            self.work["merge"] = 0
        configure_forward(self.work, self.settings, self.game)

    def begin(self, iteration: int, depth: int) -> None:
        super().begin(iteration, depth)
        set_samples(self.work, self.settings, iteration, depth, self.request.seed)


def configure(work: Work, settings: StarSettings) -> None:
    """What the settings say, in a work record."""
    work["merge"] = settings.merge
    work["ceilings"] = settings.ceilings
    work["table_chances"] = settings.chances
    work["prune_above"] = settings.prune_above
    work["afterstates"] = settings.leaf == "afterstate"
    if isinstance(settings, SampledStarSettings):
        work["sampling"] = SAMPLINGS.index(settings.sampling)
        work["common"] = settings.common
        work["key_by_path"] = settings.common or settings.key == "path"
        work["path_of_state"] = settings.key == "state"
        if settings.key == "path":
            work["table_values"] = 0  # on another path to a state its value is another
        if work["key_by_path"]:
            work["table_chances"] = 0
        if settings.control:
            work["ceilings"] = 0  # a corrected value may lie beyond what the game says of true ones


def configure_forward(work: Work, settings: StarSettings, game: Game) -> None:
    """What the settings say of forward pruning, in a work record."""
    if not isinstance(settings, ForwardSettings) or not settings.prunes_forward:
        return
    for name in ("null", "multicut", "multicut_moves", "multicut_reduction"):
        work[name] = getattr(settings, name)
    believed = prediction(game, settings) if settings.probcut > 0 else None
    if believed is not None:
        slope, sigma = believed
        work["probcut_slope"], work["probcut_margin"] = slope, settings.probcut * sigma


def set_samples(work: Work, settings: StarSettings, iteration: int, depth: int, seed: int) -> None:
    """The key of an iteration's samples, and how many are drawn at each remaining depth.

    Widths may grow by a factor with each iteration. A deeper one is begun only while time is left: so they grow with
    the time there is.
    """
    if isinstance(settings, SampledStarSettings):
        work["key"] = work["path"] = Dice(Dice(seed).bits() + iteration).bits()
        factor = settings.growth ** (iteration - 1)
        work["widths"][0, :depth] = [settings.width.grown(level, factor) for level in reversed(range(depth))]
