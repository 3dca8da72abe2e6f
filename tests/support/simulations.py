"""Tree searches as the tests ask for them: grown to a number of simulations, with their arrays to look into."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.tree.answer import RootAction, mean_of
from astragal.algorithms.tree.search import TreeSearch
from astragal.algorithms.tree.simulation import run_simulations
from astragal.algorithms.tree.steps.compose import steps_for
from astragal.algorithms.tree.store import Store, children_of
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position


class Grown:
    """A tree grown from a position by a player's settings, one thread, without any limit but simulations."""

    def __init__(
        self, here: Position | str, player: str, sims: int, seed: int = 0, megabytes: float = 8.0, shared: bool = False
    ) -> None:
        self.position = Position.start(load_game(here), seed).settled(seed) if isinstance(here, str) else here
        request = SearchRequest(self.position, player, seed, Limits(sims=max(sims, 1)))
        self.run = TreeSearch(request, load_player(player, self.position.game))
        if shared:  # with the kernel for threads
            self.run.steps = steps_for(self.position.game, self.run.settings, shared)
        self.store = Store(self.position.game, self.run.steps, megabytes)
        self.run.stores = [self.store]
        self.work = self.run.works[0]
        self.work["sim_limit"] = sims

    def compiled(self) -> Grown:
        run_simulations(self.position.game, self.run.steps, self.position.memory, self.store.tree, self.work)
        return self

    def interpreted(self) -> Grown:
        """The same, run by Python without any compiled code."""
        state, tree, work = ([State(memory)] for memory in (self.position.memory, self.store.tree, self.work))
        with np.errstate(over="ignore"):
            interpreted(run_simulations)(self.position.game._twin_, self.run.steps._twin_, state, tree, work)
        return self

    @property
    def nodes(self) -> Any:
        return self.store.nodes[: self.store.used]

    @property
    def root_mean(self) -> float:
        return self.run.root.value

    @property
    def actions(self) -> list[RootAction]:
        return self.run.root_actions()

    def children(self, index: int) -> list[int]:
        return children_of(self.position.game, self.store, index)

    def mean(self, index: int) -> float:
        total, visits, *_ = self.store.nodes.item(index)
        return mean_of(self.run.steps, total, visits)

    def walk(self, index: int = 0, here: Position | None = None) -> Any:
        """Every visited node with its position, parents first."""
        here = here or self.position
        yield index, here
        for child in self.children(index) if not here.is_terminal else []:
            if self.store.nodes[child]["visits"]:
                number = int(self.store.nodes[child]["action"])
                yield from self.walk(child, here.deal(number) if here.is_chance else here.play(number))


def grow(here: Position | str, player: str, sims: int, seed: int = 0, **options: Any) -> Grown:
    return Grown(here, player, sims, seed, **options).compiled()


def same_tree(one: Grown, other: Grown) -> bool:
    return one.store.used == other.store.used and bool((one.nodes == other.nodes).all())
