"""The decorator of compiled functions, and where their machine code is kept.

A kernel is a plain Python function under Numba's ``njit`` with the GIL released. Its machine code is kept in the user's
cache folder (``ASTRAGAL_CACHE`` moves it), one file for each kernel and signature, under a name that holds a hash of
everything the code depends on: the kernel's source and that of the kernels it calls, the game's fingerprint (it is in
the signature), the processor, the pipeline, and the versions of Python and Numba. So nothing is ever stale, processes
never write to the same file with different content, and a cache that is broken or cannot be written to costs a compile
and a warning (`astragal.compiler.kernel_files`).

Under ``NUMBA_DISABLE_JIT=1`` nothing is compiled: entries called from Python run as their interpreted twins.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import config

from astragal.base.errors import SpecError
from astragal.compiler.announce import (
    announce_on_stderr,
    announcers,
    begin_compiling,
    functions_done,
    remember_functions,
)
from astragal.compiler.dispatchers import entry_function, inner_function
from astragal.compiler.fingerprint import fingerprint, is_compiled, referred_values
from astragal.compiler.guarded import guards
from astragal.compiler.interpreted import run_interpreted
from astragal.compiler.kernel_files import CorruptEntry, kernel_folder, read_kernel, trim_kernels, write_kernel
from astragal.compiler.numba_names import CompileResult, Environment, _Cache, dumps, rtsys
from astragal.compiler.switches import pipeline

__all__ = ["announce_on_stderr", "announcers", "kernel"]

COMPILES = re.compile(rb"^(from|import) (numba|llvmlite|astragal\.compiler\.numba_names)", re.MULTILINE)


def kernel(function: Callable[..., Any] | None = None, *, entry: str = "", inline: bool = False) -> Any:
    """Compile a function for each combination of argument types on first use, and keep it on disk.

    ``entry`` names, for the line shown while it is compiled, a kernel that is called from Python. ``inline`` makes
    LLVM put the function's code into its callers: for a step of a recursive kernel, which is as hot as the kernel.
    """
    if function is None:
        return lambda f: kernel(f, entry=entry, inline=inline)
    if config.DISABLE_JIT:
        return python_entry(function) if entry else function
    for value in referred_values(function).values():
        if is_compiled(value):
            value._numba_type_  # noqa: B018 (Numba needs its methods before it types the kernel)
    if not entry:
        return inner_function(function, inline)
    dispatcher = entry_function(function)
    dispatcher._cache = KernelCache(function, entry)  # its machine code contains that of the kernels it calls
    return dispatcher


def python_entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """An entry kernel where ``NUMBA_DISABLE_JIT=1`` switches compilation off: Python runs its twin."""

    @functools.wraps(function)
    def entry(*arguments: Any) -> Any:
        return run_interpreted(entry, *arguments)

    entry.py_func = function  # type: ignore[attr-defined]
    return entry


def twin_kernel(original: Any, *names: str) -> Any:
    """A second kernel from the same source, in which each of the names means the second kernel itself.

    A recursive kernel cannot hand over to itself compiled for other types: Numba leaves that call to be linked later,
    which a kernel loaded from disk never is. It can hand over to such a twin.
    """
    function = original.py_func if hasattr(original, "py_func") else original
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, names[-1], function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, names[-1]
    result = kernel(copy)
    scope.update(dict.fromkeys(names, result))
    return result


class KernelCache(_Cache):  # type: ignore[misc]
    """What Numba calls before and after compiling a signature of one kernel."""

    def __init__(self, function: Callable[..., Any], entry: str) -> None:
        self._function, self._entry = function, entry
        self._source = ""

    @property
    def cache_path(self) -> str:
        return str(kernel_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # all that loading needs; lists of implementations cost half a second
        path, key = self._path(signature, target_context.codegen())
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(read_kernel(path, key)))
        except (FileNotFoundError, NotADirectoryError):
            pass
        except CorruptEntry as reason:
            warn_once(f"ignoring a broken file in the cache of compiled kernels ({path}: {reason})")
        except Exception as error:  # of another version, or one that cannot be read; each means compiling again
            warn_once(f"ignoring a broken file in the cache of compiled kernels ({path}: {type(error).__name__})")
        what = describe_entry(self._entry, signature)
        if asking.only_kept:
            raise NotKept(what)
        begin_compiling(what)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if any(not lifted.can_cache for lifted in result.lifted) or result.library.has_dynamic_globals:
            return
        if "numba.unresolved$" in result.library.get_llvm_str():
            raise NotImplementedError(
                f"{self._function.__qualname__}: a recursive call with other types cannot be kept on disk"
            )
        count = getattr(result.library, "functions", None) or functions_done()  # of the plain pipeline, those made now
        remember_functions(describe_entry(self._entry, signature), count)
        path, key = self._path(signature, result.codegen)
        try:
            write_kernel(path, key, dumps(reduced(result)))
            trim_kernels()
        except (OSError, pickle.PicklingError) as error:
            warn_once(f"compiled kernels cannot be kept in {path.parent} ({error}); they are compiled anew each time")
        except SpecError as error:
            warn_once(f"the cache of compiled kernels is not trimmed: {error}")

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _path(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        """Where a signature's machine code is kept, and the key to it."""
        self._source = self._source or fingerprint(self._function) + compilers()
        versions = pipeline(), numba.__version__, sys.version, codegen.magic_tuple(), guards.key()
        text = f"{self._source} {signature} {versions}"
        key = hashlib.sha256(f"{self._function.__qualname__} {text}".encode()).hexdigest()
        return kernel_folder() / f"{self._function.__qualname__}-{key[:24]}.kernel", key


def reduced(result: Any) -> tuple[Any, ...]:
    """What is kept of a compile: nothing by which the file of a game may not be called otherwise later."""
    *parts, environments = result._reduce()
    return *parts, tuple(map(placeless, environments))


def placeless(environment: Any) -> Any:
    """What machine code takes from Python, its constants, without the module, which would be imported to read it."""
    copy = Environment({"__name__": __name__})
    copy.env_name = environment.env_name
    copy.consts.extend(environment.consts)
    return copy


class NotKept(Exception):
    """A kernel would have to be compiled; what for."""


class Asking(threading.local):
    """Whether a thread wants to compile nothing."""

    only_kept = False


asking = Asking()


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """Within this block, a kernel that is not kept on disk is not compiled: `NotKept` is raised."""
    asking.only_kept = True
    try:
        yield
    finally:
        asking.only_kept = False


@functools.cache
def compilers() -> str:
    """A hash of the source that decides how kernels are compiled: files here that speak to Numba or LLVM."""
    files = [file.read_bytes() for file in sorted(Path(__file__).parent.rglob("*.py"))]
    return hashlib.sha256(b"".join(filter(COMPILES.search, files))).hexdigest()[:16]


def describe_entry(entry: str, signature: Any) -> str:
    """``search: Pig, Star2:sampled=on``: the entry's name with the compiled classes among its arguments."""
    names = [kind.label for kind in signature if hasattr(kind, "identity")]
    return ": ".join([entry, *([", ".join(names)] if names else [])])


_warned: set[str] = set()


def warn_once(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, stacklevel=3)
