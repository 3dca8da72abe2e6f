"""Iterative deepening: from a position and settings to a move, its value and its reasons.

What a family of searches adds, it says in a subclass of `Deepening`: what its kernels read (`prepare`) and what changes
from one iteration to the next (`begin`). Their variants are what `astragal.search.root` asks for.

An unfinished iteration counts once its first action, the best of the iteration before, is done: if a later one was
found to be better, that is the answer. With ``unfinished=previous`` the rule is that of Lanctot et al. 2013 (Section
4.2): unless every root action was searched, the answer is the previous iteration's.

An exact search that met no horizon knows the whole game and stops. A sampled one knows only what it drew. It deepens
on, each iteration drawing anew; once `PATIENCE` iterations in a row met no horizon, and there is no depth to stop at,
it searches twice as deep again and again, each time with other samples, until its limit. The answer is then the mean of
these searches. All of them count whatever they find, and none of those before, whose finds decided when to begin: so
the mean is an unbiased estimate of what one such search is expected to say. (The one that a limit interrupts is left
out, which favours short ones by less than its share of the budget.)
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
from astragal.gdl.sheets import is_sheet_game
from astragal.search import table
from astragal.search.limits import Limits, answer_of, limits_for, run_within, search_name
from astragal.search.plain_tree import PlainTree, tree_of_rows
from astragal.search.progress import Progress, counting
from astragal.search.recording import Recording, recorded
from astragal.search.result import AT_LEAST, AT_MOST, EXACT, NOT_SEARCHED, ActionValue, SearchResult, depth_words
from astragal.search.root import root_values, table_move
from astragal.search.settings import MAX_DEPTH, DeepeningSettings
from astragal.search.table import attach, borrowed_table, eras, new_table
from astragal.search.work import COUNTERS, guesses, new_work, nodes

LINE_LENGTH = 12
PATIENCE = 3  # iterations without a horizon after which a sampled search is repeated rather than deepened
LOOKS = 2.0  # factor of nodes between two looks at repeated searches


@dataclass
class Iteration:
    """The root actions of one iteration, in the order searched, and what was found of each; or means of several."""

    depth: int
    actions: list[int]
    values: list[float]  # the mover's
    bounds: list[int]  # of `astragal.search.table`
    complete: bool
    searches: int = 1

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

    def begin(self, iteration: int, depth: int) -> None:
        """Set what changes with each iteration: the table's era.

        What the table knows of values is void with each: an iteration that took a value from an earlier one would not
        know that leaves were evaluated for it.
        """
        self.work["table_era"] = next(eras)

    def result(self) -> SearchResult:
        """Search within the limits, and say what was found."""
        with borrowed_table(self.work, self.settings.memory) if self.settings.table != "off" else nullcontext():
            with counting(self.progress, lambda: nodes(self.work), self.started) as self.progress:
                interrupted = run_within(self.limits, self.deepen, self.stop, self.started)
            return answer_of(self.found(self.tree), interrupted)

    def found(self, tree: PlainTree | None = None) -> SearchResult:
        """What the last iteration says, while the table is there to take the best line from."""
        line = self.line()
        seconds = time.perf_counter() - self.started
        final, position = self.final, self.position
        chooses = position.turn != CHANCE
        best = final.actions[final.best] if chooses else None
        searched = final.depth > 0
        return SearchResult(
            game=game_spec(position.game),
            player=self.player,
            position=position.text,
            turn=position.turn,
            action_number=best,
            action=None if best is None else position.action_name(best),
            value=final.values[final.best] if searched else None,
            bound=self.words(final.bounds[final.best]),
            actions=self.action_values() if chooses else [],
            line=line,
            depth=final.depth,
            searches=final.searches,
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
        without_horizon = 0
        for depth in range(1 if self.settings.deepening else self.max_depth, self.max_depth + 1):
            guessed = guesses(self.work)
            if not self.iterate(depth):
                return
            complete = guesses(self.work) == guessed
            self.final.complete = complete and not self.variant.sampled  # of what was drawn is not of the whole game
            if self.progress is not None:
                self.progress(self.found())
            without_horizon = without_horizon + 1 if complete else 0
            if self.final.complete:
                return
            if without_horizon == PATIENCE and self.limits.depth is None:
                break
        if self.variant.sampled and self.limits.depth is None:
            self.repeat(depth)

    def iterate(self, depth: int) -> bool:
        """Search all root actions to a depth; whether there was time to."""
        self.begin(depth, depth)
        if self.recording is not None:
            self.recording.clear()
        actions, values, bounds = self.lists()
        finished = self.search_root(depth, actions, values, bounds)
        self.take(depth, actions[:finished].tolist(), values[:finished], bounds[:finished])
        return finished == len(actions)

    def repeat(self, reached: int) -> None:
        """Search deeper than the samples reach, again and again, and answer with the mean of what that gives."""
        depth = min(2 * reached, MAX_DEPTH)
        self.begin(reached + 1, depth)
        self.work["repeats"] = 1
        self.work["table_values"] = 0  # they are true of one search
        actions, sums, bounds = self.lists()
        searches = 0
        while not self.work["stop"][0]:
            self.work["pause_at"] = int(LOOKS * nodes(self.work))
            if self.recording is not None:
                self.recording.clear()
            searches += self.search_root(depth, actions, sums, bounds)
            if searches:
                means = [self.sign * float(total) / searches for total in sums]
                self.final = Iteration(reached, actions.tolist(), means, [table.EXACT] * len(means), False, searches)
                if self.progress is not None:
                    self.progress(self.found())

    def lists(self) -> tuple[Any, Any, Any]:
        """The root actions in the order to search them, and room for what is found of them."""
        actions = np.array(self.order(), np.uint32)
        return actions, np.zeros(len(actions)), np.zeros(len(actions), np.uint8)

    def search_root(self, depth: int, actions: Any, values: Any, bounds: Any) -> int:
        memory = self.position.memory
        return root_values(self.position.game, self.variant, memory, depth, actions, values, bounds, self.work)  # type: ignore[no-any-return]

    def order(self) -> list[int]:
        """The root actions, the best of the previous iteration first."""
        best = self.final.actions[self.final.best]
        return [best, *(action for action in self.actions if action != best)]

    def take(self, depth: int, actions: list[int], values: Any, bounds: Any) -> None:
        """Make an iteration the answer if all of it was searched, or, as a setting, if it found something better.

        Better than nothing is what the first iteration found, however little of it was done.
        """
        before = self.final
        own = [self.sign * float(value) for value in values]
        kinds = [int(bound) if self.sign > 0 else (0, 1, 3, 2)[int(bound)] for bound in bounds]
        if len(actions) == len(self.actions):
            self.final = Iteration(depth, actions, own, kinds, False)
        elif actions and self.settings.unfinished == "better" and (int(np.argmax(own)) > 0 or before.depth == 0):
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
        places = sorted(
            range(len(final.actions)), key=lambda i: (i != final.best, not final.bounds[i], -final.values[i])
        )
        return [
            ActionValue(
                final.actions[i],
                self.position.action_name(final.actions[i]),
                final.values[i] if final.bounds[i] else None,
                self.words(final.bounds[i]),
            )
            for i in places
        ]

    def words(self, bound: int) -> str:
        """What is known of an action by the last iteration."""
        if bound == table.EXACT:
            final = self.final
            return EXACT if final.complete else depth_words(final.depth, self.variant.sampled, final.searches)
        return {table.LOWER: AT_LEAST, table.UPPER: AT_MOST}.get(bound, NOT_SEARCHED)

    def line(self) -> list[str]:
        """The best action, then the likeliest outcome and the table's best reply, for as far as the table knows."""
        steps: list[str] = []
        position = self.position
        if not self.final.depth:
            return steps
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
    smallest = new_table(0)
    attach(work, smallest)
    table_move(position.memory, work)


def refuse_game(game: Any, player: str) -> None:
    """Say in a sentence what kind of game a search for two opponents cannot search."""
    if game.players != 2:
        raise AstragalError(f"{player} needs two players; {game_spec(game)} has {game.players}")
    if not game.zero_sum:
        spec = game_spec(game)
        known = "is not known to be (if it is, set zero_sum=on)" if is_sheet_game(game) else "is not"
        raise AstragalError(f"{player} needs a zero-sum game, which {spec} {known}")
