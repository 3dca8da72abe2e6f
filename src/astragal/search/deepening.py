"""Iterative deepening over the *-Minimax kernels: from a position and settings to a move, its value and its reasons.

The paper's rule for an unfinished iteration is the default (Section 4.2): unless every root action was searched, the
answer is the previous iteration's.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.errors import AstragalError
from astragal.game.decorator import CHANCE
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.limits import DEFAULT_SECONDS, Limits, run_within
from astragal.search.result import BOUNDS, ActionValue, Progress, Report, SearchResult
from astragal.search.root import root_values, table_move
from astragal.search.settings import MAX_DEPTH, SampledStarSettings, StarSettings
from astragal.search.table import attach, borrowed_table, eras, new_table
from astragal.search.variants import Expectimax
from astragal.search.work import COUNTERS, Work, new_work, nodes

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


def star_search(
    position: Position,
    variant: Expectimax,
    settings: StarSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position with one of the six variants, within limits; progress hears of each finished iteration."""
    name = player.partition(":")[0] or "this search"
    refuse_game(position.game, name)
    limits.refuse(name, sims="simulations")
    if position.is_terminal:
        raise AstragalError(f"the game is over at '{position.text}': there is nothing to search")
    if limits == Limits():
        limits = Limits(time=DEFAULT_SECONDS)
    make_ready(position, variant)
    run = Run(position, variant, settings, limits, seed, progress)
    with borrowed_table(run.work, settings.memory) if settings.table != "off" else nullcontext():
        run_within(limits, run.deepen, run.stop, run.started)
        line = run.line()
    seconds = time.perf_counter() - run.started
    final = run.final
    chooses = position.turn != CHANCE
    best = final.actions[final.best] if chooses else None
    return SearchResult(
        game=game_spec(position.game),
        player=player,
        position=position.text,
        turn=position.turn,
        action_number=best,
        action=None if best is None else position.action_name(best),
        value=final.values[final.best],
        actions=run.action_values() if chooses else [],
        line=line,
        depth=final.depth,
        complete=final.complete,
        nodes=nodes(run.work),
        counts={name: int(run.work[name][0]) for name in COUNTERS},
        seconds=seconds,
        seed=seed,
    )


def refuse_game(game: Any, player: str) -> None:
    """Say in a sentence what kind of game the *-Minimax family cannot search."""
    if game.players != 2:
        raise AstragalError(f"{player} needs two players; {game_spec(game)} has {game.players}")
    if not game.zero_sum:
        raise AstragalError(f"{player} needs a zero-sum game, which {game_spec(game)} is not")


def make_ready(position: Position, variant: Expectimax) -> None:
    """Compile the kernels or load them from disk, so that no search pays for it out of its time."""
    work = new_work(0.0, 0.0)
    work["stop"] = 1
    values, bounds = np.zeros(1), np.zeros(1, np.uint8)
    actions = np.array(position.actions()[:1] or [0], np.uint32)
    root_values(position.game, variant, position.memory, 1, actions, values, bounds, work)
    table = new_table(0)
    attach(work, table)
    table_move(position.memory, work)


class Run:
    """One search: its work record, its table and the iterations so far."""

    def __init__(
        self,
        position: Position,
        variant: Expectimax,
        settings: StarSettings,
        limits: Limits,
        seed: int,
        progress: Progress | None,
    ) -> None:
        self.started = time.perf_counter()
        self.position, self.variant, self.settings, self.seed = position, variant, settings, seed
        self.progress = progress
        self.sign = -1.0 if position.turn == 1 else 1.0
        self.max_depth = limits.depth or MAX_DEPTH
        self.work = configured_work(position.game, settings)
        if limits.nodes is not None:
            self.work["node_limit"] = limits.nodes
        self.actions = position.actions() or [0]
        self.final = Iteration(0, self.actions, [0.0] * len(self.actions), [0] * len(self.actions), False)

    def stop(self) -> None:
        self.work["stop"] = 1

    def deepen(self) -> None:
        """Search deeper and deeper until a limit is reached or nothing is left to search."""
        memory = self.position.memory
        for depth in range(1 if self.settings.deepening else self.max_depth, self.max_depth + 1):
            set_iteration(self.work, self.settings, depth, self.max_depth, self.seed)
            leaves = int(self.work["leaves"][0])
            actions = np.array(self.order(), np.uint32)
            values = np.zeros(len(actions))
            bounds = np.zeros(len(actions), np.uint8)
            finished = root_values(self.position.game, self.variant, memory, depth, actions, values, bounds, self.work)
            complete = int(self.work["leaves"][0]) == leaves
            known = complete and not self.variant.sampled  # of what was drawn is not of the whole game
            self.take(depth, actions[:finished].tolist(), values[:finished], bounds[:finished], known)
            if finished < len(actions):
                return
            self.tell()
            if complete:
                return

    def tell(self) -> None:
        if self.progress is not None:
            final, chooses = self.final, self.position.turn != CHANCE
            action = self.position.action_name(final.actions[final.best]) if chooses else None
            seconds = time.perf_counter() - self.started
            self.progress(Report(final.depth, action, final.values[final.best], nodes(self.work), seconds))

    def order(self) -> list[int]:
        """The root actions, the best of the previous iteration first."""
        best = self.final.actions[self.final.best]
        return [best, *(action for action in self.actions if action != best)]

    def take(self, depth: int, actions: list[int], values: Any, bounds: Any, complete: bool) -> None:
        """Make an iteration the answer if all of it was searched, or, as a setting, if it found something better."""
        own = [self.sign * float(value) for value in values]
        kinds = [int(bound) if self.sign > 0 else (0, 1, 3, 2)[int(bound)] for bound in bounds]
        if len(actions) == len(self.actions):
            self.final = Iteration(depth, actions, own, kinds, complete)
        elif actions and self.settings.unfinished == "better" and int(np.argmax(own)) > 0:
            rest = [action for action in self.order() if action not in actions]
            missing = [float(self.work["low"][0])] * len(rest)
            self.final = Iteration(depth, actions + rest, own + missing, kinds + [0] * len(rest), False)

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


def configured_work(game: Any, settings: StarSettings) -> Work:
    """A work record for a game with what the settings say, before limits, table and iteration are set."""
    low, high = game.utility_range
    work = new_work(low, high)
    work["prune_above"] = settings.prune_above
    work["afterstates"] = settings.leaf == "afterstate"
    work["table_values"] = settings.table == "values"
    if isinstance(settings, SampledStarSettings):
        work["stratified"] = settings.sampling == "stratified"
        work["key_by_path"] = settings.key == "path"
        if settings.key == "path":
            work["table_values"] = 0  # on another path to a state its value is another
    return work


def set_iteration(work: Work, settings: StarSettings, depth: int, max_depth: int, seed: int) -> None:
    """The key, the widths and the table's era of one iteration.

    What the table knows of values is void with each: sampled iterations use different keys, and an exact one that took
    a value from an earlier one would not know that leaves were evaluated for it.
    """
    work["key"] = work["path"] = Dice(Dice(seed).bits() + depth).bits()
    work["table_era"] = next(eras)
    if isinstance(settings, SampledStarSettings):
        for left in range(depth):
            work["widths"][0, left] = settings.width.at_level(depth - 1 - left)
