"""How Numba compiles kernels, and what only kernels call: a game's methods, helper functions, kernels not entries.

Numba's own way takes a tenth of a second for each of the hundred small functions of a search. Here

- a function is compiled once for its argument types, whoever calls it; Numba compiles a method once more for each kind
  of caller, and a kernel once more for each literal it is called with;
- branches on constants of a game or a search are decided before types are inferred, so that what they lead to is not
  compiled at all (`astragal.game.branches`);
- steps that never apply to such a function are left out; a function they might apply to gets them all;
- only an entry is optimised and made machine code of (`astragal.game.library`);
- names in the intermediate code are short: Numba's spell out all fields of a record in every call.
"""

# mypy: ignore-errors
from __future__ import annotations

import functools
import gc
import hashlib
import types as python_types
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from numba import njit
from numba.core import compiler, errors, sigutils, types, typing
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel.models import handle_bound_function
from numba.core.datamodel.registry import register_default
from numba.core.funcdesc import default_mangler
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import jit_registry, target_registry
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import (
    NoPythonBackend,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
)
from numba.core.types.functions import _unlit_non_poison
from numba.core.untyped_passes import RewriteDynamicRaises

from astragal.game.announce import compiling_may_begin, function_compiled
from astragal.game.branches import decide_branches
from astragal.game.faults import explained
from astragal.game.interpreted import run_interpreted
from astragal.game.library import EntryLibrary, InnerLibrary
from astragal.game.lookups import looked_up_once, refresh_quickly
from astragal.game.lowering import PlainLowering, end_lives
from astragal.game.places import in_files, know_places
from astragal.game.safe import is_safe
from astragal.game.translation import (
    assign_in_blocks,
    assign_once,
    join_array_expressions,
    put_in_place,
    rewrite,
    translate,
)

OPTIONS = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
SPECIAL = frozenset({"literally", "literal_unroll", "prange", "objmode"})  # names that Numba has steps of its own for


# How a function is compiled


class KernelCompiler(CompilerBase):
    """Numba's steps for a plain function, each run at most once."""

    library = EntryLibrary

    def __init__(self, *arguments):
        refresh_quickly()
        super().__init__(*arguments)
        context = self.state.targetctx  # a copy of Numba's, for this function
        context.mangler = short_name
        context._compile_subroutine_no_cache = lambda *args, **kws: compile_subroutine(context, *args, **kws)

    def _compile_core(self):
        state = self.state
        state.library = state.library or self.new_library()
        know_places(state.targetctx, state.func_id.func)
        with ConfigStack().enter(caller_flags(state.flags)):
            if is_plain(state.func_id.func):
                run_steps(state)
            else:
                steps = DefaultPassBuilder.define_nopython_pipeline(state)
                steps.run(state)
        state.pipeline = None
        state.cr.fndesc.typemap = state.cr.fndesc.calltypes = None  # nobody asks, and they hold much memory
        function_compiled()
        return state.cr

    def new_library(self):
        library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        library.enable_object_caching()
        return library


class EntryCompiler(KernelCompiler):
    """For a kernel that Python calls."""

    def _compile_core(self):
        with looked_up_once(), numbas_own_as_kind(), without_collecting():
            return super()._compile_core()


class InnerCompiler(KernelCompiler):
    """For what only kernels call."""

    library = InnerLibrary

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.state.targetctx.get_executable = not_executable


def not_executable(library, description, environment):
    """What Numba knows an inner function by: a callable of its own, which is never called."""
    library._ensure_finalized()
    return [].clear  # a built-in, as Numba wants it, unequal to any other, that takes no argument


STEPS = [
    ("analyzing bytecode", translate),
    ("deciding branches", lambda state: decide_branches(state.func_ir, state.args)),
    ("nopython rewrites", rewrite),
    ("rewrite dynamic raises", RewriteDynamicRaises().run_pass),
    ("ssa", assign_once),
    ("nopython frontend", NopythonTypeInference().run_pass),
    ("remove phis nodes", assign_in_blocks),
    ("inline overloaded functions", put_in_place),
    ("nopython rewrites", join_array_expressions),
    ("ensure features that are in use are in a valid form", NoPythonSupportedFeatureValidation().run_pass),
    ("ensure IR is legal prior to lowering", end_lives),
    ("native lowering", PlainLowering().run_pass),
    ("nopython mode backend", NoPythonBackend().run_pass),
]


