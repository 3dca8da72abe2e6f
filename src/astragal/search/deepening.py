"""Iterative deepening: from a position and settings to a move, its value and its reasons.

What a family of searches adds, it says in a subclass of `Deepening`: what its kernels read (`prepare`) and what changes
from one iteration to the next (`begin`). Their variants are what `astragal.search.root` asks for.

The rule of Lanctot et al. 2013 for an unfinished iteration is the default (Section 4.2): unless every root action was
searched, the answer is the previous iteration's.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.errors import AstragalError
from astragal.game.decorator import CHANCE
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.limits import Limits, limits_for, run_within, search_name
from astragal.search.plain_tree import PlainTree, tree_of_rows
from astragal.search.progress import Progress, counting
from astragal.search.recording import Recording, recorded
from astragal.search.result import BOUNDS, ActionValue, SearchResult
from astragal.search.root import root_values, table_move
from astragal.search.settings import MAX_DEPTH, DeepeningSettings
from astragal.search.table import attach, borrowed_table, eras, new_table
from astragal.search.work import COUNTERS, guesses, new_work, nodes

LINE_LENGTH = 12


@dataclass
class Iteration:
    """The root actions of one finished iteration, in the order searched, and what was found of each."""

    depth: int
    actions: list[int]
    values: list[float]  # the mover's
    bounds: list[int]
    complete: bool

    @property
    def best(self) -> int:
        return int(np.argmax(self.values))


class Deepening:
    """One search: its work record, its table and the iterations so far."""

    def __init__(
        self,
        position: Position,
        variant: Any,
        settings: DeepeningSettings,
        limits: Limits,
        seed: int = 0,
        player: str = "",
        progress: Progress | None = None,
    ) -> None:
        self.limits = limits_for(position, limits, search_name(player), sims="simulations")
        self.player = player
        variant = recorded(variant) if settings.keep else variant
        make_ready(position, variant)
        self.started = time.perf_counter()
        self.position, self.variant, self.settings, self.seed = position, variant, settings, seed
        self.progress = progress
        self.max_depth = self.limits.depth or MAX_DEPTH
        self.work = new_work(*position.game.utility_range)
        self.work["table_values"] = settings.table == "values"
        if self.limits.nodes is not None:
            self.work["node_limit"] = self.limits.nodes
        self.actions = position.actions() or [0]
        self.recording = Recording(self.work) if settings.keep else None
        self.tree: PlainTree | None = None
        self.prepare()
        self.sign = 1.0 if position.turn in (CHANCE, int(self.work["viewer"][0])) else -1.0
        self.final = Iteration(0, self.actions, [0.0] * len(self.actions), [0] * len(self.actions), False)

    def prepare(self) -> None:
        """Put into the work record what the settings of a family say."""

    def begin(self, depth: int) -> None:
        """Set what changes with each iteration: the table's era.

        What the table knows of values is void with each: an iteration that took a value from an earlier one would not
        know that leaves were evaluated for it.
        """
        self.work["table_era"] = next(eras)

    def result(self) -> SearchResult:
        """Search within the limits, and say what was found."""
        with borrowed_table(self.work, self.settings.memory) if self.settings.table != "off" else nullcontext():
            with counting(self.progress, lambda: nodes(self.work), self.started) as self.progress:
                run_within(self.limits, self.deepen, self.stop, self.started)
            return self.found(self.tree)

    def found(self, tree: PlainTree | None = None) -> SearchResult:
        """What the last iteration says, while the table is there to take the best line from."""
        line = self.line()
        seconds = time.perf_counter() - self.started
        final, position = self.final, self.position
        chooses = position.turn != CHANCE
        best = final.actions[final.best] if chooses else None
        return SearchResult(
            game=game_spec(position.game),
            player=self.player,
            position=position.text,
            turn=position.turn,
            action_number=best,
            action=None if best is None else position.action_name(best),
            value=final.values[final.best],
            actions=self.action_values() if chooses else [],
            line=line,
            depth=final.depth,
            complete=final.complete,
            nodes=nodes(self.work),
            counts={name: int(self.work[name][0]) for name in COUNTERS},
            seconds=seconds,
            seed=self.seed,
            tree=tree,
        )

    def stop(self) -> None:
        self.work["stop"] = 1

    def deepen(self) -> None:
        """Search deeper and deeper until a limit is reached or nothing is left to search."""
        memory = self.position.memory
        for depth in range(1 if self.settings.deepening else self.max_depth, self.max_depth + 1):
            self.begin(depth)
            if self.recording is not None:
                self.recording.clear()
            guessed = guesses(self.work)
            actions = np.array(self.order(), np.uint32)
            values = np.zeros(len(actions))
            bounds = np.zeros(len(actions), np.uint8)
            finished = root_values(self.position.game, self.variant, memory, depth, actions, values, bounds, self.work)
            complete = guesses(self.work) == guessed
            known = complete and not self.variant.sampled  # of what was drawn is not of the whole game
            self.take(depth, actions[:finished].tolist(), values[:finished], bounds[:finished], known)
            if finished < len(actions):
                return
            if self.progress is not None:
                self.progress(self.found())
            if complete:
                return

    def order(self) -> list[int]:
        """The root actions, the best of the previous iteration first."""
        best = self.final.actions[self.final.best]
        return [best, *(action for action in self.actions if action != best)]

    def take(self, depth: int, actions: list[int], values: Any, bounds: Any, complete: bool) -> None:
        """Make an iteration the answer if all of it was searched, or, as a setting, if it found something better."""
        before = self.final
        own = [self.sign * float(value) for value in values]
        kinds = [int(bound) if self.sign > 0 else (0, 1, 3, 2)[int(bound)] for bound in bounds]
        if len(actions) == len(self.actions):
            self.final = Iteration(depth, actions, own, kinds, complete)
        elif actions and self.settings.unfinished == "better" and int(np.argmax(own)) > 0:
            rest = [action for action in self.order() if action not in actions]
            missing = [float(self.work["low"][0])] * len(rest)
            self.final = Iteration(depth, actions + rest, own + missing, kinds + [0] * len(rest), False)
        if self.recording is not None and (self.final is not before or self.tree is None):
            finished = len(actions) == len(self.actions)
            root = self.sign * self.final.values[self.final.best] if finished else None
            viewer = int(self.work["viewer"][0])
            self.tree = tree_of_rows(self.position, self.recording, len(self.actions), root, viewer, finished)

    def action_values(self) -> list[ActionValue]:
        """What is known of each root action, best first; equal ones in the order searched."""
        final = self.final
        rows = [
            ActionValue(action, self.position.action_name(action), value, BOUNDS[bound])
            for action, value, bound in zip(final.actions, final.values, final.bounds, strict=True)
        ]
        best = rows.pop(final.best)
        return [best, *sorted(rows, key=lambda row: -row.value)]

    def line(self) -> list[str]:
        """The best action, then the likeliest outcome and the table's best reply, for as far as the table knows."""
        steps: list[str] = []
        position = self.position
        if position.turn != CHANCE:
            best = self.final.actions[self.final.best]
            steps.append(position.action_name(best))
            if self.settings.table == "off":
                return steps
            position = position.play(best)
        while self.settings.table != "off" and len(steps) < LINE_LENGTH and not position.is_terminal:
            if position.is_chance:
                likeliest = max(position.outcomes(), key=lambda outcome: outcome.probability)
                steps.append(f"({likeliest.name})")
                position = position.deal(likeliest.number)
                continue
            move, known = table_move(position.memory, self.work)
            if not known or move not in position.actions():
                break
            steps.append(position.action_name(move))
            position = position.play(move)
        while steps and steps[-1].startswith("("):
            steps.pop()
        return steps


def make_ready(position: Position, variant: Any) -> None:
    """Compile the kernels or load them from disk, so that no search pays for it out of its time."""
    work = new_work(0.0, 0.0)
    work["stop"] = 1
    values, bounds = np.zeros(1), np.zeros(1, np.uint8)
    actions = np.array(position.actions()[:1] or [0], np.uint32)
    root_values(position.game, variant, position.memory, 1, actions, values, bounds, work)
    table = new_table(0)
    attach(work, table)
    table_move(position.memory, work)


def refuse_game(game: Any, player: str) -> None:
    """Say in a sentence what kind of game a search for two opponents cannot search."""
    if game.players != 2:
        raise AstragalError(f"{player} needs two players; {game_spec(game)} has {game.players}")
    if not game.zero_sum:
        raise AstragalError(f"{player} needs a zero-sum game, which {game_spec(game)} {game.why_not_zero_sum()}")
