"""From Numba's typed representation to LLVM's, in fewer instructions than Numba writes.

LLVM would find out what is not needed, but writing, reading and removing it is a good part of a compile:

- Numba keeps a variable in memory that is used in another block than that in which it is made;
- it loads each variable that is not used any more, to count its references down, and overwrites it, whatever its type.
  Numbers, records and games have no references to count, and most functions own no array (`owns_arrays`);
- see `astragal.game.items` and `astragal.game.calling`.
"""

# mypy: ignore-errors
from __future__ import annotations

import operator
from collections import Counter, defaultdict
from functools import partial

from numba.core import analysis, cgutils, ir, postproc, transforms, types
from numba.core.errors import LoweringError, new_error_context
from numba.core.ir_utils import enforce_no_phis
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.np.arrayobj import record_getattr, record_setattr

from astragal.game.calling import call_compiled
from astragal.game.guard import call_guarded, emit_print, is_guarded
from astragal.game.items import (
    array_in_record,
    begin_range,
    get_item,
    has_plain_items,
    make_range,
    next_number,
    set_item,
)
from astragal.game.native import scratch, scratch_table

UNOWNED = ir.Arg, ir.Var, ir.Global, ir.FreeVar, ir.Const
NUMBERS = types.Number, types.Boolean
POWERS = frozenset({operator.pow, operator.ipow})


