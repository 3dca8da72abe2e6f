"""A tree search from a position and settings to a move, its value and its reasons."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from astragal.algorithms.progress import first_report, next_report, tree_wanted
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult, in_words, later
from astragal.algorithms.search import Search
from astragal.algorithms.tree.answer import (
    RootAction,
    best_line,
    choose,
    mean_of,
    merged_actions,
    note_proof,
    proof_in_words,
    rows,
)
from astragal.algorithms.tree.grown_tree import GrownTree
from astragal.algorithms.tree.recycle import FOUND, find_node, mark_kept, slide
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.sharing import apportion, forget_tickets
from astragal.algorithms.tree.simulation import run_simulations
from astragal.algorithms.tree.steps.compose import refuse_game, steps_for
from astragal.algorithms.tree.store import Store, TreeSession, return_store, take_store
from astragal.algorithms.tree.work import COUNTERS, work_for
from astragal.base.cores import threads_taken
from astragal.base.interruptible import helping_thread
from astragal.rules.dice import Dice
from astragal.rules.protocol import Game

VERSION = 2  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)
FIRST_REPORT = 1000  # simulations
ROBUST_SHARE = 0.8  # of the budget is used before robust-max may end the search
ROBUST_STEP = 50  # and then it is checked each time a 50th of the simulations has been added


class TreeSearch(Search):
    """One search: its trees, the work records of its threads, and what they have found."""

    no_limits: ClassVar[dict[str, str]] = {"depth": "depth"}
    settings: TreeSettings

    def __init__(self, request: SearchRequest, settings: TreeSettings) -> None:
        super().__init__(request, settings)
        self.session: TreeSession | None = request.session
        alone = settings.parallel == "root" and settings.reuse
        self.threads = 1 if alone else threads_taken(settings.threads, self.limits.are_counted)
        shared = self.threads > 1 and settings.parallel == "tree"
        self.trees = 1 if shared else self.threads
        self.steps = steps_for(self.game, settings, shared)
        dice = Dice(request.seed)
        turn = self.position.turn
        self.works = [work_for(self.game, settings, turn, dice.bits()) for _ in range(self.threads)]
        apportion(self.works, self.game.max_outcomes)
        self.stores: list[Store] = []
        self.borrowed: list[Store] = []
        self.borrowed_session: TreeSession | None = None
        self.errors: list[Exception] = []  # of threads
        self.limit = self.limits.simulations
        self.root_memory = self.position.memory

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, self.steps, self.settings.full, self.settings.reuse

    def make_ready(self) -> None:
        work = self.works[0].copy()
        work["stop"] = 1
        store = Store(self.game, self.steps, 0.0, forwarding=True)
        run_simulations(self.game, self.steps, self.root_memory, store.tree, work)
        if self.settings.full == "recycle" or self.settings.reuse:
            mark_kept(self.game, self.steps, store.tree, store.forward, 0, 0)
            slide(self.game, self.steps, store.tree, store.forward, 0, 0)
        if self.settings.reuse:
            find_node(self.game, self.root_memory, self.root_memory, store.tree, 0, np.zeros(1, FOUND))

    def take_memory(self) -> None:
        """A tree for each of those there are: the session's where it will be used again, or borrowed ones."""
        kept = self.settings.reuse or self.steps.select.uses_history
        if self.session is not None and self.trees == 1 and kept:
            self.session.begin()
            self.borrowed_session = self.session
            self.stores = [self.session.prepare(self.position, self.steps, self.settings)]
            return
        share, forwarding = self.settings.memory / self.trees, self.settings.full == "recycle"
        self.borrowed = [take_store(self.game, self.steps, share, forwarding) for _ in range(self.trees)]
        self.stores = self.borrowed

    def return_memory(self) -> None:
        for store in self.borrowed:
            return_store(store)
        if self.borrowed_session is not None:
            self.borrowed_session.end()

    def stop(self) -> None:
        for work in self.works:
            work["stop"] = 1

    @property
    def sims(self) -> int:
        return sum([work["sims"].item() for work in self.works])

    def run(self) -> None:
        """Run simulations in stages, after each of which there may be something to report, to recycle or to decide."""
        for store in self.stores:  # a tree from an earlier search has other numbers now
            forget_tickets(store.shares, self.works)
        report_at, decide_at = first_report(self.progress, FIRST_REPORT), self.next_decision()
        while True:
            self.run_until(min(decide_at, report_at) if self.progress is not None else decide_at)
            done = self.sims
            if self.progress is not None and done >= report_at:
                self.progress(self.found())
                report_at = next_report(self.progress, done, self.seconds)
            if self.settings.full == "recycle":
                for store in self.stores:
                    self.make_room(store)
            if done >= self.limit or self.works[0]["stop"][0] or self.proof is not None:
                return
            if done >= decide_at:  # only then: a listener must not change the result
                if self.agreed:
                    return
                decide_at = self.next_decision()

    def next_decision(self) -> int:
        """At how many simulations to ask next whether the search may end."""
        if self.settings.final != "robust":
            return self.limit
        first = int(ROBUST_SHARE * self.limit) if self.limits.time is None else 0
        return min(self.limit, max(first, self.sims + max(64, self.sims // ROBUST_STEP)))

    @property
    def share_of_budget(self) -> float:
        """How much of the limits has been used."""
        return max(self.sims / self.limit, self.spent / self.limits.time if self.limits.time else 0.0)

    @property
    def proof(self) -> str | None:
        """What is proven of the root, in words. A proof in one of several trees is a proof."""
        found = (proof_in_words(self.position, self.steps, store) for store in self.stores)
        return next((words for words in found if words is not None), None)

    @property
    def agreed(self) -> bool:
        """Whether robust-max may end the search: most of the budget is used, and one action is best in both ways."""
        if self.settings.final != "robust" or self.share_of_budget < ROBUST_SHARE:
            return False
        actions = self.root_actions()
        return choose(actions, "visits") == choose(actions, "mean")

    def run_until(self, target: int) -> None:
        """Run all threads until this many simulations are done, or their limits are reached."""
        count = len(self.works)
        for i, work in enumerate(self.works):
            work["sim_limit"] = (target + count - 1 - i) // count
        if count == 1:
            self.run_thread(0)
            return
        threads = [helping_thread(partial(self.run_thread, i)) for i in range(1, count)]
        for thread in threads:
            thread.start()
        self.run_thread(0)
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]

    def run_thread(self, i: int) -> None:
        """Simulations of one thread; where a method of the game fails, all are to end."""
        try:
            self.run_simulations(i)
        except Exception as error:
            self.errors.append(error)
            self.stop()
            if self.session is not None:
                self.session.forget()
            if i == 0 and len(self.works) == 1:
                raise

    def run_simulations(self, i: int) -> None:
        store = self.stores[i if self.trees > 1 else 0]
        run_simulations(self.game, self.steps, self.root_memory, store.tree, self.works[i])
        if self.trees > 1 and self.limits.time is not None and self.proof is not None:
            self.stop()  # the other trees need not wait for the clock; without one, they stay repeatable

    def make_room(self, store: Store) -> None:
        """Forget the children of the least visited nodes, until half of the tree is free."""
        if not store.tree["full"][0]:
            return
        least = 2
        while mark_kept(self.game, self.steps, store.tree, store.forward, 0, least) > len(store.nodes) // 2:
            least *= 2
            if least > 2**31:  # the root's own children are half of it: there is nothing left to forget
                for work in self.works:
                    work["leave_when_full"] = 0
                return
        slide(self.game, self.steps, store.tree, store.forward, 0, least)
        forget_tickets(store.shares, self.works)

    def root_actions(self) -> list[RootAction]:
        return merged_actions(self.position, self.steps, self.stores)

    @property
    def depth(self) -> int:
        return int(max([work["depth"].item() for work in self.works]))

    @property
    def added(self) -> int:
        return sum([work["added"].item() for work in self.works])

    @property
    def root(self) -> RootAction:
        """What is known of the root, for the player to move; for player 0 at a chance node."""
        total, visits, *_ = self.stores[0].nodes.item(0)
        row = RootAction(0, visits, mean_of(self.steps, total, visits) if visits else 0.0)
        for store in self.stores:
            note_proof(self.position, self.steps, store, 0, row)
        return row.settle()

    def found(self, final: bool = False) -> SearchResult:
        actions = self.root_actions()
        mixed = self.settings.final == "mixed"
        best = choose(actions, self.settings.final, self.request.seed)
        chosen = actions[best] if actions else None
        number = None if chosen is None else chosen.number
        known = chosen if chosen is not None and chosen.visits and not mixed else self.root
        proof = self.proof
        return self.request.answer(
            number,
            value=known.known_value,
            bound=known.kind,
            actions=later(rows, self.position, actions, best, mixed),
            line=later(in_words, self.position, best_line(self.game, self.stores[0], number)),
            depth=self.depth,
            complete=proof is not None,
            nodes=self.added,
            simulations=self.sims,
            proven=proof,
            counts=self.counts(),
            seconds=self.seconds,
            threads=self.threads,
            repeatable=self.trees == self.threads or not self.limits.are_counted,
            tree=GrownTree(self.position, self.steps, self.stores[0]) if self.shows_tree(final) else None,
        )

    def shows_tree(self, final: bool) -> bool:
        """Whether the tree is handed out, now or in the end."""
        return self.settings.keep and (final or tree_wanted(self.progress))

    def counts(self) -> dict[str, int]:
        total = {name: self.works[0][name].item() for name in COUNTERS}
        for work in self.works[1:]:
            total = {name: count + work[name].item() for name, count in total.items()}
        total["slots"] = sum([store.used for store in self.stores])
        return total
