"""Old import paths, which work for one release: ``from astragal.game.scratch import scratch``.

The packages `game`, `search` and `solve` have other names now, because `astragal.game`, `astragal.search` and
`astragal.solve` are functions. A module at an old path is an alias: its names are those of the module at the new path,
and a warning says so. The attribute path `astragal.game.scratch` does not work, since `astragal.game` is the function.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

FUNCTIONS = ("game", "search", "solve")  # public functions, which importing a module of this name would replace
PATHS = {  # below astragal; a package stands for all its modules that are not listed
    "displays": "base.frames",
    "errors": "base.errors",
    "folders": "base.folders",
    "frames": "base.frames",
    "parameters": "base.parameters",
    "terminal": "base.terminal",
    "arena.face": "arena.api",
    "engine": "adapters",
    "engine.server": "adapters.engine",
    "environments": "adapters",
    "ggp": "adapters.ggp",
    "openspiel": "games.openspiel",
    "game": "rules",
    "game.bits": "compiler.intrinsics.primitives",
    "game.clock": "base.interruptible",
    "game.compiled": "compiler.class_types",
    "game.conformance": "rules.checks",
    "game.doubts": "rules.checks.warnings",
    "game.fingerprint": "compiler.fingerprint",
    "game.interpreted": "compiler.interpreted",
    "game.interruptible": "base.interruptible",
    "game.kernel": "compiler.kernel",
    "game.native": "compiler.intrinsics.native",
    "game.redraw": "compiler.intrinsics.primitives",
    "game.remaking": "rules.pickling",
    "game.scratch": "compiler.intrinsics.native",
    "game.state": "compiler.records",
    "search": "algorithms",
    "solve": "solvers",
    "solve.face": "solvers.api",
}


class OldModule(ModuleType):
    """A module under its old path. It imports the module at the new path when a name is taken from it."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(old, f"The old path of {new}.")
        self.__path__: list[str] = []  # a package as far as imports are concerned
        self._new = new

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        warnings.warn(f"{self.__name__} is {self._new} now", FutureWarning, stacklevel=2)
        return getattr(importlib.import_module(self._new), name)


class OldPaths(MetaPathFinder, Loader):
    """Finds the modules at old paths and makes their aliases."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if new_path(name) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return OldModule(spec.name, new_path(spec.name))

    def exec_module(self, module: ModuleType) -> None:
        """Import the module at the new path: what it registers has to be registered under either path."""
        importlib.import_module(new_path(module.__name__))


def new_path(old: str) -> str:
    """The new path of a module at an old one; nothing for any other."""
    package, _, path = old.partition(".")
    if package != "astragal" or not path:
        return ""
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        if new := PATHS.get(".".join(parts[:n])):
            return ".".join(["astragal", new, *parts[n:]])
    return ""


def install() -> None:
    """Make the old paths importable. Those named as functions are there at once, since an import would replace one."""
    sys.meta_path.insert(0, OldPaths())
    for name in FUNCTIONS:
        sys.modules.setdefault(f"astragal.{name}", OldModule(f"astragal.{name}", f"astragal.{PATHS[name]}"))
