"""Proven intervals of a position and of its actions: the life of the search, and its answer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from astragal.algorithms.depth_first.deepening import refuse_game
from astragal.algorithms.interval import Interval, in_words
from astragal.algorithms.limits import MANY
from astragal.algorithms.progress import first_report, next_report
from astragal.algorithms.prove.graph import AT_ONCE, COUNTERS, FIRST, NODE, OUTSIDE, ROOT, WORK, plant, reindex
from astragal.algorithms.prove.settings import ProveSettings
from astragal.algorithms.prove.trials import run_trials
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import BETWEEN, LINE_LENGTH, PROVEN, ActionValue, SearchResult, later
from astragal.algorithms.result import in_words as named
from astragal.algorithms.search import Search
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.protocol import Game

VERSION = 3  # raised whenever this family plays other games than before (CONTRIBUTING.md, Golden games)
FIRST_REPORT = 1000  # expansions
DEEPEST = 4096  # nodes of a trial
SMALLEST = 256  # nodes that there is room for at least, beside those of one expansion

Sizes = tuple[int, int, int]  # of the arrays: nodes, edges, probabilities


class Room:
    """The arrays of a graph: they double as they fill, within a limit."""

    def __init__(self, game: Game, megabytes: float) -> None:
        self.game, self.most = game, int(megabytes * 2**20)
        step = max(game.max_actions, game.max_outcomes)
        self.nodes = np.zeros(0, NODE)
        self.states = np.zeros(0, game.state)
        self.edges, self.chances = np.zeros(0, np.uint32), np.zeros(0)
        self.index = np.zeros(0, np.uint64)
        self.enlarge((2 * step + SMALLEST, 2 * step + SMALLEST, 2 * game.max_outcomes + SMALLEST), 0)

    @property
    def graph(self) -> tuple[Any, ...]:
        """What kernels are handed."""
        return self.nodes, self.states, self.index, self.edges, self.chances

    def bytes_of(self, sizes: Sizes) -> int:
        nodes, edges, chances = sizes
        return nodes * (NODE.itemsize + self.game.state.itemsize) + 8 * index_size(nodes) + 4 * edges + 8 * chances

    def grow(self, work: npt.NDArray[np.void]) -> bool:
        """Double what is more than half full; whether the limit allows it."""
        sizes = doubled(len(self.nodes), work["nodes"]), doubled(len(self.edges), work["edges"])
        larger = *sizes, doubled(len(self.chances), work["chances"])
        if self.bytes_of(larger) > self.most:
            return False
        self.enlarge(larger, int(work["nodes"][0]))
        return True

    def enlarge(self, sizes: Sizes, used: int) -> None:
        nodes, edges, chances = sizes
        self.edges, self.chances = enlarged(self.edges, edges), enlarged(self.chances, chances)
        if nodes != len(self.nodes):
            self.nodes, self.states = enlarged(self.nodes, nodes), enlarged(self.states, nodes)
            self.index = np.zeros(index_size(nodes), np.uint64)
            reindex(self.states, self.index, used)


def doubled(size: int, used: npt.NDArray[np.void]) -> int:
    return 2 * size if 2 * int(used[0]) > size else size


def enlarged(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    result = np.zeros(size, array.dtype)
    result[: len(array)] = array
    return result


def index_size(nodes: int) -> int:
    """A power of two, at least twice as many."""
    return 1 << (2 * nodes - 1).bit_length()


class ProveSearch(Search):
    """One search: its graph, and what its root is worth at least and at most."""

    no_limits: ClassVar[dict[str, str]] = {"depth": "depth", "sims": "simulations"}
    settings: ProveSettings

    def __init__(self, request: SearchRequest, settings: ProveSettings) -> None:
        super().__init__(request, settings)
        low, high = self.game.utility_range
        self.work = np.zeros(1, WORK)
        self.work["low"], self.work["high"] = low, high
        self.work["narrow"] = settings.tolerance * (high - low)
        self.work["node_limit"] = MANY if self.limits.nodes is None else self.limits.nodes
        self.path = np.zeros(DEEPEST, np.uint32)
        self.actions = self.position.actions()

    @staticmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        refuse_game(game, player)

    @property
    def kernels(self) -> Hashable:
        return self.game._numba_type_, run_trials

    def make_ready(self) -> None:
        self.take_memory()
        self.work["stop"] = 1
        self.run_kernel(0)
        self.work["stop"] = 0

    def take_memory(self) -> None:
        self.room = Room(self.game, self.settings.memory)
        for name in ("nodes", "edges", "chances", "last_chances", "last_count"):
            self.work[name] = 0
        plant(self.game, self.position.memory, self.room.graph, self.work)

    def return_memory(self) -> None:
        """Nothing is kept for a later search."""

    def stop(self) -> None:
        self.work["stop"] = 1

    def run_kernel(self, pause: int) -> None:
        run_trials(self.game, self.room.graph, self.path, pause, self.work)

    def run(self) -> None:
        report_at = first_report(self.progress, FIRST_REPORT) if self.progress is not None else MANY
        while True:
            self.run_kernel(report_at)
            self.refuse_fault()
            if self.work["crowded"][0] and self.room.grow(self.work):
                self.work["crowded"] = 0
            elif self.work["stop"][0] or self.work["over"][0] or self.work["crowded"][0]:
                return
            if self.progress is not None and self.expanded >= report_at:
                self.progress(self.found())
                report_at = next_report(self.progress, self.expanded, self.seconds)

    def refuse_fault(self) -> None:
        """Say in a sentence what the search met that nothing can be proven of."""
        fault = int(self.work["fault"][0])
        if fault == OUTSIDE:
            low, high = self.game.utility_range
            raise AstragalError(
                f"{game_spec(self.game)} ended with a utility of {self.work['wrong'][0]:g}, which is outside its "
                f"utility_range of {low:g} to {high:g}: nothing is proven"
            )
        if fault == AT_ONCE:
            raise AstragalError(
                f"{self.request.name} proves nothing where players choose at once, as in {game_spec(self.game)}; "
                "astragal solve finds values where two do"
            )

    @property
    def expanded(self) -> int:
        return int(self.work["expanded"][0])

    def interval(self, number: int) -> Interval:
        """What a node is worth at least and at most to the player to move at the root."""
        node = self.room.nodes[number]
        lower, upper = float(node["lower"]), float(node["upper"])
        return Interval(-upper, -lower) if self.position.turn == 1 else Interval(lower, upper)

    def children(self, number: int) -> list[int]:
        node = self.room.nodes[number]
        return self.room.edges[int(node["first"]) : int(node["first"]) + int(node["count"])].tolist()  # type: ignore[no-any-return]

    def intervals(self) -> dict[int, Interval]:
        """Those of the root's actions, the best one first; of equal ones the game's first."""
        if not self.actions:
            return {}
        children = self.children(ROOT)
        known = [self.interval(child) for child in children] if children else [self.interval(ROOT)] * len(self.actions)
        pairs = zip(self.actions, known, strict=True)
        return dict(sorted(pairs, key=lambda pair: (-pair[1].lower - pair[1].upper, -pair[1].lower)))

    def kind(self, interval: Interval) -> str:
        return PROVEN if interval.width <= float(self.work["narrow"][0]) else BETWEEN

    def line(self, best: int | None) -> list[int]:
        """The best actions, as far as positions were expanded, and the likeliest outcomes."""
        position, at, numbers = self.position, ROOT, list[int]()
        while len(numbers) < LINE_LENGTH:
            children = self.children(at)
            outcomes = position.outcomes()
            steps = [outcome.number for outcome in outcomes] or position.actions()
            if not children or len(children) != len(steps):  # behind a win at once others were not looked at
                break
            if outcomes:
                place = max(range(len(steps)), key=lambda i: outcomes[i].probability)
            elif not numbers and best is not None:
                place = steps.index(best)
            else:
                sign = -1.0 if position.turn == 1 else 1.0
                bounds = [self.room.nodes[child] for child in children]
                place = max(range(len(steps)), key=lambda i: sign * float(bounds[i]["lower"] + bounds[i]["upper"]))
            numbers.append(steps[place])
            position, at = position.follow(steps[place]), children[place]
        return numbers or ([] if best is None else [best])

    def found(self, final: bool = False) -> SearchResult:
        interval, actions = self.interval(ROOT), self.intervals()
        best = next(iter(actions), None)
        proven = best is not None and all(other.upper <= actions[best].lower for other in list(actions.values())[1:])
        kind, words = self.kind(interval), in_words(self.game, self.position.turn, interval)
        return self.request.answer(
            best,
            value=interval.middle,
            bound=kind,
            interval=interval,
            best_proven=proven,
            actions=later(self.rows, actions),
            line=later(named, self.position, self.line(best)),
            depth=int(self.work["deepest"][0]),
            complete=kind == PROVEN,
            nodes=int(self.work["nodes"][0]) - FIRST + 1,
            note=self.note,
            proven=words + "; the best action is proven best" * proven,
            counts={name: int(self.work[name][0]) for name in COUNTERS},
            seconds=self.seconds,
        )

    def rows(self, actions: dict[int, Interval]) -> list[ActionValue]:
        name = self.position.action_name
        return [
            ActionValue(number, name(number), found.middle, self.kind(found), interval=found)
            for number, found in actions.items()
        ]

    @property
    def note(self) -> str | None:
        """Why the interval is no narrower, where it is not a limit that ended the search."""
        if self.work["crowded"][0]:
            return f"the graph of positions fills the {self.settings.memory:g} MB that memory= gives it"
        if self.work["closed"][0]:
            return "nothing is left to search: play without end counts as anything inside the range"
        return None
