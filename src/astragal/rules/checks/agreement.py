"""Whether a game is the same compiled and interpreted, and the same each time it is played.

If not: which method makes the difference, and where.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from astragal.rules.checks.trace import Plies, compiled_trace, interpreted_trace
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.position import Position

HASHES = ("state", "listed", "skipped", "concealed")  # columns whose numbers say nothing to a reader
DECIDES = "the same game must be played the same each time; what is left to chance belongs in outcomes and deal"


def compare_runs(start: Position, word: int, length: int, number: int) -> tuple[int, str]:
    """How many plies a random game lasted compiled, and in a sentence how the interpreted one differs, if it does."""
    given = start.game, start.memory, word, length
    fast, slow = compiled_trace(*given), interpreted_trace(*given)
    found = first_difference(fast, slow)
    if found is None:
        return len(fast), ""
    if changes := first_difference(slow, interpreted_trace(*given)):
        return len(fast), f"{of_two(start, slow, *changes, 'two different')}; {DECIDES}"
    ply, column = found
    told = f"ply {ply} of game {number}: {of_two(start, fast, ply, column, 'different')} compiled and interpreted"
    if column and column not in HASHES:
        values = f"{column} is {fast[column][ply]} compiled and {slow[column][ply]} interpreted"
        told = f"ply {ply} of game {number}: {values} ({maker(fast, ply, column)}, at '{at(start, fast, ply).text}')"
    return len(fast), told


def first_difference(one: Plies, other: Plies) -> tuple[int, str] | None:
    """The first ply and its column by which two games differ; no column where one just ends."""
    for ply, (here, there) in enumerate(zip(one, other, strict=False)):
        for column in here.dtype.names or ():
            if not is_alike(here[column], there[column]):
                return ply, column
    return None if len(one) == len(other) else (min(len(one), len(other)) - 1, "")


def is_alike(one: Any, other: Any) -> bool:
    return bool(one == other) or (isinstance(one, np.floating) and math.isclose(one, other))


def of_two(start: Position, plies: Plies, ply: int, column: str, which: str) -> str:
    """What is not the same of two runs: ``play of action 3 at '...' led to two different states``."""
    method = maker(plies, ply, column)
    if column == "state" and ply > 0:
        before = at(start, plies, ply - 1)
        step = f"{'outcome' if before.is_chance else 'action'} {before.step_name(int(plies['chosen'][ply - 1]))}"
        return f"{method} of {step} at '{before.text}' led to {which} states"
    return f"{method} gave {which} results at '{at(start, plies, ply).text}'"


def maker(plies: Plies, ply: int, column: str) -> str:
    """The method that a column of a ply comes from."""
    turn = plies["turn"][ply]
    by_chance, by_player = {
        "state": ("deal", "play"),
        "count": ("outcomes", "actions"),
        "listed": ("outcomes", "actions"),
        "chance": ("probability", "probability"),
        "value": ("heuristic", "heuristic"),
        "preferred": ("representative", "prefer"),
        "skipped": ("skip", "skip"),
        "concealed": ("conceal", "conceal"),
        "chosen": ("draw", "pick"),
    }.get(column, (column or "turn",) * 2)
    if column == "state":
        turn = plies["turn"][max(ply - 1, 0)]
    if column == "value" and turn == TERMINAL:
        return "utility"
    return by_chance if turn == CHANCE else by_player


def at(start: Position, plies: Plies, ply: int) -> Position:
    """The position of a ply, by way of what was chosen before it."""
    position = start
    for chosen in plies["chosen"][:ply]:
        position = position.follow(int(chosen))
    return position
