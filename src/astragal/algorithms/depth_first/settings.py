"""The settings of all searches that deepen, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.limits import MAX_DEPTH
from astragal.base.cores import Threads
from astragal.base.parameters import parameter

EVALUATION = "own: the game's evaluation; learned: the one learned for it in Astragal; or a file of `astragal learn`"
THREADS = (
    "threads that search together; auto, the default in `search`, `play`, `review` and on the page, is all cores but "
    "one, or a single thread where nodes or simulations are the limit; elsewhere 1"
)
MERGE = "search outcomes only once that the game declares to be worth the same"


@dataclass(frozen=True)
class DeepeningSettings:
    """What searches that deepen have in common."""

    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes per move (repeatable, unlike seconds)", low=1, high=10**15)
    depth: int | None = parameter(None, "decisions to look ahead", low=1, high=MAX_DEPTH)
    deepening: bool = parameter(True, "search depth 1, 2, 3, ... in turn; off searches the full depth at once")
    unfinished: str = parameter(
        "better",
        "if a limit ends an iteration early: play a better move found in it, or always the previous iteration's move",
        choices=("better", "previous"),
        rare=True,
    )
    table: str = parameter(
        "moves",
        "transposition table: none, best moves only, or best moves with values and bounds",
        choices=("off", "moves", "values"),
    )
    memory: float | None = parameter(
        None, "most megabytes for the transposition table (32 for moves, 256 for values)", low=0.001, high=65536
    )
    reuse: bool = parameter(False, "keep the table from move to move; results then depend on the game so far")
    threads: int | None = parameter(None, THREADS, kind=Threads)
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "return the tree of the last finished iteration with the result")

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
