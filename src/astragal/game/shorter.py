"""Shorter code than Numba's for what kernels do most: an item of an array, a loop over a range.

What comes out of LLVM is the same. What goes in is a third or a fifth, and every instruction costs Python time to make,
to write down and to read again, and LLVM time in each of its passes.
"""

# mypy: ignore-errors
from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.core.ir import Expr
from numba.core.ir_utils import get_definition, guard
from numba.np.arrayobj import fix_integer_index, load_item, store_item

PLAIN_ITEMS = types.Number, types.Boolean, types.Record


def is_plain_item(context, array_type, index_type):
    """Whether there is one integer for each dimension of an array whose items lie one after the other."""
    if not isinstance(array_type, types.Buffer) or array_type.layout != "C" or context.enable_boundscheck:
        return False
    kinds = list(index_type) if isinstance(index_type, types.BaseTuple) else [index_type]
    whole = len(kinds) == array_type.ndim and isinstance(array_type.dtype, PLAIN_ITEMS)
    return whole and all(isinstance(kind, types.Integer) for kind in kinds)


def place_of_item(context, builder, array_type, array, index_type, index):
    """The address of such an item."""
    shape, data = (context.data_model_manager[array_type].get_field_position(name) for name in ("shape", "data"))
    several = isinstance(index_type, types.BaseTuple)
    place = None
    for axis, kind in enumerate(index_type if several else [index_type]):
        size = builder.extract_value(array, [shape, axis])
        number = builder.extract_value(index, axis) if several else index
        number = fix_integer_index(context, builder, kind, number, size)
        place = number if place is None else builder.add(builder.mul(place, size), number)
    return builder.gep(builder.extract_value(array, data), [place])


def item(lower, result_type, array, index, signature):
    """An item of an array as a value; None where that takes more."""
    context, builder = lower.context, lower.builder
    array_type, index_type = signature.args
    if not is_plain_item(context, array_type, index_type):
        return None
    pointer = place_of_item(
        context, builder, array_type, given(lower, array, array_type), index_type, given(lower, index, index_type)
    )
    value = load_item(context, builder, array_type, pointer)
    return context.cast(builder, value, signature.return_type, result_type)


def set_item(lower, array, index, value, signature):
    """Emit the store of an item, and say whether that could be done."""
    context, builder = lower.context, lower.builder
    array_type, index_type, value_type = signature.args
    if not is_plain_item(context, array_type, index_type) or not isinstance(value_type, PLAIN_ITEMS):
        return False
    pointer = place_of_item(
        context, builder, array_type, given(lower, array, array_type), index_type, given(lower, index, index_type)
    )
    stored = context.cast(builder, given(lower, value, value_type), value_type, array_type.dtype)
    store_item(context, builder, array_type, stored, pointer)
    return True


def given(lower, variable, wanted):
    """A variable's value, cast to the type that is wanted."""
    return lower.context.cast(lower.builder, lower.loadvar(variable.name), lower.typeof(variable.name), wanted)


def counts_up(lower, variable):
    """Whether a variable is ``range(end)`` or ``range(begin, end)``."""
    made = guard(get_definition, lower.func_ir, variable)
    if not isinstance(made, Expr) or made.op != "call" or len(made.args) > 2 or made.kws or made.vararg:
        return False
    return getattr(lower.typeof(made.func.name), "typing_key", None) is range


def begin_range(context, builder, kind, bounds):
    """An iterator of numbers one apart: a slot for the next of them, and one for how many are left."""
    begin, end, step = (builder.extract_value(bounds, i) for i in range(3))
    distance = builder.sub(end, begin)
    zero = ir.Constant(distance.type, 0)
    left = builder.select(builder.icmp_signed(">", distance, zero), distance, zero)
    with builder.goto_entry_block():
        slots = [builder.alloca(begin.type) for _ in range(2)]
    for slot, value in zip(slots, (begin, left), strict=True):
        builder.store(value, slot)
    iterator = ir.Constant(context.get_value_type(kind), ir.Undefined)
    for i, part in enumerate((slots[0], end, step, slots[1])):
        iterator = builder.insert_value(iterator, part, i)
    return iterator


def next_in_range(context, builder, pair_type, iterator):
    """The next number, and whether there is one; what is left in the slots after the last is never read."""
    number, step, left = (builder.extract_value(iterator, i) for i in (0, 2, 3))
    count, value = builder.load(left), builder.load(number)
    one = ir.Constant(count.type, 1)
    builder.store(builder.sub(count, one, flags=["nsw"]), left)
    builder.store(builder.add(value, step), number)
    pair = ir.Constant(context.get_value_type(pair_type), ir.Undefined)
    pair = builder.insert_value(pair, value, 0)
    return builder.insert_value(pair, builder.icmp_signed(">", count, ir.Constant(count.type, 0)), 1)
