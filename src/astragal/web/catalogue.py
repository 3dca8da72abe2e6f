"""The games and players that a request may name, and the cards of games as a newcomer sees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from astragal.base.docstrings import rules_of
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.base.parameters import build, describe, parameter_fields, record_facts, split_settings
from astragal.games import SHEETS, find_game_class, find_sheet, game_names, game_spec, sheet_names, split_sheet
from astragal.gdl.sheets import SheetSettings, load_sheet_game, sheet_facts
from astragal.players import load_player, player_classes
from astragal.players.ladders import levels
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position
from astragal.web.views import picture_view, warn_once

MAX_TEXT = 500  # characters of a game or player


class Entry(Protocol):
    """A game in the list."""

    @property
    def id(self) -> str: ...

    @property
    def own(self) -> bool:
        """Whether the command line gave it."""
        ...

    def load(self, settings: str) -> Any:
        """The game with settings from a request."""

    def facts(self) -> dict[str, Any]:
        """What a listing shows of it: a sentence, its parameters and its rules."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class PythonEntry:
    """A game written in Python."""

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
        return facts | {"rules": rules_of(self.cls)}


@dataclass(frozen=True)
class SheetEntry:
    """A game of a rule sheet. How much work its rules may be is for the command line to say, not for a request."""

    id: str
    path: Path
    preset: str = ""
    own: bool = False

    def load(self, settings: str) -> Any:
        if settings:
            raise SpecError(f"{self.id} has no settings here")
        chosen = build(SheetSettings, split_settings(self.preset, self.id), self.id)
        return load_sheet_game(self.path, chosen, str(self.path) if self.own else self.id)

    def facts(self) -> dict[str, Any]:
        return sheet_facts(self.id, self.path) | {"parameters": []}


class Catalogue:
    """All games that can be played here."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        built_in: list[Entry] = [PythonEntry(name, find_game_class(name)[0]) for name in game_names()]
        built_in += [SheetEntry(name, SHEETS / name) for name in sheet_names()]
        self.entries = {entry.id: entry for entry in built_in}
        self.files: dict[str, str] = {}  # the ids of games by the paths that the command line gave
        for spec in own:
            self.add(spec)

    def add(self, spec: str) -> None:
        """List a game of the user's, or say what is wrong with it."""
        entry: Entry
        if sheet := split_sheet(spec):
            path = find_sheet(sheet[0])
            entry = SheetEntry(self.free_id(path.name), path, sheet[1], own=True)
        else:
            cls, _, settings = find_game_class(spec)
            entry = PythonEntry(self.free_id(cls.__name__), cls, settings, own=True)
        self.files[game_spec(entry.load("")).partition(":")[0]] = entry.id
        self.entries[entry.id] = entry

    def free_id(self, name: str) -> str:
        numbered = (name if i == 1 else f"{name}-{i}" for i in range(1, 1000))
        return next(each for each in numbered if each not in self.entries)

    def entry(self, text: str) -> tuple[Entry, str]:
        """The game that a text names, and its settings."""
        name, _, settings = text.partition(":")
        if name not in self.entries:
            known = ", ".join(self.entries)
            raise SpecError(f"there is no game '{name[:60]}' here (games: {known}){suggest(name, self.entries)}")
        return self.entries[name], settings

    def load(self, text: str) -> tuple[Any, str]:
        """The game that a request's text describes, and its text in full."""
        entry, settings = self.entry(text)
        game = loaded(entry, settings)
        return game, text_of(entry.id, game)

    def id_of(self, spec: str) -> str | None:
        """The id of the game that a results file names, if it is one of these: by its name, or by a file given."""
        name = spec.partition(":")[0]
        return self.files.get(name) or (name if name in self.entries and not self.entries[name].own else None)


def text_of(id: str, game: Any) -> str:
    """The text with which a request gets a game again."""
    settings = describe(game)
    return f"{id}:{settings}" if settings else id


@lru_cache(maxsize=64)
def loaded(entry: Entry, settings: str) -> Any:
    return entry.load(settings)


def player_facts(game: Any) -> list[dict[str, Any]]:
    """All players with the settings they would have in a game, and why some do not fit it."""
    return [facts_of(name, cls, game) for name, cls in player_classes(game).items()]


def level_facts(game: Any) -> list[dict[str, Any]]:
    """The opponents of a game by level; players by the text that a seat has."""
    return [
        {
            "name": level.name,
            "words": level.words,
            "player": load_player(level.player, game).text_for(game),
            "measured": level.measured,
        }
        for level in levels(game)
    ]


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


PLIES = 10  # before the picture is taken


@lru_cache(maxsize=256)
def card(entry: Entry) -> dict[str, Any]:
    """A game's card; one whose game fails has no picture."""
    facts = entry.facts()
    game = loaded(entry, "")
    return {
        "id": entry.id,
        "own": entry.own,
        "about": facts["about"],
        "players": seats(facts["parameters"], game.players),
        "moves": getattr(part_of(type(game), "picture"), "MOVES", None),
        "chance": game.max_outcomes > 0,
        "picture": picture_of_play(game),
    }


def picture_of_play(game: Any) -> dict[str, Any] | None:
    """A picture from the middle of a game; none of a game that fails, which is said where it is played."""
    try:
        return picture_view(in_the_middle(game))
    except Exception as error:
        warn_once(f"{type(game).__name__} has no card: {error}")
        return None


def seats(parameters: list[dict[str, Any]], usual: int) -> list[int]:
    """The least and the most players."""
    row = next((row for row in parameters if row["name"] == "players"), None)
    if row is None or row["low"] is None or row["high"] is None:
        return [usual, usual]
    return [int(row["low"]), int(row["high"])]


def in_the_middle(game: Any) -> Position:
    """A position after some moves at random, always the same; the last decision before the end of a short game."""
    position = best = Position.start(game, 3)
    dice = Dice(5)
    for _ in range(PLIES):
        actions = position.actions()
        position = position.follow(position.draw(dice) if position.is_chance else actions[dice.below(len(actions))])
        if position.is_terminal:
            return best
        best = best if position.is_chance else position
    return best
