"""The fast pipeline: what is changed in Numba so that the hundred small functions of a search are compiled in seconds.

Numba makes machine code of each by itself, which takes a tenth of a second, and then links them. Here

- only an entry is optimised and made machine code of (`astragal.compiler.pipelines.library`);
- what Numba looks up again and again is looked up once (`astragal.compiler.pipelines.lookups`).

No search runs faster by it. What each of them gains is in docs/compiler.md.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

from astragal.compiler.pipelines.library import EntryLibrary, InnerLibrary
from astragal.compiler.pipelines.lookups import looked_up_once, refresh_quickly
from astragal.compiler.pipelines.pipeline import PlainCompiler


class FastCompiler(PlainCompiler):
    """The same steps, with another library for what they make."""

    library = InnerLibrary

    def __init__(self, *arguments):
        refresh_quickly()
        super().__init__(*arguments)

    def run_steps(self):
        state = self.state
        state.library = state.library or self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        result = super().run_steps()
        result.fndesc.typemap = result.fndesc.calltypes = None  # nothing reads them, and they hold much memory
        return result


class EntryCompiler(FastCompiler):
    """For a kernel that Python calls."""

    library = EntryLibrary

    def run_steps(self):
        with looked_up_once():
            return super().run_steps()


class InnerCompiler(FastCompiler):
    """For what only kernels call."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.state.targetctx.get_executable = not_executable


def not_executable(library, description, environment):
    """The key of an inner function in Numba: a callable of its own, which is never called."""
    library._ensure_finalized()
    return [].clear  # a built-in, as Numba wants it, unequal to any other, that takes no argument
