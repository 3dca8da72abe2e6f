"""FSSS and adaptive multistage sampling under iterative deepening: the life of the two searches."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from astragal.algorithms.depth_first.deepening import DepthFirstSearch, refuse_game
from astragal.algorithms.depth_first.table import EXACT
from astragal.algorithms.depth_first.variant import Variant
from astragal.algorithms.depth_first.work import new_work
from astragal.algorithms.limits import MAX_DEPTH
from astragal.algorithms.sparse.ams import AmsVariant, try_root
from astragal.algorithms.sparse.fsss import CROWDED, NODE, plant, run_trials
from astragal.algorithms.sparse.settings import AmsSettings, FsssSettings, SparseSettings
from astragal.algorithms.star.settings import Widths
from astragal.algorithms.star.variant import StarVariant, known
from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.protocol import Game

VERSION = 2  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)
AMS = AmsVariant()  # made once: Numba is slow with each new one
SMALLEST = 1024  # nodes that a tree has room for at least, beside those of one expansion


class SparseSearch(DepthFirstSearch):
    """What both have in common: an iteration is a function of its key, and finished or worth nothing."""

    settings: SparseSettings  # type: ignore[assignment]

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)

    def number_of_threads(self) -> int:
        return 1

    def set_samples(self, iteration: int, depth: int, widths: Widths) -> None:
        """The key of an iteration's samples, and how many there are at each remaining depth."""
        self.work["key"] = Dice(Dice(self.request.seed).bits() + iteration).bits()
        self.work["widths"][0, :depth] = [widths.at_level(level) for level in reversed(range(depth))]


class FsssSearch(SparseSearch):
    """One search by FSSS, with the tree of its iteration."""

    settings: FsssSettings

    def chosen_variant(self) -> Variant:
        return known(StarVariant(sampled=True))

    def configure(self) -> None:
        self.work["merge"] = self.settings.merge and defines(type(self.game), "representative")
        self.room = np.zeros(2, np.int64)
        self.path = np.zeros(2 * MAX_DEPTH + 2, np.int64)

    def begin(self, iteration: int, depth: int) -> None:
        super().begin(iteration, depth)
        self.set_samples(iteration, depth, self.settings.width)

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, self.variant, run_trials

    def make_ready(self) -> None:
        work = new_work(*self.game.utility_range)
        self.take_memory()
        self.grow_tree(1, work, np.array(self.actions, np.uint32))
        work["stop"] = 1
        self.make_trials(np.zeros(len(self.actions)), np.zeros(len(self.actions), np.uint8), work)

    def take_memory(self) -> None:
        step = 2 * (max(self.game.max_actions, self.game.max_outcomes) + 1)
        self.size, self.nodes, self.states = SMALLEST + step, np.zeros(0, NODE), np.zeros(0, self.game.state)
        self.most = max(self.size, int(self.settings.memory * 2**20 / (NODE.itemsize + self.game.state.itemsize)))
        self.enlarge()

    def return_memory(self) -> None:
        self.nodes, self.states = np.zeros(0, NODE), np.zeros(0, self.game.state)

    def enlarge(self) -> bool:
        """Let the tree have as many nodes as `size` says, twice as many the next time; whether that is more."""
        before = len(self.nodes)
        nodes, states = np.empty(self.size, NODE), np.empty(self.size, self.game.state)
        nodes[:before], states[:before] = self.nodes, self.states
        self.nodes, self.states, self.size = nodes, states, min(2 * self.size, self.most)
        return len(nodes) > before

    def grow_tree(self, depth: int, work: Any, actions: Any) -> None:
        plant(self.game, self.variant, self.position.memory, depth, actions, self.nodes, self.states, self.room, work)

    def make_trials(self, values: Any, bounds: Any, work: Any) -> bool:
        tree = self.nodes, self.states, self.path, self.room
        return bool(run_trials(self.game, self.variant, *tree, values, bounds, work))

    def call_kernel(self, depth: int, actions: Any, values: Any, bounds: Any) -> int:
        """Search to a depth; how many actions have values then: all or none. Repeated searches are added up."""
        self.grow_tree(depth, self.work, actions)
        found = np.zeros(len(actions))
        while not self.make_trials(found, bounds, self.work):
            if self.work["stop"][0] or not self.room[CROWDED] or not self.enlarge():
                self.work["stop"] = 1
                return 0
            self.room[CROWDED] = 0
        values += found
        return 1 if self.work["repeats"][0] else len(actions)


class AmsSearch(SparseSearch):
    """One search by adaptive multistage sampling, with the memory in which it leaves the means of its root."""

    settings: AmsSettings

    def chosen_variant(self) -> Variant:
        return AMS

    def configure(self) -> None:
        low, high = self.game.utility_range
        self.spread = self.settings.c * (high - low)
        self.means = np.zeros(len(self.actions))
        self.work["vector"] = self.means.ctypes.data

    def begin(self, iteration: int, depth: int) -> None:
        super().begin(iteration, depth)
        self.set_samples(iteration, depth, self.settings.samples)

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, self.variant

    def make_ready(self) -> None:
        work = new_work(*self.game.utility_range)
        work["stop"] = 1
        try_root(self.game, self.variant, self.position.memory, 1, self.spread, work)

    def call_kernel(self, depth: int, actions: Any, values: Any, bounds: Any) -> int:
        """Search to a depth; how many actions have values then: all or none. Repeated searches are added up."""
        try_root(self.game, self.variant, self.position.memory, depth, self.spread, self.work)
        if self.work["stop"][0]:
            return 0
        means = dict(zip(self.actions, self.means.tolist(), strict=True))
        values += [means[action] for action in actions.tolist()]
        bounds[:] = EXACT
        return 1 if self.work["repeats"][0] else len(actions)
