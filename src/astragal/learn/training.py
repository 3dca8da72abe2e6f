"""The loop of learning: rounds of self-play, matches that say whether a round has brought anything, checkpoints.

A round is so many games. After it the evaluation meets the best one so far, as deep as it learns, on the same dice with
seats changed, and if it scores more it is the best. Where no interval of such a score has been above an even one for
some rounds the step size is halved, and after so many halvings there is no more to be had. Games, matches and weights
depend on the seed alone, and a checkpoint holds all that the next round depends on.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError, GameError, SpecError
from astragal.game.conformance import Broken, check_features, random_game
from astragal.game.decorator import defines
from astragal.game.dice import Dice
from astragal.game.inputs import QUARTERS
from astragal.game.interruptible import run_interruptible
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.learn.curves import curve_points
from astragal.learn.derived import BY_EACH, OWN_GRID, has_features, views_of, with_model
from astragal.learn.from_fields import table_of_fields
from astragal.learn.model import Model, inputs_with, rules_text, write_arrays
from astragal.learn.network import begin_with_own, first_weights
from astragal.learn.self_play import WORK, Notes, compare, learn_by_play
from astragal.parameters import parameter

STARTS = 256  # set-ups that games begin with
LOOKED_AT = 200  # positions of a random game whose inputs are looked at beforehand
STEPS = 4000  # of a game that are learned from
LENGTH = ("rounds", "halvings", "patience", "keep")  # settings that may be changed to go on longer, or to end
Z = 1.96  # of an interval that holds in 95 of 100 cases


@dataclass(frozen=True)
class LearnSettings:
    """How to learn; the same settings and seed give the same weights."""

    hidden: int = parameter(32, "hidden units, a multiple of 8; 0: a sum of weights", low=0, high=256)
    decay: float = parameter(
        0.7, "lambda of TD(lambda): 0 believes the next evaluation, 1 the result", low=0.0, high=1.0
    )
    depth: int = parameter(1, "decisions that self-play and matches look ahead", low=1, high=8)
    leaf: bool = parameter(False, "TD-leaf: learn the leaves of its searches and not the states of its games")
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


@dataclass(frozen=True)
class Score:
    """What one evaluation scored against another: its share of games, and of points, each with half an interval."""

    share: float
    share_error: float
    points: float
    points_error: float
    games: int

    @property
    def least(self) -> float:
        return self.share - self.share_error

    def __str__(self) -> str:
        return f"{100 * self.share:.1f}% ± {100 * self.share_error:.1f}"


@dataclass(frozen=True)
class Round:
    """A round, as the learning curve shows it."""

    number: int
    games: int  # played in all so far
    rate: float
    error: float  # root of the mean squared error of the steps learned
    plies: float  # of a game
    gain: Score  # against the best before
    rival: Score  # against the game's own evaluation, or random moves where it has none
    kept: bool  # whether it is the best now
    seconds: float  # of the processor, in all


def refuse_wrong_inputs(game: Any, seed: int) -> None:
    """Kernels believe what `features` lists: see in a random game whether it keeps to what the game says of it."""
    try:
        for position in islice(random_game(game, seed), LOOKED_AT):
            check_features(game, position)
    except Broken as fault:
        raise GameError(f"game {type(game).__name__}: {fault}") from None


def new_model(game: Any, hidden: int, seed: int, own: bool = False) -> Model:
    """A model that knows nothing yet, or no more than the game's own evaluation."""
    table, state = None, ""
    if own and not defines(type(game), "heuristic"):
        raise SpecError(f"own=on: {game_spec(game)} has no evaluation of its own that could be an input")
    refuse_wrong_inputs(game, seed)
    if has_features(game):
        inputs, most = inputs_with(game, own)
    else:
        views = game.players if views_of(game) == BY_EACH else 1
        table, inputs, most = table_of_fields(game, views, seed)
        inputs, most = (inputs + OWN_GRID, most + QUARTERS) if own else (inputs, most)
        state = str(game.state)
    weights = first_weights(inputs, hidden, seed)
    if own:
        begin_with_own(weights, inputs, hidden, OWN_GRID)
    return Model(rules_text(game, own), inputs, most, hidden, weights, table, state, own)


def mean_and_error(values: npt.NDArray[np.float64], group: int) -> tuple[float, float]:
    """The mean, and half the width of its interval; games of a group share their dice and count as one."""
    means = values.reshape(-1, group).mean(axis=1)
    spread = float(means.std(ddof=1)) if len(means) > 1 else math.inf
    return float(means.mean()), Z * spread / math.sqrt(len(means))


