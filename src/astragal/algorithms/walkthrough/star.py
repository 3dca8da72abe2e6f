"""Expectimax, alpha-beta, Star1 and Star2 walked through: the kernels of `astragal.algorithms.star`, run by Python.

A walk is their recorder, which is called at every node, and at the lines of the pseudo-code
(`walk.listening`). All values and bounds are the kernels' own. In a game without chance Star1 is alpha-beta.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from astragal.algorithms.depth_first.recording import RECORDER
from astragal.algorithms.depth_first.root import root_values
from astragal.algorithms.depth_first.work import mirrored as mirrored_kernel
from astragal.algorithms.depth_first.work import new_work
from astragal.algorithms.plain_tree import CUT, HORIZON, PROBE
from astragal.algorithms.star.chance import child_window, expectation, full_pass, probe, probing_pass
from astragal.algorithms.star.nodes import mean_leaf
from astragal.algorithms.star.star import alphabeta
from astragal.algorithms.star.variant import StarVariant
from astragal.algorithms.walkthrough.walk import Walk, listening, number, table
from astragal.compiler.interpreted import instance_twin, interpreted, run_interpreted
from astragal.rules.position import Outcome, Position

mirrored = interpreted(mirrored_kernel)
KERNELS = root_values, alphabeta, probe, expectation, mean_leaf, probing_pass, full_pass
PROBING_PHASE = 11  # lines that Algorithm 2 has and Algorithm 1 has not, before those that both have
Variables = dict[str, Any]  # of a kernel


@dataclass
class Decision:
    """What a walk keeps of a decision that is being searched."""

    minimises: bool
    alpha: float
    beta: float
    depth: int
    actions: list[int]
    best: float | None = None
    action: int = 0

    @property
    def who(self) -> str:
        return "Min" if self.minimises else "Max"

    def take(self, value: float, prune: bool) -> bool:
        """Note an action's value; whether it is the best so far."""
        better = self.best is None or (value < self.best if self.minimises else value > self.best)
        if better:
            self.best = value
            if prune and self.minimises:
                self.beta = min(self.beta, value)
            elif prune:
                self.alpha = max(self.alpha, value)
        return better


@dataclass
class Chance:
    """What a walk keeps of a chance node that is being searched."""

    outcomes: list[Outcome]
    variables: Variables
    line: str = ""  # the last one that was come to
    known: dict[int, float] = field(default_factory=dict)  # values of outcomes


