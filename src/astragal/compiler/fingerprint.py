"""A hash of what a class or function is compiled from, so that edited code never runs as stale machine code.

It covers the byte code of a function with its constants, and all that this refers to, by global name, through a module
or in an enclosing function: other functions and classes in turn, tables, numbers. Comments, docstrings, positions in a
file and the file's name are no part of it: editing them compiles nothing anew. Nor are methods that only Python calls,
such as a game's ``show``, unless one of the others refers to them. NumPy, Numba and the standard library are left out:
their versions are in the cache's key.
"""

from __future__ import annotations

import contextlib
import dataclasses
import dis
import hashlib
import inspect
import sys
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

FOREIGN = frozenset({"numpy", "numba", "llvmlite"}) | sys.stdlib_module_names
DEEPEST = 4  # modules inside modules that are followed
ADDED = frozenset({"_numba_type_", "_twin_"})  # by the decorator of compiled classes
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), np.dtype)
LOADS_CONSTANT = frozenset(dis.hasconst)
LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]  # whose lowest bit says something else
LOADS_GLOBAL = frozenset({LOAD_GLOBAL, dis.opmap["LOAD_NAME"]})


def fingerprint(root: Any, without: frozenset[str] = frozenset()) -> str:
    """Sixteen hexadecimal digits that change whenever what is compiled of a class or function changes.

    ``without`` names the methods of a class that only Python calls.
    """
    walk = Walk(root, without)
    walk.text(root)
    return hashlib.sha256("\n".join(walk.texts).encode()).hexdigest()[:16]


class Identity:
    """A compiled class's name and fingerprint, ``__identity__``, which is made when it is first asked for.

    Not with the class: what its methods call may stand below it in the file, and would not be seen.
    """

    def __init__(self, cls: type, without: frozenset[str]) -> None:
        self.cls, self.without = cls, without
        self.text = ""

    def __get__(self, instance: Any, owner: type) -> str:
        self.text = self.text or f"{self.cls.__qualname__}#{fingerprint(self.cls, self.without)}"
        return self.text


class Walk:
    """Functions and classes reached from one of them, each described once; the others refer to it by its number.

    So two functions that have each other's names are not the same as two that have their own.
    """

    def __init__(self, root: Any, without: frozenset[str]) -> None:
        self.root, self.without = behind(root), without
        self.numbers: dict[int, int] = {}
        self.reached: list[Any] = []  # which keeps their addresses taken
        self.texts: list[str] = []

    def text(self, value: Any) -> str:
        """What a function's code refers to; for another function or class of the program, its number."""
        item = behind(value)
        if is_ours(item) and not inspect.ismodule(item):
            return self.reference(item)
        if isinstance(item, (tuple, list)):
            return f"{type(item).__name__}({', '.join(map(self.text, item))})"
        if isinstance(item, (set, frozenset)):
            return f"{{{', '.join(sorted(map(self.text, item)))}}}"
        if isinstance(item, dict):
            return f"{{{', '.join(f'{self.text(key)}: {self.text(held)}' for key, held in item.items())}}}"
        if is_compiled(item):
            held = [f"{field.name}={self.text(getattr(item, field.name))}" for field in dataclasses.fields(item)]
            return f"{self.reference(type(item))}({', '.join(held)})"
        if is_ours(type(item)) and hasattr(item, "__dict__"):
            return self.instance(item)
        return value_text(item)

    def reference(self, item: Any) -> str:
        """The number of a function or class, which is described if it is reached for the first time."""
        number = self.number(item)
        if number == len(self.texts):
            self.texts.append("")
            parts = self.of_class(item) if inspect.isclass(item) else self.of_function(item)
            self.texts[number] = "\n".join([item.__qualname__, *parts])
        return f"#{number}"

    def is_former_root(self, value: Any) -> bool:
        """Whether it is the class itself as it was before a cell of a notebook was run again."""
        if not (inspect.isclass(value) and inspect.isclass(self.root)):
            return False
        return (value.__module__, value.__qualname__) == (self.root.__module__, self.root.__qualname__)

    def instance(self, item: Any) -> str:
        """A plain object that the user made, such as a member of an enumeration, with all its attributes."""
        number = self.number(item)
        if number == len(self.texts):
            self.texts.append("")
            held = [f"{name}={self.text(value)}" for name, value in sorted(vars(item).items())]
            self.texts[number] = "\n".join([type(item).__qualname__, *held])
        return f"#{number}"

    def number(self, item: Any) -> int:
        if id(item) not in self.numbers:
            self.numbers[id(item)] = len(self.reached)
            self.reached.append(item)
        return self.numbers[id(item)]

    def of_function(self, function: types.FunctionType) -> Iterator[str]:
        yield code_text(function.__code__)
        yield self.text(function.__defaults__)
        yield self.text(function.__kwdefaults__)
        for name, value in sorted(referred_values(function).items()):
            if not self.is_former_root(value):
                yield f"{name}={self.text(value)}"

    def of_class(self, cls: type) -> Iterator[str]:
        """Methods and attributes, its own and those it inherits."""
        members: dict[str, Any] = {}
        for parent in reversed(cls.__mro__):
            if is_ours(parent):
                members.update(vars(parent))
        functions = {name: plain_function(value) for name, value in members.items()}
        yield ", ".join(parent.__qualname__ for parent in cls.__mro__)
        for name in sorted(self.needed_names(cls, functions)):
            yield f"{name}: {type(members[name]).__name__}={self.text(functions[name])}"

    def needed_names(self, cls: type, members: dict[str, Any]) -> set[str]:
        """All but what only Python calls, and what only that refers to; of a class that is not compiled, all."""
        functions = {name for name, value in members.items() if inspect.isfunction(value)}
        values = {name for name in members if not name.startswith("__")} - functions - ADDED
        if cls is self.root:
            without = self.without
        elif "__identity__" in vars(cls):
            without = vars(cls)["__identity__"].without
        else:
            return values | functions
        left_out = {name for name in functions if name in without or name.startswith("_")} - {"__post_init__"}
        needed = functions - left_out - ADDED
        pending = list(needed)
        while pending:
            found = global_names(members[pending.pop()].__code__) & left_out
            left_out -= found
            needed |= found
            pending += found
        return values | needed


