"""Exact values of small games for two by plain recursion over all that can follow, without any search or solver."""

from __future__ import annotations

from typing import Any

from astragal.rules.position import Position
from astragal.solvers.exact import Exact


class PlainValues(Exact):
    """The values of a game that comes to an end: the mean at chance nodes, the mover's best elsewhere."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.known: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        if position not in self.known:
            self.known[position] = self.worth(position)
        return self.known[position]

    def worth(self, position: Position) -> float:
        if position.is_terminal:
            return position.utilities()[0]
        if position.is_chance:
            return sum(o.probability * self.value(position.deal(o.number)) for o in position.outcomes())
        return (min if position.turn else max)(self.value(position.play(action)) for action in position.actions())

    def facts(self, position: Position) -> dict[str, Any]:
        return {}


def steps_of(position: Position) -> list[int]:
    """All actions or outcomes."""
    return [o.number for o in position.outcomes()] if position.is_chance else position.actions()


def all_positions(start: Position) -> list[Position]:
    """Every position that can follow, each once."""
    found, there = [start], {start}
    for position in found:
        after = {position.follow(step) for step in steps_of(position)} - there
        found += sorted(after, key=lambda each: each.text)
        there |= after
    return found
