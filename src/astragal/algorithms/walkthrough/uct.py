"""UCT walked through: the kernel's own simulations, run by Python one at a time, each described by its traces.

The kernel counts a visit of a node on its way down, and adds the reward on its way up. So what it selected by is what
its nodes were before the simulation. A random game leaves only its end: its steps are recorded as they are played.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.tree.answer import choose
from astragal.algorithms.tree.search import TreeSearch
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.simulation import run_simulations
from astragal.algorithms.tree.steps.select import inverse, inverse_root, root_of_log
from astragal.algorithms.tree.store import children_of
from astragal.algorithms.walkthrough.walk import Table, Walk, WalkEnded, number, table
from astragal.compiler.interpreted import argument_twin, interpreted, run_interpreted
from astragal.rules.position import Position
from astragal.rules.protocol import Game

MOST_PLIES = 6_000  # of all simulations of a walk
SHOWN_PLIES = 12  # of a random game


class UctWalk(Walk):
    """A number of simulations."""

    def __init__(self, position: Position, simulations: int, seed: int = 0, **limits: Any) -> None:
        super().__init__(position, **limits)
        request = SearchRequest(position, seed=seed, limits=Limits(sims=simulations))
        self.search = TreeSearch(request, TreeSettings())
        self.rules = heard(position.game, self.hear)
        self.numbers: dict[tuple[int, int], int] = {}  # of nodes, by their parent and the step that led to them
        self.steps: list[int] = []  # of the current simulation, in the tree and below it
        self.plies = 0

    def tell_all(self) -> None:
        self.search.take_memory()
        try:
            for simulation in range(1, self.search.limit + 1):
                self.simulate(simulation)
        finally:
            self.search.return_memory()
        self.conclude()

    def simulate(self, simulation: int) -> None:
        """One simulation: down the tree, a new node, a random game, and up again."""
        work, store = self.search.works[0], self.search.stores[0]
        sums, self.steps = store.nodes["sum"][: store.used].copy(), []
        constants = work["c"][0].tolist()
        work["sim_limit"] = simulation
        run_interpreted(run_simulations, self.rules, self.search.steps, self.search.root_memory, store.tree, work)
        path = work["path"][0, : work["length"][0]].tolist()
        here, nodes = self.position, [self.numbered(-1, 0, self.position)]
        self.tell("s1", nodes[0], f"Simulation {simulation} begins at the root.", path=nodes)
        for i, step in enumerate(self.steps[: len(path) - 1]):
            if here.is_chance:
                self.tell("s3", nodes[i], f"Chance: {here.outcome_name(step)} is drawn.", path=nodes)
            else:
                self.tell_selected(here, nodes, path[i], path[i + 1], sums, constants[here.turn])
            here = here.follow(step)
            nodes = [*nodes, self.numbered(nodes[i], step, here)]
        if store.nodes["visits"][path[-1]] == 1:
            self.tell("x1", nodes[-1], "No simulation has been here yet: the node is added to the tree.", path=nodes)
        self.tell_game(here, nodes, work["rewards"][0, : self.position.game.players].tolist())
        self.tell_backup(path, nodes, work)

    def hear(self, step: int) -> None:
        """A step is played, in the tree or in a random game."""
        self.steps.append(step)
        self.plies += 1
        if self.plies > MOST_PLIES:
            raise WalkEnded

    def numbered(self, parent: int, step: int, here: Position) -> int:
        """The number of a node, which may be met for the first time."""
        if (parent, step) not in self.numbers:
            self.numbers[parent, step] = self.meet(parent, step, here)
        return self.numbers[parent, step]

    def tell_selected(self, here: Position, path: list[int], at: int, chosen: int, sums: Any, c: float) -> None:
        """The child with the largest upper confidence bound, and the terms of all children."""
        store = self.search.stores[0]
        seen = int(store.nodes["visits"][at]) - 1
        explore = c * interpreted(root_of_log)(seen)
        rows: list[list[Any]] = []
        for child in children_of(self.position.game, store, at):
            name = here.action_name(int(store.nodes["action"][child]))
            visits = int(store.nodes["visits"][child]) - (child == chosen)
            mean = float(sums[child]) * interpreted(inverse)(visits) if visits else None
            bonus = explore * interpreted(inverse_root)(visits)
            rows.append([name, visits, *([None] * 3 if mean is None else [mean, bonus, mean + bonus])])
        place = chosen - int(store.nodes["first"][at])
        name, visits, _, _, bound = rows[place]
        told = f"Player {here.turn + 1} selects {name}: "
        told += f"its bound, {number(bound)}, is the largest." if visits else "it has not been tried yet."
        terms = table(["action", "n", "mean", "bonus", "sum"], rows, place)
        self.tell("s5", path[-1], told, variables={"n(s)": float(seen), "C": c}, table=terms, path=path)

    def tell_game(self, here: Position, path: list[int], rewards: list[float]) -> None:
        """What each player gets at the end of a random game."""
        steps, names = self.steps[len(path) - 1 :], []
        for step in steps[:SHOWN_PLIES]:
            names.append(f"({here.step_name(step)})" if here.is_chance else here.step_name(step))
            here = here.follow(step)
        ends = ", ".join(f"player {seat} gets {number(reward)}" for seat, reward in enumerate(rewards, 1))
        shown = " ".join(names) + (f" … ({len(steps)} steps)" if len(steps) > len(names) else "")
        told = f"A random game: {shown}. In the end {ends}." if names else f"The game is over: {ends}."
        variables = {f"r{seat}": reward for seat, reward in enumerate(rewards, 1)}
        self.tell("r1", path[-1], told, variables=variables, path=path)

    def tell_backup(self, path: list[int], nodes: list[int], work: Any) -> None:
        """Every node of the path counts what the player who chose it got."""
        store, changes, rows = self.search.stores[0], {}, []
        for place, index, owner in zip(path, nodes, work["owners"][0].tolist(), strict=False):
            total, visits, *_ = store.nodes.item(place)
            node, mean = self.nodes[index], total * interpreted(inverse)(visits)
            node.visits, node.value = visits, mean
            changes[index] = {"value": mean, "visits": visits, "value_of": owner + 1}
            reward = float(work["rewards"][0, owner])
            rows.append([node.name or "the root", visits, f"player {owner + 1}", reward, mean])
        told: Table = table(["node", "n", "chosen by", "r", "mean"], rows[::-1], None)
        words = f"Backup: {len(path)} nodes count a visit and the reward of the player who chose them."
        self.tell("b2", nodes[-1], words, table=told, changes=changes, path=nodes)

    def conclude(self) -> None:
        """The answer: the most visited action, among equals the one with the better mean."""
        actions = self.search.root_actions()
        if not any(action.visits for action in actions):
            self.tell("f1", 0, "The simulations are over.")
            return
        best = choose(actions, self.search.settings.final)
        rows = [[self.position.action_name(a.number), a.visits, a.value if a.visits else None] for a in actions]
        told = f"The simulations are over: {rows[best][0]} was visited most and is played."
        self.tell("f1", 0, told, table=table(["action", "n", "mean"], rows, best))


def heard(game: Game, hear: Callable[[int], None]) -> Any:
    """A game as interpreted kernels take it, which reports every step that they play."""
    rules = copy.copy(argument_twin(game))
    vars(rules).update(
        has_rollout=False,  # random games are played step by step, by the same random words
        play=telling(rules.play, hear),
        deal=telling(rules.deal, hear),
    )
    return rules


def telling(play: Callable[..., Any], hear: Callable[[int], None]) -> Callable[..., Any]:
    def played(state: Any, step: int) -> Any:
        hear(int(step))
        return play(state, step)

    return played