def match_of(
    one: Any, other: Any | None, starts: Any, games: int, opening: int, longest: int, depth: int, seed: int
) -> Score:
    """One game's evaluation against another's, so many decisions deep; against random moves if there is no other."""
    groups = max(2, -(-games // one.players))
    scores, points = np.zeros((2, groups * one.players))
    dice = Dice(seed)
    seeds = np.array([dice.bits() for _ in range(groups)], np.uint64)
    rival, leaves = one if other is None else other, np.zeros(depth + 1, one.state)
    compare(one, rival, starts, seeds, opening, longest, depth, other is None, leaves, scores, points)
    return Score(*mean_and_error(scores, one.players), *mean_and_error(points, one.players), len(scores))


class Training:
    """A model that is learned, round by round."""

    def __init__(self, game: Any, settings: LearnSettings) -> None:
        self.game, self.settings = game, settings
        if (settings.depth > 1 or settings.leaf) and views_of(game) == BY_EACH:
            raise SpecError("to look ahead while learning is for games of two who play for what the other loses")
        self.model = new_model(game, settings.hidden, settings.seed, settings.own)
        self.best = self.model.weights.copy()
        self.rival = game if defines(type(game), "heuristic") else None  # None: random moves
        self.rate = settings.rate
        without_chance = 6 if game.max_outcomes == 0 else 0
        self.opening = without_chance if settings.opening is None else settings.opening
        self.round, self.idle, self.halved = 0, 0, 0
        self.history: list[Round] = []
        self.seconds = 0.0
        dice = Dice(settings.seed)
        self.starts = np.concatenate([Position.start(game, dice.below(2**31)).memory for _ in range(STARTS)])
        self.work = np.zeros(1, WORK)
        self.work["generator"] = dice.bits()

    @property
    def learner(self) -> Any:
        """The game with the weights that are being learned."""
        return with_model(self.game, self.model)

    @property
    def against(self) -> str:
        """Whom the learning curve is against."""
        return "its own evaluation" if self.rival is not None else "random moves"

    @property
    def found(self) -> Model:
        """The model so far: the best one, or the latest where that is to be kept."""
        notes = {"settings": asdict(self.settings), "games": self.round * self.settings.games, "rounds": self.round}
        notes |= {"against": self.against, "curve": curve_points(self.history)}
        kept = self.best if self.settings.keep == "best" else self.model.weights
        weights = kept.astype(np.float16).astype(np.float32)  # as they are kept in a file
        model = replace(self.model, weights=weights)
        return model.with_notes(learned_for=game_spec(self.game), **notes)

    @property
    def is_exhausted(self) -> bool:
        """Whether steps were halved so often without a gain that there is none to be had."""
        return self.halved > self.settings.halvings

    @property
    def is_over(self) -> bool:
        return self.round >= self.settings.rounds or self.is_exhausted

    def play_round(self) -> Round:
        """Learn from a round of games, and see whether that was any good."""
        settings, work = self.settings, self.work
        begun = time.process_time()
        work["opening"], work["taught"] = self.opening, self.round < settings.taught
        for name in ("games", "longest", "random", "decay", "depth", "leaf"):
            work[name] = getattr(settings, name)
        work["rate"] = self.rate
        for name in ("played", "steps", "plies", "errors", "cut"):
            work[name] = 0
        notes = self.room()
        run_interruptible(lambda: learn_by_play(self.learner, self.game, self.starts, work, notes), self.stop)
        if not np.isfinite(self.model.weights).all():
            raise AstragalError(f"the weights have grown beyond all bounds; begin with a rate below {self.rate:g}")
        self.round += 1
        gain, rival = self.matches()
        kept = self.judge(gain)
        self.seconds += time.process_time() - begun
        error = math.sqrt(float(work["errors"][0]) / max(1, int(work["steps"][0])))
        plies = int(work["plies"][0]) / settings.games
        self.history.append(
            Round(self.round, self.round * settings.games, self.rate, error, plies, gain, rival, kept, self.seconds)
        )
        if self.idle >= settings.patience and self.round > settings.taught:
            self.rate, self.halved, self.idle = self.rate / 2, self.halved + 1, 0
        return self.history[-1]

    def stop(self) -> None:
        self.work["stop"] = 1

    def judge(self, gain: Score) -> bool:
        """Whether the weights are the best so far. Only a gain that the match's interval shows keeps the step size."""
        alone = self.game.players == 1
        ahead = gain.points if alone else gain.share - 1.0 / self.game.players
        shown = ahead - (gain.points_error if alone else gain.share_error) > 0.0
        self.idle = 0 if shown or self.round == 1 else self.idle + 1
        kept = ahead > 0.0 or self.round == 1
        if kept:
            self.best[:] = self.model.weights
        return kept

    def matches(self) -> tuple[Score, Score]:
        """Against the best so far, and against the game's own evaluation or random moves."""
        learner, best = self.learner, with_model(self.game, replace(self.model, weights=self.best))
        seed, games = Dice(self.settings.seed + self.round).bits(), self.settings.matches
        gain = self.meet(learner, best, games, seed)
        if self.game.players == 1:  # nobody to beat: points are compared on the same seeds
            theirs = self.meet(best, best, games, seed)
            error = math.hypot(gain.points_error, theirs.points_error)
            gain = Score(0.5, 0.0, gain.points - theirs.points, error, gain.games)
        return gain, self.meet(learner, self.rival, games, seed)

    def meet(self, one: Any, other: Any | None, games: int, seed: int) -> Score:
        settings = self.settings
        return match_of(one, other, self.starts, games, self.opening, settings.longest, settings.depth, seed)

    def room(self) -> Notes:
        """Room for the steps of a game."""
        views = self.game.players if views_of(self.game) == BY_EACH else 1
        steps = min(STEPS, self.settings.longest) + 1
        rows = steps * views + views
        return Notes(
            listed=np.zeros((rows, self.model.most), np.uint32),
            counts=np.zeros(rows, np.int64),
            seats=np.zeros(rows, np.int64),
            values=np.zeros((steps + 1, self.game.players)),
            offsets=np.zeros(steps + 1),
            breaks=np.zeros(steps + 2, np.bool_),
            leaves=np.zeros(self.settings.depth + 1, self.game.state),
        )

    def strength(self, model: Model, games: int) -> dict[str, Score]:
        """What a model scores, as deep as it learned, against random moves and the game's own evaluation, if any."""
        learned = with_model(self.game, model)
        rivals = {"random moves": None} | ({} if self.rival is None else {"its own evaluation": self.rival})
        seed = Dice(self.settings.seed - 1).bits()
        return {name: self.meet(learned, rival, games, seed) for name, rival in rivals.items()}

    def run(self, told: Callable[[Round], None], checkpoint: Path | None = None, seconds: float | None = None) -> Model:
        """Learn until it is over, or has taken so many seconds of the processor; everybody is told of each round."""
        while not self.is_over and (seconds is None or self.seconds < seconds):
            told(self.play_round())
            if checkpoint is not None:
                self.save(checkpoint)
        return self.found

    # Checkpoints

    def save(self, path: Path) -> None:
        """Keep all that the next round depends on."""
        facts = {
            "game": self.model.game,
            "settings": asdict(self.settings),
            "rate": self.rate,
            "round": self.round,
            "idle": self.idle,
            "halved": self.halved,
            "seconds": self.seconds,
            "history": [asdict(each) for each in self.history],
            "against": self.against,
            "curve": curve_points(self.history),
        }
        arrays = {"weights": self.model.weights, "best": self.best, "generator": self.work["generator"]}
        write_arrays(path, {**arrays, "facts": np.array(json.dumps(facts))})

    def resume(self, path: Path) -> None:
        """Go on where a checkpoint was written."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                held = {name: arrays[name] for name in arrays.files}
            facts = json.loads(str(held["facts"]))
            same = facts["game"] == self.model.game and held["weights"].shape == self.model.weights.shape
            mine, theirs = asdict(self.settings), asdict(LearnSettings()) | facts["settings"]
            changed = [name for name in mine if name not in LENGTH and theirs[name] != mine[name]]
        except Exception:  # whatever a file that is none holds
            raise SpecError(f"{path} is not a checkpoint of `astragal learn`; remove it or name another file") from None
        if not same or changed:
            of_what = f"{facts['game']}" if not same else f"other settings ({', '.join(changed)})"
            raise SpecError(f"{path} is a checkpoint of {of_what}; remove it, or name another file with --out")
        self.model.weights[:], self.best[:] = held["weights"], held["best"]
        self.work["generator"] = held["generator"]
        self.rate, self.round, self.idle, self.halved = (facts[name] for name in ("rate", "round", "idle", "halved"))
        self.seconds = facts["seconds"]
        self.history = [round_again(each) for each in facts["history"]]


def round_again(kept: dict[str, Any]) -> Round:
    scores = {name: Score(**kept[name]) for name in ("gain", "rival")}
    return Round(**{**kept, **scores})
