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

    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "simulations per move (repeatable, unlike seconds)", low=1, high=10**15)
    nodes: int | None = parameter(
        None, "the same limit as sims, for matches in which all players are limited by nodes", low=1, high=10**15
    )
    c: float | None = parameter(
        None,
        "exploration constant C of UCT: a larger one explores more; without one, C is 1.4 times the spread of the "
        "results seen",
        low=0.0,
        high=1e9,
    )
    unit: str = parameter(
        "hundred",
        "scale of C: utilities scaled to -100..100, scores from 0 to 1, the game's points, its utilities, or "
        "the spread of the results seen",
        choices=UNITS,
        rare=True,
    )
    rollout: int | None = parameter(
        None,
        "random decisions from a leaf before the heuristic evaluates (d_r); 0 evaluates at once, none plays to the end",
        low=0,
        high=100_000,
    )
    rollouts: int = parameter(1, "rollouts per leaf, which are averaged", low=1, high=1_000_000)
    policy: str = parameter(
        "uniform",
        "moves in rollouts: any, the first in the game's order, or the best evaluated",
        choices=("uniform", "order", "evaluation"),
    )
    epsilon: float = parameter(0.1, "share of random moves with policy=order or policy=evaluation", low=0.0, high=1.0)
    leaf: str = parameter(
        "decision",
        "at a leaf before a roll: draw an outcome and evaluate after it, or evaluate at once",
        choices=("decision", "afterstate"),
    )
    ends: str = parameter(
        "utility",
        "an end of the game counts its utility, or only win, draw or loss",
        choices=("utility", "sign"),
        rare=True,
    )
    backup: str = parameter(
        "average",
        "a node's value: the mean of its simulations, its best child's value (max^n for more than two "
        "players), or the mean, but at opponents the least mean of their actions (chapter 8)",
        choices=("average", "minimax", "minimum"),
    )
    unvisited: str = parameter(
        "nothing",
        "with backup=minimax, children without a visit do not count, count as their parent's evaluation, or "
        "count as a draw",
        choices=("nothing", "own", "draw"),
    )
    widening: bool = parameter(
        False,
        "Double Progressive Widening: begin with few actions and outcomes and add more with the visits; for "
        "nodes with very many",
    )
    c2: float = parameter(
        5.0, "C2 of widening: ceil(C2 v^alpha) actions or outcomes after v visits", low=1e-6, high=1e9
    )
    alpha: float = parameter(0.2, "alpha of widening, the exponent in ceil(C2 v^alpha)", low=0.0, high=1.0)
    merge: bool = parameter(False, MERGE)
    history: float | None = parameter(
        None,
        "weight W of Progressive History, which prefers actions that did well elsewhere in the game; none is plain UCT",
        low=0.0,
        high=1e9,
    )
    history_divisor: str = parameter(
        "losses",
        "the history's influence falls with a child's losses, or with its visits",
        choices=("losses", "visits"),
        rare=True,
    )
    history_first: bool = parameter(
        False, "the history also decides which child without a visit is tried first", rare=True
    )
    solver: str = parameter(
        "off",
        "prove wins and losses; with more than two players by the update rule named (MP-MCTS-Solver)",
        choices=SOLVERS,
    )
    simultaneous: str = parameter(
        "answer",
        "where players choose at once: the others select as if they saw the choices before theirs, or by "
        "their own statistics alone (decoupled UCT)",
        choices=("answer", "decoupled"),
    )
    final: str = parameter(
        "visits",
        "play the action with most visits, or with the best mean; search until one has both (robust-max); or "
        "draw an action in proportion to visits, where players choose at once",
        choices=("visits", "mean", "robust", "mixed"),
    )
    memory: float = parameter(256.0, "megabytes for the tree", low=0.01, high=65536)
    full: str = parameter(
        "stay",
        "when memory is full: search on without new nodes, or recycle the least visited nodes",
        choices=("stay", "recycle"),
        rare=True,
    )
    reuse: bool = parameter(False, "continue with the previous move's tree if the position is in it")
    threads: int | None = parameter(None, THREADS, kind=Threads)
    parallel: str = parameter(
        "tree",
        "several threads share one tree (not repeatable), or each grows its own",
        choices=("tree", "root"),
        rare=True,
    )
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "return the tree with the result")

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
