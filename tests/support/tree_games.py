"""Games for tests: any finite graph of decisions, chance events and ends, held in two arrays.

A compiled kernel for each of three classes serves every tree: `Tree` for two opponents, `QuietTree` for two without
chance, and `PartyTree` for three players with utilities that do not add up. A tree is written by hand with `leaf`,
`top` (player 0, Max), `low` (player 1, Min) and `roll` (chance), or grown at random by `random_tree`: chance decides
who moves next, a player may move several times in a row, chance may follow chance and a move may be followed by none,
probabilities are uneven, many ends are certain wins or losses and many values are equal, and states are met again on
other paths.

Actions and outcomes are the numbers of the nodes that they lead to. Node 0 is the start.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.dice import Dice
from astragal.rules.position import Position

LIMIT = 10.0  # utilities and evaluations lie between -LIMIT and LIMIT
FAN = 5  # children of a node at most
TURN, COUNT, CHILD = 0, 1, 2  # columns of links
VALUE, CHANCES = 0, 1  # columns of numbers
OTHERS = CHANCES + FAN  # the values of the players from 1 on, where they are not the first one's with a minus


@dataclass
class Node:
    """A node: whose turn it is, its value for player 0 (utility or evaluation), and its children with their weights."""

    turn: int
    value: float = 0.0
    children: list[Node] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    others: tuple[float, ...] = (0.0, 0.0)  # the values of players 1 and 2 in a game for three


def leaf(value: float) -> Node:
    """The end of the game."""
    return Node(TERMINAL, value)


def top(*children: Node | float, value: float = 0.0) -> Node:
    """A decision of player 0, who wants much. A bare number is an end. The value is its evaluation."""
    return Node(0, value, [as_node(child) for child in children])


def low(*children: Node | float, value: float = 0.0) -> Node:
    """A decision of player 1, who wants little."""
    return Node(1, value, [as_node(child) for child in children])


def roll(*children: Node | float, weights: tuple[float, ...] = (), value: float = 0.0) -> Node:
    """A chance event, whose outcomes are equally likely unless weights are given."""
    return Node(CHANCE, value, [as_node(child) for child in children], list(weights) or [1.0] * len(children))


def as_node(item: Node | float) -> Node:
    return item if isinstance(item, Node) else leaf(item)


@dataclass(frozen=True)
class Graph:
    """A graph of nodes without chance."""

    name: str
    nodes: InitVar[list[Node]]
    links: Any = field(init=False, compare=False, repr=False)  # [node] -> turn, number of children, children
    numbers: Any = field(init=False, compare=False, repr=False)  # [node] -> value, chance of each child, other values

    state = np.dtype([("node", "u4")])
    players = 2
    max_actions = FAN
    max_plies = None
    utility_range = (-LIMIT, LIMIT)
    zero_sum = True

    def __post_init__(self, nodes):
        index = {id(node): number for number, node in enumerate(nodes)}
        links = np.zeros((len(nodes), CHILD + FAN), np.int64)
        numbers = np.zeros((len(nodes), OTHERS + 2))
        for number, node in enumerate(nodes):
            count = len(node.children)
            links[number, TURN], links[number, COUNT], numbers[number, VALUE] = node.turn, count, node.value
            links[number, CHILD : CHILD + count] = [index[id(child)] for child in node.children]
            numbers[number, OTHERS:] = node.others
            if node.weights:
                numbers[number, CHANCES : CHANCES + count] = np.array(node.weights) / sum(node.weights)
        object.__setattr__(self, "links", links)
        object.__setattr__(self, "numbers", numbers)

    def turn(self, state):
        return self.links[state.node, TURN]

    def actions(self, state, out):
        count = self.links[state.node, COUNT]
        for i in range(count):
            out[i] = self.links[state.node, CHILD + i]
        return count

    def play(self, state, action):
        state.node = action

    def utility(self, state, player):
        value = self.numbers[state.node, VALUE]
        return value if player == 0 else -value

    def heuristic(self, state, player):
        return self.utility(state, player)


@game
@dataclass(frozen=True)
class QuietTree(Graph):
    """A graph of the decisions of two opponents as a game."""


@game
@dataclass(frozen=True)
class Tree(Graph):
    """A graph of decisions and chance events as a game."""

    max_outcomes = FAN

    def outcomes(self, state, out):
        return self.actions(state, out)

    def probability(self, state, outcome):
        i = 0
        while self.links[state.node, CHILD + i] != outcome:
            i += 1
        return self.numbers[state.node, CHANCES + i]

    def deal(self, state, outcome):
        state.node = outcome


@game
@dataclass(frozen=True)
class PartyTree(Tree):
    """A graph of the decisions of three players, whose utilities do not add up to anything, and of chance events."""

    players = 3
    zero_sum = False

    def utility(self, state, player):
        return self.numbers[state.node, VALUE if player == 0 else OTHERS + player - 1]


def tree(root: Node, name: str = "by hand", kind: Any = Tree) -> Position:
    """The start of the game that a root written by hand describes; a node used twice is one state."""
    nodes = [root]
    for node in nodes:
        nodes.extend(child for child in node.children if not any(child is known for known in nodes))
    return Position.start(kind(name, nodes))


@cache
def random_tree(
    seed: int,
    layers: int = 12,
    breadth: int = 8,
    ends: int = 12,
    rolls: int = 40,
    loops: bool = False,
    kind: Any = Tree,
) -> Position:
    """The start of a random game: nodes in layers, children in the next layer, or anywhere with loops.

    Few nodes to a layer mean many ways to each. Of a hundred nodes, some are ends and some are chance events.
    """
    dice = Dice(seed)
    rolls = rolls if kind.max_outcomes else 0
    grown = [[random_node(dice, ends, rolls, kind.players) for _ in range(breadth)] for _ in range(layers)]
    grown[0] = [Node(dice.below(kind.players + 1) - 1 if rolls else dice.below(kind.players))]
    grown.append([leaf(random_value(dice)) for _ in range(breadth)])
    nodes = [node for layer in grown for node in layer]
    for layer, below in pairwise(grown):
        for node in layer:
            if node.turn != TERMINAL:
                link(dice, node, nodes[1:] if loops else below)
    if kind.players > 2:
        for node in nodes:
            node.others = random_value(dice), random_value(dice)
    return Position.start(kind(f"random {seed}", nodes))


def random_node(dice: Dice, ends: int, rolls: int, players: int) -> Node:
    kind = dice.below(100)
    turn = TERMINAL if kind < ends else CHANCE if kind < ends + rolls else dice.below(players)
    return Node(turn, random_value(dice))


def random_value(dice: Dice) -> float:
    """Halves between the ends of the range, a third of them the ends themselves."""
    return min(LIMIT, max(-LIMIT, (dice.below(61) - 30) / 2))


def link(dice: Dice, node: Node, choice: list[Node]) -> None:
    """Give a node one to FAN different children, and a chance event uneven weights."""
    choice = list(choice)
    dice.shuffle(choice)
    node.children = choice[: 1 + dice.below(min(FAN, len(choice)))]
    if node.turn == CHANCE:
        node.weights = [1.0 + dice.below(8) for _ in node.children]
