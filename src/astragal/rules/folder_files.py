"""The files of a game's folder that are found by their names: `picture`, `solver`, `players` and `model.npz`.

The class of a game that is a folder stands in the folder's `__init__.py` or in its `rules.py`. Neither imports the
files above: those may use searches and players, which the rules may not. A game that is a single file can have files
that are not modules: its learned evaluation and its ladder.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from astragal.base.errors import AstragalError, SpecError
from astragal.rules.user_files import place_of_module, user_file

RULES = "rules"


def folder_of(cls: type) -> str:
    """The package that is a game's folder; empty for the class of a single file."""
    module = cls.__module__
    if hasattr(sys.modules.get(module), "__path__"):
        return module
    package, _, last = module.rpartition(".")
    return package if last == RULES else ""


def part_of(cls: type, name: str) -> ModuleType | None:
    """A module of a game's folder, such as its `picture`; None if the folder has no such file."""
    folder = folder_of(cls)
    if not folder or importlib.util.find_spec(f"{folder}.{name}") is None:
        return None
    try:
        return importlib.import_module(f"{folder}.{name}")
    except AstragalError:
        raise
    except Exception as error:  # whatever a user's module does when it is run
        if (file := user_file(cls)) is None:
            raise
        raise SpecError(f"{name}.py of {file.path} cannot be loaded: {type(error).__name__}: {error}") from None


def file_beside(cls: type, name: str) -> Path | None:
    """A file of a game that is not a module; None if there is none."""
    path = place_beside(cls, name)
    return path if path is not None and path.is_file() else None


def place_beside(cls: type, name: str) -> Path | None:
    """Where such a file lies: in the game's folder, or beside a single file, as in `my_game.MyGame.model.npz`."""
    if folder := folder_of(cls):
        return Path(str(sys.modules[folder].__file__)).with_name(name)
    if user_file(cls) is None:
        return None
    file = place_of_module(cls.__module__)
    return file.with_name(f"{file.stem}.{cls.__name__}.{name}")
