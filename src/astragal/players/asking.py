"""Where a program begins: the start of a game, and what a player would do at a position, in one call each."""

from __future__ import annotations

from typing import Any

from astragal.game.position import Position
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.search.limits import Limits
from astragal.search.result import SearchResult


def start(game: str | Any, seed: int = 0) -> Position:
    """The starting position of a game, given by its text (``ewn:setup=fixed``) or as a game."""
    return Position.start(load_game(game), seed)


def search(position: Position, player: str | Player, seed: int = 0, limits: Limits | None = None) -> SearchResult:
    """Ask a player, given by its text (``star2ss:width=18,time=0.2``) or as a player, for a move.

    Ctrl-C ends the search: what it has found by then is the answer (`SearchResult.interrupted` says so).
    """
    from astragal.game.interruptible import answered_when_interrupted

    with answered_when_interrupted():
        return load_player(player, position.game).search(position, seed, limits)
