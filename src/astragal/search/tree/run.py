"""A tree search from a position and settings to a move, its value and its reasons."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from typing import Any

import numpy as np

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.game.state import Memory
from astragal.games import game_spec
from astragal.search.limits import Limits, answer_of, limits_for, run_within, search_name
from astragal.search.progress import Progress, first_report, next_report
from astragal.search.result import SearchResult
from astragal.search.tree.answer import (
    RootAction,
    best_line,
    children_of,
    choose,
    mean_of,
    merged_actions,
    note_proof,
    proof_in_words,
    rows,
)
from astragal.search.tree.compose import job_for, refuse_game, steps_for
from astragal.search.tree.job import COUNTERS
from astragal.search.tree.recycle import FOUND, find_node, mark_kept, slide
from astragal.search.tree.settings import TreeSettings
from astragal.search.tree.simulation import run_simulations
from astragal.search.tree.steps import Steps
from astragal.search.tree.store import Store, borrowed_store, shape_of
from astragal.search.tree.view import TreeView

FIRST_REPORT = 1000  # simulations
ROBUST_SHARE = 0.8  # of the budget is used before robust-max may end the search
ROBUST_STEP = 50  # and then it is asked about each time a 50th of the simulations has been added
FIND_PLIES = 12  # how far below the old root a position is looked for,
FIND_NODES = 100_000  # and at how many nodes

READY: set[tuple[Any, ...]] = set()  # the games and steps whose kernels are in this process


class TreeSession:
    """What a tree search keeps from move to move of one game: its tree and its history of actions."""

    def __init__(self) -> None:
        self.store: Store | None = None
        self.root: Memory | None = None
        self.searcher = 0
        self.game: Any = None

    def store_for(self, game: Any, steps: Steps, settings: TreeSettings) -> Store:
        """The session's store, new if the game or the settings have changed."""
        wanted = shape_of(game, steps, settings.memory, forwarding=True)
        if self.store is None or self.game != game or self.store.shape != wanted:
            self.store, self.root, self.game = Store(game, steps, settings.memory, forwarding=True), None, game
        return self.store

    def prepare(self, position: Position, steps: Steps, settings: TreeSettings) -> Store:
        """The store with the position at its root: with what was found below it before, or empty."""
        store = self.store_for(position.game, steps, settings)
        found = -1
        one_sided = settings.solver == "paranoid" or settings.backup == "minimum"  # true of one searcher only
        if settings.reuse and self.root is not None and not (one_sided and self.searcher != position.turn):
            found = self.find(position, store)
        if found >= 0:
            mark_kept(position.game, store.tree, store.forward, found, 0)
            slide(position.game, steps, store.tree, store.forward, found, 0)
            doubt_root(position, steps, store)
        else:
            store.clear(history=False)
        self.root, self.searcher = position.memory, position.turn
        return store

    def find(self, position: Position, store: Store) -> int:
        """The most visited node of a position in the tree, or -1."""
        found = np.array([(-1, 0, FIND_NODES)], FOUND)
        find_node(position.game, self.root, position.memory, store.tree, FIND_PLIES, found)
        return int(found["node"][0])


def doubt_root(position: Position, steps: Steps, store: Store) -> None:
    """Forget of a new root what its children do not prove: they may have been forgotten, but one is to be chosen."""
    if not steps.prove.active or position.turn < 0:
        return
    children = children_of(position.game, store, 0)
    winners = [int(store.nodes[index]["winner"]) for index in children]
    if not winners or (position.turn + 1 not in winners and 0 in winners):
        store.nodes[0]["winner"] = 0
    best = max if position.turn == 0 else min
    for name, unknown in zip(("lower", "upper"), position.game.utility_range, strict=True):
        store.extra[0][name] = best((float(store.extra[index][name]) for index in children), default=unknown)


def tree_search(
    position: Position,
    settings: TreeSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
    session: TreeSession | None = None,
) -> SearchResult:
    """Search a position within limits; progress hears of it while it goes on."""
    name = search_name(player)
    refuse_game(position.game, name)
    limits = limits_for(position, limits, name, depth="depth")
    run = Run(position, settings, limits, seed, progress, player)
    run.make_ready()
    with ExitStack() as stack:
        run.stores = [
            session.prepare(position, run.steps, settings)
            if session is not None and run.trees == 1
            else stack.enter_context(
                borrowed_store(position.game, run.steps, settings.memory / run.trees, settings.full == "recycle")
            )
            for _ in range(run.trees)
        ]
        run.started = time.perf_counter()
        interrupted = run_within(limits, run.search, run.stop, run.started)
        return answer_of(run.result(settings.keep), interrupted)


