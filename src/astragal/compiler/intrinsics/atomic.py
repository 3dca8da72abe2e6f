"""Atomic operations on fields of records, for threads that grow one tree together."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from astragal.compiler.intrinsics.native import twin
from astragal.compiler.numba_names import cgutils


def _field(context, builder, record, pointer, name):
    """A pointer to a field of a record, as an integer's or a float's."""
    offset, kind = record.offset(name), record.typeof(name)
    place = cgutils.get_record_member(builder, pointer, offset, context.get_data_type(kind))
    return place, kind


def _python_add(record, field, value):
    old = getattr(record, field)
    setattr(record, field, old + value)
    return old


@twin(_python_add)
@intrinsic(prefer_literal=True)
def atomic_add(typingctx, record, field, value):
    """Add to a field and return what was there before."""
    name = field.literal_value
    kind = record.typeof(name)

    def codegen(context, builder, signature, args):
        place, _ = _field(context, builder, record, args[0], name)
        operation = "fadd" if isinstance(kind, types.Float) else "add"
        return builder.atomic_rmw(operation, place, args[2], "monotonic")

    return kind(record, field, kind), codegen


def _python_take(record, field):
    old = getattr(record, field)
    setattr(record, field, 0)
    return old


@twin(_python_take)
@intrinsic(prefer_literal=True)
def atomic_take(typingctx, record, field):
    """Set a whole-number field to 0, and return what was there before."""
    name = field.literal_value
    kind = record.typeof(name)

    def codegen(context, builder, signature, args):
        place, _ = _field(context, builder, record, args[0], name)
        zero = ir.Constant(context.get_data_type(kind), 0)
        return builder.atomic_rmw("xchg", place, zero, "monotonic")

    return kind(record, field), codegen


def _python_store(record, field, value):
    setattr(record, field, value)


@twin(_python_store)
@intrinsic(prefer_literal=True)
def atomic_store(typingctx, record, field, value):
    """Store into a field after everything stored before it has become visible to other threads."""
    name = field.literal_value
    kind = record.typeof(name)

    def codegen(context, builder, signature, args):
        place, _ = _field(context, builder, record, args[0], name)
        builder.store_atomic(args[2], place, "release", kind.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(record, field, kind), codegen


def _python_lock(record):
    free = record.flags & 1 == 0
    record.flags |= 1
    return free


@twin(_python_lock)
@intrinsic(prefer_literal=True)
def take_lock(typingctx, record):
    """Set the lowest bit of the field `flags`; whether it was not set before."""

    def codegen(context, builder, signature, args):
        place, _ = _field(context, builder, record, args[0], "flags")
        byte = ir.IntType(8)
        before = builder.atomic_rmw("or", place, ir.Constant(byte, 1), "acq_rel")
        return builder.icmp_unsigned("==", builder.and_(before, ir.Constant(byte, 1)), ir.Constant(byte, 0))

    return types.boolean(record), codegen


def _python_claim(record, field, value):
    old = getattr(record, field)
    if old == 0:
        setattr(record, field, value)
    return old


@twin(_python_claim)
@intrinsic(prefer_literal=True)
def claim(typingctx, record, field, value):
    """Set a whole-number field if it is 0, and return what was there before."""
    name = field.literal_value
    kind = record.typeof(name)

    def codegen(context, builder, signature, args):
        place, _ = _field(context, builder, record, args[0], name)
        zero = ir.Constant(context.get_data_type(kind), 0)
        return builder.extract_value(builder.cmpxchg(place, zero, args[2], "acq_rel", "monotonic"), 0)

    return kind(record, field, kind), codegen
