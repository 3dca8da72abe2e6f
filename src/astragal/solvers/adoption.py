"""A solution kept under another fingerprint of its game, used again if it fits the current rules.

A fingerprint changes with the code, also where the rules stay the same: a method is moved or written in other words. So
some positions are compared. At each, the stored value must follow from the stored values of the positions after
it by the current rules: the best of them, the mean of the outcomes, the value of a matrix where choices are made
at once, and at the end the utility. Values that fit everywhere are those of the game, since the equation has one
solution where every game ends. A fit in some hundreds of positions of random games is no proof, and the message says
how many positions were compared.
"""

from __future__ import annotations

import glob
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.solvers.exact import Exact

POSITIONS = 300  # that are compared
LONGEST = 500  # plies of a random game
GAMES = 1000  # random games in which they are looked for
CLOSE = 1e-7  # of the range of utilities
IDENTITY = re.compile("[0-9a-f]{16}")

refused: set[tuple[Path, int, Path]] = set()  # (file, its time, the solution wanted) that did not fit


def adopt_former(start: Position, path: Path, read: Callable[[Path], Exact | None]) -> None:
    """If there is no file of this name, rename one of the same game that has another fingerprint and fits.

    Of several, the one written last is used. A line reports it.
    """
    if path.exists():
        return
    for former in former_files(path, start.game.own_identity()):
        tried = former, former.stat().st_mtime_ns, path
        if tried in refused:
            continue
        exact = read(former)
        compared = 0 if exact is None else fitting(exact, start)
        spec = game_spec(start.game)
        if compared:
            former.replace(path)
            warnings.warn(
                f"{spec} was solved when its code was another; {compared} positions fit its current rules, "
                "so the solution is kept (astragal solve --again finds it anew)",
                stacklevel=3,
            )
            return
        refused.add(tried)
        if exact is not None:
            warnings.warn(f"{former.name} is of other rules than {spec} has now, and is not used", stacklevel=3)


def former_files(path: Path, identity: str) -> list[Path]:
    """Files of the same game, settings and purpose under other fingerprints, the latest first."""
    name = path.name.removesuffix(f"{identity}.npz")
    found = [
        other
        for other in path.parent.glob(f"{glob.escape(name)}*.npz")
        if other != path and IDENTITY.fullmatch(other.name[len(name) : -len(".npz")])
    ]
    return sorted(found, key=lambda other: other.stat().st_mtime_ns, reverse=True)


def fitting(exact: Exact, start: Position) -> int:
    """How many positions were compared if all of them fit; else 0."""
    low, high = start.game.utility_range
    close = 4 * getattr(exact, "error", 0.0) + CLOSE * (high - low)
    compared = 0
    try:
        for position in positions_after(start, getattr(exact, "whole", None) is True):
            if not abs(exact.value(position) - followed_value(exact, position)) <= close:
                return 0
            compared += 1
    except AstragalError:  # a position that the solution does not cover
        return 0
    return compared


def positions_after(start: Position, whole: bool) -> Iterator[Position]:
    """Positions of random games from the start on, each once, until there are enough of them.

    Only a whole solution has values of the positions after a passed-up win; with any other a game ends there.
    """
    dice, seen = Dice(0), set[Position]()
    for _ in range(GAMES):
        position = start
        for _ in range(LONGEST):
            if position.is_terminal:
                break
            if position not in seen:
                seen.add(position)
                yield position
                if len(seen) == POSITIONS:
                    return
            if not whole and win_of(position) is not None:
                break
            for _ in range(2 if position.at_once else 1):
                position = position.follow(some_step(position, dice))


def some_step(position: Position, dice: Dice) -> int:
    if position.is_chance:
        return position.draw(dice)
    actions = position.actions()
    return actions[dice.below(len(actions))]


def win_of(position: Position) -> float | None:
    """What a decision is worth in which an action ends the game with the best result there is; else None."""
    if position.is_chance or position.at_once:
        return None
    best = float(position.game.utility_range[1 - position.turn])
    after = map(position.follow, position.actions())
    return best if any(end.is_terminal and end.utilities()[0] == best for end in after) else None


def followed_value(exact: Exact, position: Position) -> float:
    """The value of a position for player 0 by the current rules and by the values of the positions after it."""
    if position.is_chance:
        return sum(each.probability * exact.value(position.follow(each.number)) for each in position.outcomes())
    won, stage = win_of(position), exact.stage(position)
    if won is not None:
        return won
    sign = -1.0 if position.turn == 1 else 1.0
    worth: list[Any] = (
        [exact.value(position.follow(action)) * sign for action in position.actions()]
        if stage is None
        else list(stage.worth.values())
    )
    return sign * float(max(worth))
