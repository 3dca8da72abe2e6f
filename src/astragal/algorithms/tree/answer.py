"""What a search tree says of its root: the visits and value of each action, which to play, the best line, a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.algorithms.result import AT_LEAST, AT_MOST, ESTIMATE, LINE_LENGTH, NOT_SEARCHED, PROVEN, ActionValue
from astragal.algorithms.tree.steps.compose import Steps
from astragal.algorithms.tree.steps.prove import EPSILON, Bounds, Winners
from astragal.algorithms.tree.store import Store, TreeArrays, children_of
from astragal.rules.decorator import CHANCE
from astragal.rules.dice import drawn
from astragal.rules.position import Position

LEAST_VISITS = 2  # of a node on the best line


@dataclass
class RootAction:
    """An action at the root, over all trees."""

    number: int
    visits: int
    value: float  # the mover's, a mean or proven
    proven: bool = False
    lost: bool = False  # proven to lose, or to be worse than another
    least: float = -np.inf  # what is proven of the value
    most: float = np.inf

    @property
    def kind(self) -> str:
        """What the value is: proven, a bound that the mean lay beyond, or a mean."""
        if self.proven:
            return PROVEN
        if not self.visits:
            return NOT_SEARCHED
        return AT_MOST if self.value == self.most else AT_LEAST if self.value == self.least else ESTIMATE

    @property
    def known_value(self) -> float | None:
        return None if self.kind == NOT_SEARCHED else self.value

    def settle(self) -> RootAction:
        """Bring the mean within what is proven."""
        if self.visits or self.proven:
            self.value = min(max(self.value, self.least), self.most) + 0.0  # no minus zero
        return self


def mean_of(steps: Steps, total: float, visits: int) -> float:
    """What a visited node is worth to its owner."""
    return total / visits + steps.backup.floor if steps.backup.sums else total


def merged_actions(position: Position, steps: Steps, stores: list[Store]) -> list[RootAction]:
    """The root's actions; those of several trees added up."""
    if position.turn == CHANCE:
        return []
    found = {action: RootAction(action, 0, 0.0) for action in position.actions()}
    for store in stores:
        for index in children_of(position.game, store, 0):
            total, visits, _, action, *_ = store.nodes.item(index)
            row = found[action]
            if visits:
                row.value += (mean_of(steps, total, visits) - row.value) * visits / (row.visits + visits)
                row.visits += visits
            note_proof(position, steps, store, index, row)
    return [row.settle() for row in found.values()]


def note_proof(position: Position, steps: Steps, store: Store, index: int, row: RootAction) -> None:
    """Put what is proven of the root or its child into a row. A proof in one of several trees is a proof."""
    if not steps.prove.active:
        return
    player = max(position.turn, 0)  # chance has player 0's values
    low, high = position.game.utility_range
    slack = EPSILON * (high - low)
    if isinstance(steps.prove, Bounds):
        sign = 1.0 if player == 0 else -1.0
        lower, upper = sorted((sign * float(store.extra[index]["lower"]), sign * float(store.extra[index]["upper"])))
        root = sorted((sign * float(store.extra[0]["lower"]), sign * float(store.extra[0]["upper"])))
        row.least, row.most = max(row.least, lower), min(row.most, upper)
        row.proven = row.most - row.least <= slack
        row.lost |= upper < root[0] - slack or upper <= min(sign * low, sign * high) + slack
    elif isinstance(steps.prove, Winners) and int(store.nodes[index]["winner"]):
        won = int(store.nodes[index]["winner"]) == player + 1
        row.least = row.most = high if won else low
        row.proven, row.lost = True, not won


def choose(actions: list[RootAction], final: str, seed: int = 0) -> int:
    """The action to play: by visits or mean among those not proven, unless a proven one is worth no less.

    Those that are proven to lose, or to be worse than another, are chosen only if all are.

    With final=mixed visits are weights, by which the seed draws one: where players choose at once, how often an action
    was selected is how often it is to be played.
    """
    if not actions:
        return 0
    usable = [i for i, row in enumerate(actions) if not row.lost] or list(range(len(actions)))
    known = [i for i in usable if actions[i].proven]
    open_ones = [i for i in usable if not actions[i].proven and actions[i].visits]
    by_value = lambda i: (actions[i].value, actions[i].visits)  # noqa: E731
    by_visits = lambda i: (actions[i].visits, actions[i].value)  # noqa: E731
    guess = max(open_ones, key=by_value if final == "mean" else by_visits) if open_ones else None
    if guess is not None and final == "mixed":
        guess = open_ones[drawn([actions[i].visits for i in open_ones], seed)]
    sure = max(known, key=by_value) if known else None
    if guess is None:
        return sure if sure is not None else usable[0]
    return guess if sure is None or actions[guess].value > actions[sure].value else sure


def rows(position: Position, actions: list[RootAction], best: int, mixed: bool = False) -> list[ActionValue]:
    """What is known of each root action, the chosen one first, then by visits."""
    total = sum(row.visits for row in actions)
    shares = [row.visits / total if mixed and total else None for row in actions]
    order = sorted(range(len(actions)), key=lambda i: (i != best, -actions[i].visits, -actions[i].value))
    return [
        ActionValue(row.number, position.action_name(row.number), row.known_value, row.kind, row.visits, share)
        for row, share in ((actions[i], shares[i]) for i in order)
    ]


def best_line(game: Any, store: Store, action: int | None) -> list[int]:
    """The chosen action, then the most visited children as far as they were visited twice, by their numbers."""
    line: list[int] = []
    at = 0
    action_at, visits_at = store.nodes["action"].item, store.nodes["visits"].item
    while len(line) < LINE_LENGTH:
        children = children_of(game, store, at)
        if at == 0 and action is not None:
            children = [index for index in children if action_at(index) == action]
        at = max(children, key=visits_at, default=0)
        if not at or visits_at(at) < LEAST_VISITS:
            break
        line.append(action_at(at))
    return line if line or action is None else [action]


def proof_in_words(position: Position, steps: Steps, store: TreeArrays, index: int = 0) -> str | None:
    """What is proven of a node, or None."""
    if not steps.prove.active:
        return None
    low, high = position.game.utility_range
    if isinstance(steps.prove, Winners):
        winner = int(store.nodes[index]["winner"])
        return f"player {winner} wins" if winner else None
    if not isinstance(steps.prove, Bounds):
        return None
    lower, upper = float(store.extra[index]["lower"]), float(store.extra[index]["upper"])
    slack = EPSILON * (high - low)
    if upper - lower > slack:
        return None
    if lower >= high - slack:
        return "player 1 wins"
    if lower <= low + slack:
        return "player 2 wins"
    if np.isclose(lower, (low + high) / 2, rtol=0.0, atol=slack):
        return "a draw"
    return f"worth {lower:+.6f} to player 1"
