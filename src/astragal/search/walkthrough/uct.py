"""UCT walked through: what `astragal.search.tree.simulation` does, event by event, in its four steps.

Random words are drawn in the kernels' order and from the same generator, so that a walk with a seed visits what the
search with that seed visits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.dice import Dice
from astragal.game.interpreted import interpreted
from astragal.game.position import Position
from astragal.game.random import next_word, upper
from astragal.game.state import State
from astragal.search.tree.compose import unit_in_utilities
from astragal.search.tree.settings import TreeSettings
from astragal.search.tree.tables import INVERSE_ROOTS, INVERSES, ROOTS_OF_LOGS
from astragal.search.walkthrough.walk import Table, Walk, WalkEnded, number, table

MOST_PLIES = 6_000  # of all random games of a walk
SHOWN_PLIES = 12  # of a random game


@dataclass
class Arm:
    """A child of a node: room for it is made with its brothers, a node of the walk with its first visit."""

    step: int
    node: int = -1
    visits: int = 0
    total: float = 0.0  # rewards of its owner
    arms: list[Arm] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return self.total * float(INVERSES[self.visits])


class Generator:
    """The kernels' generator."""

    def __init__(self, seed: int) -> None:
        self.state = np.uint64(Dice(seed).bits())
        self.next_word, self.upper = interpreted(next_word), interpreted(upper)

    def word(self) -> int:
        """32 random bits, as `pick` and `draw` take them."""
        with np.errstate(over="ignore"):
            self.state, bits = self.next_word(self.state)
            return int(self.upper(bits))