def behind(item: Any) -> Any:
    """What an item stands for: a kernel, an intrinsic or a function under `functools.cache` for the function behind it.

    A function that wraps another refers to it, and is itself looked at.
    """
    if inspect.isclass(item) or is_compiled(item):
        return item
    item = getattr(item, "py_func", getattr(item, "_defn", item))
    return item if inspect.isfunction(item) else getattr(item, "__wrapped__", item)


def plain_function(value: Any) -> Any:
    """The function behind a property or a static, class or cached method; any other value as it is."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, cached_property):
        return value.func
    return value.__func__ if isinstance(value, (staticmethod, classmethod)) else behind(value)


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


def referred_values(function: Any) -> dict[str, Any]:
    """What a function's code refers to: globals, attributes of our modules among them, and enclosing variables."""
    names = global_names(function.__code__)
    values: dict[str, Any] = {}
    loaded = loaded_names(function.__code__)  # `state.turn` is no use of a global `turn`
    pending = [(name, function.__globals__[name]) for name in loaded if name in function.__globals__]
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


OURS = frozenset({"_numba_type_", "_twin_", "_label_"})  # put into a class, or read there, by this package


def member_names(cls: type) -> list[str]:
    """The names that methods of a compiled class may use, helpers with an underscore among them."""
    return [name for name in dir(cls) if name not in OURS and not (name.startswith("__") and name.endswith("__"))]


def global_names(code: types.CodeType) -> set[str]:
    """Names that a code object, and those nested in it, may look up as globals."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= global_names(constant)
    return names


def loaded_names(code: types.CodeType) -> set[str]:
    """Names that a code object, and those nested in it, do look up as globals."""
    nested = (loaded_names(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))
    found, extended = set[str]().union(*nested), 0
    for operation, given in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = given | extended << 8
        if operation in LOADS_GLOBAL:
            found.add(code.co_names[argument >> 1 if operation == LOAD_GLOBAL else argument])
        extended = argument if operation == dis.EXTENDED_ARG else 0
    return found


def code_text(code: types.CodeType) -> str:
    """Byte code with the constants that it loads; a docstring is a constant that no byte code loads."""
    plain, loaded, extended = bytearray(code.co_code), [], 0
    for at in range(0, len(plain), 2):
        operation, argument = plain[at], plain[at + 1] | extended << 8
        if operation in LOADS_CONSTANT:
            constant, plain[at + 1] = code.co_consts[argument], 0
            loaded.append(code_text(constant) if isinstance(constant, types.CodeType) else value_text(constant))
        extended = argument if operation == dis.EXTENDED_ARG else 0
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    names = code.co_names, code.co_freevars, code.co_cellvars
    return f"{plain.hex()} {loaded} {names} {arguments} {counts} {code.co_exceptiontable.hex()}"


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
    if isinstance(value, PLAIN):
        return repr(value)
    return foreign_text(value)


def foreign_text(value: Any) -> str:
    """Functions, types and modules by name; an object by what it says of itself, unless that is where it is kept."""
    if inspect.ismodule(value):
        return "module" if is_ours(value) else value.__name__
    if isinstance(value, type) or (callable(value) and hasattr(value, "__name__")):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}"
    text = "" if is_ours(type(value)) else repr(value)
    return type(value).__name__ if " at 0x" in text or not text else text
