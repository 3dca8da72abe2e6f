"""Iterative deepening: the life of every search that goes depth first.

What a family adds, it says in a subclass of `DepthFirstSearch`: its variant, what its kernels read (`configure`) and
what changes from one iteration to the next (`begin`).

An unfinished iteration counts once its first action, the best of the iteration before, is done: if a later one was
found to be better, that is the answer. With ``unfinished=previous`` the rule is that of Lanctot et al. 2013 (Section
4.2): unless every root action was searched, the answer is the previous iteration's.

An exact search that met no horizon covers the whole game and stops. A sampled one covers only what it drew. It deepens
on, each iteration drawing anew; once `PATIENCE` iterations in a row met no horizon, and there is no depth to stop at,
it searches twice as deep again and again, each time with other samples, until its limit. The answer is then the mean of
these searches. All of them count whatever they find, and none of those before, whose finds decided when to begin: so
the mean is an unbiased estimate of what one such search is expected to say. (The one that a limit interrupts is left
out, which favours short ones by less than its share of the budget.)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from astragal.algorithms.depth_first import table
from astragal.algorithms.depth_first.iteration import Iteration
from astragal.algorithms.depth_first.recording import Recording, tree_of_rows
from astragal.algorithms.depth_first.root import root_values
from astragal.algorithms.depth_first.session import TableSession
from astragal.algorithms.depth_first.settings import DeepeningSettings
from astragal.algorithms.depth_first.table import (
    EXACT,
    LOWER,
    MEGABYTES,
    UPPER,
    KeptTable,
    begin_era,
    return_table,
    share_filled,
    take_table,
)
from astragal.algorithms.depth_first.threads import FEW, Crew
from astragal.algorithms.depth_first.variant import Variant
from astragal.algorithms.depth_first.work import Work, counts, guesses, new_work, nodes
from astragal.algorithms.limits import MAX_DEPTH
from astragal.algorithms.plain_tree import PlainTree
from astragal.algorithms.progress import counting
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import LINE_LENGTH, SearchResult, each_in_words, in_words, later
from astragal.algorithms.search import Search, refuse_open_range
from astragal.base.cores import threads_taken
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.decorator import CHANCE
from astragal.rules.protocol import Game

PATIENCE = 3  # iterations without a horizon after which a sampled search is repeated rather than deepened
ROOM = 4  # lines of a table that threads share for each entry that is in it when they begin
PAUSES = 2.0  # factor of nodes between two looks at repeated searches
MIRRORED = {LOWER: UPPER, UPPER: LOWER}  # bounds from the other side


class DepthFirstSearch(Search):
    """One search: its work record, and the answer of its iterations so far."""

    no_limits: ClassVar[dict[str, str]] = {"sims": "simulations"}
    gives_lines: ClassVar[bool] = True
    settings: DeepeningSettings

    def __init__(self, request: SearchRequest, settings: DeepeningSettings) -> None:
        super().__init__(request, settings)
        self.variant = self.chosen_variant()
        self.max_depth = self.limits.depth or MAX_DEPTH
        self.work = new_work(*self.game.utility_range)
        self.threads = self.number_of_threads()
        self.keeps_values = settings.table == "values" or (self.threads > 1 and self.variant.shares)
        self.work["table_values"] = self.keeps_values
        self.work["lines"] = request.lines
        if self.limits.nodes is not None:
            self.work["node_limit"] = self.limits.nodes
        self.actions = self.position.actions() or [0]
        self.root_memory = self.position.memory
        self.recording = Recording(self.work) if settings.keep else None
        self.tree: PlainTree | None = None
        self.table: KeptTable | None = None
        self.session: TableSession | None = request.session if settings.reuse else None
        self.written: list[Any] = []  # by kernels: the memory of `equip`
        self.configure()
        self.equip(self.work)
        self.crew = Crew(self.work, [self.equipped() for _ in range(1, self.threads)])
        self.trusted = 0  # by the last search of the root, short of the end of the game
        self.sign = 1.0 if self.position.turn in (CHANCE, int(self.work["viewer"][0])) else -1.0
        nothing = [0] * len(self.actions)
        self.answered = Iteration(0, self.actions, [0.0] * len(nothing), nothing, self.variant.sampled)

    @abstractmethod
    def chosen_variant(self) -> Variant:
        """What the settings ask to be compiled in."""

    def configure(self) -> None:
        """Put into the work record what the settings of a family say."""

    def number_of_threads(self) -> int:
        settings = self.settings
        return 1 if settings.why_one_thread else threads_taken(settings.threads, self.limits.are_counted)

    def equip(self, work: Work) -> None:
        """Give a thread's work record the memory that this thread alone writes to."""

    def equipped(self) -> Work:
        work = self.work.copy()
        self.equip(work)
        return work

    @classmethod
    def versions(cls, settings: Any = None) -> dict[str, int]:
        """The family's version, and that of the table where values are kept in it."""
        keeps_values = getattr(settings, "table", "") == "values"
        return super().versions() | ({"depth_first": table.VERSION} if keeps_values else {})

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, self.variant

    def make_ready(self) -> None:
        work = new_work(0.0, 0.0)
        work["stop"] = 1
        actions = np.array(self.actions[:1], np.uint32)
        values, bounds = np.zeros(1), np.zeros(1, np.uint8)
        root_values(self.game, self.variant, self.position.memory, 1, actions, values, bounds, work)

    def take_memory(self) -> None:
        if self.settings.table != "off":
            memory = self.settings.memory
            if memory is None:
                memory = MEGABYTES["values" if self.keeps_values else "moves"]
            if self.session is None:
                self.table = take_table(self.work, memory)
            else:
                about = self.game, self.variant, self.settings, int(self.work["viewer"][0]), self.keeps_values
                self.table = self.session.lend(self.work, about, memory)

    def return_memory(self) -> None:
        if self.table is None:
            return
        if self.session is None:
            return_table(self.work, self.table)
        else:
            self.session.take_back(self.work)

    @classmethod
    def new_session(cls, settings: Any) -> TableSession | None:
        return TableSession() if getattr(settings, "reuse", False) else None

    def stop(self) -> None:
        self.crew.stop()

    def run(self) -> None:
        if self.progress is None:
            self.deepen()
            return
        with counting(self.progress, lambda: self.crew.nodes, self.started) as self.progress:
            self.deepen()

    def deepen(self) -> None:
        """Search deeper and deeper until a limit is reached or nothing is left to search."""
        without_horizon = 0
        for depth in range(1 if self.settings.deepening else self.max_depth, self.max_depth + 1):
            if not self.iterate(depth):
                return
            met_no_horizon = self.trusted == 0
            known = met_no_horizon and not self.variant.sampled
            self.answered.complete = known and not self.work["hidden"][0]
            self.report()
            if known:
                return
            without_horizon = without_horizon + 1 if met_no_horizon else 0
            if without_horizon == PATIENCE and self.limits.depth is None:
                break
        if self.variant.sampled and self.limits.depth is None:
            self.repeat(depth)

    def iterate(self, depth: int) -> bool:
        """Search all root actions to a depth; whether there was time to."""
        self.begin(depth, depth)
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
            self.work["pause_at"] = int(PAUSES * nodes(self.work))
            searches += self.search_root(depth, actions, sums, bounds)
            if searches:
                means = [self.sign * float(total) / searches for total in sums]
                known = [EXACT] * len(means)
                self.answered = Iteration(reached, actions.tolist(), means, known, True, searches=searches)
                self.report()

    def begin(self, iteration: int, depth: int) -> None:
        """Set what changes with each iteration: the table's era."""
        begin_era(self.work, self.variant.lasting)

    def lists(self) -> tuple[Any, Any, Any]:
        """The root's actions, the best of the previous iteration first, and room for what is found of them."""
        count = self.request.lines
        ranked = self.answered.best_actions(count) if count > 1 else []
        best = ranked or [self.answered.actions[self.answered.best]]
        actions = np.array([*best, *(action for action in self.actions if action not in best)], np.uint32)
        return actions, np.zeros(len(actions)), np.zeros(len(actions), np.uint8)

    def search_root(self, depth: int, actions: Any, values: Any, bounds: Any) -> int:
        """Search these actions, by all threads once there is enough to do; how many were finished.

        Repeated searches, whose values are added up, say how many there were.
        """
        if self.recording is not None:
            self.recording.clear()
        if self.threads > 1 and (nodes(self.work) >= FEW or not self.settings.deepening):
            return self.search_together(depth, actions, values, bounds)
        before = guesses(self.work)
        finished = self.call_kernel(depth, actions, values, bounds)
        self.trusted = guesses(self.work) - before
        return finished

    def search_together(self, depth: int, *lists: Any) -> int:
        call = partial(self.call_with, depth=depth)
        if self.work["repeats"][0]:
            return self.crew.repeat(call, lists)
        if not self.variant.shares:
            finished, self.trusted = self.crew.share_actions(call, lists)
            return finished
        self.work["table_room"] = min(self.work["table_lines"][0], ROOM * int(self.work["table_stored"][0]))
        call(self.work, *(part[:0] for part in lists), depth=0)  # which makes room
        finished, self.trusted = self.crew.search(call, lists, self.variant.lasting)
        return finished

    def call_kernel(self, depth: int, actions: Any, values: Any, bounds: Any) -> int:
        return self.call_with(self.work, actions, values, bounds, depth)

    def call_with(self, work: Work, actions: Any, values: Any, bounds: Any, depth: int) -> int:
        """Call the kernel for the thread with this work record."""
        return int(root_values(self.game, self.variant, self.root_memory, depth, actions, values, bounds, work))

    def line(self) -> list[int]:
        """The best action, then the likeliest outcomes and the table's best replies, by their numbers."""
        answered = self.answered
        if not answered.depth:
            return []
        return self.line_after([answered.actions[answered.best]] if self.position.turn != CHANCE else [])

    def line_after(self, begun: list[int]) -> list[int]:
        if not self.work["table"][0]:
            return begun
        line = np.array(begun + [0] * (LINE_LENGTH - len(begun)), np.uint32)
        known = self.call_kernel(0, line, np.zeros(0), np.zeros(len(begun), np.uint8))
        return [int(number) for number in line[:known]]

    def lines(self) -> list[list[int]]:
        """The line of each of the best actions, if more than one was asked for."""
        several = self.request.lines > 1 and self.answered.depth > 0 and self.position.turn != CHANCE
        return [self.line_after([each]) for each in self.answered.best_actions(self.request.lines)] if several else []

    def take(self, depth: int, actions: list[int], values: Any, bounds: Any) -> None:
        """Make an iteration the answer if all of it was searched, or, as a setting, if it found something better.

        Better than nothing is what the first iteration found, however little of it was done.
        """
        before = self.answered
        finished = len(actions) == len(self.actions)
        bold = self.settings.unfinished == "better"
        own = [self.sign * float(value) for value in values]
        if finished or (actions and bold and (not before.depth or int(np.argmax(own)) > 0)):
            kinds = [int(bound) if self.sign > 0 else MIRRORED.get(int(bound), int(bound)) for bound in bounds]
            there = set(actions)
            rest = [action for action in self.actions if action not in there]
            nothing = [0] * len(rest)
            self.answered = Iteration(depth, actions + rest, own + [0.0] * len(rest), kinds + nothing, before.sampled)
        if self.recording is not None and (self.answered is not before or self.tree is None):
            value = self.answered.best_value
            root = self.sign * value if finished and value is not None else None
            viewer = int(self.work["viewer"][0])
            self.tree = tree_of_rows(self.position, self.recording, len(self.actions), root, viewer, finished)

    def report(self) -> None:
        if self.progress is not None:
            self.progress(self.found())

    def found(self, final: bool = False) -> SearchResult:
        """What the iterations say, while the table is there to take the best line from."""
        answered = self.answered
        chooses, exact = self.position.turn != CHANCE, answered.exact_words
        return self.request.answer(
            answered.actions[answered.best] if chooses else None,
            value=answered.best_value,
            bound=answered.bound_words(answered.best, exact),
            actions=later(answered.action_values, self.position, exact) if chooses else [],
            line=later(in_words, self.position, self.line()),
            lines=later(each_in_words, self.position, self.lines()),
            depth=answered.depth,
            searches=answered.searches,
            complete=answered.complete,
            nodes=nodes(self.work),
            counts=counts(self.work),
            table_filled=share_filled(self.work),
            seconds=self.seconds,
            threads=self.threads,
            repeatable=self.threads == 1 or not self.limits.are_counted,
            tree=self.tree,
        )


def refuse_game(game: Game, player: str, others: str = "; maxn, paranoid and uct play with any number") -> None:
    """Say in a sentence what kind of game a search for one player, or for two opponents, cannot search."""
    if game.players > 2:
        raise AstragalError(f"{player} needs one or two players; {game_spec(game)} has {game.players}{others}")
    refuse_open_range(game, player)
    if game.players == 2 and not game.zero_sum:
        raise AstragalError(f"{player} needs a zero-sum game, which {game_spec(game)} {game.why_not_zero_sum()}")
