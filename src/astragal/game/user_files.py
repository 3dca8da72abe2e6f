"""A user's game file, run as a module of its own name."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from astragal.errors import AstragalError, GameError, SpecError


@dataclass
class LoadedFile:
    """A user's file that was run: its path as the user wrote it, and the hash of its source."""

    path: str
    source: str


loaded_files: dict[str, LoadedFile] = {}  # by the name of the module it was run as


def load_file(path: Path, called: str = "") -> ModuleType:
    """Run a user's game file as a module of its own name; its folder is importable, as for a script.

    It is run again only when its source has changed. What it imports is not. `called` is how its user wrote its path.
    """
    if not path.is_file():
        raise SpecError(f"there is no file {path}")
    where = path.resolve()
    name = f"astragal_user_{where.stem}_{sha256(str(where).encode()).hexdigest()[:8]}"
    try:
        source = where.read_bytes()
        file, before = LoadedFile(called or str(path), sha256(source).hexdigest()), loaded_files.get(name)
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
