"""The games, a file each or a package of `rules.py`, `notation.py` and more. A `@game` class here is found by itself.

Games written in GDL are rule sheets, `.kif` files: any file, or by name one of those in the folder `gdl` here.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from astragal.errors import AstragalError, GameError, SpecError, suggest
from astragal.game.protocol import Game
from astragal.parameters import build, describe, split_settings

SHEETS = Path(__file__).parent / "gdl"


def game_names() -> list[str]:
    """The names of the built-in games."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def sheet_names() -> list[str]:
    """The names of the built-in rule sheets."""
    return sorted(path.name for path in SHEETS.glob("*.kif"))


def load_game(spec: str) -> Any:
    """The game described by ``name``, ``file.py:Class`` or ``file.kif``, each with ``:key=value,...`` after it."""
    if sheet := split_sheet(spec):
        from astragal.gdl.sheets import SheetSettings, load_sheet_game

        path, settings = sheet
        return load_sheet_game(find_sheet(path), build(SheetSettings, split_settings(settings, path), path), path)
    cls, name, settings = find_game_class(spec)
    return build(cls, split_settings(settings, name), name)


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
    if file := re.match(r"(.+?\.py)(?::|$)", spec):
        path, rest = file[1], spec[file.end() :]
        name, _, settings = rest.partition(":")
        if "=" in name:
            name, settings = "", rest
        return class_in_file(Path(path), name), f"{path}:{name}" if name else path, settings
    name, _, settings = spec.partition(":")
    if name not in game_names():
        known = ", ".join(game_names())
        raise SpecError(
            f"there is no game '{name}' (games: {known}, path/to/file.py:Class, or path/to/file.kif)"
            f"{suggest(name, game_names())}"
        )
    module = importlib.import_module(f"{__name__}.{name}")
    return game_classes(module)[0], name, settings


def game_name(game: Game) -> str:
    """A built-in game's name, the name of a user's class, or a rule sheet's."""
    return built_in_name(type(game)) or str(game.own_title())


def built_in_name(cls: type) -> str:
    """The name of a game of the package, that of its module; nothing for any other class."""
    package, _, name = cls.__module__.rpartition(".")
    return name if package == __name__ else ""


def game_spec(game: Game) -> str:
    """The text that gives a game again: its name, with its file for one of the user's, and what is not default in it.

    A class that was defined in a notebook or script has no such text; its name stands for it.
    """
    if own := game.own_spec():
        return str(own)
    file = loaded_files.get(type(game).__module__)
    return ":".join(part for part in (file.path if file else "", game_name(game), describe(game)) if part)


def game_classes(module: ModuleType) -> list[type]:
    """The `@game` classes that a module defines."""
    classes = [item for item in vars(module).values() if isinstance(item, type) and item.__module__ == module.__name__]
    return [cls for cls in classes if "__identity__" in vars(cls) and hasattr(cls, "max_actions")]


def class_in_file(path: Path, name: str) -> type:
    classes = {cls.__name__: cls for cls in game_classes(load_file(path))}
    if not classes:
        raise SpecError(f"{path} defines no @game class")
    if not name and len(classes) == 1:
        return next(iter(classes.values()))
    if name not in classes:
        raise SpecError(f"{path} has no game '{name}' (it has: {', '.join(classes)}){suggest(name, classes)}")
    return classes[name]


@dataclass
class LoadedFile:
    """A user's file that was run: its path as the user wrote it, and the hash of its source."""

    path: str
    source: str


loaded_files: dict[str, LoadedFile] = {}  # by the name of the module it was run as


def load_file(path: Path) -> ModuleType:
    """Run a user's game file as a module of its own name; its folder is importable, as for a script.

    It is run again only when its source has changed. What it imports is not.
    """
    if not path.is_file():
        raise SpecError(f"there is no file {path}")
    where = path.resolve()
    name = f"astragal_user_{where.stem}_{sha256(str(where).encode()).hexdigest()[:8]}"
    try:
        source = where.read_bytes()
        file, before = LoadedFile(str(path), sha256(source).hexdigest()), loaded_files.get(name)
        if name not in sys.modules or before is None or before.source != file.source:
            run_file(name, where, source)
    except AstragalError as error:
        raise GameError(f"{path}: {error}") from None
    except SyntaxError as error:
        raise SpecError(f"{path} line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:  # whatever a user's module does when it is run
        raise SpecError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    loaded_files[name] = file
    return sys.modules[name]


def run_file(name: str, where: Path, source: bytes) -> None:
    """Put a module made from this source in the place of any before it, or nothing if it fails."""
    sys.modules.pop(name, None)
    specification = importlib.util.spec_from_file_location(name, where)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    code = compile(source, str(where), "exec", dont_inherit=True)  # not Python's own cache, which goes by the second
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))
    sys.modules[name] = module
    try:
        exec(code, vars(module))
    except BaseException:
        del sys.modules[name]
        raise
