"""Four words at once in compiled code: a type that is one vector register, and the intrinsics of `vector_words`."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_model

from astragal.compiler.intrinsics import vector_words
from astragal.compiler.intrinsics.native import WORD, twin
from astragal.compiler.numba_names import PrimitiveModel

VECTOR = ir.VectorType(WORD, 4)
NOTHING = ir.Constant(VECTOR, [ir.Constant(WORD, 0)] * 4)
TUPLE = types.UniTuple(types.int64, 4)


class FourType(types.Type):
    """Numba's type of four words. Without it they are a tuple, which a loop takes to pieces and puts together again."""


FOUR = FourType("Four")


@register_model(FourType)
class FourModel(PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)


def place(i: int) -> Any:
    return ir.Constant(ir.IntType(32), i)


def vector_of(builder: Any, kind: Any, value: Any) -> Any:
    """Four words as a vector; constants, and words that a game lists, are tuples at first."""
    if kind is FOUR:
        return value
    vector = ir.Constant(VECTOR, ir.Undefined)
    for i in range(4):
        vector = builder.insert_element(vector, builder.extract_value(value, i), place(i))
    return vector


def taken_as(kind: Any) -> Any:
    return FOUR if kind is FOUR else TUPLE


def of_two(python: Callable[..., Any], build: Callable[..., Any]) -> Any:
    """An intrinsic of two fours that gives one."""

    @twin(python)
    @intrinsic
    def native(typingctx, a, b):
        kinds = taken_as(a), taken_as(b)

        def codegen(context, builder, signature, args):
            return build(builder, *(vector_of(builder, *pair) for pair in zip(kinds, args, strict=True)))

        return FOUR(*kinds), codegen

    return native


@twin(vector_words.four)
@intrinsic
def four(typingctx, table, row):
    """One load; word by word, LLVM makes four of it if the table is a constant."""

    def codegen(context, builder, signature, args):
        data = context.make_array(table)(context, builder, args[0]).data
        first = builder.gep(data, [builder.mul(args[1], ir.Constant(WORD, 4))])
        return builder.load(builder.bitcast(first, VECTOR.as_pointer()), align=8)

    return FOUR(table, types.int64), codegen


@twin(vector_words.each)
@intrinsic
def each(typingctx, a):
    def codegen(context, builder, signature, args):
        vector = vector_of(builder, taken_as(a), args[0])
        return context.make_tuple(builder, TUPLE, [builder.extract_element(vector, place(i)) for i in range(4)])

    return TUPLE(taken_as(a)), codegen


@twin(vector_words.word)
@intrinsic
def word(typingctx, a, number):
    def codegen(context, builder, signature, args):
        return builder.extract_element(vector_of(builder, taken_as(a), args[0]), args[1])

    return types.int64(taken_as(a), types.int64), codegen


@twin(vector_words.is_nothing)
@intrinsic
def is_nothing(typingctx, a):
    """All 256 bits as one number, which LLVM compares with 0 by one instruction."""

    def codegen(context, builder, signature, args):
        bits = builder.bitcast(vector_of(builder, taken_as(a), args[0]), ir.IntType(256))
        return builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(256), 0))

    return types.boolean(taken_as(a)), codegen


def rearrange(builder: Any, vector: Any, order: Any) -> Any:
    """LLVM makes one shuffle of it, since the order is a constant."""
    result = ir.Constant(VECTOR, ir.Undefined)
    for i in range(4):
        result = builder.insert_element(
            result, builder.extract_element(vector, builder.extract_element(order, place(i))), place(i)
        )
    return result


def choose(builder: Any, test: Any, vector: Any) -> Any:
    return builder.select(builder.icmp_unsigned("!=", test, NOTHING), vector, NOTHING)


FOURS = {  # a function of `astragal.compiler.intrinsics.vector_words` -> its intrinsic
    vector_words.four: four,
    vector_words.each: each,
    vector_words.word: word,
    vector_words.is_nothing: is_nothing,
} | {
    function: of_two(function, build)
    for function, build in {
        vector_words.both: ir.IRBuilder.and_,
        vector_words.either: ir.IRBuilder.or_,
        vector_words.one_of: ir.IRBuilder.xor,
        vector_words.up: ir.IRBuilder.shl,
        vector_words.down: ir.IRBuilder.lshr,
        vector_words.rearranged: rearrange,
        vector_words.where: choose,
    }.items()
}