class StarWalk(Walk):
    """A search to a depth: `prune` says whether with bounds, `probe` whether with Star2's first phase."""

    def __init__(self, position: Position, depth: int, prune: bool, probe: bool, **limits: Any) -> None:
        super().__init__(position, **limits)
        self.depth, self.prune, self.probe = depth, prune, probe
        self.at, self.following, self.marks = -1, 0, 0
        self.searched: dict[int, Any] = {}  # a decision or a chance node by its number

    def tell_all(self) -> None:
        low, high = self.position.game.utility_range
        actions = np.array(self.position.actions() or [0], np.uint32)
        values, bounds, work = np.zeros(len(actions)), np.zeros(len(actions), np.uint8), new_work(low, high)
        variant = instance_twin(StarVariant(prune=self.prune, probe=self.probe, recorder=RECORDER))
        vars(variant)["recorder"] = self
        asked = self.position.game, variant, self.position.memory, self.depth
        with listening(KERNELS, self.hear):
            run_interpreted(root_values, *asked, actions, values, bounds, work)
        if not self.position.is_chance:
            root = self.searched[0]
            self.leave_decision(
                0, root.best, self.prune and (root.best <= low if root.minimises else root.best >= high)
            )
        value = self.nodes[0].value
        assert value is not None
        self.tell("a5", 0, f"The search is over: the position is worth {number(value)} to player 1.")

    # What the kernels pass to their recorder

    def step(self, work: Any, step: int, marks: int) -> None:
        """An action or outcome is about to be followed."""
        self.following, self.marks = int(step), marks

    def enter(self, work: Any) -> int:
        """A node was met that has children."""
        self.at = self.met(0)
        return self.at

    def leaf(self, work: Any, value: float, marks: int) -> float:
        """A node was met that has none."""
        node = self.met(marks)
        told = (
            f"The horizon: the evaluation says {number(value)}"
            if marks & HORIZON
            else f"The game is over: {number(value)}"
        )
        self.tell("2", node, f"{told} for player 1.", variables={"h": value}, changes=self.settle(node, value))
        return value

    def leave(self, work: Any, node: int, value: float, listed: int, marks: int) -> float:
        """A node is done with; a forced decision is none."""
        if node >= 0:
            leave = self.leave_chance if self.nodes[node].position.is_chance else self.leave_decision
            leave(node, value, bool(marks & CUT))
            self.at = self.nodes[node].parent
        return value

    def met(self, marks: int) -> int:
        above = self.nodes[self.at].position if self.at >= 0 else None
        here = self.position if above is None else above.follow(self.following)
        probed, self.marks = bool(self.marks & PROBE), 0
        return self.meet(self.at, self.following, here, evaluated=bool(marks & HORIZON), probe=probed)

    # Lines that they come to

    def hear(self, line: str, variables: Variables) -> None:
        """They come to a line; what the named line before did is done."""
        if line.startswith("a"):
            doing = {"a2": self.try_action, "a3": self.know_action}.get(line)
            if doing is not None and variables["turn"] >= 0:  # no forced decision
                doing(variables)
            return
        node = self.searched.get(self.at)
        if node is None:
            node = self.searched[self.at] = Chance(self.nodes[self.at].position.outcomes(), variables)
            self.tell_outcomes(node)
        done, node.line, node.variables = node.line, line, variables
        if line in ("9", "20"):
            self.ask_outcome(node, probing=line == "9")
        elif done in ("11", "14"):
            self.bound_outcome(node, done)
        elif done == "21":
            self.close_outcome(node, self.line("21"))
        elif line == "(9)":
            told = f"Outcome {node.outcomes[variables['i']].name}."
            self.tell("5", self.at, told, **self.seen(node, variables["i"]))
        elif done == "(10)":
            self.close_outcome(node, "10")

    # Decisions

    def try_action(self, variables: Variables) -> None:
        """An action is about to be searched."""
        node = self.searched.get(self.at)
        if node is None:
            node = self.searched[self.at] = self.new_decision(variables)
            every = node.actions
            words = "1 action" if len(every) == 1 else f"{len(every)} actions"
            if self.nodes[self.at].probe and len(every) > 1:
                words += ", of which the first is tried"
            asked = f"A value {between(node.alpha, node.beta)} matters." if self.prune else ""
            told = f"{node.who} is to move, {words}. {asked}".strip()
            self.tell("a1", self.at, told, variables=self.window_of(node))
        node.action = self.following
        told = f"{node.who} tries {self.action_name(node)}."
        self.tell("a2", self.at, told, variables=self.window_of(node) | best_of(node))

    def new_decision(self, variables: Variables) -> Decision:
        here = variables.get("here")
        minimises = bool(variables["minimises"] if here is None else here.minimises)
        low, high = (variables["low"], variables["high"]) if here is None else (here.low, here.high)
        alpha, beta = (-high, -low) if minimises and here is not None else (low, high)
        return Decision(minimises, alpha, beta, variables["depth"], self.nodes[self.at].position.actions())

    def know_action(self, variables: Variables) -> None:
        """An action was searched."""
        node = self.searched[self.at]
        at_root = "values" in variables
        value = variables["values"][variables["i"]] if at_root else mirrored(variables["value"], node.minimises)
        better = node.take(value, self.prune)
        told = f"{self.action_name(node)} is worth {number(value)}" + (
            ", the best so far." if better else ": no better."
        )
        self.tell("a3", self.at, told, variables=self.window_of(node) | {"v": value} | best_of(node))

    def leave_decision(self, at: int, best: float, cut: bool) -> None:
        node = self.searched[at]
        changes = self.settle(at, best, cut and at > 0)
        if not cut:
            self.tell("a5", at, f"Back: {number(best)}.", variables={"best": best}, changes=changes)
            return
        left = len(node.actions) - node.actions.index(node.action) - 1
        above = "Max" if node.minimises else "Min"
        told = f"Cut: {above} has something better elsewhere, or nothing can be better than {number(best)}"
        self.tell("a4", at, f"{told}; {left} not searched." if left else f"{told}.", changes=changes)

    def action_name(self, node: Decision) -> str:
        return self.nodes[self.at].position.action_name(node.action)

    def window_of(self, node: Decision) -> dict[str, float]:
        return ({"α": node.alpha, "β": node.beta} if self.prune else {}) | {"d": float(node.depth)}

    # Chance nodes

    def tell_outcomes(self, node: Chance) -> None:
        low, high = map(number, map(float, self.position.game.utility_range))
        known = f", each worth between {low} and {high} as far as is known" if self.prune else ""
        self.tell("4", self.at, f"Chance: {len(node.outcomes)} outcomes{known}.", **self.seen(node, None))

    def ask_outcome(self, node: Chance, probing: bool) -> None:
        """An outcome is about to be probed or searched."""
        now, i = node.variables, node.variables["i"]
        a, b = now["a"], now["b"]
        if now["depth"] == 0:  # leaves get no window; this is what it would be
            a, b = interpreted(child_window)(now["o"], i, now["lower"], now["upper"], now["node"])
        low, high = (now["lower"], now["upper"]) if probing else map(float, self.position.game.utility_range)
        asked, name = between(min(max(a, low), high), min(max(b, low), high)), node.outcomes[i].name
        if probing:
            told = f"Probe {name}: its first action only. A value {asked} would leave all open."
        else:
            told = f"Outcome {name}: only a value {asked} leaves the node inside its window."
        line = "6" if probing else self.line("17")
        self.tell(line, self.at, told, variables={"α'": a, "β'": b}, **self.seen(node, i))

    def bound_outcome(self, node: Chance, line: str) -> None:
        """A probe was searched."""
        v, i = node.variables["v"], node.variables["i"]
        name, side = node.outcomes[i].name, "at least" if line == "11" else "at most"
        shown = f"The probe shows that {name} is worth {side} {number(v)}."
        told = f"{name} is worth {number(v)}." if node.variables["exact"] else shown
        self.tell(line, self.at, told, variables={"v": v}, **self.seen(node, i))

    def close_outcome(self, node: Chance, line: str) -> None:
        """An outcome was searched."""
        v, i = node.variables["v"], node.variables["i"]
        node.known[i] = v
        told, seen = f"{node.outcomes[i].name} is worth {number(v)}.", self.seen(node, i)
        if self.prune:
            known = node.variables["node"]
            told += f" The node is worth between {number(known.pess)} and {number(known.opti)}."
        seen["variables"] = {"v": v} | seen.get("variables", {})
        self.tell(line, self.at, told, **seen)

    def leave_chance(self, at: int, value: float, cut: bool) -> None:
        node = self.searched.pop(at)
        changes, told = self.settle(at, value, cut), f"All outcomes are known: {number(value)} on average."
        if cut:
            high, known = node.line in ("12", "22"), node.variables["node"]
            end = f"or more, and β is {number(known.beta)}" if high else f"or less, and α is {number(known.alpha)}"
            told = f"Cut: whatever else comes, the node is worth {number(value)} {end}."
        line = self.line(node.line) if cut else self.line("24")
        self.tell(line, at, told, changes=changes, **self.seen(node, None))

    def line(self, name: str) -> str:
        """A line of the search phase, as Algorithm 1 numbers it if that is what is shown."""
        return name if self.probe else str(int(name) - PROBING_PHASE)

    def seen(self, node: Chance, current: int | None) -> dict[str, Any]:
        """What an event at a chance node shows."""
        now, rows = node.variables, [[each.name, each.probability] for each in node.outcomes]
        if not self.prune:
            found = [[*row, node.known.get(i)] for i, row in enumerate(rows)]
            total = now["total"]
            return {"table": table(["outcome", "p", "v"], found, current), "variables": {"total": total}}
        known, o = now["node"], now["o"]
        for i, row in enumerate(rows):
            bounds = (o.lower[i], o.upper[i]) if self.probe else (known.low, known.high)
            row.extend([node.known[i]] * 2 if i in node.known else bounds)
        window = {name: getattr(known, name) for name in ("alpha", "beta", "pess", "opti")}
        return {"table": table(["outcome", "p", "o_l", "o_u"], rows, current), "window": window}


def between(alpha: float, beta: float) -> str:
    return f"between {number(alpha)} and {number(beta)}"


def best_of(node: Decision) -> dict[str, float]:
    return {} if node.best is None else {"best": node.best}
