"""Random trees that say of themselves all that a game may: ceilings, equal outcomes, null moves, values ahead.

They declare what is true, and as tight as possible: a search that assumes more than it may finds another value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.tree_games import (
    CHANCES,
    CHILD,
    COUNT,
    FAN,
    TURN,
    VALUE,
    Graph,
    Node,
    QuietTree,
    Tree,
    leaf,
    link,
    random_node,
    random_value,
)

DEEPEST = 16  # decisions ahead that ceilings are known for


@dataclass
class KnownNode(Node):
    """A node, what it is equal to, and where a null move leads."""

    twin_of: Node | None = None
    skips_to: Node | None = None


@dataclass(frozen=True)
class Known(Graph):
    """What such a tree says of itself, with values ahead or without."""

    tells: bool = True
    ceilings: Any = field(init=False, compare=False, repr=False)  # [node, decisions, player]
    places: Any = field(init=False, compare=False, repr=False)  # [node] -> its equal, and where a null move leads

    def __post_init__(self, nodes):
        super().__post_init__(nodes)
        index = {id(node): number for number, node in enumerate(nodes)}
        places = np.zeros((len(nodes), 2), np.int64)
        for number, node in enumerate(nodes):
            places[number] = index[id(node.twin_of or node)], index[id(node.skips_to or node)]
        ceilings = np.zeros((len(nodes), DEEPEST, 2))
        for number in reversed(range(len(nodes))):  # children come after their parents
            children = self.links[number, CHILD : CHILD + self.links[number, COUNT]]
            for decisions in range(DEEPEST):
                ceilings[number, decisions] = highest(
                    self.links[number, TURN], self.numbers[number, VALUE], ceilings[children], decisions
                )
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "ceilings", ceilings)

    def ceiling(self, state, player, decisions):
        return self.ceilings[state.node, min(decisions, DEEPEST - 1), player]

    def representative(self, state, outcome):
        return self.places[outcome, 0]

    def skip(self, state):
        state.node = self.places[state.node, 1]

    def heuristic_after(self, state, action, player):
        if not self.tells or self.links[action, TURN] == TERMINAL:
            return np.nan
        return self.numbers[action, VALUE] if player == 0 else -self.numbers[action, VALUE]

    def heuristic_dealt(self, state, outcome, player):
        return self.heuristic_after(state, outcome, player)

    def best_after(self, state, player):
        best, count = -np.inf, self.links[state.node, COUNT]
        mover = self.links[state.node, TURN]
        for i in range(count):
            value = self.heuristic_after(state, self.links[state.node, CHILD + i], mover)
            if value != value:
                return np.nan, 0
            best = max(best, value)
        return (best if mover == player else -best), count


@game
@dataclass(frozen=True)
class KnownTree(Known, Tree):
    """A random tree with chance."""


@game
@dataclass(frozen=True)
class QuietKnown(Known, QuietTree):
    """A random tree of decisions alone."""


def exact_values(rules: Any) -> list[float]:
    """What each node is worth to player 0 with best play on both sides, from the end backwards."""
    worth = [0.0] * len(rules.links)
    for number in reversed(range(len(worth))):
        turn, count, *children = rules.links[number].tolist()
        below = [worth[child] for child in children[:count]]
        if turn == TERMINAL:
            worth[number] = float(rules.numbers[number, VALUE])
        elif turn == CHANCE:
            chances = rules.numbers[number, CHANCES : CHANCES + count]
            worth[number] = float(np.dot(chances, below))
        else:
            worth[number] = max(below) if turn == 0 else min(below)
    return worth


def highest(turn: int, value: float, below: Any, decisions: int) -> Any:
    """The most that a node can be worth to each player, by the evaluation `decisions` later or at an end."""
    own = np.array([value, -value])
    if turn == TERMINAL:
        return own
    if turn != CHANCE:
        return below[:, decisions - 1].max(axis=0) if decisions else own
    after = below[:, decisions].max(axis=0)
    if decisions == 0:
        return np.maximum(own, after)  # it may be evaluated before the roll
    return np.maximum(after, below[:, decisions - 1].max(axis=0))  # chance after chance is a forced decision


@cache
def random_known(
    seed: int,
    layers: int = 5,
    breadth: int = 4,
    ends: int = 15,
    rolls: int = 40,
    chance: bool = True,
    draws: int = 0,
    signs: bool = False,
) -> Position:
    """The start of a random game; without chance on request. Few nodes to a layer mean many ways to each.

    Of a hundred ends, some are made draws; all are made wins and losses of a point with ``signs``.
    """
    dice = Dice(seed)
    rolls = rolls if chance else 0
    grown = [[known(random_node(dice, ends, rolls, 2)) for _ in range(breadth)] for _ in range(layers)]
    grown[0] = [KnownNode(dice.below(3) - 1 if chance else dice.below(2))]
    for layer in grown[1:]:
        layer.extend(KnownNode(player, random_value(dice)) for player in (0, 1))  # so that there are null moves
    leaves = [known(leaf(random_value(dice))) for _ in range(breadth)]
    last = [KnownNode(player, random_value(dice)) for player in (0, 1)]  # where a null move leads from the last layer
    for layer, below in pairwise([*grown, leaves]):
        for node in layer:
            if node.turn != TERMINAL:
                link(dice, node, below)
    for node in last:
        link(dice, node, leaves)
    for layer, below in reversed(list(pairwise([*grown, last]))):  # from below: a twin's twin is final
        for node in layer:
            if node.turn >= 0:
                others = [each for each in below if each.turn in (CHANCE, 1 - node.turn)]
                node.skips_to = others[dice.below(len(others))]
            elif node.turn == CHANCE and below is not last and len(node.children) < FAN and dice.below(2):
                below.append(add_twin(dice, node))
    nodes = [node for layer in [*grown, last, leaves] for node in layer]
    for node in nodes:
        if node.twin_of is None and dice.below(4):
            node.value /= 2  # well within the range, so that what is known of a value says something
        if node.turn == TERMINAL and dice.below(100) < draws:
            node.value = 0.0
        if node.turn == TERMINAL and signs:
            node.value = float(np.sign(node.value))
    for node in nodes:
        if node.twin_of is not None:
            node.value = node.twin_of.value
    kind = KnownTree if chance else QuietKnown
    return Position.start(kind(f"known {seed}", nodes, seed % 2 > 0))


def known(node: Node) -> KnownNode:
    return KnownNode(node.turn, node.value)


def add_twin(dice: Dice, roll: KnownNode) -> KnownNode:
    """One more outcome of a chance event, equal to another."""
    other = roll.children[dice.below(len(roll.children))]
    twin = KnownNode(other.turn, other.value, list(other.children), list(other.weights))
    twin.twin_of, twin.skips_to = other.twin_of or other, other.skips_to
    roll.children.append(twin)
    roll.weights.append(1.0 + dice.below(8))
    return twin
