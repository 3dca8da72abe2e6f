"""The settings of Monte Carlo Search, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.depth_first.settings import EVALUATION
from astragal.base.parameters import parameter


@dataclass(frozen=True)
class ProbeSettings:
    """The settings of Monte Carlo Search."""

    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "random games per move", low=1, high=10**15)
    nodes: int | None = parameter(
        None, "the same limit as sims, for matches in which all players are limited by nodes", low=1, high=10**15
    )
    levels: int = parameter(0, "levels of decisions expanded below the root's; 0 is flat Monte Carlo", low=0, high=16)
    probes: int = parameter(4, "random games from each leaf (state of the fringe) in each pass", low=1, high=1_000_000)
    policy: str = parameter(
        "uniform",
        "moves in random games: any, the first in the game's order, or the best evaluated",
        choices=("uniform", "order", "evaluation"),
    )
    epsilon: float = parameter(0.1, "share of random moves with policy=order or policy=evaluation", low=0.0, high=1.0)
    memory: float = parameter(
        64.0, "megabytes for the tree; once it is full, new states are leaves", low=0.01, high=65536
    )
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "return the tree with the result")
