"""Astragal: searching games with dice, chance and more than two players.

>>> import astragal
>>> position = astragal.start("pig", seed=7).settled(7)
>>> result = astragal.search(position, "star2:depth=3")

A public name is imported when it is first used, so that `astragal --help` does not wait for NumPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from astragal.old_paths import install as install_old_paths

if TYPE_CHECKING:
    from astragal.algorithms.limits import Limits
    from astragal.algorithms.result import SearchResult
    from astragal.arena.api import match, tournament, tune
    from astragal.arena.many import search_many
    from astragal.arena.playing import Playing
    from astragal.base.errors import AstragalError
    from astragal.base.parameters import Constant, parameter
    from astragal.compiler.intrinsics.native import scratch
    from astragal.games import game_names, load_game
    from astragal.players import load_player, player_classes
    from astragal.players.analysis import Analysis, analyse
    from astragal.players.api import search, start
    from astragal.rules.decorator import CHANCE, TERMINAL, compiled, game
    from astragal.rules.dice import Dice
    from astragal.rules.position import Outcome, Position
    from astragal.solvers.api import solve

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Analysis",
    "AstragalError",
    "Constant",
    "Dice",
    "Limits",
    "Outcome",
    "Playing",
    "Position",
    "SearchResult",
    "analyse",
    "compiled",
    "game",
    "game_names",
    "load_game",
    "load_player",
    "match",
    "parameter",
    "player_classes",
    "scratch",
    "search",
    "search_many",
    "solve",
    "start",
    "tournament",
    "tune",
]

PLACES = {
    "astragal.arena.api": ["match", "tournament", "tune"],
    "astragal.arena.many": ["search_many"],
    "astragal.arena.playing": ["Playing"],
    "astragal.base.errors": ["AstragalError"],
    "astragal.rules.decorator": ["CHANCE", "TERMINAL", "compiled", "game"],
    "astragal.rules.dice": ["Dice"],
    "astragal.rules.position": ["Outcome", "Position"],
    "astragal.games": ["game_names", "load_game"],
    "astragal.base.parameters": ["Constant", "parameter"],
    "astragal.compiler.intrinsics.native": ["scratch"],
    "astragal.players": ["load_player", "player_classes"],
    "astragal.players.analysis": ["Analysis", "analyse"],
    "astragal.players.api": ["search", "start"],
    "astragal.algorithms.limits": ["Limits"],
    "astragal.algorithms.result": ["SearchResult"],
    "astragal.solvers.api": ["solve"],
}
PLACE_OF = {name: place for place, names in PLACES.items() for name in names}
MODULES = {
    "errors": "base.errors",
    "games": "games",
    "gdl": "gdl",
    "parameters": "base.parameters",
    "players": "players",
}

install_old_paths()


def __getattr__(name: str) -> Any:
    """A public name, or a module that `import astragal` is enough to use, on first use."""
    if name in MODULES:
        return importlib.import_module(f"astragal.{MODULES[name]}")
    if name in PLACE_OF:
        value = globals()[name] = getattr(importlib.import_module(PLACE_OF[name]), name)
        return value
    raise AttributeError(f"module 'astragal' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *MODULES})
