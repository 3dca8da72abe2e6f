"""The line of best play in words."""

from __future__ import annotations

from collections.abc import Iterable

from astragal.game.position import Position

LINE_LENGTH = 12


def in_words(position: Position, numbers: Iterable[int]) -> list[str]:
    """Actions and, in brackets, outcomes from a position on by their numbers; no outcomes at the end."""
    steps: list[str] = []
    length = 0  # up to the last action
    for number in numbers:
        name = position.step_name(number)
        steps.append(f"({name})" if position.is_chance else name)
        length = length if position.is_chance else len(steps)
        position = position.follow(number)
    return steps[:length]
