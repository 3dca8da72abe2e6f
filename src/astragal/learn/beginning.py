"""What learning begins with: its settings, the first model, and checks of what the game declares about itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from astragal.base.cores import Threads
from astragal.base.errors import GameError, SpecError
from astragal.base.parameters import build, parameter, split_settings
from astragal.games import game_spec
from astragal.learn.derived import OWN_GRID, has_features, views_apart
from astragal.learn.from_fields import table_of_fields
from astragal.learn.model import Model, inputs_with, rules_text, with_own
from astragal.learn.network import begin_with_own, first_weights
from astragal.rules.checks.optional_methods import check_features, check_result, named_results
from astragal.rules.checks.promise import Broken, random_game
from astragal.rules.decorator import defines

# Settings that may be changed to go on longer, or to end; another lambda, or another step, which is then halved anew;
# another depth, which takes another time, and rounds and matches as long as fit it; threads, which change nothing.
MAY_CHANGE = ("rounds", "halvings", "patience", "keep", "decay", "rate", "depth", "games", "matches", "threads")


@dataclass(frozen=True)
class LearnSettings:
    """How to learn; the same settings and seed give the same weights."""

    hidden: int = parameter(32, "hidden units, a multiple of 8; 0: a sum of weights", low=0, high=256)
    decay: float = parameter(
        0.7, "lambda of TD(lambda): 0 learns from the next evaluation, 1 from the result", low=0.0, high=1.0
    )
    depth: int = parameter(1, "decisions that self-play and matches look ahead", low=1, high=8)
    leaf: bool = parameter(False, "TD-leaf: learn from the leaves of its searches instead of the states of its games")
    chances: bool = parameter(
        True, "learn a probability for each result that the game names, instead of one value; not with leaf or own"
    )
    own: bool = parameter(False, "use the game's own evaluation as an input; learning begins with it")
    rate: float = parameter(0.02, "size of the first steps", low=1e-6, high=10.0)
    random: float = parameter(0.05, "share of random moves", low=0.0, high=1.0)
    opening: int | None = parameter(
        None, "most random moves at the beginning of a game (6 in games without chance, else 0)", low=0, high=1000
    )
    taught: int = parameter(
        0, "rounds at the beginning in which the game's own evaluation makes the moves", low=0, high=10**6
    )
    games: int = parameter(5000, "games of a round", low=1, high=10**9)
    batch: int = parameter(
        1, "games played with the same weights and learned afterwards; threads share the playing", low=1, high=1000
    )
    jobs: int = parameter(1, "parts of a round learned apart; the mean of their weights is taken", low=1, high=64)
    threads: int | None = parameter(
        None, "threads, which change no weights; none: one for each job, or all cores but one", kind=Threads
    )
    rounds: int = parameter(100, "rounds at most", low=1, high=10**6)
    halvings: int = parameter(4, "how often the step size is halved before learning ends", low=0, high=50)
    patience: int = parameter(2, "rounds without a gain before the step size is halved", low=1, high=1000)
    matches: int = parameter(1000, "games of the match after each round", low=10, high=10**7)
    keep: str = parameter("best", "the model is the best by its matches, or the latest", choices=("best", "latest"))
    longest: int = parameter(2000, "plies after which a game is broken off", low=1, high=10**6)
    seed: int = parameter(0, "the seed of everything random", low=0, high=2**63 - 1)

    def __post_init__(self) -> None:
        if self.hidden % 8:
            raise ValueError(f"hidden={self.hidden} is not a multiple of 8")
        if self.batch > 1 and self.jobs > 1:
            raise ValueError(f"batch={self.batch} and jobs={self.jobs} are two ways to share games; leave one out")

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


LOOKED_AT = 200  # positions of a random game whose inputs are looked at beforehand


def refuse_wrong_words(game: Any, seed: int) -> None:
    """Check in a random game that a game keeps to its own declarations: kernels do not check the inputs that `features`
    lists, nor the results that a game names."""
    try:
        named_results(game)
        for position in islice(random_game(game, seed), LOOKED_AT):
            check_features(game, position)
            check_result(game, position)
    except Broken as fault:
        raise GameError(f"game {type(game).__name__}: {fault}") from None


def new_model(game: Any, hidden: int, seed: int, own: bool = False, by_results: bool = False) -> Model:
    """A model before learning: a neutral one, or the game's own evaluation."""
    table, state = None, ""
    if own and not defines(type(game), "heuristic"):
        raise SpecError(f"own=on: {game_spec(game)} has no evaluation of its own that could be an input")
    refuse_wrong_words(game, seed)
    results = named_results(game) if by_results else ()
    if has_features(game):
        inputs, most = inputs_with(game, own)
    else:
        table, inputs, most = table_of_fields(game, views_apart(game), seed)
        inputs, most = with_own(inputs, most, own)
        state = str(game.state)
    weights = first_weights(inputs, hidden, max(1, len(results) - 1), seed)
    if own:
        begin_with_own(weights, inputs, hidden, OWN_GRID)
    return Model(rules_text(game, own), inputs, most, hidden, weights, table, state, own, results)
