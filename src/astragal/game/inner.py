"""How Numba compiles what only kernels call: a game's methods and kernels that are not entries.

Numba makes machine code for every function on its own, though that of an entry contains all the functions it calls.
For these it is enough to have their intermediate code to link: leaving out the rest saves a third of a compile.
"""

# mypy: ignore-errors
from __future__ import annotations

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lowering without machine code at its end."""

    _name = "astragal_inner_lowering"
    executable = staticmethod(lambda library, description, environment: not_executable(library, optimised=True))

    def run_pass(self, state):
        context = state.targetctx
        context.get_executable = self.executable  # on the instance, before the class's own; Numba's lock is held
        try:
            return super().run_pass(state)
        finally:
            del context.get_executable


@register_pass(mutates_CFG=True, analysis_only=False)
class MethodLowering(InnerLowering):
    """The same for methods, which are all put into their callers and optimised there."""

    _name = "astragal_method_lowering"
    executable = staticmethod(lambda library, description, environment: not_executable(library, optimised=False))


def not_executable(library, optimised):
    """What Numba knows an inner function by: a callable of its own, which is never called."""
    if not optimised:
        library._optimize_final_module = lambda: None

    def finalize():
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._finalized = True

    library._finalize_final_module = finalize
    return [].clear  # a built-in, as Numba wants it, unequal to any other, that takes no argument


class InnerDispatcher(CPUDispatcher):
    """A kernel that Python cannot call, since it has no machine code of its own."""

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self.py_func.__name__} is called by kernels only; one that Python calls is an entry")


class InnerCompiler(CompilerBase):
    """Numba's usual compiler but for its last step."""

    lowering = InnerLowering

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if step is NativeLowering else step, why) for step, why in passes.passes]
        passes.finalize()
        return [passes]


class MethodCompiler(InnerCompiler):
    """For methods of compiled classes."""

    lowering = MethodLowering
