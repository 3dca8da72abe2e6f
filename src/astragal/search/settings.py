"""The settings of the searches that deepen, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.parameters import parameter

MAX_DEPTH = 64
PROBCUT_REDUCTION = 2  # units that ChanceProbCut searches less deep: both searches end with the same player
MAX_WIDTH = 1_000_000
SAMPLINGS = ("independent", "stratified", "antithetic", "distinct")
MERGE = "search outcomes once that are worth the same by the game's own word"


class Widths(tuple[int, ...]):
    """Sample widths from the root downwards, ``20-10-5``; the last one holds for all deeper levels."""

    def __new__(cls, text: str | int = "10") -> Widths:
        parts = str(text).split("-")
        if not all(part.isdecimal() and 1 <= int(part) <= MAX_WIDTH for part in parts):
            raise ValueError(f"a whole number from 1 to {MAX_WIDTH}, or several with - between them")
        return super().__new__(cls, tuple(int(part) for part in parts))

    def __str__(self) -> str:
        return "-".join(str(width) for width in self)

    def at_level(self, level: int) -> int:
        return self[min(level, len(self) - 1)]

    def grown(self, level: int, factor: float) -> int:
        """A level's width times a factor, not beyond the largest allowed."""
        return min(round(self.at_level(level) * factor), MAX_WIDTH)


DEFAULT_WIDTH = Widths(10)


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
    keep: bool = parameter(False, "hand the tree of the last finished iteration out with the result")


@dataclass(frozen=True)
class StarSettings(DeepeningSettings):
    """What exact and sampled searches of the *-Minimax family have in common."""

    prune_above: int = parameter(2, "no pruning at this remaining depth and below", low=0, high=MAX_DEPTH)
    leaf: str = parameter(
        "decision",
        "evaluate decision states at the horizon, or the state before the roll",
        choices=("decision", "afterstate"),
    )
    merge: bool = parameter(False, MERGE)
    check: bool = parameter(False, "compare every node with the definition and count disagreements (very slow)")


@dataclass(frozen=True)
class SampledStarSettings(StarSettings):
    """What sparse sampling adds."""

    width: Widths = parameter(
        DEFAULT_WIDTH, "outcomes drawn at a chance node; 20-10-5 gives each level from the root its own"
    )
    sampling: str = parameter(
        "independent",
        "draw outcomes independently, one from each equal part, in opposite pairs, or without replacement",
        choices=SAMPLINGS,
    )
    key: str = parameter(
        "state",
        "draw the same outcomes whenever a state is met again, or new ones on each path to it",
        choices=("state", "path"),
    )
    common: bool = parameter(False, "draw with the same random numbers after all actions of a decision")
    control: bool = parameter(False, "correct what was drawn by the evaluations of all outcomes (control variates)")
    growth: float = parameter(
        1.0, "factor by which widths grow from an iteration to the next, one unit deeper", low=1.0, high=4.0
    )


@dataclass(frozen=True)
class ForwardSettings(StarSettings):
    """What searches with bounds may believe without searching it; see `astragal.search.forward`."""

    null: int = parameter(
        0,
        "null move: cut where handing the turn over, searched this many units less deep, is good enough; 0 is off",
        low=0,
        high=MAX_DEPTH,
    )
    multicut: int = parameter(
        0, "multi-cut: cut where this many actions, searched less deep, are good enough; 0 is off", low=0, high=1000
    )
    multicut_moves: int = parameter(6, "actions that multi-cut tries", low=1, high=1000)
    multicut_reduction: int = parameter(2, "units that multi-cut searches less deep", low=1, high=MAX_DEPTH)
    probcut: float = parameter(
        0.0,
        "ChanceProbCut: cut where a search two units less deep is this many standard deviations outside the window; "
        "0 is off",
        low=0.0,
        high=1e6,
    )
    probcut_sigma: float | None = parameter(
        None, "standard deviation of that prediction, in utility (known for pig and ewn)", low=0.0, high=1e12
    )
    probcut_slope: float | None = parameter(
        None, "deep value that it predicts for a shallow one of 1 (known for pig and ewn, else 1)", low=0.01, high=100.0
    )

    @property
    def prunes_forward(self) -> bool:
        return self.null > 0 or self.multicut > 0 or self.probcut > 0

    def __post_init__(self) -> None:
        if self.check and self.prunes_forward:
            raise ValueError("check=on compares with the full search, which null, multicut and probcut are not")
        if self.keep and self.prunes_forward:
            raise ValueError("keep=on records what is searched once, not the tries of null, multicut and probcut")
        if self.multicut > self.multicut_moves:
            raise ValueError(f"multicut={self.multicut} is more than multicut_moves={self.multicut_moves}")


@dataclass(frozen=True)
class AlphaBetaSettings(DeepeningSettings):
    """What can be switched on and off in alpha-beta."""

    table: str = parameter(
        "values",
        "transposition table: none, best moves only, or values and bounds too",
        choices=("off", "moves", "values"),
    )
    order: str = parameter(
        "listed", "try actions first to last in the game's own order, or last to first", choices=("listed", "reversed")
    )
    killers: bool = parameter(False, "try first what cut a node at the same distance from the root")
    history: bool = parameter(True, "try early what was often best anywhere")
    pvs: bool = parameter(True, "principal variation search: expect the first action to be the best")


@dataclass(frozen=True)
class MaxnSettings(DeepeningSettings):
    """What can be set in max^n, which prunes nothing and so has no use for a table but to show the best line."""

    merge: bool = parameter(False, MERGE)
    table: str = parameter("moves", "keep best moves to show the best line, or keep none", choices=("off", "moves"))


@dataclass(frozen=True)
class ProbeSettings:
    """The settings of Monte Carlo Search."""

    time: float | None = parameter(None, "seconds a move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "random games a move", low=1, high=10**15)
    nodes: int | None = parameter(None, "the same, where players are compared by nodes", low=1, high=10**15)
    levels: int = parameter(0, "decisions expanded after the root's; 0 is flat Monte Carlo", low=0, high=16)
    probes: int = parameter(4, "random games from each state of the fringe and pass", low=1, high=1_000_000)
    policy: str = parameter(
        "uniform",
        "moves of a random game: any, the first in the game's own order, or the one with the best evaluation",
        choices=("uniform", "order", "evaluation"),
    )
    epsilon: float = parameter(0.1, "share of random moves in games by order or evaluation", low=0.0, high=1.0)
    memory: float = parameter(
        64.0, "megabytes for the tree; where it is full, states count as fringe", low=0.01, high=65536
    )
    keep: bool = parameter(False, "hand the tree out with the result")
