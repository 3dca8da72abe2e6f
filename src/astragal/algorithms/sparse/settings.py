"""The settings of FSSS and of adaptive multistage sampling. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from astragal.algorithms.depth_first.settings import EVALUATION, MERGE
from astragal.algorithms.limits import MAX_DEPTH
from astragal.algorithms.star.settings import DEFAULT_WIDTH, Widths
from astragal.base.parameters import parameter


@dataclass(frozen=True)
class SparseSettings:
    """What both have in common: they deepen as sparse sampling does, and have no table."""

    table: ClassVar[str] = "off"
    keep: ClassVar[bool] = False
    reuse: ClassVar[bool] = False
    unfinished: ClassVar[str] = "previous"  # nothing is known of an iteration that was not finished

    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes per move (repeatable, unlike seconds)", low=1, high=10**15)
    depth: int | None = parameter(None, "decisions to look ahead", low=1, high=MAX_DEPTH)
    deepening: bool = parameter(True, "search depth 1, 2, 3, ... in turn; off searches the full depth at once")
    evaluation: str = parameter("own", EVALUATION)


@dataclass(frozen=True)
class FsssSettings(SparseSettings):
    """What FSSS draws, and its memory."""

    width: Widths = parameter(
        DEFAULT_WIDTH, "outcomes drawn at each chance node; 20-10-5 sets one number per level from the root"
    )
    merge: bool = parameter(False, MERGE)
    memory: float = parameter(64.0, "megabytes for the tree of one iteration", low=0.01, high=65536)


@dataclass(frozen=True)
class AmsSettings(SparseSettings):
    """How often adaptive multistage sampling tries the actions of a decision."""

    samples: Widths = parameter(
        Widths("16"),
        "tries at each decision, at least one for each action; 32-16-8 sets one number per level from the root",
    )
    c: float = parameter(1.0, "how much to explore, as a share of the utility range", low=0.0, high=1e6)
