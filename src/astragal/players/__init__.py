"""Players: a named, typed, documented set of settings on a search, in the text form ``star2ss:width=18,time=0.2``.

A player is a frozen dataclass under `@player` in a module of this package, which is found by itself: listing players
imports all modules here, so none imports Numba before it searches. The command line, the documentation and the tuner
read a player's fields.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from astragal.errors import SpecError, suggest
from astragal.games import load_game
from astragal.parameters import build
from astragal.players import ladders, levels
from astragal.players.player import Player


@cache
def player_classes() -> dict[str, type[Player]]:
    """All players by name."""
    found: dict[str, type[Player]] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, type) and vars(item).get("player_name"):
                found[item.player_name] = item  # type: ignore[attr-defined]
    return dict(sorted(found.items(), key=lambda entry: (entry[1].rank, entry[0])))


def load_player(spec: str | Player, game: Any = None) -> Player:
    """The player that ``name`` or ``name:key=value,...`` describes, with the papers' settings for the game if known; or
    the one of a level, ``easy`` to ``strongest``, in the game, or the ``best`` one.

    The game may be given by its text. What is a player already is given back as it is, if it can play the game.
    """
    game = game if game is None else load_game(game)
    if not isinstance(spec, str):
        return checked_player(spec, game)
    if spec in levels.NAMES and game is not None:
        spec = levels.player_at(spec, game)
    elif spec == ladders.BEST and game is not None:
        spec = ladders.best_player(game)
    name, _, text = spec.partition(":")
    classes = player_classes()
    if name not in classes:
        raise SpecError(f"there is no player '{name}' (players: {', '.join(classes)}){suggest(name, classes)}")
    cls = classes[name]
    settings = cls.split(text)
    if game is not None:
        settings = cls.defaults_for(game) | settings
    made = build(cls, settings, name)
    if game is not None:
        made.refuse_unfit(game)
    return made


def checked_player(given: Any, game: Any) -> Player:
    """What was given in the place of a player's text, if it is a player; or a sentence."""
    if not isinstance(given, Player):
        raise SpecError(f"a player is given by its text, such as 'uct', or as a player, not as {given!r}")
    if game is not None:
        given.refuse_unfit(game)
    return given
