"""Astragal: searching games with dice, chance and more than two players.

>>> import astragal
>>> position = astragal.start("pig", seed=7).settled(7)
>>> result = astragal.search(position, "star2:depth=3")

Public names are imported when they are first asked for, so that `astragal --help` does not wait for NumPy.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.errors import AstragalError
    from astragal.game.decorator import CHANCE, TERMINAL, compiled, game
    from astragal.game.dice import Dice
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

PLACES = {
    "astragal.errors": ["AstragalError"],
    "astragal.game.decorator": ["CHANCE", "TERMINAL", "compiled", "game"],
    "astragal.game.dice": ["Dice"],
    "astragal.game.position": ["Outcome", "Position"],
    "astragal.games": ["game_names", "load_game"],
    "astragal.parameters": ["Constant", "parameter"],
    "astragal.players": ["load_player", "player_classes"],
    "astragal.search.limits": ["Limits"],
    "astragal.search.result": ["SearchResult"],
}
PLACE_OF = {name: place for place, names in PLACES.items() for name in names}
MODULES = {"errors", "games", "gdl", "parameters", "players"}  # `import astragal` is enough to use them


def __getattr__(name: str) -> Any:
    """A public name on first use; later uses find it in the module."""
    if name in PLACE_OF:
        value = globals()[name] = getattr(importlib.import_module(PLACE_OF[name]), name)
        return value
    if name in MODULES:
        return importlib.import_module(f"astragal.{name}")
    raise AttributeError(f"module 'astragal' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *MODULES})


class Face(ModuleType):
    """This module. Importing a package below it, `game` or `search`, does not hide the function of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = Face


def start(spec: str | Any, seed: int = 0) -> Position:
    """The starting position of a game, given by its text (``ewn:setup=fixed``) or as an instance."""
    from astragal.game.position import Position
    from astragal.games import load_game

    return Position.start(load_game(spec) if isinstance(spec, str) else spec, seed)


def search(position: Position, player: str, seed: int = 0, limits: Limits | None = None) -> SearchResult:
    """Ask a player, given by its text (``star2ss:width=18,time=0.2``), for a move.

    Ctrl-C ends the search: what it has found by then is the answer (`SearchResult.interrupted` says so).
    """
    from astragal.game.interruptible import answered_when_interrupted
    from astragal.players import load_player

    with answered_when_interrupted():
        return load_player(player, position.game).search(position, seed, limits)
