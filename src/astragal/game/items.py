"""Items of arrays, arrays in records and rounds of ``range`` in few instructions.

Numba copies an array's description, seven words of it, to reach an item, and keeps a ``range`` and its iterator in
memory. LLVM finds out what of that is needed; not to write it down is quicker. What it means is the same, an index from
the end included.
"""

# mypy: ignore-errors
from __future__ import annotations

import math

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import load_item, store_item

WORD = ir.IntType(64)
DATA, SHAPE = 4, 5  # places in an array's description


def has_plain_items(lower, array, index):
    """Whether items are numbers or records one after the other, and an index is a number that nobody checks."""
    return (
        isinstance(array, types.Array)
        and array.ndim == 1
        and array.layout == "C"
        and isinstance(array.dtype, (types.Number, types.Boolean, types.Record))
        and isinstance(index, types.Integer)
        and not lower.context.enable_boundscheck
    )


def address(lower, kind, array, index_kind, index):
    """Where an item is; an index may be a number known now, or a value."""
    builder = lower.builder
    if isinstance(index, int):
        place = ir.Constant(WORD, index)
        if index < 0:
            place = builder.add(length(builder, array), place)
    elif index_kind.signed:
        place = lower.context.cast(builder, index, index_kind, types.int64)
        below = builder.icmp_signed("<", place, ir.Constant(WORD, 0))
        place = builder.select(below, builder.add(place, length(builder, array)), place)
    else:
        place = lower.context.cast(builder, index, index_kind, types.uint64)
    return builder.gep(builder.extract_value(array, DATA), [place])


def length(builder, array):
    return builder.extract_value(array, [SHAPE, 0])


def get_item(lower, kind, array, index_kind, index):
    return load_item(lower.context, lower.builder, kind, address(lower, kind, array, index_kind, index))


def set_item(lower, kind, array, index_kind, index, value):
    store_item(lower.context, lower.builder, kind, value, address(lower, kind, array, index_kind, index))


def array_in_record(lower, record, name, pointer):
    """The description of an array that is a field of a record."""
    context, builder = lower.context, lower.builder
    kind = record.typeof(name)
    data = cgutils.get_record_member(builder, pointer, record.offset(name), context.get_data_type(kind.dtype))
    return describe(context, builder, kind, kind.shape, kind.strides, data)


def describe(context, builder, kind, shape, strides, data):
    """The description of an array of a known shape that has no owner."""
    described = context.get_value_type(kind)
    known = None, None, math.prod(shape), strides[-1], None, list(shape), list(strides)
    parts = [ir.Constant(part, value) for part, value in zip(described.elements, known, strict=True)]
    return builder.insert_value(ir.Constant(described, parts), data, DATA)


def make_range(lower, kind, values):
    """A range, by its end, its beginning and end, or these and its step."""
    start, stop, step = [(0, *values, 1), (*values, 1), values][len(values) - 1]
    described = lower.context.get_value_type(kind)
    number = described.elements[0]
    known = [ir.Constant(number, part if isinstance(part, int) else ir.Undefined) for part in (start, stop, step)]
    made = ir.Constant(described, known)
    for place, part in enumerate((start, stop, step)):
        if not isinstance(part, int):
            made = lower.builder.insert_value(made, part, place)
    return made


def begin_range(lower, kind, value):
    """The iterator of a range in steps of one: places in memory for the next number and for how many are left."""
    builder = lower.builder
    start, stop = (builder.extract_value(value, place) for place in (0, 1))
    with builder.goto_entry_block():
        following, left = builder.alloca(start.type), builder.alloca(start.type)
    builder.store(start, following)
    builder.store(builder.sub(stop, start), left)
    made = ir.Constant(lower.context.get_value_type(kind), ir.Undefined)
    for place, part in enumerate((following, stop, ir.Constant(start.type, 1), left)):
        made = builder.insert_value(made, part, place)
    return made


def next_number(lower, kind, value):
    """The next number of an iterator, and whether there was one."""
    builder = lower.builder
    following, step, left = (builder.extract_value(value, place) for place in (0, 2, 3))
    number, count = builder.load(following), builder.load(left)
    builder.store(builder.add(number, step), following)
    builder.store(builder.sub(count, ir.Constant(count.type, 1), flags=["nsw"]), left)
    pair = ir.Constant(lower.context.get_value_type(kind), ir.Undefined)
    valid = builder.icmp_signed(">", count, ir.Constant(count.type, 0))
    return builder.insert_value(builder.insert_value(pair, number, 0), valid, 1)
