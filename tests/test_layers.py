"""Each layer of the package imports only from lower ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.helpers import PACKAGE

LAYERS = ["base", "game", "gdl", "openspiel", "games", "search", "solve", "learn", "players", "engine", "environments"]
LAYERS += ["drawing", "arena", "lab", "ggp", "web", "cli"]
BASE = {"errors", "parameters", "folders", "frames", "displays", "terminal"}  # modules of the package that all may use
FACE = {"__init__", "__main__"}  # the public face, above all layers
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer_of(parts: tuple[str, ...]) -> str | None:
    """The layer of a module given by its path below the package; None for the public face."""
    if not parts or parts[0] in FACE:
        return None
    return "base" if parts[0] in BASE else parts[0]


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """Every module of the package that a file imports, at its top, in a function, or for types only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            module = node.module or ""
            names = [f"{module}.{alias.name}" if module == "astragal" else module for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "astragal":
                yield tuple(rest)


def test_every_module_belongs_to_a_layer():
    assert len(MODULES) > 40
    for path in MODULES:
        layer = layer_of(path.relative_to(PACKAGE).with_suffix("").parts)
        assert layer is None or layer in LAYERS, path


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_from_itself_and_lower_ones(layer):
    for path in MODULES:
        if layer_of(path.relative_to(PACKAGE).with_suffix("").parts) != layer:
            continue
        if path == PACKAGE / "cli" / "skeleton.py":  # whose text users get: it imports as they do
            continue
        for parts in imported(path):
            if layer in ("arena", "web", "cli") and parts == ("__version__",):
                continue
            other = layer_of(parts)
            assert other is not None, f"{path} imports the public face: astragal.{'.'.join(parts)}"
            assert LAYERS.index(other) <= LAYERS.index(layer), f"{path} imports astragal.{'.'.join(parts)}"
