"""What the tests of the solver share: games with more than two players, and who wins them by definition.

Trees written by hand (`choice`, `won`, `drawn`, `both_won`, and `roll`) and at random are `PartyTree`s. `Nim` is a game
with rules. `Winner` says who wins from a spot of a game by an update rule of MP-MCTS-Solver (Nijssen & Winands 2010),
straight from the rule and over the whole game, with rules of the game written a second time in Python (`Spots`).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.tree_games import CHANCES, CHILD, COUNT, LIMIT, OTHERS, TURN, VALUE, Node, PartyTree, random_tree, tree

RULES = ("standard", "paranoid", "first_winner")
Spot = Any


# Trees


def won(*players: int) -> Node:
    """An end at which these players have the highest utility there is."""
    utilities = [LIMIT if player in players else -LIMIT for player in range(3)]
    return Node(TERMINAL, utilities[0], others=tuple(utilities[1:]))


def drawn(leader: int | None = None) -> Node:
    """An end without a winner, or at which a player is ahead without having won."""
    utilities = [LIMIT / 2 if player == leader else 0.0 for player in range(3)]
    return Node(TERMINAL, utilities[0], others=tuple(utilities[1:]))


def choice(player: int, *children: Node) -> Node:
    """A decision of a player."""
    return Node(player, 0.0, list(children))


def party(root: Node, kind: Any = PartyTree) -> Position:
    return tree(root, "a party", kind)


def random_party(seed: int, kind: Any = PartyTree, rolls: int = 20, layers: int = 4) -> Position:
    """A random game in which most ends are won by one player, some by several, and some by none."""
    here = random_tree(seed, layers=layers, breadth=6, ends=15, rolls=rolls, kind=kind)
    dice = Dice(~seed)
    for links, numbers in zip(here.game.links, here.game.numbers, strict=True):
        if links[TURN] != TERMINAL:
            numbers[VALUE], numbers[OTHERS:] = 0.9 * numbers[VALUE], 0.9 * numbers[OTHERS:]  # no evaluation is a win
        else:
            kind_of_end = dice.below(12)
            end = drawn() if kind_of_end == 0 else won(0, 1) if kind_of_end == 1 else won(dice.below(kind.players))
            numbers[VALUE], numbers[OTHERS:] = end.value, end.others
    return here


@game
@dataclass(frozen=True)
class PairTree(PartyTree):
    """A graph of the decisions of two players that is not declared to be zero-sum."""

    players = 2


# A game with rules

HEAPS, MOST = 3, 3


@game
class Nim:
    """Nim for three: take up to three counters from a heap. Who takes the last one wins; after too long it is drawn."""

    state = np.dtype([("heaps", "u1", HEAPS), ("turn", "u1"), ("left", "u1")])  # left: moves before it is a draw
    players = 3
    max_actions = HEAPS * MOST
    max_plies = 20
    utility_range = (0.0, 1.0)
    zero_sum = False

    def start(self, state, dice):
        state.heaps[0], state.heaps[1], state.heaps[2], state.left = 3, 2, 2, 7

    def counters(self, state):
        return state.heaps[0] + state.heaps[1] + state.heaps[2]

    def turn(self, state):
        return TERMINAL if self.counters(state) == 0 or state.left == 0 else np.int64(state.turn)

    def actions(self, state, out):
        count = 0
        for heap in range(HEAPS):
            for taken in range(1, min(MOST, state.heaps[heap]) + 1):
                out[count] = heap * MOST + taken - 1
                count += 1
        return count

    def play(self, state, action):
        state.heaps[action // MOST] -= action % MOST + 1
        if self.counters(state) > 0:  # else the winner's turn stays
            state.turn = (state.turn + 1) % self.players
        state.left -= 1

    def utility(self, state, player):
        if self.counters(state) > 0:
            return 1.0 / self.players
        return 1.0 if state.turn == player else 0.0


@game
class NimForFour(Nim):
    """The same for four."""

    players = 4


def nim(heaps: tuple[int, ...], turn: int, left: int, rules: Any = Nim) -> Position:
    memory = np.zeros(1, rules.state)
    memory["heaps"], memory["turn"], memory["left"] = heaps, turn, left
    return Position(rules(), memory)


def nim_positions(count: int, players: int = 3, seed: int = 0) -> list[tuple[tuple[int, ...], int, int]]:
    """Different late positions: heaps, who is to move, and the moves left."""
    dice = Dice(seed)
    found: dict[tuple[tuple[int, ...], int, int], None] = {}
    while len(found) < count:
        heaps = tuple(dice.below(5) for _ in range(HEAPS))
        if 2 <= sum(heaps) <= 6:
            found[heaps, dice.below(players), 2 + dice.below(6)] = None
    return list(found)


# The same games once more, for the definition


class Spots(Protocol):
    """A game as the definition sees it; a spot is whatever says where one is."""

    players: int

    def turn(self, spot: Spot) -> int: ...

    def moves(self, spot: Spot) -> dict[int, Spot]:
        """Each action or outcome and where it leads."""

    def winner(self, spot: Spot) -> int | None:
        """Who has won at an end."""


class TreeSpots:
    """The spots of a tree: the numbers of its nodes."""

    def __init__(self, position: Position) -> None:
        self.links, self.numbers = position.game.links, position.game.numbers
        self.players = position.game.players
        self.start = int(position.memory["node"][0])

    def turn(self, spot: Spot) -> int:
        return int(self.links[spot, TURN])

    def moves(self, spot: Spot) -> dict[int, Spot]:
        return {int(child): int(child) for child in self.links[spot, CHILD : CHILD + self.links[spot, COUNT]]}

    def utilities(self, spot: Spot) -> list[float]:
        return [float(self.numbers[spot, VALUE]), *map(float, self.numbers[spot, OTHERS:])][: self.players]

    def chances(self, spot: Spot) -> list[float]:
        return [float(chance) for chance in self.numbers[spot, CHANCES : CHANCES + self.links[spot, COUNT]]]

    def winner(self, spot: Spot) -> int | None:
        best = [player for player, utility in enumerate(self.utilities(spot)) if utility == LIMIT]
        return best[0] if len(best) == 1 else None


class NimSpots:
    """The spots of Nim: heaps, the player to move (after the last counter: the winner), the moves left."""

    def __init__(self, players: int) -> None:
        self.players = players

    def turn(self, spot: Spot) -> int:
        heaps, turn, left = spot
        return int(turn) if any(heaps) and left else TERMINAL

    def moves(self, spot: Spot) -> dict[int, Spot]:
        heaps, turn, left = spot
        found = {}
        for heap, size in enumerate(heaps):
            for taken in range(1, min(3, size) + 1):
                after = (*heaps[:heap], size - taken, *heaps[heap + 1 :])
                found[3 * heap + taken - 1] = (after, (turn + 1) % self.players if any(after) else turn, left - 1)
        return found

    def winner(self, spot: Spot) -> int | None:
        heaps, turn, _ = spot
        return None if any(heaps) else int(turn)


class Winner:
    """Who wins by an update rule, from its definition; None where it proves nothing."""

    def __init__(self, spots: Spots, rule: str, searcher: int) -> None:
        self.spots, self.rule, self.searcher = spots, rule, searcher
        self.known: dict[Hashable, int | None] = {}

    def of(self, spot: Spot) -> int | None:
        if spot not in self.known:
            turn = self.spots.turn(spot)
            if turn == TERMINAL:
                self.known[spot] = self.spots.winner(spot)
            else:
                self.known[spot] = self.among(turn, [self.of(after) for after in self.spots.moves(spot).values()])
        return self.known[spot]

    def among(self, turn: int, winners: list[int | None]) -> int | None:
        """The winner where a player, or chance, has these to choose from."""
        different = set(winners)
        if turn in different and turn != CHANCE:
            return turn
        if len(different) == 1:
            return winners[0]
        if turn == CHANCE or None in different or self.rule == "standard":
            return None
        if self.rule == "paranoid":
            different.discard(self.searcher)
            return different.pop() if len(different) == 1 else None
        seats = [(turn + after) % self.spots.players for after in range(1, self.spots.players)]
        return next(player for player in seats if player in different)
