"""What the compiler takes from Numba's insides: the installed version has it, and no other file takes anything."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import numba
import pytest

from astragal.compiler import numba_names
from astragal.compiler.switches import version_of
from support.helpers import PACKAGE

COMPILER = PACKAGE / "compiler"
NAMES = COMPILER / "numba_names.py"
INSIDES = ("numba.core", "numba.np")
PUBLIC = {"numba": {"types", "config"}}  # what files outside the compiler may import


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Modules and names that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def object_at(path: str):
    """A module, or a class in one."""
    try:
        return importlib.import_module(path)
    except ImportError:
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)


def mentions(item: object, attribute: str) -> bool:
    """Whether something has an attribute, or any method of a class sets or reads one of the name."""
    if hasattr(item, attribute):
        return True
    parents = item.__mro__ if inspect.isclass(item) else ()
    methods = (value for parent in parents for value in vars(parent).values() if isinstance(value, FunctionType))
    return any(attribute in method.__code__.co_names for method in methods)


def test_numba_has_every_name():
    lacking = []
    for module, name in imported(NAMES):
        if module.startswith("numba"):
            inside = importlib.import_module(module)
            if not hasattr(inside, name) and importlib.util.find_spec(f"{module}.{name}") is None:
                lacking.append(f"{module}.{name}")
    assert lacking == []
    assert numba_names.MISSING == ""


@pytest.mark.parametrize("path", numba_names.ATTRIBUTES)
def test_numba_has_every_attribute(path):
    item, version = object_at(path), version_of(numba.__version__)
    wanted = [name for name in numba_names.ATTRIBUTES[path] if version >= numba_names.SINCE.get(name, ())]
    assert [name for name in wanted if not mentions(item, name)] == [], path


def test_an_attribute_that_is_gone_is_noticed():
    assert not mentions(object_at("numba.core.codegen.JITCodeLibrary"), "_no_such_attribute")
    assert mentions(object_at("numba.core.codegen.JITCodeLibrary"), "_linking_libraries")  # which only instances have


def test_private_attributes_of_numba_are_in_the_list():
    """Those with an underscore that the compiler's files use, and that are no attribute of our own."""
    listed = {name for names in numba_names.ATTRIBUTES.values() for name in names}
    own, used = set(), set()
    for path in COMPILER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
                (own if isinstance(node.ctx, ast.Store) else used).add(node.attr)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                own.add(node.name)
            elif isinstance(node, ast.Assign):
                own |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                own.add(node.target.id)
    ours = {"_field", "_numba_type_", "_twin_", "_label_", "_interpreted_only_", "_fields"}
    assert used - own - ours - listed == set()


def test_only_one_file_imports_from_numbas_insides():
    for path in PACKAGE.rglob("*.py"):
        for module, name in imported(path):
            if path != NAMES:
                assert not f"{module}.{name}".startswith(INSIDES), f"{path} imports {name} from {module}"


def test_outside_the_compiler_only_public_names_of_numba_are_imported():
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(COMPILER):
            continue
        for module, name in imported(path):
            root = module.partition(".")[0]
            assert root != "llvmlite", f"{path} imports {module}"
            assert root != "numba" or name in PUBLIC.get(module, ()), f"{path} imports {name} from {module}"
