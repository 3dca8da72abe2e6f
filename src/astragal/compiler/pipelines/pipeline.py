"""Numba's own pipeline with two more steps; without the fast one, it is the plain one (`astragal.compiler.switches`).

- Branches on constants of a game or a search are decided before types are inferred: what they lead to may have no type.
- Calls of a game's methods are guarded, and `print` is one that does not wait for Python's lock.
- Exceptions name byte code instead of files and lines (`astragal.compiler.tracebacks`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

from astragal.compiler.announce import function_compiled
from astragal.compiler.guard import GuardLower
from astragal.compiler.numba_names import (
    CompilerBase,
    DefaultPassBuilder,
    FixupArgs,
    FunctionPass,
    NativeLowering,
    register_pass,
)
from astragal.compiler.pipelines.branches import decide_branches
from astragal.compiler.tracebacks import name_byte_code


@register_pass(mutates_CFG=True, analysis_only=False)
class DecideBranches(FunctionPass):
    """A step before Numba infers types."""

    _name = "astragal_decide_branches"

    def __init__(self):  # which Numba wants to see
        super().__init__()

    def run_pass(self, state):
        decide_branches(state.func_ir, state.args)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class GuardedLowering(NativeLowering):
    """Numba's last step before LLVM, with guards around calls of a game's methods."""

    _name = "astragal_guarded_lowering"

    @property
    def lowering_class(self):
        return GuardLower


class PlainCompiler(CompilerBase):
    """Numba's compiler with these steps."""

    def define_pipelines(self):
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [(GuardedLowering if step is NativeLowering else step, name) for step, name in steps.passes]
        steps.add_pass_after(DecideBranches, FixupArgs)
        steps.finalize()
        return [steps]

    def _compile_core(self):
        name_byte_code(self.state.targetctx, self.state.func_id.func)
        result = self.run_steps()
        function_compiled()
        return result

    def run_steps(self):
        return super()._compile_core()