class PlainLower(Lower):
    """Lowering that knows what it need not write down."""

    def init(self):
        self._counted = counted_types(self.context) if owns_arrays(self) else never
        super().init()

    # Variables

    def _find_singly_assigned_variable(self):
        self._blk_local_varmap = {}
        self._singly_assigned_vars = set(values_not_places(self.blocks, lambda name: self._counted(self.typeof(name))))

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

    # Statements

    def lower_inst(self, inst):
        """An assignment as Numba does it, which would write it down as a text first in case it is debugged."""
        if isinstance(inst, ir.Assign) and not self.flags.debuginfo:
            value = self.lower_assign(self.typeof(inst.target.name), inst)
            index = inst.value.index + 1 if isinstance(inst.value, ir.Arg) else None
            self.storevar(value, inst.target.name, argidx=index)
        elif isinstance(inst, (ir.SetItem, ir.StaticSetItem)) and self.has_items(inst.target, inst.index):
            kind = self.typeof(inst.target.name)
            value = self._cast_var(inst.value, kind.dtype)
            set_item(self, kind, self.loadvar(inst.target.name), *self.index(inst.index), value)
        elif isinstance(inst, ir.SetAttr) and isinstance(self.typeof(inst.target.name), types.Record):
            signature = self.fndesc.calltypes[inst]
            values = self.loadvar(inst.target.name), self._cast_var(inst.value, signature.args[1])
            record_setattr(self.context, self.builder, signature, values, inst.attr)
        else:
            super().lower_inst(inst)

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

    def lower_print(self, inst):
        emit_print(self, inst)

    # Expressions

    def lower_assign(self, ty, inst):
        if isinstance(ty, types.Dispatcher):  # known by its type; Numba would look its address up
            return self.context.get_constant_null(ty)
        return super().lower_assign(ty, inst)

    def lower_expr(self, resty, expr):
        if expr.op in ("getitem", "static_getitem") and self.has_items(expr.value, expr.index):
            kind = self.typeof(expr.value.name)
            value = get_item(self, kind, self.loadvar(expr.value.name), *self.index(expr.index))
            return self.context.cast(self.builder, value, kind.dtype, resty)
        if expr.op == "getattr" and isinstance(self.typeof(expr.value.name), types.Record):
            return self.lower_field(resty, expr)
        if expr.op == "getiter" and self.steps_by_one(expr.value):
            return begin_range(self, resty, self.loadvar(expr.value.name))
        if expr.op == "iternext" and isinstance(self.typeof(expr.value.name), types.RangeIteratorType):
            return next_number(self, resty, self.loadvar(expr.value.name))
        return super().lower_expr(resty, expr)

    def lower_field(self, resty, expr):
        """A field of a record."""
        record, pointer = self.typeof(expr.value.name), self.loadvar(expr.value.name)
        kind = record.typeof(expr.attr)
        if isinstance(kind, types.NestedArray):
            value = array_in_record(self, record, expr.attr, pointer)
        else:
            value = record_getattr(self.context, self.builder, record, pointer, expr.attr)
        return self.context.cast(self.builder, value, kind, resty)

    def has_items(self, array, index):
        if isinstance(index, ir.Var):
            return has_plain_items(self, self.typeof(array.name), self.typeof(index.name))
        return type(index) is int and has_plain_items(self, self.typeof(array.name), types.int64)

    def index(self, index):
        """The type of an index, and what it is: a number known now, or a value."""
        if isinstance(index, ir.Var):
            return self.typeof(index.name), self.loadvar(index.name)
        return types.int64, index

    def steps_by_one(self, variable):
        """Whether a variable is a range that was made without a step."""
        if not isinstance(self.typeof(variable.name), types.RangeType):
            return False
        made = self.func_ir._definitions.get(variable.name, ())
        call = made[0] if len(made) == 1 else None
        if not isinstance(call, ir.Expr) or call.op != "call" or call.vararg or len(call.args) == 3:
            return False
        return getattr(self.typeof(call.func.name), "typing_key", None) is range

    def lower_binop(self, resty, expr, op):
        """An operation on numbers; Numba looks first for one that knows an operand's value, as that of powers does."""
        signature = self.fndesc.calltypes[expr]
        if op in POWERS or not all(isinstance(kind, NUMBERS) for kind in signature.args):
            return super().lower_binop(resty, expr, op)
        values = [self._cast_var(one, kind) for one, kind in zip((expr.lhs, expr.rhs), signature.args, strict=True)]
        operation = self.context.typing_context.resolve_value_type(op)
        found = operation.get_call_type(self.context.typing_context, signature.args, {})
        result = self.context.get_function(operation, found)(self.builder, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def lower_call(self, resty, expr):
        """A call; Numba writes it down as a text first, in case it is debugged."""
        called, signature = self.typeof(expr.func.name), self.fndesc.calltypes[expr]
        emit = self.emitter(called, signature) if not expr.kws and not expr.vararg else None
        if emit is None or len(expr.args) != len(signature.args):
            return super().lower_call(resty, expr)
        values = [self._cast_var(one, kind) for one, kind in zip(expr.args, signature.args, strict=True)]
        if isinstance(called, types.BoundFunction):
            values.insert(0, self.loadvar(expr.func.name))
        return self.context.cast(self.builder, emit(self, called, signature, values), signature.return_type, resty)

    def emitter(self, called, signature):
        """What emits a call; None: Numba does."""
        key = getattr(called, "typing_key", None)
        if key is range:
            return emit_range
        if key is bool and isinstance(signature.args[0], types.Boolean):
            return emit_same
        if is_guarded(called, signature):
            return call_guarded
        dispatcher = getattr(getattr(called, "function", called), "dispatcher", None)
        known = getattr(dispatcher, "overloads", {})
        return emit_call if (*receiver(called), *signature.args) in known else None

    def _lower_call_normal(self, fnty, expr, signature):
        if not is_guarded(fnty, signature):
            return super()._lower_call_normal(fnty, expr, signature)
        values = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        return call_guarded(self, fnty, signature, [self.loadvar(expr.func.name), *values])


def receiver(called):
    return (called.this,) if isinstance(called, types.BoundFunction) else ()


def emit_call(lower, called, signature, values):
    dispatcher = getattr(called, "function", called).dispatcher
    return call_compiled(lower, dispatcher.overloads[(*receiver(called), *signature.args)], signature, values)


def emit_range(lower, called, signature, values):
    return make_range(lower, signature.return_type, values)


def emit_same(lower, called, signature, values):
    return values[0]


def values_not_places(blocks, is_counted):
    """Variables that need no place in memory: made once, before all that uses them."""
    made = Counter(statement.target.name for block in blocks.values() for statement in block.find_insts(ir.Assign))
    found = analysis.compute_use_defs(blocks)
    users = defaultdict(list)  # blocks that use what another made
    for label, names in found.usemap.items():
        for name in names:
            users[name].append(label)
    dominators = analysis.compute_cfg_from_blocks(blocks).dominators() if users else {}
    for label, names in found.defmap.items():
        for name in names:
            others = users.get(name, ())
            before = all(label < other and label in dominators[other] for other in others)
            if made[name] == 1 and before and not (others and is_counted(name)):
                yield name


class PlainLowering(NativeLowering):
    """The step that uses it."""

    lowering_class = PlainLower


# References


def end_lives(state):
    """Say where variables are used for the last time, of those whose references are counted."""
    func_ir = state.func_ir
    enforce_no_phis(func_ir)
    func_ir.owns_arrays = finds_owned(state)
    if not func_ir.owns_arrays:
        func_ir.blocks = transforms.canonicalize_cfg(func_ir.blocks)
        func_ir.generator_info = None
        return
    counted = counted_types(state.targetctx)
    postproc.PostProcessor(func_ir).run(emit_dels=True)
    for block in func_ir.blocks.values():
        block.body = [one for one in block.body if not isinstance(one, ir.Del) or counted(state.typemap[one.value])]


def owns_arrays(lower):
    return getattr(lower.func_ir, "owns_arrays", True)  # True: compiled in Numba's own way


def finds_owned(state):
    """Whether a function makes or returns what has references to count.

    It does not where all that has are arguments, which its caller holds, constants, arrays in records and `scratch`,
    whose memory nobody owns.
    """
    counted = counted_types(state.targetctx)
    if counted(state.return_type):
        return True
    made = (one for block in state.func_ir.blocks.values() for one in block.find_insts(ir.Assign))
    return any(counted(state.typemap[one.target.name]) and not is_borrowed(state, one.value) for one in made)


def is_borrowed(state, value):
    if isinstance(value, UNOWNED):
        return True
    if value.op == "getattr":
        kind = state.typemap[value.value.name]
        return isinstance(kind, types.Record) or value.attr in getattr(kind, "compiled_in", ())
    if value.op != "call":
        return False
    called = getattr(state.typemap[value.func.name], "typing_key", None)
    return called is scratch or called is scratch_table


def counted_types(context):
    """Whether values of a type have references that are counted."""

    def counted(kind):
        if kind not in COUNTED:
            COUNTED[kind] = context.data_model_manager[kind].contains_nrt_meminfo()
        return COUNTED[kind]

    return counted


def never(kind):
    return False


COUNTED = {}
