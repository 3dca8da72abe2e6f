"""Each layer of the package imports only from lower ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.helpers import PACKAGE

LAYERS = ["base", "compiler", "rules", "drawing", "a game", "gdl", "games", "algorithms", "solvers", "learn", "players"]
LAYERS += ["arena", "lab", "adapters", "web", "cli"]
FOUND_BY_NAME = {"solver": "solvers", "players": "players"}  # files of a game's folder, and the layer that finds them
FACE = {"__init__", "__main__", "old_paths"}  # the public face, above all layers
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer_of(parts: tuple[str, ...]) -> str | None:
    """The layer of a module given by its path below the package; None for the public face."""
    if not parts or parts[0] in FACE:
        return None
    if parts[0] == "games" and len(parts) > 1 and (PACKAGE / "games" / parts[1] / "__init__.py").exists():
        return FOUND_BY_NAME.get(parts[2] if len(parts) > 2 else "", "a game")
    return parts[0]


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


def test_a_game_imports_no_other_game():
    for path in MODULES:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] == "games" and len(parts) > 2:
            own = {name[1] for name in imported(path) if name[0] == "games" and layer_of(name) != "games"}
            assert own <= {parts[1]}, path


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_from_itself_and_lower_ones(layer):
    for path in MODULES:
        if layer_of(path.relative_to(PACKAGE).with_suffix("").parts) != layer:
            continue
        if path.parent == PACKAGE / "cli" / "skeleton":  # whose text users get: it imports as they do
            continue
        for parts in imported(path):
            if layer in ("arena", "web", "cli") and parts == ("__version__",):
                continue
            other = layer_of(parts)
            assert other is not None, f"{path} imports the public face: astragal.{'.'.join(parts)}"
            assert LAYERS.index(other) <= LAYERS.index(layer), f"{path} imports astragal.{'.'.join(parts)}"
