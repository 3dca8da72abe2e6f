"""Any game for two with its players exchanged: what holds of one side must hold of the other.

The states, actions and outcomes are those of the game itself, so every random word and every place in a table is the
same too. A search of the exchanged game has to find what it finds in the game, from the other side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from astragal.algorithms.result import SearchResult
from astragal.games import game_spec
from astragal.rules.decorator import defines, game
from astragal.rules.position import Position
from astragal.rules.protocol import DECLARATIONS, METHODS

WORDS = {"player 1 wins": "player 2 wins", "player 2 wins": "player 1 wins"}


class Sides:
    """Every method that concerns players or hands something on; a game gets those that it defines."""

    def turn(self, state):
        turn = np.int64(self.inner.turn(state))
        return turn if turn < 0 else 1 - turn

    def mover(self, state):
        mover = np.int64(self.inner.mover(state))
        return mover if mover < 0 else 1 - mover

    def utility(self, state, player):
        return self.inner.utility(state, 1 - player)

    def heuristic(self, state, player):
        return self.inner.heuristic(state, 1 - player)

    def heuristic_after(self, state, action, player):
        return self.inner.heuristic_after(state, action, 1 - player)

    def heuristic_dealt(self, state, outcome, player):
        return self.inner.heuristic_dealt(state, outcome, 1 - player)

    def best_after(self, state, player):
        return self.inner.best_after(state, 1 - player)

    def ceiling(self, state, player, decisions):
        return self.inner.ceiling(state, 1 - player, decisions)

    def actions(self, state, out):
        return self.inner.actions(state, out)

    def play(self, state, action):
        self.inner.play(state, action)

    def outcomes(self, state, out):
        return self.inner.outcomes(state, out)

    def probability(self, state, outcome):
        return self.inner.probability(state, outcome)

    def deal(self, state, outcome):
        self.inner.deal(state, outcome)

    def draw(self, state, word):
        return self.inner.draw(state, word)

    def pick(self, state, word):
        return self.inner.pick(state, word)

    def prefer(self, state, word):
        return self.inner.prefer(state, word)

    def rollout(self, state, generator, decisions):
        return self.inner.rollout(state, generator, decisions)

    def representative(self, state, outcome):
        return self.inner.representative(state, outcome)

    def skip(self, state):
        self.inner.skip(state)

    def hidden(self, state):
        return self.inner.hidden(state)

    def conceal(self, state):
        self.inner.conceal(state)

    def own_spec(self):
        return game_spec(self.inner)  # so that players have the same settings


def declared(name: str) -> property:
    return property(lambda self: getattr(self.inner, name))


@cache
def exchanged_class(cls: type) -> Any:
    """The class of a class of games, with the methods that it defines."""
    methods = [m.name for m in METHODS if m.name in vars(Sides) and defines(cls, m.name)]
    members: dict[str, Any] = {name: vars(Sides)[name] for name in [*methods, "own_spec"]}
    members |= {each.name: declared(each.name) for each in DECLARATIONS if each.name != "state"}
    names = {"__module__": __name__, "__annotations__": {"inner": "Any"}, "state": cls.state}  # type: ignore[attr-defined]
    made = type(f"Exchanged{cls.__name__}", (), names | members)
    return game(dataclass(frozen=True)(made))


def exchanged(position: Position) -> Position:
    """The same position with the players exchanged."""
    assert position.game.players == 2
    return Position(exchanged_class(type(position.game))(position.game), position.memory)


def from_one_side(result: SearchResult, other: bool = False) -> dict[str, Any]:
    """All that a search found, in numbers: of the exchanged game, as it is to be found in the game."""
    turn, proven = result.turn, result.proven
    interval = result.interval
    if interval is not None:  # the words name a player, and are made of it
        mirrored = other and turn < 0
        proven = str((-interval[1], -interval[0]) if mirrored else tuple(interval))
    value, bound = result.value, result.bound
    if other:
        turn = turn if turn < 0 else 1 - turn
        if proven is not None and interval is None:
            proven = WORDS.get(proven) or negated(proven)
        if turn < 0 and value is not None:  # where chance is next, values are player 0's
            value, bound = -value, {"at least": "at most", "at most": "at least"}.get(bound, bound)
    return {
        "turn": turn,
        "action": result.action_number,
        "value": value,
        "bound": bound,
        "actions": [(each.number, each.value, each.bound, each.visits, each.share) for each in result.actions],
        "depth": result.depth,
        "searches": result.searches,
        "complete": result.complete,
        "nodes": result.nodes,
        "simulations": result.simulations,
        "proven": proven,
    }


def negated(words: str) -> str:
    """``worth +1.5 to player 1`` with its sign turned; a draw is one from either side."""
    turned = words.translate(str.maketrans("+-", "-+"))
    return words if words == "a draw" else turned
