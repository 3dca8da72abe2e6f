"""Monte Carlo Search from a position and settings to a move; `probes` beside this is what is compiled."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from astragal.algorithms.limits import MANY
from astragal.algorithms.monte_carlo.probes import search_passes
from astragal.algorithms.monte_carlo.settings import ProbeSettings
from astragal.algorithms.plain_tree import PlainTree, reparented
from astragal.algorithms.progress import next_report
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import ESTIMATE, NOT_SEARCHED, PROVEN, ActionValue, SearchResult
from astragal.algorithms.search import Search
from astragal.algorithms.tree.grown_tree import reachable
from astragal.algorithms.tree.steps.compose import POLICIES, Steps, refuse_game
from astragal.algorithms.tree.steps.evaluate import LONGEST_ROLLOUT, Rollouts
from astragal.algorithms.tree.store import Store, return_store, take_store
from astragal.algorithms.tree.work import Work, new_work
from astragal.rules.decorator import CHANCE
from astragal.rules.dice import Dice
from astragal.rules.protocol import Game

VERSION = 1  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)
STEPS = {name: Steps(evaluate=Rollouts(policy)) for name, policy in POLICIES.items()}  # by the policy of random games
COUNTERS = ("sims", "added", "terminals", "rollout_moves", "long_rollouts")


class MonteCarloSearch(Search):
    """One search: its tree, and the values of each action. Progress is reported between passes."""

    no_limits: ClassVar[dict[str, str]] = {"depth": "depth"}
    settings: ProbeSettings

    def __init__(self, request: SearchRequest, settings: ProbeSettings) -> None:
        super().__init__(request, settings)
        self.steps = STEPS[settings.policy]
        self.work = new_work(*self.game.utility_range)
        self.work["generator"] = Dice(request.seed).bits()
        self.work["root_player"] = max(self.position.turn, 0)
        self.work["levels"], self.work["rollouts"] = settings.levels, settings.probes
        self.work["rollout_limit"], self.work["epsilon"] = LONGEST_ROLLOUT, settings.epsilon
        self.work["sim_limit"], self.work["pause_at"] = self.limits.simulations, MANY
        self.actions = np.array(self.position.actions() or [0], np.uint32)
        self.values = np.full(len(self.actions), -np.inf)
        self.certain = np.zeros(len(self.actions), np.uint8)

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, self.steps, search_passes

    def make_ready(self) -> None:
        work = self.work.copy()
        work["stop"] = 1
        self.store = Store(self.game, self.steps, 0.0)
        self.run_passes(work)

    def take_memory(self) -> None:
        self.store = take_store(self.game, self.steps, self.settings.memory, False)

    def return_memory(self) -> None:
        return_store(self.store)

    def run_passes(self, work: Work) -> None:
        memory, tree = self.position.memory, self.store.tree
        search_passes(self.game, self.steps, memory, tree, self.actions, self.values, self.certain, work)

    def stop(self) -> None:
        self.work["stop"] = 1

    def run(self) -> None:
        """Pass after pass until a limit is reached or everything is certain, with a look at what was found between."""
        while not (self.work["stop"][0] or self.certain.all() or self.is_won):
            if self.progress is not None:
                self.work["pause_at"] = next_report(self.progress, self.sims, self.seconds)
            self.run_passes(self.work)
            if self.progress is not None:
                self.progress(self.found())

    @property
    def sims(self) -> int:
        return int(self.work["sims"][0])

    @property
    def is_won(self) -> bool:
        return bool(self.certain[self.best] and self.values[self.best] >= self.work["high"][0])

    @property
    def best(self) -> int:
        return int(np.argmax(self.values))

    @property
    def choice(self) -> tuple[int | None, float | None]:
        """The best action's number and value; none at a chance node, and no value where no pass was made."""
        number = None if self.position.turn == CHANCE else int(self.actions[self.best])
        value = float(self.values[self.best])
        return number, value if np.isfinite(value) else None

    def rows(self) -> list[ActionValue]:
        """What is known of each action, best first."""
        if self.position.turn == CHANCE:
            return []
        rows = []
        visits = self.visits()
        for i in sorted(range(len(self.actions)), key=lambda i: (i != self.best, -self.values[i])):
            number = int(self.actions[i])
            value = float(self.values[i]) if np.isfinite(self.values[i]) else None
            rows.append(ActionValue(number, self.position.action_name(number), value, self.kind(i), visits.get(number)))
        return rows

    def kind(self, i: int) -> str:
        """What is known of an action's value."""
        if not np.isfinite(self.values[i]):
            return NOT_SEARCHED
        if (
            self.position.at_once and self.values[i] < self.work["high"][0]
        ):  # the others do not see as much as it supposes
            return ESTIMATE
        return PROVEN if self.certain[i] else ESTIMATE

    def visits(self) -> dict[int, int]:
        """Probes of each root action, where these lead to the fringe."""
        if self.work["levels"][0] > 0:
            return {}
        root = self.store.nodes[0]
        children = self.store.nodes[int(root["first"]) : int(root["first"]) + int(root["count"])]
        return {int(child["action"]): int(child["visits"]) for child in children}

    def found(self, final: bool = False) -> SearchResult:
        number, value = self.choice
        return self.request.answer(
            number,
            value=value,
            bound=self.kind(self.best),
            actions=self.rows(),
            line=[] if number is None else [self.position.action_name(number)],
            depth=int(self.work["levels"][0]) + 1,
            complete=self.is_won or bool(self.certain.all() and not self.position.at_once),
            nodes=int(self.work["added"][0] + self.work["terminals"][0]),
            simulations=self.sims,
            counts={name: int(self.work[name][0]) for name in COUNTERS} | {"slots": self.store.used},
            seconds=self.seconds,
            tree=self.tree() if final and self.settings.keep else None,
        )

    def tree(self) -> PlainTree:
        """The probed nodes and those above them, visited by the probes below them.

        The fringe and the actions of the root have values, all the searcher's; in between, they are not kept.
        """
        numbers, parent = reachable(self.game, self.store)
        nodes = self.store.nodes[numbers]
        probes = nodes["visits"].astype(np.int64)
        value = np.where(probes > 0, nodes["sum"] / np.maximum(probes, 1), np.nan)
        steps = nodes["action"].astype(np.int64)
        if self.position.turn != CHANCE:
            above = dict(zip(self.actions.tolist(), self.values.tolist(), strict=True))
            for child in np.flatnonzero(parent == 0):
                value[child] = above[int(steps[child])]
        value[0] = self.values[self.best]
        visits = probes.copy()
        for number in range(len(parent) - 1, 0, -1):  # children come after their parents
            visits[parent[number]] += visits[number]
        kept = np.flatnonzero((visits > 0) | (parent < 0))
        value = np.where(np.isfinite(value), value, np.nan)[kept]  # what no pass came to is worth minus infinity
        viewer = int(self.work["root_player"][0])
        return PlainTree(self.position, reparented(parent, kept), steps[kept], value, visits[kept], viewer=viewer)
