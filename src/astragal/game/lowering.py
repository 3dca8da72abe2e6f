"""From Numba's typed representation to LLVM's, without what only reference counts need.

Numba loads each variable that is not used any more, to count its references down, and overwrites it, whatever its type.
Numbers, records and games have no references to count.
"""

# mypy: ignore-errors
from __future__ import annotations

from functools import partial

from numba.core import cgutils, ir, postproc, transforms
from numba.core.errors import LoweringError, new_error_context
from numba.core.ir_utils import enforce_no_phis
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from astragal.game.guard import call_guarded, emit_print, is_guarded


class PlainLower(Lower):
    """Lowering that knows which types are counted."""

    def init(self):
        super().init()
        self._counted = counted_types(self.context)

    def incref(self, typ, val):
        if self._counted(typ):
            super().incref(typ, val)

    def decref(self, typ, val):
        if self._counted(typ):
            super().decref(typ, val)

    def storevar(self, value, name, argidx=None):
        kind = self.typeof(name)
        if self.flags.debuginfo or name in self._singly_assigned_vars or (self._counted(kind) and argidx is None):
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, kind)
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name, lltype, datamodel=None):
        if self.flags.debuginfo:
            return super().alloca_lltype(name, lltype, datamodel)
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)  # its size is asked for debuggers only

    def lower_inst(self, inst):
        """An assignment as Numba does it, which would write it down as a text first in case it is debugged."""
        if not isinstance(inst, ir.Assign) or self.flags.debuginfo:
            super().lower_inst(inst)
            return
        value = self.lower_assign(self.typeof(inst.target.name), inst)
        self.storevar(value, inst.target.name, argidx=inst.value.index + 1 if isinstance(inst.value, ir.Arg) else None)

    def _lower_call_normal(self, fnty, expr, signature):
        if not is_guarded(fnty, signature):
            return super()._lower_call_normal(fnty, expr, signature)
        values = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        return call_guarded(self, fnty, signature, [self.loadvar(expr.func.name), *values])

    def lower_print(self, inst):
        emit_print(self, inst)

    def lower_block(self, block):
        self.pre_block(block)
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception:
                error = partial(LoweringError, loc=self.loc)
                with new_error_context('lowering "{inst}" at {loc}', inst=statement, loc=self.loc, errcls_=error):
                    raise
        self.post_block(block)


class PlainLowering(NativeLowering):
    """The step that uses it."""

    lowering_class = PlainLower


def end_lives(state):
    """Say where variables are used for the last time, of those whose references are counted."""
    func_ir = state.func_ir
    enforce_no_phis(func_ir)
    counted = counted_types(state.targetctx)
    if not any(map(counted, state.typemap.values())):
        func_ir.blocks = transforms.canonicalize_cfg(func_ir.blocks)
        func_ir.generator_info = None
        return
    postproc.PostProcessor(func_ir).run(emit_dels=True)
    for block in func_ir.blocks.values():
        block.body = [one for one in block.body if not isinstance(one, ir.Del) or counted(state.typemap[one.value])]


def counted_types(context):
    """Whether values of a type have references that are counted."""

    def counted(kind):
        if kind not in COUNTED:
            COUNTED[kind] = context.data_model_manager[kind].contains_nrt_meminfo()
        return COUNTED[kind]

    return counted


COUNTED = {}
