"""From Numba's typed representation to LLVM's, without what only reference counts need.

Numba loads each variable that is not used any more, to count its references down, and overwrites it, whatever its type.
Numbers, records and games have no references to count.
"""

# mypy: ignore-errors
from __future__ import annotations

from collections import defaultdict
from functools import partial

from numba.core import analysis, cgutils, ir, postproc, transforms, types
from numba.core.errors import LoweringError, new_error_context
from numba.core.extending import _Intrinsic
from numba.core.ir_utils import enforce_no_phis
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from astragal.game.calls import call_compiled, compiled_for
from astragal.game.guard import call_guarded, emit_print, is_guarded
from astragal.game.shorter import begin_range, counts_up, item, next_in_range, set_item

BORROWING = frozenset({"getattr", "getitem", "static_getitem", "cast", "build_tuple", "phi"})
PAIR = {"pair_first": 0, "pair_second": 1}  # a number and whether there is one, in a loop


class PlainLower(Lower):
    """Lowering that knows which types are counted."""

    def init(self):
        self._counted = counted_types(self.context)
        super().init()

    def _find_singly_assigned_variable(self):
        """Numba gives a slot to each variable that is used in another block than it is assigned in."""
        self._singly_assigned_vars = without_slots(self.blocks, lambda name: self._counted(self.typeof(name)))
        self._blk_local_varmap = {}

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

    def lower_call(self, resty, expr):
        signature, callee = self.fndesc.calltypes[expr], self.typeof(expr.func.name)
        found = compiled_for(callee, signature)
        if found is None or expr.target is not None:
            return super().lower_call(resty, expr)
        values = list(self.fold_call_args(callee, signature, expr.args, expr.vararg, expr.kws))
        if signature.recvr:
            values.insert(0, self.loadvar(expr.func.name))
        if is_guarded(callee, signature):
            result = call_guarded(self, callee, signature, values)
        else:
            result = call_compiled(self, found, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def lower_getitem(self, resty, expr, value, index, signature):
        found = item(self, resty, value, index, signature)
        return super().lower_getitem(resty, expr, value, index, signature) if found is None else found

    def lower_setitem(self, target_var, index_var, value_var, signature):
        if not set_item(self, target_var, index_var, value_var, signature):
            super().lower_setitem(target_var, index_var, value_var, signature)

    def lower_expr(self, resty, expr):
        if expr.op == "getiter" and isinstance(resty, types.RangeIteratorType) and counts_up(self, expr.value):
            return begin_range(self.context, self.builder, resty, self.loadvar(expr.value.name))
        if expr.op == "iternext" and isinstance(self.typeof(expr.value.name), types.RangeIteratorType):
            return next_in_range(self.context, self.builder, resty, self.loadvar(expr.value.name))
        if expr.op in PAIR and not self._counted(resty):
            return self.builder.extract_value(self.loadvar(expr.value.name), PAIR[expr.op])
        return super().lower_expr(resty, expr)

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


def without_slots(blocks, is_counted):
    """The variables that are assigned once, before they are used by way of any block."""
    made, used, others = {}, defaultdict(set), set()
    for label, block in sorted(blocks.items()):
        for statement in block.body:
            if isinstance(statement, ir.Del):
                continue
            is_assignment = isinstance(statement, ir.Assign)
            for name in names_in(statement.value if is_assignment else statement.list_vars()):
                used[name].add(label)
                if name not in made:
                    others.add(name)
            if is_assignment:
                name = statement.target.name
                if name in made:
                    others.add(name)
                made[name] = label
    first = min(blocks)
    elsewhere = [name for name, label in made.items() if label != first and used[name] - {label}]
    if elsewhere:
        above = analysis.compute_cfg_from_blocks(blocks).dominators()
        others |= {name for name in elsewhere if not all(made[name] in above[label] for label in used[name])}
    return {name for name in made.keys() - others if used[name] <= {made[name]} or not is_counted(name)}


def names_in(value):
    """The names of variables in a part of a statement."""
    if isinstance(value, ir.Var):
        yield value.name
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from names_in(one)
    elif isinstance(value, ir.Expr):
        yield from names_in(list(value._kws.values()))


class PlainLowering(NativeLowering):
    """The step that uses it."""

    lowering_class = PlainLower


def end_lives(state):
    """Say where variables are used for the last time, of those whose references are counted."""
    func_ir = state.func_ir
    enforce_no_phis(func_ir)
    counted = counted_types(state.targetctx)
    kinds = [kind for kind in state.typemap.values() if counted(kind)]
    if kinds and not only_borrows(state, kinds, counted):
        postproc.PostProcessor(func_ir).run(emit_dels=True)
        for block in func_ir.blocks.values():
            block.body = [one for one in block.body if not isinstance(one, ir.Del) or counted(state.typemap[one.value])]
        return
    if kinds:
        state.targetctx.enable_nrt = False  # nor does Numba's own code for what the function does count references
    func_ir.blocks = transforms.canonicalize_cfg(func_ir.blocks)
    func_ir.generator_info = None


def only_borrows(state, kinds, counted):
    """Whether all that has references is held by somebody else for as long as the function runs, or by nobody.

    That is an argument, a constant, a part of these, or an array on the stack. What Numba's own functions do with
    arrays is not known here, so a function that calls one counts.
    """
    if counted(state.return_type) or not state.flags.no_cpython_wrapper:
        return False
    if not all(isinstance(kind, (types.Array, types.BaseTuple)) or is_ours(kind) for kind in kinds):
        return False
    statements = (one for block in state.func_ir.blocks.values() for one in block.body)
    return all(borrows(state, one, counted) for one in statements)


def borrows(state, statement, counted):
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem, ir.SetAttr)):
        return not counted(state.typemap[statement.value.name])
    if not isinstance(statement, ir.Assign):
        return isinstance(statement, (ir.Branch, ir.Jump, ir.Return, ir.StaticRaise))
    made = statement.value
    if not isinstance(made, ir.Expr):
        return True
    if made.op == "call":
        return borrows_in_call(state.typemap[made.func.name], state.calltypes[made], counted)
    if made.op == "getitem" and counted(state.typemap[made.index.name]):
        return False
    return made.op in BORROWING or not counted(state.typemap[statement.target.name])


def borrows_in_call(callee, signature, counted):
    """Whether a call makes and keeps no references: of a kernel or a method, of an intrinsic, or with numbers."""
    if isinstance(getattr(callee, "typing_key", None), _Intrinsic):
        return True
    known = isinstance(callee, types.Dispatcher) or is_ours(callee)
    return not counted(signature.return_type) and (known or not any(map(counted, signature.args)))


def is_ours(kind):
    """Whether a type is that of a game or another compiled class, or of a method of one."""
    return hasattr(kind, "compiled_in") or (hasattr(kind, "this") and is_ours(kind.this))


def counted_types(context):
    """Whether values of a type have references that are counted."""

    def counted(kind):
        if kind not in COUNTED:
            COUNTED[kind] = context.data_model_manager[kind].contains_nrt_meminfo()
        return COUNTED[kind]

    return counted


COUNTED = {}
