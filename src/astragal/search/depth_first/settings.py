"""The settings of all searches that deepen, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.parameters import parameter
from astragal.search.limits import MAX_DEPTH

EVALUATION = "the game's own evaluation, `learned` for the one that comes with Astragal, or a file of `astragal learn`"
MERGE = "search outcomes once that are worth the same by the game's own word"


@dataclass(frozen=True)
class DeepeningSettings:
    """What searches that deepen have in common."""

    time: float | None = parameter(None, "seconds a move (0.2 if no limit is set)", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes a move", low=1, high=10**15)
    depth: int | None = parameter(None, "decisions looked ahead", low=1, high=MAX_DEPTH)
    deepening: bool = parameter(True, "search depth 1, 2, 3, ... rather than the full depth at once")
    unfinished: str = parameter(
        "better",
        "when an iteration is not finished, answer with a better move found in it, or always with the previous one's",
        choices=("better", "previous"),
    )
    table: str = parameter(
        "moves",
        "transposition table: none, best moves only, or values and bounds too",
        choices=("off", "moves", "values"),
    )
    memory: float = parameter(32.0, "megabytes for the transposition table", low=0.001, high=65536)
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "hand the tree of the last finished iteration out with the result")
