"""The games, one file each, rules only. A new file with a `@game` class here is found by itself."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from astragal.errors import AstragalError, GameError, SpecError, suggest
from astragal.parameters import build, describe, split_settings


def game_names() -> list[str]:
    """The names of the built-in games."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load_game(spec: str) -> Any:
    """The game described by ``name`` or ``file.py:Class``, either with ``:key=value,...`` after it."""
    cls, name, settings = find_game_class(spec)
    return build(cls, split_settings(settings, name), name)


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
            f"there is no game '{name}' (games: {known}, or path/to/file.py:Class){suggest(name, game_names())}"
        )
    module = importlib.import_module(f"{__name__}.{name}")
    return game_classes(module)[0], name, settings


def game_spec(game: Any) -> str:
    """The text that describes a game: its name, or its class's for one of the user's, and what is not default in it."""
    cls = type(game)
    name = cls.__module__.rpartition(".")[2] if cls.__module__.startswith(f"{__name__}.") else cls.__name__
    settings = describe(game)
    return f"{name}:{settings}" if settings else name


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


def load_file(path: Path) -> ModuleType:
    """Run a user's game file as a module of its own name; its folder is importable, as for a script."""
    if not path.is_file():
        raise SpecError(f"there is no file {path}")
    where = path.resolve()
    module_name = f"astragal_user_{where.stem}_{sha256(str(where).encode()).hexdigest()[:8]}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    specification = importlib.util.spec_from_file_location(module_name, where)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module_name] = module
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))
    try:
        specification.loader.exec_module(module)
    except AstragalError as error:
        del sys.modules[module_name]
        raise GameError(f"{path}: {error}") from None
    except SyntaxError as error:
        del sys.modules[module_name]
        raise SpecError(f"{path} line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:  # whatever a user's module does when it is run
        del sys.modules[module_name]
        raise SpecError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    return module