def run_steps(state):
    for name, step in STEPS:
        try:
            step(state)
        except errors.NumbaError as error:
            error.args = (f"Failed in nopython mode pipeline (step: {name})\n{error}",)
            raise


def is_plain(function):
    """Whether none of the steps that are left out has anything to do: no function within, no generator, no ``with``."""
    code = function.__code__
    if code.co_flags & (0x20 | 0x80 | 0x200) or SPECIAL & set(code.co_names):
        return False
    if any(isinstance(constant, python_types.CodeType) for constant in code.co_consts):
        return False
    called = (function.__globals__.get(name) for name in code.co_names)
    return not any(getattr(one, "targetoptions", {}).get("inline", "never") != "never" for one in called)


def caller_flags(flags):
    """What callees are told of their caller: always the same, or each would be compiled for each kind of caller."""
    if "flags" not in CALLER:
        CALLER["flags"] = CallerFlags(flags)
        CALLER["flags"].forceinline = False
        CALLER["flags"].no_cpython_wrapper = True
    return CALLER["flags"]


CALLER = {}


class CallerFlags(compiler.Flags):
    """Flags that are compared by identity, as there is one object only: Numba asks thousands of times."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other


@functools.lru_cache(1000)
def text_of_type(kind):
    return str(kind)


def short_name(name, argument_types, *, abi_tags=(), uid=None):
    """A name for the linker, with a hash of the argument types."""
    text = " ".join([*map(text_of_type, argument_types), *abi_tags])
    return default_mangler(name, (), abi_tags=[hashlib.sha256(text.encode()).hexdigest()[:16]], uid=uid)


def compile_subroutine(context, builder, impl, sig, locals=None, flags=None):
    """What Numba's own code for a built-in function asks to have compiled for it."""
    flags = flags or compiler.Flags()
    flags.nrt = True
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    result = compiler.compile_extra(
        context.typing_context, context, impl, sig.args, sig.return_type, flags, locals or {}, None, InnerCompiler
    )
    context.active_code_library.add_linking_library(result.library)
    return result


@contextmanager
def numbas_own_as_kind():
    """Within this block, compile Numba's implementations of built-in functions as inner functions too."""
    target = target_registry["cpu"]
    usual = jit_registry.pop(target)  # the registry takes no second value for a key

    def jit(**options):
        options.setdefault("pipeline_class", InnerCompiler)
        return lambda function: as_kind(usual(**options)(function), InnerDispatcher)

    jit_registry[target] = jit
    try:
        yield
    finally:
        jit_registry.pop(target)
        jit_registry[target] = usual


# What is called


class EntryDispatcher(CPUDispatcher):
    """A kernel that Python calls; an error in a game's method comes out as a sentence about it."""

    def __call__(self, *args):
        try:
            if args and getattr(args[0], "_interpreted_only_", False):  # a game that cannot be compiled
                return run_interpreted(self, *args)
            return super().__call__(*args)
        except Exception as error:
            error.__traceback__ = in_files(error.__traceback__, self, *args)
            told = explained(error, args)
            if told is error:
                raise
            raise told from error

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
        """For the types of literals rather than for each literal, unless the function needs to know it."""
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


def inner_function(function: Callable[..., Any], inline: bool, **options: Any) -> Any:
    """Compile a function for its callers among kernels."""
    jit = njit(**(OPTIONS | options), no_cpython_wrapper=True, forceinline=inline, pipeline_class=InnerCompiler)
    return as_kind(jit(function), KernelDispatcher)


def method_function(function: Callable[..., Any]) -> Any:
    """Compile a game's method, or a function that one calls: dividing by zero is an error, as in Python."""
    return inner_function(function, inline=True, error_model="python", boundscheck=is_safe())


def entry_function(function: Callable[..., Any]) -> Any:
    """Compile a function for Python."""
    return as_kind(njit(**OPTIONS, pipeline_class=EntryCompiler)(function), EntryDispatcher)


class Method(types.BoundFunction):
    """The type of ``game.method``, one compiled function whoever calls it."""

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


@contextmanager
def without_collecting():
    """Within this block, do not look for cycles among the millions of objects that a compile makes."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


register_default(Method)(handle_bound_function)
