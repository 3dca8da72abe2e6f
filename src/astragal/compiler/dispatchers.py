"""Kernels, methods and helper functions as Numba sees them: entries that Python calls, and what only kernels call.

A function is compiled once for its argument types, from any caller; Numba would compile a method once more for each
kind of caller, and a kernel once more for each literal it is called with.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import njit, types

from astragal.compiler.announce import compiling_may_begin
from astragal.compiler.guarded import guards
from astragal.compiler.interpreted import run_interpreted
from astragal.compiler.numba_names import (
    CPUDispatcher,
    _unlit_non_poison,
    errors,
    global_compiler_lock,
    handle_bound_function,
    register_default,
    sigutils,
    typing,
)
from astragal.compiler.pipelines.pipeline import PlainCompiler
from astragal.compiler.switches import PLAIN, pipeline
from astragal.compiler.tracebacks import in_files

OPTIONS = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}


class EntryDispatcher(CPUDispatcher):
    """A kernel that Python calls; an error in a game's method comes out as a sentence about it."""

    def __call__(self, *args):
        try:
            if args and getattr(args[0], "_interpreted_only_", False):  # a game that cannot be compiled
                return run_interpreted(self, *args)
            return super().__call__(*args)
        except Exception as error:
            error.__traceback__ = in_files(error.__traceback__, self, *args)
            explained = guards.explain(error, args)
            if explained is error:
                raise
            raise explained from error

    def compile(self, sig):
        with compiling_may_begin():
            return super().compile(sig)


class InnerDispatcher(CPUDispatcher):
    """A function that only kernels call: it has no machine code of its own, and is kept in its callers' files."""

    def compile(self, sig):
        args, return_type = sigutils.normalize_signature(sig)
        known = self.overloads.get(tuple(args))
        if known is not None:
            return known.entry_point
        with global_compiler_lock, self._compiling_counter:
            result = self._compiler.compile(args, return_type)
            self.add_overload(result)
            return result.entry_point

    def get_call_template(self, args, kws):
        signature, args = self._compiler.fold_argument_types(args, kws)
        self.compile(tuple(args))
        found = self.overloads[tuple(args)].signature
        name = self.py_func.__name__
        return typing.make_concrete_template(f"CallTemplate({name})", name, [found]), signature, args, {}


class KernelDispatcher(InnerDispatcher):
    """A kernel, method or helper function; Python cannot call it."""

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self.py_func.__name__} is called by kernels only; one that Python calls is an entry")

    def get_call_template(self, args, kws):
        """For the types of literals rather than for each literal, unless the function needs its value."""
        plain = tuple(map(_unlit_non_poison, args))
        if plain == tuple(args):
            return super().get_call_template(args, kws)
        try:
            return super().get_call_template(plain, {name: _unlit_non_poison(kind) for name, kind in kws.items()})
        except errors.TypingError:
            return super().get_call_template(args, kws)


def as_kind(dispatcher, kind):
    dispatcher.__class__ = kind
    return dispatcher


@functools.cache
def compilers() -> tuple[Any, Any]:
    """Options of entries, and of functions that only kernels call."""
    if pipeline() == PLAIN:
        return PlainCompiler, PlainCompiler
    from astragal.compiler.pipelines.fast import EntryCompiler, InnerCompiler

    return EntryCompiler, InnerCompiler


def inner_function(function: Callable[..., Any], inline: bool, **options: Any) -> Any:
    """Compile a function for its callers among kernels."""
    jit = njit(**(OPTIONS | options), no_cpython_wrapper=True, forceinline=inline, pipeline_class=compilers()[1])
    return as_kind(jit(function), KernelDispatcher)


def method_function(function: Callable[..., Any]) -> Any:
    """Compile a game's method, or a function that one calls: dividing by zero is an error, as in Python."""
    return inner_function(function, inline=True, error_model="python")


def entry_function(function: Callable[..., Any]) -> Any:
    """Compile a function for Python."""
    return as_kind(njit(**OPTIONS, pipeline_class=compilers()[0])(function), EntryDispatcher)


class Method(types.BoundFunction):
    """The type of ``game.method``: one compiled function for all callers."""

    def __init__(self, this: Any, name: str, function: Any) -> None:
        self.this, self.function = this, types.Dispatcher(function)
        self.typing_key = type(this), name
        types.Type.__init__(self, f"{this}.{name}")

    @property
    def key(self):
        return self.this, self.typing_key

    def copy(self, this):
        return Method(this, self.typing_key[1], self.function.dispatcher)

    def get_call_type(self, context, args, kws):
        return self.function.get_call_type(context, (self.this, *args), kws).as_method()

    def get_impl_key(self, sig):
        return self.function.get_impl_key(sig)

    def get_call_signatures(self):
        return self.function.get_call_signatures()


register_default(Method)(handle_bound_function)