class UctWalk(Walk):
    """So many simulations."""

    def __init__(self, position: Position, simulations: int, seed: int = 0, **limits: Any) -> None:
        super().__init__(position, **limits)
        self.simulations = simulations
        settings = TreeSettings()
        self.c = settings.c * unit_in_utilities(position.game, settings.unit)
        self.random = Generator(seed)
        self.root = Arm(0)
        self.plies = 0

    def run(self) -> UctWalk:
        try:
            for simulation in range(1, self.simulations + 1):
                self.simulate(simulation)
            self.conclude()
            self.finished = True
        except WalkEnded:
            pass
        return self

    def simulate(self, simulation: int) -> None:
        """One simulation: down the tree, a new node, a random game, and up again."""
        here, at, seen = self.position, self.root, self.root.visits
        path, positions = [at], [here]
        at.visits += 1
        if at.node < 0:
            at.node = self.meet(-1, 0, here)
        self.tell("s1", at.node, f"Simulation {simulation} begins at the root.", path=[at.node])
        while seen > 0 and not here.is_terminal:
            nodes = [arm.node for arm in path]
            at = self.drawn(at, here, nodes) if here.is_chance else self.selected(at, here, seen, nodes)
            here = here.follow(at.step)
            seen, at.visits = at.visits, at.visits + 1
            if at.node < 0:
                at.node = self.meet(nodes[-1], at.step, here)
            path.append(at)
            positions.append(here)
        nodes = [arm.node for arm in path]
        if seen == 0:
            self.tell("x1", at.node, "Nobody was here yet: the node is added to the tree.", path=nodes)
        rewards = self.rewards(at.node, here, nodes)
        self.back_up(path, positions, rewards)

    # 1. Selection

    def selected(self, at: Arm, here: Position, seen: int, path: list[int]) -> Arm:
        """The child with the largest upper confidence bound; the scan begins at a random one."""
        if not at.arms:
            at.arms = [Arm(action) for action in here.actions()]
        count = len(at.arms)
        start = self.random.word() * count >> 32
        explore = self.c * float(ROOTS_OF_LOGS[seen])
        chosen, best = None, -np.inf
        for arm in at.arms[start:] + at.arms[:start]:
            if arm.visits == 0:
                chosen = arm
                break
            value = arm.mean + explore * float(INVERSE_ROOTS[arm.visits])
            if value > best:
                chosen, best = arm, value
        assert chosen is not None
        name = here.action_name(chosen.step)
        told = f"Player {here.turn + 1} selects {name}: "
        told += "nobody has tried it yet." if chosen.visits == 0 else f"its bound, {number(best)}, is the largest."
        variables = {"n(s)": float(seen), "C": self.c}
        self.tell("s5", at.node, told, variables=variables, table=self.bounds(at, here, explore, chosen), path=path)
        return chosen

    def bounds(self, at: Arm, here: Position, explore: float, chosen: Arm) -> Table:
        """The terms of all children, whichever was looked at."""
        rows: list[list[Any]] = []
        for arm in at.arms:
            if arm.visits:
                bonus = explore * float(INVERSE_ROOTS[arm.visits])
                rows.append([here.action_name(arm.step), arm.visits, arm.mean, bonus, arm.mean + bonus])
            else:
                rows.append([here.action_name(arm.step), 0, None, None, None])
        head = ["action", "n", "mean", "bonus", "sum"]
        return table(head, rows, at.arms.index(chosen))

    def drawn(self, at: Arm, here: Position, path: list[int]) -> Arm:
        """An outcome by its probability."""
        outcome = int(here.rules.draw(here.state, self.random.word()))
        arm = next((arm for arm in at.arms if arm.step == outcome), None)
        if arm is None:
            arm = Arm(outcome)
            at.arms.append(arm)
        self.tell("s3", at.node, f"Chance: {here.outcome_name(outcome)} is drawn.", path=path)
        return arm

    # 3. Simulation

    def rewards(self, node: int, here: Position, path: list[int]) -> list[float]:
        """What each player gets at the end of a random game."""
        names: list[str] = []
        while not here.is_terminal and len(names) < SHOWN_PLIES:
            step = self.played(here.rules, here.state, here.turn)
            names.append(f"({here.step_name(step)})" if here.is_chance else here.step_name(step))
            here = here.follow(step)
        here, more = self.played_out(here)
        utilities = list(here.utilities())
        if here.game.zero_sum and here.game.players == 2:
            utilities[1] = -utilities[0]
        ends = ", ".join(f"player {seat} gets {number(reward)}" for seat, reward in enumerate(utilities, 1))
        shown = " ".join(names) + (f" … ({len(names) + more} steps)" if more else "")
        told = f"A random game: {shown}. In the end {ends}." if names else f"The game is over: {ends}."
        variables = {f"r{seat}": reward for seat, reward in enumerate(utilities, 1)}
        self.tell("r1", node, told, variables=variables, path=path)
        return utilities

    def played(self, rules: Any, state: Any, turn: int) -> int:
        """A random step."""
        self.plies += 1
        if self.plies > MOST_PLIES:
            raise WalkEnded
        word = self.random.word()
        return int(rules.draw(state, word) if turn == CHANCE else rules.pick(state, word))

    def played_out(self, here: Position) -> tuple[Position, int]:
        """The end of a random game, and how many steps away it was; nobody looks at what is in between."""
        memory, rules, steps = here.memory, here.rules, 0
        state = State(memory)
        while (turn := int(rules.turn(state))) != TERMINAL:
            step = self.played(rules, state, turn)
            (rules.deal if turn == CHANCE else rules.play)(state, step)
            steps += 1
        return Position(here.game, memory), steps

    # 4. Backup

    def back_up(self, path: list[Arm], positions: list[Position], rewards: list[float]) -> None:
        """Tell every node of the path what the player who chose it got."""
        changes, rows = {}, []
        owner = max(self.position.turn, 0)
        for arm, here in zip(path, positions, strict=True):
            arm.total += rewards[owner]
            node = self.nodes[arm.node]
            node.visits, node.value = arm.visits, arm.mean
            changes[arm.node] = {"value": arm.mean, "visits": arm.visits, "value_of": owner + 1}
            rows.append([node.name or "the root", arm.visits, f"player {owner + 1}", rewards[owner], arm.mean])
            owner = here.turn if here.turn >= 0 else owner
        told = table(["node", "n", "chosen by", "r", "mean"], rows[::-1], None)
        leaf = path[-1].node
        words = f"Backup: {len(path)} nodes count a visit and the reward of whoever chose them."
        self.tell("b2", leaf, words, table=told, changes=changes, path=[arm.node for arm in path])

    def conclude(self) -> None:
        """The answer: the most visited action, among equals the one with the better mean."""
        here = self.position
        if here.is_chance or not self.root.arms:
            self.tell("f1", 0, "The simulations are over.")
            return
        best = max(self.root.arms, key=lambda arm: (arm.visits, arm.mean if arm.visits else 0.0))
        rows = [[here.action_name(arm.step), arm.visits, arm.mean if arm.visits else None] for arm in self.root.arms]
        name, told = here.action_name(best.step), table(["action", "n", "mean"], rows, self.root.arms.index(best))
        self.tell("f1", 0, f"The simulations are over: {name} was visited most and is played.", table=told)
