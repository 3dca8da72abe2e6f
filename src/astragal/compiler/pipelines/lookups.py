"""Results that Numba looks up again and again while it infers types, looked up once for each compile.

Which implementation of ``+`` takes two integers is found by trying some twenty, for every ``+``. And lists of
implementations are searched for new ones before each function.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import functools
from contextlib import contextmanager
from importlib.util import find_spec
from types import BuiltinFunctionType
from typing import Any

from numba import types

from astragal.compiler.numba_names import base, cpu_target, linear_algebra

BUILT_IN = BuiltinFunctionType, type


@contextmanager
def looked_up_once():
    """Within this block, remember what was found; new implementations count when the next block begins."""
    refresh_quickly()
    context = cpu_target.typing_context
    if "resolve_getattr" in vars(context):  # a compile within a compile
        yield
        return
    context.resolve_getattr = remembered_attributes(context.resolve_getattr)
    context.resolve_value_type = remembered_functions(context.resolve_value_type)
    types.Function.get_call_type = remembered_calls(types.Function.get_call_type)  # which it inherits
    usual = types.Dispatcher.get_call_type, base._has_loc, types.maybe_literal
    types.Dispatcher.get_call_type, base._has_loc = remembered_calls(usual[0]), functools.cache(usual[1])
    types.maybe_literal = literal_or_none
    try:
        yield
    finally:
        types.Dispatcher.get_call_type, base._has_loc, types.maybe_literal = usual
        del context.resolve_getattr, context.resolve_value_type, types.Function.get_call_type


def literal_or_none(value):
    """The literal type of a value, if it has one; Numba makes up a message to find out that it has none."""
    make = types.Literal.ctor_map.get(type(value))
    return None if make is None else make(value)


def remembered_attributes(find):
    """The type of ``value.name``, asked once for each type and name."""
    known: dict[Any, Any] = {}

    def resolve_getattr(kind, name):
        found = known.get((kind, name))
        if found is None:
            found = known[kind, name] = find(kind, name)
        return found

    return resolve_getattr


def remembered_functions(find):
    """The type of a built-in function or a class: Numba takes it for a value first, and makes up a message."""
    known = {}

    def resolve_value_type(value):
        if not isinstance(value, BUILT_IN):
            return find(value)
        if id(value) not in known:
            known[id(value)] = value, find(value)
        return known[id(value)][1]

    return resolve_value_type


def remembered_calls(find):
    """The implementation of a function, asked once for each combination of argument types."""
    known = {}

    def get_call_type(function, context, args, kws):
        if kws:
            return find(function, context, args, kws)
        key = id(function), tuple(args)
        if key not in known:
            known[key] = function, find(function, context, args, kws)  # with the function, whose address is in the key
        return known[key][1]

    return get_call_type


@functools.cache
def refresh_quickly():
    """Let Numba's contexts look for new implementations only where lists have grown, and import nothing again."""
    contexts = cpu_target.target_context, cpu_target.typing_context
    for context in contexts:
        context.refresh = lambda: None  # which many of the implementations ask for again while they are installed
    with scipy_taken_for_granted():
        for context in contexts:
            type(context).refresh(context)
    for context in contexts:
        install_when_grown(context)
    contexts[0].refresh()


@contextmanager
def scipy_taken_for_granted():
    """Within this block, Numba does not import SciPy only to learn that ``np.dot`` will work."""
    linalg = linear_algebra()
    usual = linalg.ensure_blas
    if find_spec("scipy"):
        linalg.ensure_blas = lambda: None
    try:
        yield
    finally:
        linalg.ensure_blas = usual


def install_when_grown(context):
    sizes: dict[Any, int] = {}

    def refresh():
        for registry, loader in list(context._registries.items()):
            size = sum([len(getattr(registry, name)) for name in loader.registry_items])
            if sizes.get(registry) != size:
                sizes[registry] = size
                context.install_registry(registry)
        if context is cpu_target.target_context:
            cpu_target.typing_context.refresh()

    context.refresh = refresh
