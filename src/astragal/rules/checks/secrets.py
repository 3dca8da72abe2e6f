"""Simultaneous choices: the player to move has no information on hidden choices and gains nothing by the order."""

from __future__ import annotations

import numpy as np

from astragal.rules.checks.promise import require
from astragal.rules.decorator import CHANCE, keeps_secrets
from astragal.rules.position import Position
from astragal.rules.protocol import Game


def check_secrets(game: Game, path: list[Position]) -> None:
    """`conceal` undoes the decisions that are hidden from the player to move, whatever they were, and nothing else."""
    position, where = path[-1], f"at '{path[-1].text}'"
    if position.turn < 0 or not keeps_secrets(game):
        return
    hidden, known = position.hidden, position.known()
    before = path[-1 - hidden : -1] if 0 <= hidden < len(path) else []
    require(len(before) == hidden, f"hidden is {hidden}, which is not a number of decisions made before, {where}")
    others = all(earlier.turn not in (CHANCE, position.turn) for earlier in before)
    require(others, f"hidden is {hidden}, but not all the last {hidden} plies are other players' decisions, {where}")
    require(known.turn == position.turn, f"conceal leaves player {known.turn + 1} to move {where}")
    require(known.actions() == position.actions(), f"conceal changes what is legal {where}")
    require(known.hidden == 0, f"after conceal, hidden is still {known.hidden} {where}")
    require(known.known() == known, f"conceal called twice is not the same as once {where}")
    if hidden:
        check_other_choices(position, before[0], hidden)


def check_other_choices(position: Position, before: Position, hidden: int) -> None:
    """If the others had chosen differently, the player to move would see the same state and have the same actions.

    The order in which the players choose does not matter either.
    """
    where = f"at '{position.text}'"
    for place in (0, -1):
        other, choices = before, dict[int, int]()
        for _ in range(hidden):
            choices[other.turn] = other.actions()[place]
            other = other.play(choices[other.turn])
        same = other.turn == position.turn and other.hidden == hidden and other.actions() == position.actions()
        require(same, f"hidden decisions change who is to move, or what is legal, {where}")
        require(other.known() == position.known(), f"what is left after conceal depends on what was hidden, {where}")
        action = other.actions()[place]
        end, again = other.play(action), other.known().play(action)
        while again.turn in choices:
            again = again.play(choices.pop(again.turn))
        if not choices:
            require(ends_alike(end, again), f"the order of simultaneous choices changes the result {where}")


def ends_alike(one: Position, other: Position) -> bool:
    """Whether the same choices in another order lead to the same result, as far as can be seen."""
    if one.is_terminal or other.is_terminal:
        return one.turn == other.turn and bool(np.allclose(one.utilities(), other.utilities()))
    return one.turn != other.turn or one.is_chance or one.known() == other.known()
