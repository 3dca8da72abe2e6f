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
        "transposition table: none, best moves only, or best moves with values and bounds",
        choices=("off", "moves", "values"),
    )
    order: str = parameter(
        "listed",
        "order in which actions are tried: as the game lists them, the reverse, or best evaluation first, "
        "extra turns before all others",
        choices=("listed", "reversed", "evaluated"),
    )
    killers: bool = parameter(False, "try the actions first that caused a cut at the same distance from the root")
    history: bool = parameter(True, "try the actions early that were often best elsewhere in the search")
    pvs: bool = parameter(
        True,
        "principal variation search: search the first action fully, the others only as far as shows that they "
        "are no better",
    )
