"""The loop of learning: rounds of self-play, matches that decide whether a round was a gain, checkpoints.

A round is a number of games. After it the evaluation meets the best one so far, as deep as it learns, on the same dice
with seats changed, and if it scores more it is the best. If the interval of no such score was above an even one for
some rounds, the step size is halved, and after a number of halvings learning ends. Games, matches and weights
depend on the seed alone, and a checkpoint holds all that the next round depends on.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from astragal.base.arrays import parsed_facts, read_arrays, write_arrays
from astragal.base.cores import spare_cores
from astragal.base.errors import AstragalError, SpecError
from astragal.base.interruptible import run_interruptible
from astragal.games import game_spec
from astragal.learn.beginning import MAY_CHANGE, LearnSettings, new_model
from astragal.learn.curves import curve_points
from astragal.learn.derived import BY_EACH, views_of, with_model
from astragal.learn.matches import Score, match_of
from astragal.learn.model import Model
from astragal.learn.self_play import WORK, Notes, learn_batch, learn_by_play, play_batch
from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.position import start_states

STARTS = 256  # set-ups that games begin with
STEPS = 4000  # of a game that are learned from


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


class Training:
    """A model that is learned, round by round; in stages with settings of their own, where there are several."""

    def __init__(self, game: Any, settings: LearnSettings, *then: LearnSettings) -> None:
        self.game, self.stages, self.stage = game, (settings, *then), 0
        looks_ahead = any(stage.depth > 1 or stage.leaf for stage in self.stages)
        if looks_ahead and views_of(game) == BY_EACH:
            raise SpecError("to look ahead while learning is for games of two who play for what the other loses")
        self.model = new_model(game, settings.hidden, settings.seed, settings.own, settings.by_results)
        self.best = self.model.weights.copy()
        self.rival = game if defines(type(game), "heuristic") else None  # None: random moves
        self.rate = settings.rate
        without_chance = 6 if game.max_outcomes == 0 else 0
        self.opening = without_chance if settings.opening is None else settings.opening
        self.round, self.idle, self.halved = 0, 0, 0
        self.history: list[Round] = []
        self.seconds = 0.0
        dice = Dice(settings.seed)
        self.starts = start_states(game, [dice.below(2**31) for _ in range(STARTS)])
        self.work = np.zeros(max(settings.jobs, settings.batch), WORK)
        self.work["generator"] = [dice.bits() for _ in self.work]

    @property
    def settings(self) -> LearnSettings:
        """Those of the stage under way."""
        return self.stages[self.stage]

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
        notes = {"settings": asdict(self.settings), "games": self.games, "rounds": self.round}
        notes |= {"against": self.against, "curve": curve_points(self.history)}
        if self.stage > 0:
            notes["before"] = [asdict(stage) for stage in self.stages[: self.stage]]
        kept = self.best if self.settings.keep == "best" else self.model.weights
        weights = kept.astype(np.float16).astype(np.float32)  # as they are kept in a file
        model = replace(self.model, weights=weights)
        return model.with_notes(learned_for=game_spec(self.game), **notes)

    @property
    def games(self) -> int:
        """Played so far, in rounds that are over."""
        return self.history[-1].games if self.history else 0

    @property
    def is_exhausted(self) -> bool:
        """Whether steps were halved so often without a gain that there is none to be had."""
        return self.halved > self.settings.halvings

    @property
    def is_stage_over(self) -> bool:
        return self.round >= self.settings.rounds or self.is_exhausted

    @property
    def is_over(self) -> bool:
        return self.is_stage_over and self.stage == len(self.stages) - 1

    def begin_next_stage(self) -> None:
        before = self.settings.rate
        self.stage += 1
        self.take_rate(before)

    def take_rate(self, before: float) -> None:
        """Go on with the steps there are, or where the settings name others than before, with those: halved anew."""
        if self.settings.rate != before:
            self.rate, self.idle, self.halved = self.settings.rate, 0, 0

    def play_round(self) -> Round:
        """Learn from a round of games, and see whether that was any good."""
        settings, work = self.settings, self.work
        begun = time.process_time()
        work["opening"], work["taught"] = self.opening, self.round < settings.taught
        for name in ("longest", "random", "decay", "depth", "leaf"):
            work[name] = getattr(settings, name)
        work["games"], work["rate"] = shares(settings.games, len(work)), self.rate
        for name in ("played", "steps", "plies", "errors", "cut"):
            work[name] = 0
        run_interruptible(self.learn_games, self.stop)
        if not np.isfinite(self.model.weights).all():
            raise AstragalError(f"the weights have grown beyond all bounds; begin with a rate below {self.rate:g}")
        number = self.round + 1
        gain, rival = self.matches(number)
        kept = self.judge(gain, number)
        self.seconds += time.process_time() - begun
        error = math.sqrt(float(work["errors"].sum()) / max(1, int(work["steps"].sum())))
        plies = int(work["plies"].sum()) / settings.games
        self.history.append(
            Round(number, self.games + settings.games, self.rate, error, plies, gain, rival, kept, self.seconds)
        )
        self.round = number  # not before: Ctrl-C in its matches leaves the rounds that there were
        if self.idle >= settings.patience and self.round > settings.taught:
            self.rate, self.halved, self.idle = self.rate / 2, self.halved + 1, 0
        return self.history[-1]

    @property
    def threads(self) -> int:
        """How many play games and matches."""
        settings = self.settings
        return max(settings.jobs, spare_cores()) if settings.threads is None else settings.threads or spare_cores()

    def learn_games(self) -> None:
        """Learn from a round's games, by threads."""
        with ThreadPoolExecutor(self.threads) as pool:
            (self.learn_in_batches if self.settings.batch > 1 else self.learn_in_jobs)(pool)

    def learn_in_jobs(self, pool: ThreadPoolExecutor) -> None:
        """Learn from each part of the games by itself. All begin with the same weights; the mean of the results is
        kept."""
        jobs = range(self.settings.jobs)
        models = [self.model if len(jobs) == 1 else with_own_weights(self.model) for _ in jobs]
        games = [with_model(self.game, model) for model in models]

        def learn(job: int) -> None:
            learn_by_play(games[job], self.game, self.starts, self.work[job : job + 1], self.room())

        list(pool.map(learn, jobs))
        if len(jobs) > 1:
            np.mean([model.weights for model in models], axis=0, out=self.model.weights)

    def learn_in_batches(self, pool: ThreadPoolExecutor) -> None:
        """Play batch after batch of games by the weights there are, and learn from each batch in the games' order.

        A game has the random words of its place in the batch.
        """
        batch, learner, threads = self.settings.batch, self.learner, self.threads
        notes, steps = self.room(batch), np.zeros(batch, np.int64)
        for begin in range(0, self.settings.games, batch):
            works = self.work[: self.settings.games - begin]
            play = partial(play_batch, learner, self.game, self.starts, works)
            steps[:] = 0
            list(pool.map(lambda first: play(first, threads, steps, notes), range(threads)))  # noqa: B023
            if works["stop"].any():
                return
            learn_batch(learner, works, steps, notes)

    def stop(self) -> None:
        self.work["stop"] = 1

    def judge(self, gain: Score, number: int) -> bool:
        """Whether the weights are the best so far. Only a gain that the match's interval shows keeps the step size."""
        alone = self.game.players == 1
        ahead = gain.points if alone else gain.share - 1.0 / self.game.players
        shown = ahead - (gain.points_error if alone else gain.share_error) > 0.0
        self.idle = 0 if shown or number == 1 else self.idle + 1
        kept = ahead > 0.0 or number == 1
        if kept:
            self.best[:] = self.model.weights
        return kept

    def matches(self, number: int) -> tuple[Score, Score]:
        """Against the best so far, and against the game's own evaluation or random moves."""
        learner, best = self.learner, with_model(self.game, replace(self.model, weights=self.best))
        seed, games = Dice(self.settings.seed + number).bits(), self.settings.matches
        return self.meet(learner, best, games, seed), self.meet(learner, self.rival, games, seed)

    def meet(self, one: Any, other: Any | None, games: int, seed: int) -> Score:
        settings, threads = self.settings, self.threads
        return match_of(one, other, self.starts, games, self.opening, settings.longest, settings.depth, seed, threads)

    def room(self, games: int | None = None) -> Notes:
        """Room for the steps of a game, or of this many games."""
        views = self.game.players if views_of(self.game) == BY_EACH else 1
        steps = min(STEPS, self.settings.longest) + 1
        rows = steps * views + views
        each = () if games is None else (games,)
        return Notes(
            listed=np.zeros((*each, rows, self.model.most), np.uint32),
            counts=np.zeros((*each, rows), np.int64),
            seats=np.zeros((*each, rows), np.int64),
            values=np.zeros((*each, steps + 1, self.game.players, self.model.chances)),
            offsets=np.zeros((*each, steps + 1)),
            breaks=np.zeros((*each, steps + 2), np.bool_),
            returns=np.zeros((*each, self.game.players, self.model.chances)),
            leaves=np.zeros((*each, self.settings.depth + 1), self.game.state),
        )

    def strength(self, model: Model, games: int) -> dict[str, Score]:
        """What a model scores, as deep as it learned, against random moves and the game's own evaluation, if any."""
        learned = with_model(self.game, model)
        rivals = {"random moves": None} | ({} if self.rival is None else {"its own evaluation": self.rival})
        seed = Dice(self.settings.seed - 1).bits()
        return {name: self.meet(learned, rival, games, seed) for name, rival in rivals.items()}

    def run(self, told: Callable[[Round], None], checkpoint: Path | None = None, seconds: float | None = None) -> Model:
        """Learn until it is over, or has taken this much processor time; the function is called after each round."""
        while not self.is_over and (seconds is None or self.seconds < seconds):
            if self.is_stage_over:
                self.begin_next_stage()
                continue
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
            "stage": self.stage,
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
            held = read_arrays(path)
            facts = parsed_facts(held)
            stage = min(max(0, int(facts.get("stage", 0))), len(self.stages) - 1)
            mine, theirs = asdict(self.stages[stage]), asdict(LearnSettings()) | facts["settings"]
            of_game = facts["game"]
            weights, best = held["weights"], held["best"]
            same = of_game == self.model.game and weights.shape == self.model.weights.shape
            changed = [name for name in mine if name not in MAY_CHANGE and theirs[name] != mine[name]]
            generators = held["generator"].astype(np.uint64, casting="safe")
            history = [round_again(each) for each in facts["history"]]
            counts = [int(facts[name]) for name in ("round", "idle", "halved")]
            steps = [float(facts["rate"]), float(facts["seconds"]), float(theirs["rate"])]
            parts = (weights, best) if same and not changed else ()
            right = [min(counts) >= 0, counts[0] == len(history), steps[0] > 0.0, all(map(math.isfinite, steps))]
            right += [each.dtype == np.float32 and bool(np.isfinite(each).all()) for each in parts]
            right += [each.shape == weights.shape and generators.shape == self.work.shape for each in parts]
            if not all(right):
                raise ValueError("its parts do not fit each other")
        except Exception:  # whatever a file that is none holds
            raise SpecError(f"{path} is not a checkpoint of `astragal learn`; remove it or name another file") from None
        if not same or changed:
            of_what = f"{of_game}" if not same else f"other settings ({', '.join(changed)})"
            raise SpecError(f"{path} is a checkpoint of {of_what}; remove it, or name another file with --out")
        self.stage, self.history = stage, history
        self.model.weights[:], self.best[:] = weights, best
        self.work["generator"] = generators
        self.round, self.idle, self.halved = counts
        self.rate, self.seconds, before = steps
        self.take_rate(before)


def shares(whole: int, parts: int) -> list[int]:
    """A number as a sum of this many that differ by one at most."""
    return [whole // parts + (part < whole % parts) for part in range(parts)]


def with_own_weights(model: Model) -> Model:
    return replace(model, weights=model.weights.copy())


def round_again(kept: dict[str, Any]) -> Round:
    """A round of a checkpoint; ValueError or TypeError if it is none."""
    made = Round(**{**kept, **{name: Score(**kept[name]) for name in ("gain", "rival")}})
    numbers = [value for each in (made, made.gain, made.rival) for value in vars(each).values()]
    if not all(math.isfinite(value) for value in numbers if not isinstance(value, Score)):
        raise ValueError("a round has a number that is none")
    return made
