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
    from astragal.arena.face import match, tournament, tune
    from astragal.errors import AstragalError
    from astragal.game.decorator import CHANCE, TERMINAL, compiled, game
    from astragal.game.dice import Dice
    from astragal.game.position import Outcome, Position
    from astragal.games import game_names, load_game
    from astragal.parameters import Constant, parameter
    from astragal.players import load_player, player_classes
    from astragal.players.asking import search, start
    from astragal.search.limits import Limits
    from astragal.search.result import SearchResult
    from astragal.solve.face import solve

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
    "match",
    "parameter",
    "player_classes",
    "search",
    "solve",
    "start",
    "tournament",
    "tune",
]

PLACES = {
    "astragal.arena.face": ["match", "tournament", "tune"],
    "astragal.errors": ["AstragalError"],
    "astragal.game.decorator": ["CHANCE", "TERMINAL", "compiled", "game"],
    "astragal.game.dice": ["Dice"],
    "astragal.game.position": ["Outcome", "Position"],
    "astragal.games": ["game_names", "load_game"],
    "astragal.parameters": ["Constant", "parameter"],
    "astragal.players": ["load_player", "player_classes"],
    "astragal.players.asking": ["search", "start"],
    "astragal.search.limits": ["Limits"],
    "astragal.search.result": ["SearchResult"],
    "astragal.solve.face": ["solve"],
}
PLACE_OF = {name: place for place, names in PLACES.items() for name in names}
PACKAGES = {"game", "search", "solve"}  # that have the name of a function too
MODULES = {"errors", "games", "gdl", "parameters", "players"}  # `import astragal` is enough to use them


def __getattr__(name: str) -> Any:
    """A public name on first use; later uses find it in the module."""
    if name in PACKAGES | MODULES:
        return importlib.import_module(f"astragal.{name}")
    if name in PLACE_OF:
        value = globals()[name] = function_of(name)
        return value
    raise AttributeError(f"module 'astragal' has no attribute '{name}'")


def function_of(name: str) -> Any:
    return getattr(importlib.import_module(PLACE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *MODULES})


class PickledByName(ModuleType):
    """A module of a kind of its own, which pickle and cloudpickle would not know how to name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (self.__name__,)


class CallablePackage(PickledByName):
    """A package with the name of a public function, which it stands for: ``astragal.search(...)``.

    So the name means one thing, and ``import astragal.search.progress`` finds what it asks for, whoever came first.
    """

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    @property
    def _function(self) -> Any:
        return function_of(self.__name__.rpartition(".")[2])

    @property
    def __signature__(self) -> Any:
        import inspect

        return inspect.signature(self._function)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self._function.__doc__  # type: ignore[no-any-return]


class Face(PickledByName):
    """This module. A package that becomes known by the name of a function can be called."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in PACKAGES and isinstance(value, ModuleType):
            value.__class__ = CallablePackage
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = Face
