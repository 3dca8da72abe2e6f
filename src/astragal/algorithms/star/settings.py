"""The settings of the *-Minimax family, each with its range and a sentence. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from astragal.algorithms.depth_first.settings import MERGE, DeepeningSettings
from astragal.algorithms.limits import MAX_DEPTH
from astragal.base.parameters import parameter

PROBCUT_REDUCTION = 2  # units that ChanceProbCut searches less deep: both searches end with the same player
MAX_WIDTH = 1_000_000
SAMPLINGS = ("independent", "stratified", "antithetic", "distinct")


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
class StarSettings(DeepeningSettings):
    """What exact and sampled searches of the *-Minimax family have in common."""

    prunes: ClassVar[bool] = False  # bounds at chance nodes, and alpha-beta: Star1
    probes: ClassVar[bool] = False  # and a probe of each outcome before: Star2
    one_against_all: ClassVar[bool] = False  # all others want the searcher's value to be small: paranoid search

    prune_above: int = parameter(2, "do not prune where this depth or less remains", low=0, high=MAX_DEPTH, rare=True)
    leaf: str = parameter(
        "decision",
        "at the horizon evaluate the states after the roll, or the one state before it, which is faster",
        choices=("decision", "afterstate"),
    )
    merge: bool = parameter(False, MERGE)
    chances: bool = parameter(
        False,
        "keep chance nodes in the table too, so that all paths to the state before a roll share its value",
        rare=True,
    )
    ceilings: bool = parameter(
        False, "bound chance nodes by the game's `ceiling`, which limits how far values can change", rare=True
    )
    check: bool = parameter(
        False,
        "compare every node with the definition and count differences; very slow, for tests of a search",
        rare=True,
    )

    @property
    def why_one_thread(self) -> str | None:
        return "check=on compares the nodes of one thread" if self.check else super().why_one_thread


@dataclass(frozen=True)
class SampledStarSettings(StarSettings):
    """What sparse sampling adds."""

    width: Widths = parameter(
        DEFAULT_WIDTH, "outcomes drawn at each chance node; 20-10-5 sets one number per level from the root"
    )
    sampling: str = parameter(
        "independent",
        "draw outcomes independently, one from each equal part of the distribution, in opposite pairs, or "
        "without replacement",
        choices=SAMPLINGS,
        rare=True,
    )
    key: str = parameter(
        "state",
        "draw the same outcomes whenever a state is reached again, or new ones on each path to it",
        choices=("state", "path"),
        rare=True,
    )
    common: bool = parameter(
        False,
        "use the same random numbers after all actions of a decision, to compare actions with less noise",
        rare=True,
    )
    control: bool = parameter(
        False, "control variates: correct the sample by the evaluations of all outcomes", rare=True
    )
    growth: float = parameter(
        1.0, "multiply widths by this from each iteration to the next", low=1.0, high=4.0, rare=True
    )

    @property
    def why_one_thread(self) -> str | None:
        return "key=path has no values to share" if self.key == "path" else super().why_one_thread

    @property
    def arranges(self) -> bool:
        """Whether samples are anything but independent draws that depend on the state alone."""
        return self.sampling != "independent" or self.key != "state" or self.common


@dataclass(frozen=True)
class ForwardSettings(StarSettings):
    """What searches with bounds may assume without searching it; see `astragal.algorithms.star.forward`."""

    null: int = parameter(
        0,
        "null move: cut if a pass still reaches the bound in a search this many units less deep; 0 is off",
        low=0,
        high=MAX_DEPTH,
        rare=True,
    )
    multicut: int = parameter(
        0,
        "multi-cut: cut if this many actions reach the bound in a less deep search; 0 is off",
        low=0,
        high=1000,
        rare=True,
    )
    multicut_moves: int = parameter(6, "number of actions that multi-cut tries", low=1, high=1000, rare=True)
    multicut_reduction: int = parameter(
        2, "number of units that multi-cut searches less deep", low=1, high=MAX_DEPTH, rare=True
    )
    probcut: float = parameter(
        0.0,
        "ChanceProbCut: cut if a search two units less deep predicts a value this many standard deviations "
        "outside the window; 0 is off",
        low=0.0,
        high=1e6,
        rare=True,
    )
    probcut_sigma: float | None = parameter(
        None,
        "standard deviation of ChanceProbCut's prediction, in utility (built in for pig and ewn; else measure "
        "it with `astragal dev probcut`)",
        low=0.0,
        high=1e12,
        rare=True,
    )
    probcut_slope: float | None = parameter(
        None,
        "ChanceProbCut predicts this times the less deep search's value (built in for pig and ewn, else 1)",
        low=0.01,
        high=100.0,
        rare=True,
    )

    @property
    def prunes_forward(self) -> bool:
        return self.null > 0 or self.multicut > 0 or self.probcut > 0

    @property
    def why_one_thread(self) -> str | None:
        if self.prunes_forward:
            return "what null, multicut and probcut cut depends on the order of the search"
        return super().why_one_thread

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.check and self.prunes_forward:
            raise ValueError("check=on compares with the full search, which null, multicut and probcut are not")
        if self.keep and self.prunes_forward:
            raise ValueError("keep=on records what is searched once, not the tries of null, multicut and probcut")
        if self.multicut > self.multicut_moves:
            raise ValueError(f"multicut={self.multicut} is more than multicut_moves={self.multicut_moves}")
