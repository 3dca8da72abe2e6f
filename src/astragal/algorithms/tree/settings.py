"""The settings of tree search, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.algorithms.depth_first.settings import EVALUATION, MERGE, THREADS
from astragal.base.cores import Threads
from astragal.base.parameters import parameter

UNITS = ("hundred", "score", "points", "utility", "spread")
SOLVERS = ("off", "standard", "paranoid", "first_winner")


@dataclass(frozen=True)
class TreeSettings:
    """The settings of every tree search."""

    time: float | None = parameter(None, "seconds a move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "simulations a move", low=1, high=10**15)
    nodes: int | None = parameter(None, "nodes added a move, counting a simulation as one", low=1, high=10**15)
    c: float | None = parameter(
        None, "exploration constant C of UCT; none: 1.4 spreads of the results seen", low=0.0, high=1e9
    )
    unit: str = parameter(
        "hundred",
        "what C is measured in: utilities scaled to -100..100, scores from 0 to 1, the game's points, its utilities, "
        "or the spread of the results seen",
        choices=UNITS,
        rare=True,
    )
    rollout: int | None = parameter(
        None, "decisions played at random before the heuristic (d_r); none: to the end", low=0, high=100_000
    )
    rollouts: int = parameter(1, "rollouts averaged for each leaf", low=1, high=1_000_000)
    policy: str = parameter(
        "uniform",
        "moves of a rollout: any, the first in the game's own order, or the one with the best evaluation",
        choices=("uniform", "order", "evaluation"),
    )
    epsilon: float = parameter(0.1, "share of random moves in rollouts by order or evaluation", low=0.0, high=1.0)
    leaf: str = parameter(
        "decision", "evaluate decision states, or the state before the roll", choices=("decision", "afterstate")
    )
    ends: str = parameter(
        "utility",
        "an end of the game counts its utility, or a point won or lost whatever the margin",
        choices=("utility", "sign"),
        rare=True,
    )
    backup: str = parameter(
        "average",
        "a node is worth the mean of its simulations, its best child (max^n with more than two players), or the mean "
        "with the least of an opponent's actions passed up (chapter 8)",
        choices=("average", "minimax", "minimum"),
    )
    unvisited: str = parameter(
        "nothing",
        "under backup=minimax children that were not visited count nothing, as their parent's own evaluation, or as a "
        "draw",
        choices=("nothing", "own", "draw"),
    )
    widening: bool = parameter(False, "Double Progressive Widening of actions and outcomes")
    c2: float = parameter(5.0, "C2 of widening: ceil(C2 v^alpha) actions or outcomes", low=1e-6, high=1e9)
    alpha: float = parameter(0.2, "alpha of widening", low=0.0, high=1.0)
    merge: bool = parameter(False, MERGE)
    history: float | None = parameter(None, "W of Progressive History; none: plain UCT", low=0.0, high=1e9)
    history_divisor: str = parameter(
        "losses", "what the history's influence is divided by", choices=("losses", "visits"), rare=True
    )
    history_first: bool = parameter(
        False, "the history also decides which child without a visit comes first", rare=True
    )
    solver: str = parameter("off", "prove wins and losses, by an update rule (MP-MCTS-Solver)", choices=SOLVERS)
    simultaneous: str = parameter(
        "answer",
        "where players choose at once, the others select as if they saw the choices before theirs, or each by their "
        "own statistics alone (decoupled UCT)",
        choices=("answer", "decoupled"),
    )
    final: str = parameter(
        "visits",
        "play the action with most visits, with the best mean, search until one has both (robust-max), or draw one by "
        "its visits (where players choose at once)",
        choices=("visits", "mean", "robust", "mixed"),
    )
    memory: float = parameter(256.0, "megabytes for the tree", low=0.01, high=65536)
    full: str = parameter(
        "stay",
        "when memory is full, search on without adding nodes, or recycle the least visited ones",
        choices=("stay", "recycle"),
        rare=True,
    )
    reuse: bool = parameter(False, "go on with the tree of the move before, where the position is found in it")
    threads: int | None = parameter(None, THREADS, kind=Threads)
    parallel: str = parameter(
        "tree", "threads grow one tree together (not repeatable), or each its own", choices=("tree", "root"), rare=True
    )
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "hand the tree out with the result")

    def __post_init__(self) -> None:
        if self.c is None and self.unit not in ("hundred", "spread"):
            raise ValueError(f"unit={self.unit} needs a c, such as c=1; without one, C follows the results seen")
        if self.reuse and (self.threads or 1) > 1 and self.parallel == "root":
            raise ValueError("reuse=on needs one tree; use parallel=tree")
        if self.history_first and self.history is None:
            raise ValueError("history_first=on needs a history, such as history=5")
        if self.unvisited != "nothing" and self.backup != "minimax":
            raise ValueError(f"unvisited={self.unvisited} needs backup=minimax, not {self.backup}")
        if self.simultaneous == "decoupled" and self.backup != "average":
            raise ValueError(
                f"simultaneous=decoupled needs backup=average: by backup={self.backup} "
                "the others answer choices that are hidden from them"
            )
        if self.simultaneous == "decoupled" and self.solver != "off":
            raise ValueError(
                "simultaneous=decoupled needs solver=off: what is proven holds for others who see every decision"
            )
