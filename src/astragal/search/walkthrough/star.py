"""Expectimax, alpha-beta, Star1 and Star2 walked through: what `astragal.search.star.star` does, event by event.

The order of everything is that of the kernels without a table, and so is the arithmetic, so that values come out the
same to the last bit. In a game without chance Star1 is alpha-beta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from astragal.game.position import Outcome, Position
from astragal.search.walkthrough.walk import Table, Walk, WalkEnded, number, table


@dataclass
class Window:
    """What Max and Min are sure of already, elsewhere in the tree."""

    alpha: float
    beta: float

    @property
    def words(self) -> str:
        return f"between {number(self.alpha)} and {number(self.beta)}"


@dataclass
class Bounds:
    """What is known of a chance node: of each outcome and of all of them together."""

    names: list[str]
    chances: list[float]
    lowers: list[float]
    uppers: list[float]
    pess: float
    opti: float
    total: float = 0.0
    known: list[float | None] = field(default_factory=list)

    def table(self, current: int | None) -> Table:
        rows = zip(self.names, self.chances, self.lowers, self.uppers, strict=True)
        return table(["outcome", "p", "o_l", "o_u"], [list(row) for row in rows], current)

    def window(self, window: Window) -> dict[str, float]:
        return {"alpha": window.alpha, "beta": window.beta, "pess": self.pess, "opti": self.opti}


class StarWalk(Walk):
    """A search to a depth: `prune` says whether with bounds, `probe` whether with Star2's first phase."""

    def __init__(self, position: Position, depth: int, prune: bool, probe: bool, **limits: Any) -> None:
        super().__init__(position, **limits)
        self.depth, self.prune, self.probe = depth, prune, probe
        self.low, self.high = map(float, position.game.utility_range)
        self.lines = ("17", "21", "22", "23", "24") if probe else ("6", "10", "11", "12", "13")

    def run(self) -> StarWalk:
        """Walk to the end, or as far as a walk goes."""
        window = Window(self.low, self.high)
        try:
            value = self.decision(-1, 0, self.position, self.depth, window)
            self.tell("a5", 0, f"The search is over: the position is worth {number(value)} to player 1.")
            self.finished = True
        except WalkEnded:
            pass
        return self

    # Decisions

    def decision(
        self, parent: int, step: int, here: Position, depth: int, window: Window, probe: bool = False
    ) -> float:
        """A node that is no leaf; one of chance's, after another of chance's or at the root, costs a unit of depth."""
        if here.is_chance:
            return self.chance(parent, step, here, depth - 1, window, probe)
        node = self.meet(parent, step, here, probe=probe)
        value, _ = self.actions(node, here, depth, window, here.actions())
        return value

    def actions(self, node: int, here: Position, depth: int, window: Window, actions: list[int]) -> tuple[float, bool]:
        """The best of some actions, and whether others were cut off."""
        minimises = here.turn == 1
        who = "Min" if minimises else "Max"
        best, alpha, beta = math.inf if minimises else -math.inf, window.alpha, window.beta
        asked = f"A value {window.words} matters." if self.prune else ""
        self.tell(
            "a1",
            node,
            f"{who} is to move, {count_of(here, actions)}. {asked}".strip(),
            variables=self.at(window, depth),
        )
        cut = False
        for action in actions:
            name = here.action_name(action)
            inside = Window(alpha, beta)
            self.tell("a2", node, f"{who} tries {name}.", variables=self.at(inside, depth) | known(best))
            value = self.after_action(node, action, here.follow(action), depth, inside)
            better = value < best if minimises else value > best
            best = value if better else best
            if self.prune and minimises:
                beta = min(beta, best)
            elif self.prune:
                alpha = max(alpha, best)
            told = f"{name} is worth {number(value)}" + (", the best so far." if better else ": no better.")
            self.tell("a3", node, told, variables=self.at(Window(alpha, beta), depth) | {"v": value} | known(best))
            cut = self.prune and (best <= window.alpha if minimises else best >= window.beta)
            if cut:
                break
        left = len(here.actions()) - actions.index(action) - 1
        changes = self.settle(node, best, cut and self.nodes[node].parent >= 0)
        if cut:
            above = "Max" if minimises else "Min"
            told = f"Cut: {above} has something better elsewhere, or nothing can be better than {number(best)}"
            self.tell("a4", node, f"{told}; {left} not searched." if left else f"{told}.", changes=changes)
        else:
            self.tell("a5", node, f"Back: {number(best)}.", variables=known(best), changes=changes)
        return best, cut

    def at(self, window: Window, depth: int) -> dict[str, float]:
        return ({"α": window.alpha, "β": window.beta} if self.prune else {}) | {"d": float(depth)}

    # Below an action or an outcome

    def after_action(self, node: int, action: int, here: Position, depth: int, window: Window) -> float:
        if here.is_terminal or (depth == 1 and not here.is_chance):
            return self.leaf(node, action, here)
        if here.is_chance:
            return self.chance(node, action, here, depth - 1, window)
        return self.decision(node, action, here, depth - 1, window)

    def after_outcome(self, node: int, outcome: int, here: Position, depth: int, window: Window) -> float:
        if here.is_terminal or depth == 0:
            return self.leaf(node, outcome, here)
        return self.decision(node, outcome, here, depth, window)

    def leaf(self, parent: int, step: int, here: Position, probe: bool = False) -> float:
        """The end of the game, or the horizon."""
        node = self.meet(parent, step, here, evaluated=not here.is_terminal, probe=probe)
        if here.is_terminal:
            value = here.utilities()[0]
            told = f"The game is over: {number(value)} for player 1."
        else:
            value = float(here.rules.heuristic(here.state, 0))
            told = f"The horizon: the evaluation says {number(value)} for player 1."
        self.tell("2", node, told, variables={"h": value}, changes=self.settle(node, value))
        return value

    # Chance

    def chance(self, parent: int, step: int, here: Position, depth: int, window: Window, probe: bool = False) -> float:
        """A chance node whose children have so many units left."""
        node = self.meet(parent, step, here, probe=probe)
        outcomes = here.outcomes()
        chances = [outcome.probability for outcome in outcomes]
        size = len(outcomes)
        bounds = Bounds([o.name for o in outcomes], chances, [self.low] * size, [self.high] * size, self.low, self.high)
        told = f"Chance: {size} outcomes"
        if self.prune:
            told += f", each worth between {number(self.low)} and {number(self.high)} as far as is known"
        self.tell("4", node, f"{told}.", **self.seen(bounds, window))
        if self.probe and depth > 0:
            value = self.probing_phase(node, here, outcomes, depth, window, bounds)
            if value is not None:
                return value
        return self.search_phase(node, here, outcomes, depth, window, bounds)

    def seen(self, bounds: Bounds, window: Window, current: int | None = None) -> dict[str, Any]:
        """What an event at a chance node shows."""
        if not self.prune:
            rows = [[name, p, v] for name, p, v in zip(bounds.names, bounds.chances, padded(bounds), strict=True)]
            return {
                "table": table(["outcome", "p", "v"], rows, current),
                "variables": {"total": bounds.total},
            }
        return {"table": bounds.table(current), "window": bounds.window(window)}

    def child_window(self, window: Window, bounds: Bounds, i: int) -> Window:
        """The values of an outcome that leave the node's inside its window (childAlpha, childBeta), not clamped."""
        chance = bounds.chances[i]
        return Window(
            (window.alpha - bounds.opti + chance * bounds.uppers[i]) / chance,
            (window.beta - bounds.pess + chance * bounds.lowers[i]) / chance,
        )

    def probing_phase(
        self, node: int, here: Position, outcomes: list[Outcome], depth: int, window: Window, bounds: Bounds
    ) -> float | None:
        """Lines 5 to 15 of Algorithm 2; a value where they cut."""
        for i, outcome in enumerate(outcomes):
            child = here.follow(outcome.number)
            if child.is_chance:
                continue
            lower, upper, chance = bounds.lowers[i], bounds.uppers[i], bounds.chances[i]
            inner = self.child_window(window, bounds, i)
            asked = Window(clamped(inner.alpha, lower, upper), clamped(inner.beta, lower, upper))
            told = f"Probe {outcome.name}: its first action only. A value {asked.words} would leave all open."
            self.tell("6", node, told, variables=primed(inner), **self.seen(bounds, window, i))
            v, exact = self.probed(node, outcome.number, child, depth, asked)
            minimises = child.turn == 1
            if exact or (not minimises and v > asked.alpha):
                bounds.lowers[i] = v
                bounds.pess += chance * (v - lower)
                self.told_bound("11", node, outcome.name, v, exact, "at least", window, bounds, i)
                if v >= inner.beta or bounds.pess >= window.beta:
                    return self.cut_high("12", node, window, bounds)
            if exact or (minimises and v < asked.beta):
                bounds.uppers[i] = v
                bounds.opti += chance * (v - upper)
                self.told_bound("14", node, outcome.name, v, exact, "at most", window, bounds, i)
                if v <= inner.alpha or bounds.opti <= window.alpha:
                    return self.cut_low("15", node, window, bounds)
        return None

    def told_bound(
        self, line: str, node: int, name: str, v: float, exact: bool, side: str, window: Window, bounds: Bounds, i: int
    ) -> None:
        told = f"{name} is worth {number(v)}." if exact else f"The probe shows that {name} is worth {side} {number(v)}."
        self.tell(line, node, told, variables={"v": v}, **self.seen(bounds, window, i))

    def probed(self, node: int, outcome: int, child: Position, depth: int, window: Window) -> tuple[float, bool]:
        """The value of a state's first action, and whether that is all there is to know of the state."""
        if child.is_terminal:
            return self.leaf(node, outcome, child, probe=True), True
        number = self.meet(node, outcome, child, probe=True)
        actions = child.actions()
        value, _ = self.actions(number, child, depth, window, actions[:1])
        return value, len(actions) == 1

    def search_phase(
        self, node: int, here: Position, outcomes: list[Outcome], depth: int, window: Window, bounds: Bounds
    ) -> float:
        """Lines 5 to 13 of Algorithm 1, 16 to 24 of Algorithm 2."""
        asking, told, high, low, done = self.lines
        for i, outcome in enumerate(outcomes):
            chance, lower, upper = bounds.chances[i], bounds.lowers[i], bounds.uppers[i]
            if self.prune and lower == upper:
                bounds.total += chance * lower
                continue
            inner = asked = window
            if self.prune:
                inner = self.child_window(window, bounds, i)
                asked = Window(clamped(inner.alpha, self.low, self.high), clamped(inner.beta, self.low, self.high))
                words = f"Outcome {outcome.name}: only a value {asked.words} leaves the node inside its window."
                self.tell(asking, node, words, variables=primed(inner), **self.seen(bounds, window, i))
            else:
                self.tell("5", node, f"Outcome {outcome.name}.", **self.seen(bounds, window, i))
            v = self.after_outcome(node, outcome.number, here.follow(outcome.number), depth, asked)
            bounds.total += chance * v
            bounds.known.append(v)
            bounds.pess += chance * (v - lower)
            bounds.opti += chance * (v - upper)
            if self.prune:
                bounds.lowers[i] = bounds.uppers[i] = v
            self.closed(told, node, outcome.name, v, window, bounds, i)
            if self.prune and (v >= inner.beta or bounds.pess >= window.beta):
                return self.cut_high(high, node, window, bounds)
            if self.prune and (v <= inner.alpha or bounds.opti <= window.alpha):
                return self.cut_low(low, node, window, bounds)
        changes = self.settle(node, bounds.total)
        words = f"All outcomes are known: {number(bounds.total)} on average."
        self.tell(done, node, words, changes=changes, **self.seen(bounds, window))
        return bounds.total

    def closed(self, line: str, node: int, name: str, v: float, window: Window, bounds: Bounds, i: int) -> None:
        """Say what the value of an outcome leaves open."""
        told = f"{name} is worth {number(v)}."
        if self.prune:
            told += f" The node is worth between {number(bounds.pess)} and {number(bounds.opti)}."
        seen = self.seen(bounds, window, i)
        seen["variables"] = {"v": v} | seen.get("variables", {})
        self.tell(line, node, told, **seen)

    def cut_high(self, line: str, node: int, window: Window, bounds: Bounds) -> float:
        value = max(bounds.pess, window.beta)
        told = f"Cut: whatever else comes, the node is worth {number(value)} or more, and β is {number(window.beta)}."
        self.tell(line, node, told, changes=self.settle(node, value, True), **self.seen(bounds, window))
        return value

    def cut_low(self, line: str, node: int, window: Window, bounds: Bounds) -> float:
        value = min(bounds.opti, window.alpha)
        told = f"Cut: whatever else comes, the node is worth {number(value)} or less, and α is {number(window.alpha)}."
        self.tell(line, node, told, changes=self.settle(node, value, True), **self.seen(bounds, window))
        return value


def clamped(bound: float, low: float, high: float) -> float:
    return min(max(bound, low), high)


def known(best: float) -> dict[str, float]:
    return {} if math.isinf(best) else {"best": best}


def primed(window: Window) -> dict[str, float]:
    return {"α'": window.alpha, "β'": window.beta}


def padded(bounds: Bounds) -> list[float | None]:
    """The values of outcomes that are known, and None for the others."""
    return bounds.known + [None] * (len(bounds.names) - len(bounds.known))


def count_of(here: Position, actions: list[int]) -> str:
    """How many actions there are, and how many of them are looked at."""
    every = len(here.actions())
    words = "1 action" if every == 1 else f"{every} actions"
    return f"{words}, of which the first is tried" if len(actions) < every else words
