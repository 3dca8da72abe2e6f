"""The settings of alpha-beta, each with a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.depth_first.settings import DeepeningSettings
from astragal.base.parameters import parameter


@dataclass(frozen=True)
class AlphaBetaSettings(DeepeningSettings):
    """What can be switched on and off in alpha-beta."""

    table: str = parameter(
        "values",
        "transposition table: none, best moves only, or values and bounds too",
        choices=("off", "moves", "values"),
    )
    order: str = parameter(
        "listed",
        "try actions first to last in the game's own order, last to first, or by the evaluation after them, "
        "those first after which the player moves again",
        choices=("listed", "reversed", "evaluated"),
    )
    killers: bool = parameter(False, "try first what cut a node at the same distance from the root")
    history: bool = parameter(True, "try early what was often best anywhere")
    pvs: bool = parameter(True, "principal variation search: expect the first action to be the best")
