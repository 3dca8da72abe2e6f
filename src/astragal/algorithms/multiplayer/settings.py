"""The settings of max^n, each with a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.depth_first.settings import MERGE, DeepeningSettings
from astragal.base.parameters import parameter


@dataclass(frozen=True)
class MaxnSettings(DeepeningSettings):
    """What can be set in max^n, which prunes nothing and so has no use for a table but to show the best line."""

    merge: bool = parameter(False, MERGE)
    table: str = parameter("moves", "off, or keep best moves, which show the best line", choices=("off", "moves"))

    @property
    def why_one_thread(self) -> str | None:
        return super().why_one_thread if self.keep else None  # threads share nothing
