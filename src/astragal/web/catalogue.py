"""The games and players that a request may name: those of the package, and games given on the command line.

A request never names a file. A game of the user's is listed under an id, and the class that was loaded when the server
began is what plays.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from astragal.errors import AstragalError, SpecError, suggest
from astragal.games import find_game_class, game_names
from astragal.parameters import build, describe, parameter_fields, record_facts, split_settings
from astragal.players import load_player, player_classes
from astragal.players.player import Player

MOST_TEXT = 500  # characters of a game or player


@dataclass(frozen=True)
class Entry:
    """A game in the list."""

    id: str
    cls: type
    preset: str = ""  # settings that the command line gave
    own: bool = False

    def load(self, settings: str) -> Any:
        chosen = split_settings(self.preset, self.id) | split_settings(settings, self.id)
        return build(self.cls, chosen, self.id)

    def facts(self) -> dict[str, Any]:
        facts = record_facts(self.id, self.cls)
        preset = split_settings(self.preset, self.id)
        for row in facts["parameters"]:
            row["default"] = preset.get(row["name"], row["default"])
        return {"id": self.id, "about": facts["about"], "own": self.own, "parameters": facts["parameters"]}

    @property
    def rules(self) -> str:
        return inspect.getdoc(inspect.getmodule(self.cls)) or inspect.getdoc(self.cls) or ""


class Catalogue:
    """All games that can be played here."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        self.entries = {name: Entry(name, find_game_class(name)[0]) for name in game_names()}
        self.files: set[str] = set()  # the paths that the command line gave
        for spec in own:
            cls, _, settings = find_game_class(spec)
            self.files.add(spec.partition(":")[0])
            entry = Entry(self.free_id(cls.__name__), cls, settings, own=True)
            entry.load("")  # a sentence now, where the settings are wrong
            self.entries[entry.id] = entry

    def free_id(self, name: str) -> str:
        numbered = (name if i == 1 else f"{name}{i}" for i in range(1, 1000))
        return next(each for each in numbered if each not in self.entries)

    def entry(self, text: str) -> tuple[Entry, str]:
        """The game that a text names, and its settings."""
        name, _, settings = text.partition(":")
        if name not in self.entries:
            known = ", ".join(self.entries)
            raise SpecError(f"there is no game '{name[:60]}' here (games: {known}){suggest(name, self.entries)}")
        return self.entries[name], settings

    def load(self, text: str) -> Any:
        """The game that a request's text describes."""
        entry, settings = self.entry(text)
        return loaded(entry, settings)

    def knows(self, spec: str) -> bool:
        """Whether a game's text from a results file names one of these: by its name, or by a file that was given."""
        name = spec.partition(":")[0]
        return name in self.files or (name in self.entries and not self.entries[name].own)

    def id_of(self, game: Any) -> str | None:
        """The id of a game, or None if it is not one of these."""
        return next((entry.id for entry in self.entries.values() if entry.cls is type(game)), None)

    def text_of(self, game: Any) -> str:
        """The text with which a request gets this game again."""
        settings = describe(game)
        return f"{self.id_of(game)}:{settings}" if settings else str(self.id_of(game))


@lru_cache(maxsize=64)
def loaded(entry: Entry, settings: str) -> Any:
    return entry.load(settings)


def player_facts(game: Any) -> list[dict[str, Any]]:
    """All players with the settings they would have in a game, and why some do not fit it."""
    return [facts_of(name, cls, game) for name, cls in player_classes().items()]


def facts_of(name: str, cls: type[Player], game: Any) -> dict[str, Any]:
    facts = record_facts(name, cls)
    why = None
    try:
        player = load_player(name, game)
    except AstragalError as error:
        why = str(error)
    else:
        usual = dict(item.split("=", 1) for item in describe(player, only_changed=False).split(",") if item)
        for row in facts["parameters"]:
            row["default"] = usual.get(row["name"])
    facts["parameters"] = [row for row in facts["parameters"] if row["name"] not in ("keep", "check")]
    has_tree = any(field.name == "keep" for field in parameter_fields(cls))
    return facts | {"fits": why is None, "why": why, "tree": has_tree, "live": cls.compiles}
