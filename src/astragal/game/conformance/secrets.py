"""Choices made at once: that nobody who moves knows of what is hidden, nor gains by being asked later."""

from __future__ import annotations

import numpy as np

from astragal.game.conformance.promise import require
from astragal.game.decorator import CHANCE, keeps_secrets
from astragal.game.position import Position
from astragal.game.protocol import Game


def check_secrets(game: Game, path: list[Position]) -> None:
    """What the player to move does not know of is taken back by `conceal`, whatever it was, and nothing else is."""
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
    """Had the others chosen otherwise, the player to move would know and could do the same.

    And it does not matter who is asked first.
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
            require(ends_alike(end, again), f"it matters who of those that choose at once is asked first, {where}")


def ends_alike(one: Position, other: Position) -> bool:
    """Whether the same choices, made in another order, led to the same, as far as that can be seen."""
    if one.is_terminal or other.is_terminal:
        return one.turn == other.turn and bool(np.allclose(one.utilities(), other.utilities()))
    return one.turn != other.turn or one.is_chance or one.known() == other.known()
