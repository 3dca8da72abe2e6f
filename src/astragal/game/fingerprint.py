"""A hash of the source that a class or function is made of, so that edited code never runs as stale machine code.

It covers the module an object is defined in, the modules of the functions and base classes it refers to, and so on
through all of them, and the loaded code objects with the values they refer to, by global name, through a module or in
an enclosing function: in a notebook, where there is no source file, these alone. NumPy, Numba and the standard library
are left out: their versions are in the cache's key.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import inspect
import sys
import types
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

FOREIGN = frozenset({"numpy", "numba", "llvmlite"}) | sys.stdlib_module_names
DEEPEST = 4  # modules inside modules that are followed


def fingerprint(*roots: Any) -> str:
    """Sixteen hexadecimal digits that change whenever the source behind the roots changes."""
    digest = hashlib.sha256()
    for part in sorted(_parts(roots)):
        digest.update(part)
    return digest.hexdigest()[:16]


def _parts(roots: tuple[Any, ...]) -> set[bytes]:
    parts: set[bytes] = set()
    seen: set[int] = set()
    pending = list(roots)
    while pending:
        item = pending.pop()
        item = _behind(item)
        if id(item) in seen or not is_ours(item):
            continue
        seen.add(id(item))
        parts.add(_module_source(_module_name(item)))
        parts.add(_loaded_code(item))  # what runs, should the file have been edited since it was imported
        pending.extend(_referred(item))
    return parts


def _behind(item: Any) -> Any:
    """What an item stands for: a kernel, an intrinsic or a function under `functools.cache` for the function behind it.

    An instance of a compiled class stands for its class. A function that wraps another refers to it, and is itself
    looked at.
    """
    if is_compiled(item):
        return type(item)
    item = getattr(item, "py_func", getattr(item, "_defn", item))
    return item if inspect.isfunction(item) else getattr(item, "__wrapped__", item)


def is_ours(item: Any) -> bool:
    """Whether a function, class or module is neither NumPy's, Numba's nor of the standard library."""
    if not (inspect.isfunction(item) or inspect.isclass(item) or inspect.ismodule(item)):
        return False
    return _module_name(item).partition(".")[0] not in FOREIGN


def _module_name(item: Any) -> str:
    """Where an item is defined; without a name if in a namespace that has none, of which a class says "builtins"."""
    if inspect.ismodule(item):
        return item.__name__
    nameless = inspect.isclass(item) and item.__module__ == "builtins" and methods_of(item)
    return "" if nameless else item.__module__ or ""


def _module_source(name: str) -> bytes:
    """The bytes of a module's file, or nothing where there is none (a notebook)."""
    path = getattr(sys.modules.get(name), "__file__", None)
    return _read(path) if path and path.endswith(".py") else b""


@cache
def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def forget_sources() -> None:
    """Read files again from now on: one of them is loaded anew."""
    _read.cache_clear()


def _referred(item: Any) -> Iterator[Any]:
    """What the code of a function refers to, or a class's methods and bases."""
    if inspect.isclass(item):
        yield from item.__bases__
        yield from methods_of(item)
    elif inspect.isfunction(item):
        yield from referred_values(item).values()


def referred_values(function: Any) -> dict[str, Any]:
    """What a function's code refers to: globals, attributes of our modules among them, and enclosing variables."""
    names = global_names(function.__code__)
    values: dict[str, Any] = {}
    pending = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    while pending:
        path, value = pending.pop()
        values[path] = value
        if inspect.ismodule(value) and is_ours(value) and path.count(".") < DEEPEST:
            pending += [(f"{path}.{name}", getattr(value, name)) for name in names if hasattr(value, name)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # a variable that is not set yet
            values[f"{name} outside"] = cell.cell_contents
    return values


def is_compiled(value: Any) -> bool:
    """Whether a value is an instance of a compiled class."""
    return getattr(type(value), "__compiled_class__", False)


def methods_of(cls: type) -> list[types.FunctionType]:
    functions = [getattr(v, "fget", v) for v in vars(cls).values()]
    return [f for f in functions if inspect.isfunction(f)]


def global_names(code: types.CodeType) -> set[str]:
    """Names that a code object, and those nested in it, may look up as globals."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= global_names(constant)
    return names


def _loaded_code(item: Any) -> bytes:
    """The code objects of a class or function, their constants, and the values of the globals they refer to."""
    functions = methods_of(item) if inspect.isclass(item) else [item] if inspect.isfunction(item) else []
    text = [repr(getattr(item, "__qualname__", item))]
    for function in functions:
        text.append(_code_text(function.__code__))
        text.append(value_text(function.__defaults__))
        for name, value in sorted(referred_values(function).items()):
            if not (inspect.isfunction(value) or inspect.isclass(value) or inspect.ismodule(value)):
                text.append(f"{name}={value_text(value)}")
    if inspect.isclass(item):
        text += [f"{k}={value_text(v)}" for k, v in sorted(vars(item).items()) if not k.startswith("__")]
    return "\n".join(text).encode()


def _code_text(code: types.CodeType) -> str:
    constants = [_code_text(c) if isinstance(c, types.CodeType) else value_text(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {constants} {code.co_names}"


def value_text(value: Any) -> str:
    """A text that is the same in every process for equal numbers, texts, arrays, types, and tuples or sets of them.

    An instance of a compiled class is its class with the source behind it, and all its fields.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()[:16]}"
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(value_text, value)))}}}"
    if is_compiled(value):
        fields = [f"{field.name}={value_text(getattr(value, field.name))}" for field in dataclasses.fields(value)]
        return f"{type(value).__identity__}({', '.join(fields)})"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    plain = isinstance(value, (int, float, str, bool, type(None), np.dtype))
    return repr(value) if plain else type(value).__name__
