"""The interpreted twin of a kernel or a game: the same code objects, run by Python.

For debugging, for coverage, and to prove that machine code does what the source says. ``.py_func`` alone is not enough:
a recursive or nested call finds the compiled function through the module's globals. A twin has globals in which every
kernel and every intrinsic is a twin too, and in which tables give Python numbers (see `astragal.compiler.records`).
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import inspect
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from astragal.compiler.fingerprint import global_names, is_compiled, is_ours, member_names
from astragal.compiler.guarded import limited_print
from astragal.compiler.records import readable

_twins: dict[int, Any] = {}  # id of an original -> (original, its twin); holding the original keeps its id taken
TWINS: dict[int, Callable[..., Any]] = {}  # id of an intrinsic -> the Python function that means the same
_making = threading.RLock()  # a twin is remembered before it is complete, so other threads have to wait


def interpreted(original: Any) -> Any:
    """The twin of a kernel, a function, an instance of a compiled class, a table or a module."""
    with _making:
        return _twin_of(original)


def _twin_of(original: Any) -> Any:
    if id(original) in _twins:
        return _twins[id(original)][1]
    if hasattr(original, "py_func"):
        return _remember(original, _function_twin(original, original.py_func))
    if inspect.isfunction(original) and is_ours(original):
        return _function_twin(original, original)
    if isinstance(original, np.ndarray):
        return readable(original)  # not remembered: tables of instances come and go with them
    if type(original) is tuple:
        return tuple(map(interpreted, original))
    if is_compiled(original):
        return original._twin_
    if inspect.ismodule(original) and is_ours(original):
        return _remember(original, ModuleTwin(original))
    return TWINS.get(id(original), original)


def run_interpreted(kernel: Any, *arguments: Any) -> Any:
    """Call a kernel's twin with what the kernel itself takes; as in machine code, nothing warns of an overflow."""
    with np.errstate(all="ignore"):
        return interpreted(kernel)(*map(argument_twin, arguments))


def argument_twin(argument: Any) -> Any:
    """What a kernel's argument is to its twin: arrays show the same memory, compiled instances are twins."""
    if is_compiled(argument):
        return argument._twin_
    if isinstance(argument, tuple):
        twins = map(argument_twin, argument)
        return type(argument)(*twins) if hasattr(argument, "_fields") else tuple(twins)
    return readable(argument)


def own_twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """Say of a Python function that it may be called by interpreted code as it is."""
    return _remember(function, function)  # type: ignore[no-any-return]


def twin_of(function: Callable[..., Any], python: Callable[..., Any]) -> None:
    """Let interpreted code call another Python function of the same meaning, where its own code is too slow."""
    _remember(function, python)


def _remember(original: Any, result: Any) -> Any:
    _twins[id(original)] = original, result
    return result


def remembered_twins() -> int:
    """How many twins stay for good: those of functions, kernels and modules."""
    return len(_twins)


def _function_twin(original: Any, function: types.FunctionType) -> Callable[..., Any]:
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
    enclosing = function.__closure__
    cells = None if enclosing is None else tuple(types.CellType() for _ in enclosing)
    result = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    _remember(original, result)  # before its globals and enclosing variables are filled: it may call itself
    for cell, outside in zip(cells or (), enclosing or (), strict=True):
        with contextlib.suppress(ValueError):  # a variable that is not set yet
            cell.cell_contents = interpreted(outside.cell_contents)
    for name in global_names(function.__code__):
        if name in function.__globals__:
            scope[name] = interpreted(function.__globals__[name])
        elif name == "print":
            scope[name] = limited_print
    return result


class ModuleTwin:
    """A module of the user's whose functions and tables are reached as twins."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return interpreted(getattr(self._module, name))


SELF = "a game keeps nothing in itself; what changes during play is a field of its state"
CONSTANTS = (property, int, float, tuple, np.generic, np.ndarray)  # attributes of a class that its methods may read


class Twin:
    """Stands for an instance of a compiled class: its fields and constants, and its methods interpreted."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the game has no method or parameter '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"self.{name} cannot be set: {SELF}")


def instance_twin(instance: Any) -> Any:
    cls = type(instance)
    result = Twin()
    held = vars(result)
    for field in dataclasses.fields(cls):
        held[field.name] = interpreted(getattr(instance, field.name))
    for name in member_names(cls):
        attribute = inspect.getattr_static(cls, name)
        if inspect.isfunction(attribute):
            held[name] = types.MethodType(interpreted(attribute), result)
        elif not hasattr(result, name) and (isinstance(attribute, CONSTANTS) or is_compiled(attribute)):
            value = getattr(instance, name)
            held[name] = result if value is instance else interpreted(value)
    return result
