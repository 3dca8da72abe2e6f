"""A user's game, a file or a folder, run as a module of its own name."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from astragal.base.errors import AstragalError, GameError, SpecError

PREFIX = "astragal_user_"


@dataclass
class LoadedFile:
    """A user's file or folder that was run: its path as the user wrote it, and the hash of its source."""

    path: str
    source: str


loaded_files: dict[str, LoadedFile] = {}  # by the name of the module it was run as


named_places: set[Path] = set()  # of games that a person has named, though they were not run yet


def name_place(path: Path) -> None:
    """Let data name the game of this file or folder, too."""
    named_places.add(path.resolve())


def is_same_place(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # what is no path at all
        return False


def is_named(path: Path) -> bool:
    """Whether a person has named this file or folder, or it was run in this process already."""
    try:
        return path.resolve() in named_places or module_name(path) in loaded_files
    except (OSError, ValueError, RuntimeError):  # what is no path at all
        return False


def module_name(path: Path) -> str:
    """The name of the module that a file or folder is run as."""
    where = path.resolve()
    return f"{PREFIX}{where.stem}_{sha256(str(where).encode()).hexdigest()[:8]}"


def user_file(cls: type) -> LoadedFile | None:
    """The user's file or folder that a class was loaded from; None for any other class."""
    return loaded_files.get(cls.__module__.partition(".")[0])


def place_of_module(name: str) -> Path:
    """The file or folder of a module that `load_file` made."""
    file = Path(str(sys.modules[name].__file__))
    return file.parent if hasattr(sys.modules[name], "__path__") else file


def load_file(path: Path, called: str = "") -> ModuleType:
    """Run a user's game file, or the `__init__.py` of a game's folder, as a module of its own name.

    The folder of a file is importable, as for a script. The files of a game's folder import each other by
    ``from .rules import ...``. A game is run again only when its source has changed: the file, or any Python file of
    the folder. What else it imports is not run again. `called` is how its user wrote its path.
    """
    where = path.resolve()
    is_folder = where.is_dir()
    file = where / "__init__.py" if is_folder else where
    if is_folder and not file.is_file():
        raise SpecError(f"there is no file {file}, so {path} is not a game's folder (astragal new --folder writes one)")
    if not file.is_file():
        raise SpecError(f"there is no {'file' if path.suffix == '.py' else 'folder'} {path}")
    name = module_name(path)
    try:
        sources = [each.read_bytes() for each in (sorted(where.glob("*.py")) if is_folder else [file])]
        digest = sha256(b"\0".join(sources)).hexdigest()
        loaded, before = LoadedFile(called or str(path), digest), loaded_files.get(name)
        if name not in sys.modules or before is None or before.source != digest:
            run_file(name, file, is_folder)
    except AstragalError as error:
        raise GameError(f"{path}: {error}") from None
    except SyntaxError as error:
        wrong = path / Path(str(error.filename)).name if is_folder else path
        raise SpecError(f"{wrong} line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:  # whatever a user's module does when it is run
        raise SpecError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    loaded_files[name] = loaded
    return sys.modules[name]


def run_file(name: str, file: Path, is_folder: bool) -> None:
    """Put a module made from this source in the place of any before it, or nothing if it fails."""
    forget(name)
    loader = FreshLoader(name, str(file))
    folders = [str(file.parent)] if is_folder else None
    specification = spec_from_file_location(name, file, loader=loader, submodule_search_locations=folders)
    assert specification is not None
    module = module_from_spec(specification)
    if is_folder:
        importlib.invalidate_caches()  # files may be new
    elif str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        forget(name)
        raise


def forget(name: str) -> None:
    """Take a module out of those loaded, and all modules of its folder."""
    for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[each]


class FreshLoader(SourceFileLoader):
    """Compiles the source as it is now: Python's own cache goes by its size and the second it was written in."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class FolderFinder:
    """Finds the modules of a user's game's folder, and has them compiled from their sources as they are now."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX) or path is None:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found is not None and isinstance(found.loader, SourceFileLoader):
            found.loader = FreshLoader(fullname, found.loader.path)
        return found


sys.meta_path.insert(0, FolderFinder)
