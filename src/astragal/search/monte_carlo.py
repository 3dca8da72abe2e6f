"""Monte Carlo Search from a position and settings to a move (the search itself: `astragal.search.probes`)."""

from __future__ import annotations

import time

import numpy as np

from astragal.game.decorator import CHANCE
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.limits import MANY, Limits, answer_of, limits_for, run_within, search_name
from astragal.search.plain_tree import PlainTree
from astragal.search.probes import search_passes
from astragal.search.progress import Progress, next_report
from astragal.search.result import ESTIMATE, NOT_SEARCHED, PROVEN, ActionValue, SearchResult
from astragal.search.settings import ProbeSettings
from astragal.search.tree.compose import POLICIES, refuse_game
from astragal.search.tree.evaluate import LONGEST_ROLLOUT, Rollouts
from astragal.search.tree.job import Job, new_job
from astragal.search.tree.steps import Steps
from astragal.search.tree.store import Store, borrowed_store
from astragal.search.tree.view import reachable, renumbered

STEPS = {name: Steps(evaluate=Rollouts(policy)) for name, policy in POLICIES.items()}  # by the policy of random games
COUNTERS = ("sims", "added", "terminals", "rollout_moves", "long_rollouts")


def monte_carlo_search(
    position: Position,
    settings: ProbeSettings,
    limits: Limits,
    seed: int = 0,
    player: str = "",
    progress: Progress | None = None,
) -> SearchResult:
    """Search a position within limits; progress hears of it between passes."""
    name = search_name(player)
    refuse_game(position.game, name)
    limits = limits_for(position, limits, name, depth="depth")
    run = Run(position, settings, limits, seed, progress, player)
    run.make_ready()
    with borrowed_store(position.game, run.steps, settings.memory, False) as run.store:
        run.started = time.perf_counter()
        interrupted = run_within(limits, run.search, run.stop, run.started)
        return answer_of(run.result(settings.keep), interrupted)


class Run:
    """One search: its tree, and what is known of each action."""

    def __init__(
        self,
        position: Position,
        settings: ProbeSettings,
        limits: Limits,
        seed: int,
        progress: Progress | None = None,
        player: str = "",
    ) -> None:
        self.position, self.settings, self.seed = position, settings, seed
        self.player, self.progress = player, progress
        self.steps = STEPS[settings.policy]
        self.job = new_job(*position.game.utility_range)
        self.job["generator"] = Dice(seed).bits()
        self.job["root_player"] = max(position.turn, 0)
        self.job["levels"], self.job["rollouts"] = settings.levels, settings.probes
        self.job["rollout_limit"], self.job["epsilon"] = LONGEST_ROLLOUT, settings.epsilon
        self.job["sim_limit"] = limits.simulations
        self.actions = np.array(position.actions() or [0], np.uint32)
        self.values = np.full(len(self.actions), -np.inf)
        self.certain = np.zeros(len(self.actions), np.uint8)
        self.store = Store(position.game, self.steps, 0.0)
        self.started = time.perf_counter()

    def make_ready(self) -> None:
        """Compile the kernel or load it from disk, so that no search pays for it out of its time."""
        job = self.job.copy()
        job["stop"] = 1
        self.run_passes(job)

    def run_passes(self, job: Job) -> None:
        game, memory = self.position.game, self.position.memory
        search_passes(game, self.steps, memory, self.store.tree, self.actions, self.values, self.certain, job)

    def stop(self) -> None:
        self.job["stop"] = 1

    def search(self) -> None:
        """Pass after pass until a limit is reached or everything is certain, with a look at what was found between."""
        while not (self.job["stop"][0] or self.certain.all() or self.is_won):
            passed = time.perf_counter() - self.started
            self.job["pause_at"] = MANY if self.progress is None else next_report(self.progress, self.sims, passed)
            self.run_passes(self.job)
            if self.progress is not None:
                self.progress(self.result())

    @property
    def sims(self) -> int:
        return int(self.job["sims"][0])

    @property
    def is_won(self) -> bool:
        return bool(self.certain[self.best] and self.values[self.best] >= self.job["high"][0])

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
        return NOT_SEARCHED if not np.isfinite(self.values[i]) else PROVEN if self.certain[i] else ESTIMATE

    def visits(self) -> dict[int, int]:
        """Probes of each root action, where these lead to the fringe."""
        if self.job["levels"][0] > 0:
            return {}
        root = self.store.nodes[0]
        children = self.store.nodes[int(root["first"]) : int(root["first"]) + int(root["count"])]
        return {int(child["action"]): int(child["visits"]) for child in children}

    def result(self, with_tree: bool = False) -> SearchResult:
        """What has been found so far."""
        position = self.position
        number, value = self.choice
        return SearchResult(
            game=game_spec(position.game),
            player=self.player,
            position=position.text,
            turn=position.turn,
            action_number=number,
            action=None if number is None else position.action_name(number),
            value=value,
            bound=self.kind(self.best),
            actions=self.rows(),
            line=[] if number is None else [position.action_name(number)],
            depth=int(self.job["levels"][0]) + 1,
            complete=bool(self.certain.all()) or self.is_won,
            nodes=int(self.job["added"][0] + self.job["terminals"][0]),
            simulations=self.sims,
            counts={name: int(self.job[name][0]) for name in COUNTERS} | {"slots": self.store.used},
            seconds=time.perf_counter() - self.started,
            seed=self.seed,
            tree=self.tree() if with_tree else None,
        )

    def tree(self) -> PlainTree:
        """The probed nodes and those above them, visited by the probes below them.

        The fringe and the actions of the root have values, all the searcher's; in between, they are not kept.
        """
        numbers, parent = reachable(self.position.game, self.store)
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
        viewer = int(self.job["root_player"][0])
        return PlainTree(self.position, renumbered(parent, kept), steps[kept], value, visits[kept], viewer=viewer)
