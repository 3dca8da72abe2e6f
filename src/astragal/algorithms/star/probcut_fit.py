"""How well a shallow search of a chance node predicts a deep one, measured on positions of random games.

The result is what ChanceProbCut asks for (`prediction` beside this): the slope of the line through the origin that fits
best, and the standard deviation of what it leaves over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from astragal.algorithms.depth_first.deepening import refuse_game
from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.star.search import StarSearch
from astragal.algorithms.star.settings import PROBCUT_REDUCTION, StarSettings
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.checks.promise import random_game
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.protocol import Game

FEWEST = 10  # positions that a line is fitted to


class Star1Settings(StarSettings):
    """Star1 without forward pruning."""

    prunes: ClassVar[bool] = True


@dataclass(frozen=True)
class Fit:
    """A line through the origin."""

    slope: float
    sigma: float
    correlation: float
    positions: int


def fitted(game: Game, depth: int, positions: int, seed: int = 0) -> Fit:
    """Search chance nodes with this many units left below them, and with fewer; the line from the latter to the former.

    Positions that the shallow search solves are left out: a search that meets them has nothing to predict.
    """
    refuse_game(game, "probcut")
    if depth < PROBCUT_REDUCTION:
        raise AstragalError(f"the depth must be at least {PROBCUT_REDUCTION}, not {depth}")
    pairs = []
    for number in range(positions):
        here = chance_position(game, Dice(seed + number).bits())
        shallow, solved = value_below(here, depth - PROBCUT_REDUCTION)
        if not solved:
            pairs.append((shallow, value_below(here, depth)[0]))
    if len(pairs) < FEWEST:
        raise AstragalError(f"only {len(pairs)} positions were not solved by the shallow search; {FEWEST} are needed")
    return fit(*zip(*pairs, strict=True))


def fit(shallow: tuple[float, ...], deep: tuple[float, ...]) -> Fit:
    """The least squares of deep = slope * shallow."""
    x, y = np.array(shallow), np.array(deep)
    square = float(x @ x)
    slope = float(x @ y) / square if square > 0 else 1.0
    left = y - slope * x
    spread = math.sqrt(square * float(y @ y))
    return Fit(slope, math.sqrt(float(left @ left) / len(x)), float(x @ y) / spread if spread > 0 else 0.0, len(x))


def chance_position(game: Game, seed: int) -> Position:
    """A chance node of a random game, any of them as likely as another."""
    met = [position for position in random_game(game, seed) if position.is_chance]
    if not met:
        raise AstragalError(f"{game_spec(game)} has no chance nodes to predict")
    return met[Dice(seed + 1).below(len(met))]


def value_below(here: Position, depth: int) -> tuple[float, bool]:
    """The value of a chance node for player 0, with this many units left below it; and whether it is exact."""
    request = SearchRequest(here, limits=Limits(depth=depth + 1))  # the node itself costs a unit
    result = StarSearch(request, Star1Settings(deepening=False, table="off")).answer()
    assert result.value is not None
    return result.value, result.complete
