"""The games, a folder each: its rules, and beside them all else of the game. A folder here is found by itself.

The `@game` class stands in a folder's `__init__.py` or in its `rules.py`. They and what they import use only what lies
below games. Found by their names are `picture.py`, `solver.py`, `players.py` and `model.npz`
(`astragal.rules.folder_files`).

Games written in GDL are rule sheets, `.kif` files: any file, or by name one of those in the folder `gdl` here.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from astragal.base.errors import SpecError, shortened, suggest
from astragal.base.parameters import build, describe, split_settings
from astragal.compiler.fingerprint import is_compiled
from astragal.games.openspiel.library import PREFIX
from astragal.rules.folder_files import RULES, folder_of
from astragal.rules.protocol import Game
from astragal.rules.user_files import is_named, load_file, name_place, user_file

SHEETS = Path(__file__).parent / "gdl"


def game_names() -> list[str]:
    """The names of the built-in games."""
    return sorted(folder.parent.name for folder in Path(__file__).parent.glob("*/rules.py"))


def sheet_names() -> list[str]:
    """The names of the built-in rule sheets."""
    return sorted(path.name for path in SHEETS.glob("*.kif"))


def load_game(spec: str | Path | Any) -> Any:
    """The game described by ``name``, ``file.py:Class``, ``folder:Class`` or ``file.kif``, each with ``:key=value,...``
    after it.

    ``openspiel:name`` is a game of OpenSpiel's, with its own ``name(key=value,...)``.

    What is a game already is given back: wherever a text is taken for a game, the game itself will do.
    """
    if not isinstance(spec, str | Path):
        return checked_game(spec)
    spec = str(spec)
    if sheet := split_sheet(spec):
        from astragal.gdl.sheets import SheetSettings, load_sheet_game

        path, settings = sheet
        return load_sheet_game(find_sheet(path), build(SheetSettings, split_settings(settings, path), path), path)
    if spec.startswith(PREFIX):
        from astragal.games.openspiel.game import load_spiel_game

        return load_spiel_game(spec.removeprefix(PREFIX))
    cls, name, settings = find_game_class(spec)
    return build(cls, split_settings(settings, name), name)


def load_kept_game(spec: str) -> Any:
    """The game that a file of data names. A user's Python file is run only where a person has named it."""
    own = split_own(spec)
    if own and not is_named(own[0]):
        what = shortened(str(own[0]))
        raise SpecError(f"the game's Python file, {what}, is run only where it is named: --game {what}")
    return load_game(spec)


def name_game(spec: str) -> None:
    """A person names a game: data may name its Python file from now on."""
    if own := split_own(spec):
        name_place(own[0])


def checked_game(given: Any) -> Any:
    """What was given in the place of a game's text, if it is a game; or a sentence."""
    if isinstance(given, type) and "__identity__" in vars(given):
        raise SpecError(f"{given.__name__} is the class of a game; make a game of it, {given.__name__}()")
    if not is_compiled(given) or not hasattr(given, "max_actions"):
        raise SpecError(f"a game is given by its text, such as 'pig', or as a game, not as {given!r}")
    return given


def split_sheet(spec: str) -> tuple[str, str] | None:
    """The path and the settings' text of a rule sheet's spec; None if it is no such spec."""
    found = re.match(r"(.+?\.kif)(?::(.*))?$", spec)
    return (found[1], found[2] or "") if found else None


def find_sheet(path: str) -> Path:
    """The file of a rule sheet: at that path, or a built-in one of that name."""
    if not Path(path).exists() and path in sheet_names():
        return SHEETS / path
    if not Path(path).is_file():
        known = ", ".join(sheet_names())
        raise SpecError(f"there is no file {path} (built-in sheets: {known}){suggest(path, sheet_names())}")
    return Path(path)


def find_game_class(spec: str) -> tuple[type, str, str]:
    """The class, the name and the settings' text of a game's spec."""
    if own := split_own(spec):
        path, name, settings = own
        return class_in(path, name), f"{path}:{name}" if name else str(path), settings
    name, _, settings = spec.partition(":")
    if name not in game_names():
        known = ", ".join(game_names())
        raise SpecError(
            f"there is no game '{name}' (games: {known}, path/to/file.py:Class, a game's folder, or path/to/file.kif)"
            f"{suggest(name, game_names())}"
        )
    module = importlib.import_module(f"{__name__}.{name}")
    return game_classes(module)[0], name, settings


def split_own(spec: str) -> tuple[Path, str, str] | None:
    """The path, the class's name and the settings' text of the spec of a user's game; None for any other spec.

    A user's game is a file, or a folder. ``rules.py`` of a game's folder means the folder.
    """
    if file := re.match(r"(.+?\.py)(?::|$)", spec):
        path, rest = Path(file[1]), spec[file.end() :]
        if path.name == f"{RULES}.py" and path.with_name("__init__.py").is_file():
            path = path.parent
    else:
        text, _, rest = spec.partition(":")
        path = Path(text)
        if not text or text in game_names() or not (path.is_dir() or text.endswith("/")):
            return None
    name, _, settings = rest.partition(":")
    return (path, "", rest) if "=" in name else (path, name, settings)


def game_name(game: Game) -> str:
    """A built-in game's name, the name of a user's class, or a rule sheet's."""
    return built_in_name(type(game)) or str(game.own_title())


def built_in_name(cls: type) -> str:
    """The name of a game of the package, that of its folder; nothing for any other class."""
    package, _, name = folder_of(cls).rpartition(".")
    return name if package == __name__ else ""


def game_spec(game: Game) -> str:
    """The text that gives a game again: its name, with its file for one of the user's, and what is not default in it.

    A class that was defined in a notebook or script has no such text; its name stands for it.
    """
    if own := game.own_spec():
        return str(own)
    file = user_file(type(game))
    return ":".join(part for part in (file.path if file else "", game_name(game), describe(game)) if part)


def game_classes(module: ModuleType) -> list[type]:
    """The `@game` classes that a module defines, or that a folder's `__init__.py` takes from its `rules.py`."""
    homes = (module.__name__, f"{module.__name__}.{RULES}")
    classes = [item for item in vars(module).values() if isinstance(item, type) and item.__module__ in homes]
    return [cls for cls in classes if "__identity__" in vars(cls) and hasattr(cls, "max_actions")]


def class_in(path: Path, name: str) -> type:
    """A `@game` class of a user's file or folder: the one of this name, or the only one."""
    classes = {cls.__name__: cls for cls in game_classes(load_file(path))}
    if not classes:
        raise SpecError(f"{path} defines no @game class")
    if not name and len(classes) == 1:
        return next(iter(classes.values()))
    if name not in classes:
        raise SpecError(f"{path} has no game '{name}' (it has: {', '.join(classes)}){suggest(name, classes)}")
    return classes[name]
