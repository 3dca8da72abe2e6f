"""Astragal: searching games with dice, chance and more than two players.

>>> import astragal
>>> position = astragal.start("pig", seed=7).settled(7)
>>> result = astragal.search(position, "star2:depth=3")
"""

from __future__ import annotations

from typing import Any

from astragal.errors import AstragalError
from astragal.game.decorator import CHANCE, TERMINAL, compiled, game
from astragal.game.dice import Dice
from astragal.game.interruptible import answered_when_interrupted
from astragal.game.position import Outcome, Position
from astragal.games import game_names, load_game
from astragal.parameters import Constant, parameter
from astragal.players import load_player, player_classes
from astragal.search.limits import Limits
from astragal.search.result import SearchResult

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "AstragalError",
    "Constant",
    "Dice",
    "Limits",
    "Outcome",
    "Position",
    "SearchResult",
    "compiled",
    "game",
    "game_names",
    "load_game",
    "load_player",
    "parameter",
    "player_classes",
    "search",
    "start",
]


def start(spec: str | Any, seed: int = 0) -> Position:
    """The starting position of a game, given by its text (``ewn:setup=fixed``) or as an instance."""
    return Position.start(load_game(spec) if isinstance(spec, str) else spec, seed)


def search(position: Position, player: str, seed: int = 0, limits: Limits | None = None) -> SearchResult:
    """Ask a player, given by its text (``star2ss:width=18,time=0.2``), for a move.

    Ctrl-C ends the search: what it has found by then is the answer (`SearchResult.interrupted` says so).
    """
    with answered_when_interrupted():
        return load_player(player, position.game).search(position, seed, limits)
