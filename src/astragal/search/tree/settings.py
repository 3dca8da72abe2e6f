"""The settings of tree search, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.parameters import parameter
from astragal.search.depth_first.settings import EVALUATION, MERGE

UNITS = ("hundred", "score", "points", "utility")
SOLVERS = ("off", "standard", "paranoid", "first_winner")


@dataclass(frozen=True)
class TreeSettings:
    """What every tree search can be told."""

    time: float | None = parameter(None, "seconds a move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "simulations a move", low=1, high=10**15)
    nodes: int | None = parameter(None, "nodes added a move, counting a simulation as one", low=1, high=10**15)
    c: float = parameter(140.0, "exploration constant C of UCT", low=0.0, high=1e9)
    unit: str = parameter(
        "hundred",
        "what C is measured in: utilities scaled to -100..100, scores from 0 to 1, the game's points, or its utilities",
        choices=UNITS,
    )
    rollout: int | None = parameter(
        None, "decisions played at random before the heuristic is asked (d_r); none: to the end", low=0, high=100_000
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
        "losses", "what the history's influence is divided by", choices=("losses", "visits")
    )
    history_first: bool = parameter(False, "the history also decides which child without a visit comes first")
    solver: str = parameter("off", "prove wins and losses, by an update rule (MP-MCTS-Solver)", choices=SOLVERS)
    simultaneous: str = parameter(
        "answer",
        "where players choose at once, the others select as if they knew the choices before theirs, or each by their "
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
    )
    reuse: bool = parameter(False, "go on with the tree of the move before, where the position is found in it")
    threads: int = parameter(1, "threads", low=1, high=256)
    parallel: str = parameter(
        "tree", "threads grow one tree together (not repeatable), or each its own", choices=("tree", "root")
    )
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "hand the tree out with the result")

    def __post_init__(self) -> None:
        if self.reuse and self.threads > 1 and self.parallel == "root":
            raise ValueError("reuse=on needs one tree; use parallel=tree")
        if self.history_first and self.history is None:
            raise ValueError("history_first=on needs a history, such as history=5")
        if self.unvisited != "nothing" and self.backup != "minimax":
            raise ValueError(f"unvisited={self.unvisited} needs backup=minimax, not {self.backup}")
        if self.simultaneous == "decoupled" and self.backup != "average":
            raise ValueError(
                f"simultaneous=decoupled needs backup=average: by backup={self.backup} "
                "the others answer what they do not know of"
            )
        if self.simultaneous == "decoupled" and self.solver != "off":
            raise ValueError(
                "simultaneous=decoupled needs solver=off: what is proven is true of others who know of every decision"
            )
