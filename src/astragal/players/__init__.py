"""Players: a named, typed, documented set of settings on a search, in the text form ``star2ss:width=18,time=0.2``.

A player is a frozen dataclass under `@player`, in a module of this package or, if it plays one game only, in
`players.py` of that game's folder. They are found by themselves: listing players imports all these modules, so none
imports Numba before it searches. The command line, the documentation and the tuner read a player's fields.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from astragal.base.errors import SpecError, suggest
from astragal.base.parameters import build
from astragal.games import find_game_class, game_names, load_game
from astragal.players import ladders
from astragal.players.player import Player
from astragal.rules.folder_files import part_of

PLAYERS = "players"  # the file of a game's folder


def player_classes(game: Any = None) -> dict[str, type[Player]]:
    """All players by name; with a game of the user's, those of its folder too."""
    return sorted_by_rank(built_in_classes() | (own_classes(game) if game is not None else {}))


@cache
def general_classes() -> dict[str, type[Player]]:
    """The players of this package."""
    modules = [importlib.import_module(each.name) for each in pkgutil.iter_modules(__path__, f"{__name__}.")]
    return {name: cls for module in modules for name, cls in classes_in(module).items()}


@cache
def built_in_classes() -> dict[str, type[Player]]:
    """The players of this package, and those of the built-in games."""
    found = dict(general_classes())
    for name in game_names():
        found |= classes_in(part_of(find_game_class(name)[0], PLAYERS))
    return found


def own_classes(game: Any) -> dict[str, type[Player]]:
    """The players in the folder of a game."""
    return classes_in(part_of(type(game), PLAYERS))


def classes_in(module: ModuleType | None) -> dict[str, type[Player]]:
    """The players that a module has; of a part that a game does not have, none."""
    items = vars(module).values() if module is not None else ()
    return {item.player_name: item for item in items if isinstance(item, type) and vars(item).get("player_name")}  # type: ignore[attr-defined]


def sorted_by_rank(classes: dict[str, type[Player]]) -> dict[str, type[Player]]:
    return dict(sorted(classes.items(), key=lambda entry: (entry[1].rank, entry[0])))


def load_player(spec: str | Player, game: Any = None) -> Player:
    """The player that ``name`` or ``name:key=value,...`` describes, with the papers' settings for the game if known; or
    the one of a level, ``easy`` to ``strongest``, in the game, or the ``best`` one.

    The game may be given by its text. What is a player already is given back as it is, if it can play the game.
    """
    game = game if game is None else load_game(game)
    if not isinstance(spec, str):
        return checked_player(spec, game)
    if spec in ladders.NAMES and game is not None:
        spec = ladders.player_at(spec, game)
    elif spec == ladders.BEST and game is not None:
        spec = ladders.best_player(game)
    name, _, text = spec.partition(":")
    cls = find_class(name, game)
    settings = cls.split(text)
    if game is not None:
        settings = cls.defaults_for(game) | settings
    made = build(cls, settings, name)
    if game is not None:
        made.refuse_unfit(game)
    return made


def find_class(name: str, game: Any) -> type[Player]:
    """The player of this name; other games' folders are looked into last, since that takes longest."""
    classes = general_classes() if game is None else general_classes() | own_classes(game)
    if name not in classes:
        classes = player_classes(game)
    if name not in classes:
        raise SpecError(f"there is no player '{name}' (players: {', '.join(classes)}){suggest(name, classes)}")
    return classes[name]


def checked_player(given: Any, game: Any) -> Player:
    """What was given in the place of a player's text, if it is a player; or a sentence."""
    if not isinstance(given, Player):
        raise SpecError(f"a player is given by its text, such as 'uct', or as a player, not as {given!r}")
    if game is not None:
        given.refuse_unfit(game)
    return given