class Run:
    """One search: its stores, its jobs and what they have found."""

    def __init__(
        self,
        position: Position,
        settings: TreeSettings,
        limits: Limits,
        seed: int,
        progress: Progress | None = None,
        player: str = "",
    ) -> None:
        self.position, self.settings, self.limits, self.seed = position, settings, limits, seed
        self.player, self.progress = player, progress
        self.started = time.perf_counter()
        shared = settings.threads > 1 and settings.parallel == "tree"
        self.trees = settings.threads if settings.threads > 1 and not shared else 1
        self.steps = steps_for(position.game, settings, shared)
        dice = Dice(seed)
        self.jobs = [job_for(position.game, settings, position.turn, dice.bits()) for _ in range(settings.threads)]
        self.stores: list[Store] = []
        self.limit = limits.simulations
        self.memory = position.memory

    def make_ready(self) -> None:
        """Compile the kernels or load them from disk, so that no search pays for it out of its time."""
        game, job = self.position.game, self.jobs[0].copy()
        needed = (game._numba_type_, self.steps, self.settings.full, self.settings.reuse)
        if needed in READY:
            return
        job["stop"] = 1
        store = Store(game, self.steps, 0.0, forwarding=True)
        run_simulations(game, self.steps, self.memory, store.tree, job)
        if self.settings.full == "recycle" or self.settings.reuse:
            mark_kept(game, store.tree, store.forward, 0, 0)
            slide(game, self.steps, store.tree, store.forward, 0, 0)
        if self.settings.reuse:
            find_node(game, self.memory, self.memory, store.tree, 0, np.zeros(1, FOUND))
        READY.add(needed)

    def stop(self) -> None:
        for job in self.jobs:
            job["stop"] = 1

    @property
    def sims(self) -> int:
        return sum(int(job["sims"][0]) for job in self.jobs)

    def search(self) -> None:
        """Run simulations in stages, after each of which there may be something to report, to recycle or to decide."""
        report_at, decide_at = first_report(self.progress, FIRST_REPORT), self.next_decision()
        while True:
            self.run_until(min(decide_at, report_at) if self.progress is not None else decide_at)
            done = self.sims
            if self.progress is not None and done >= report_at:
                self.progress(self.result())
                report_at = next_report(self.progress, done, time.perf_counter() - self.started)
            if self.settings.full == "recycle":
                for store in self.stores:
                    self.make_room(store)
            if done >= self.limit or self.jobs[0]["stop"][0] or self.proof is not None:
                return
            if done >= decide_at:  # only then: whether somebody looks on must not matter
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
        passed = time.perf_counter() - self.started
        return max(self.sims / self.limit, passed / self.limits.time if self.limits.time else 0.0)

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
        """Run all threads until there have been so many simulations, or as long as they may."""
        count = len(self.jobs)
        for i, job in enumerate(self.jobs):
            job["sim_limit"] = (target + count - 1 - i) // count
        threads = [threading.Thread(target=self.run_job, args=(i,), daemon=True) for i in range(1, count)]
        for thread in threads:
            thread.start()
        self.run_job(0)
        for thread in threads:
            thread.join()

    def run_job(self, i: int) -> None:
        store = self.stores[i if self.trees > 1 else 0]
        run_simulations(self.position.game, self.steps, self.memory, store.tree, self.jobs[i])
        if self.trees > 1 and self.limits.time is not None and self.proof is not None:
            self.stop()  # the other trees need not wait for the clock; without one, they stay repeatable

    def make_room(self, store: Store) -> None:
        """Forget the children of the least visited nodes, until half of the tree is free."""
        if not store.tree["full"][0]:
            return
        least = 2
        while mark_kept(self.position.game, store.tree, store.forward, 0, least) > len(store.nodes) // 2:
            least *= 2
            if least > 2**31:  # the root's own children are half of it: there is nothing left to forget
                for job in self.jobs:
                    job["leave_when_full"] = 0
                return
        slide(self.position.game, self.steps, store.tree, store.forward, 0, least)

    def root_actions(self) -> list[RootAction]:
        return merged_actions(self.position, self.steps, self.stores)

    @property
    def depth(self) -> int:
        return max(int(job["depth"][0]) for job in self.jobs)

    @property
    def added(self) -> int:
        return sum(int(job["added"][0]) for job in self.jobs)

    @property
    def root(self) -> RootAction:
        """What is known of the root, for the player to move; for player 0 at a chance node."""
        root = self.stores[0].nodes[0]
        row = RootAction(0, int(root["visits"]), mean_of(self.steps, root) if root["visits"] else 0.0)
        for store in self.stores:
            note_proof(self.position, self.steps, store, 0, row)
        return row.settle()

    def result(self, with_tree: bool = False) -> SearchResult:
        """What has been found so far."""
        position = self.position
        actions = self.root_actions()
        best = choose(actions, self.settings.final)
        chosen = actions[best] if actions else None
        known = chosen if chosen is not None and chosen.visits else self.root
        proof = self.proof
        return SearchResult(
            game=game_spec(position.game),
            player=self.player,
            position=position.text,
            turn=position.turn,
            action_number=None if chosen is None else chosen.number,
            action=None if chosen is None else position.action_name(chosen.number),
            value=known.known_value,
            bound=known.kind,
            actions=rows(position, actions, best),
            line=best_line(position, self.stores[0], None if chosen is None else chosen.number),
            depth=self.depth,
            complete=proof is not None,
            nodes=self.added,
            simulations=self.sims,
            proven=proof,
            counts=self.counts(),
            seconds=time.perf_counter() - self.started,
            seed=self.seed,
            tree=TreeView(position, self.steps, self.stores[0]) if with_tree else None,
        )

    def counts(self) -> dict[str, int]:
        total = {name: sum(int(job[name][0]) for job in self.jobs) for name in COUNTERS}
        return total | {"slots": sum(store.used for store in self.stores)}
