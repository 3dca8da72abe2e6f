"""The settings of learning."""

from __future__ import annotations

from dataclasses import dataclass, replace

from astragal.errors import SpecError
from astragal.parameters import build, parameter, split_settings

# Settings that may be changed to go on longer, or to end; another lambda, or another step, which is then halved anew;
# another depth, which takes another time, and rounds and matches as long as fit it.
MAY_CHANGE = ("rounds", "halvings", "patience", "keep", "decay", "rate", "depth", "games", "matches")


@dataclass(frozen=True)
class LearnSettings:
    """How to learn; the same settings and seed give the same weights."""

    hidden: int = parameter(32, "hidden units, a multiple of 8; 0: a sum of weights", low=0, high=256)
    decay: float = parameter(
        0.7, "lambda of TD(lambda): 0 believes the next evaluation, 1 the result", low=0.0, high=1.0
    )
    depth: int = parameter(1, "decisions that self-play and matches look ahead", low=1, high=8)
    leaf: bool = parameter(False, "TD-leaf: learn the leaves of its searches and not the states of its games")
    chances: bool = parameter(
        True, "a chance of each of the results that a game names, and not one value; not with leaf or own"
    )
    own: bool = parameter(False, "the game's own evaluation is an input, and what learning begins with")
    rate: float = parameter(0.02, "size of the first steps", low=1e-6, high=10.0)
    random: float = parameter(0.05, "share of random moves", low=0.0, high=1.0)
    opening: int | None = parameter(
        None, "random moves at the beginning of a game, at most; none: 6 without chance, else 0", low=0, high=1000
    )
    taught: int = parameter(
        0, "rounds at the beginning in which the game's own evaluation makes the moves", low=0, high=10**6
    )
    games: int = parameter(5000, "games of a round", low=1, high=10**9)
    jobs: int = parameter(1, "threads that share a round's games; then the mean of their weights", low=1, high=64)
    rounds: int = parameter(100, "rounds at most", low=1, high=10**6)
    halvings: int = parameter(4, "how often steps are halved before it ends", low=0, high=50)
    patience: int = parameter(2, "rounds without a gain before steps are halved", low=1, high=1000)
    matches: int = parameter(1000, "games of the match after a round", low=10, high=10**7)
    keep: str = parameter("best", "the model is the best by its matches, or the latest", choices=("best", "latest"))
    longest: int = parameter(2000, "plies of a game, after which it is not played on", low=1, high=10**6)
    seed: int = parameter(0, "what everything is drawn from", low=0, high=2**63 - 1)

    def __post_init__(self) -> None:
        if self.hidden % 8:
            raise ValueError(f"hidden={self.hidden} is not a multiple of 8")

    @property
    def by_results(self) -> bool:
        """Whether each result of a game has a chance. Leaves of searches and own evaluations are one value."""
        return self.chances and not self.leaf and not self.own

    def then(self, text: str) -> LearnSettings:
        """The settings of a stage that goes on where this one ends, with what a text such as ``decay=0.2`` changes."""
        changes = split_settings(text, "--then")
        read = build(LearnSettings, changes, "--then")
        for name in changes:
            if name not in MAY_CHANGE:
                raise SpecError(f"--then: {name} cannot change on the way; {', '.join(MAY_CHANGE)} can")
        return replace(self, **{name: getattr(read, name) for name in changes})
