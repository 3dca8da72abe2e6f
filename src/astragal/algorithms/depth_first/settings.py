"""The settings of all searches that deepen, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.limits import MAX_DEPTH
from astragal.base.cores import Threads
from astragal.base.parameters import parameter

EVALUATION = "the game's own evaluation, `learned` for the one that comes with Astragal, or a file of `astragal learn`"
THREADS = (
    "threads that search together (auto in `search`, `play`, `review` and on the page, else 1); auto is all cores but "
    "one, or a single one where nodes or simulations are the limit"
)
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
        rare=True,
    )
    table: str = parameter(
        "moves",
        "transposition table: none, best moves only, or values and bounds too",
        choices=("off", "moves", "values"),
    )
    memory: float | None = parameter(
        None, "megabytes for the transposition table at most (32 for moves, 256 for values)", low=0.001, high=65536
    )
    reuse: bool = parameter(False, "keep the table from move to move; results then depend on the game so far")
    threads: int | None = parameter(None, THREADS, kind=Threads)
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "hand the tree of the last finished iteration out with the result")

    @property
    def why_one_thread(self) -> str | None:
        """Why a search with these settings cannot have several threads, if so."""
        if self.keep:
            return "keep=on writes down what one thread searches"
        return "table=off leaves threads nothing to share" if self.table == "off" else None

    def __post_init__(self) -> None:
        if (self.threads or 1) > 1 and self.why_one_thread:
            raise ValueError(f"{self.why_one_thread}; leave threads={self.threads} out")
        if self.reuse and self.table == "off":
            raise ValueError("table=off leaves nothing for reuse=on to keep")
