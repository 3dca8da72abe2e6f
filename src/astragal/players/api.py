"""The first calls of a program: the start of a game, and a player's move at a position."""

from __future__ import annotations

import operator
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult
from astragal.base.errors import SpecError, shortened
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.position import Position


def start(game: str | Any, seed: int = 0) -> Position:
    """The starting position of a game, given by its text (``ewn:setup=fixed``) or as a game."""
    return Position.start(load_game(game), whole(seed))


def search(position: Position, player: str | Player, seed: int = 0, limits: Limits | None = None) -> SearchResult:
    """Search a position with a player, given by its text (``star2ss:width=18,time=0.2``) or as a player.

    Ctrl-C ends the search: the result is what it has found (`SearchResult.interrupted` is then true).
    """
    from astragal.base.interruptible import answered_when_interrupted

    if not isinstance(position, Position):
        raise SpecError(f"search takes a position, such as astragal.start('pig'), not {shortened(repr(position))}")
    with answered_when_interrupted():
        return load_player(player, position.game).search(position, whole(seed), limits)


def whole(seed: int) -> int:
    """The seed, if it is a whole number; else an error in one sentence."""
    try:
        return operator.index(seed)
    except TypeError:
        raise SpecError(f"a seed is a whole number, not {shortened(repr(seed))}") from None
