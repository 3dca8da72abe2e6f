"""Sums of rows of numbers, and of their products with others, a block at a time in the processor's registers.

Numba would keep a sum in memory while it adds row after row to it: that takes three times as long.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import ctypes

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from astragal.compiler.intrinsics.native import twin
from astragal.compiler.numba_names import cgutils

BLOCK = 64  # numbers that fit into registers together
LANES = 8  # sums that are added up side by side
FLOAT, WORD = ir.FloatType(), ir.IntType(64)


def row_adder(width):
    """An intrinsic ``add_rows(address, first, listed, count, sums)``: the sum of the first row and of those listed.

    Rows of `width` single-precision numbers lie one after the other from an address on.
    """

    def python(address, first, listed, count, sums):
        rows = [int(first), *(int(listed[i]) for i in range(count))]
        for j in range(width):
            sums[j] = 0.0
        for row in rows:
            numbers = (ctypes.c_float * width).from_address(int(address) + 4 * width * row)
            for j in range(width):
                sums[j] += numbers[j]

    @twin(python)
    @intrinsic
    def add_rows(typingctx, address, first, listed, count, sums):
        def codegen(context, builder, signature, args):
            at = context.make_array(listed)(context, builder, args[2]).data
            target = builder.ptrtoint(context.make_array(sums)(context, builder, args[4]).data, WORD)
            for begin in range(0, width, BLOCK):
                numbers = ir.VectorType(FLOAT, min(BLOCK, width - begin)).as_pointer()

                def block(row, begin=begin, numbers=numbers):
                    offset = builder.add(builder.mul(row, WORD(4 * width)), WORD(4 * begin))
                    return builder.load(builder.inttoptr(builder.add(args[0], offset), numbers), align=4)

                total = cgutils.alloca_once_value(builder, block(args[1]))
                with cgutils.for_range(builder, args[3], intp=WORD) as loop:
                    row = builder.zext(builder.load(builder.gep(at, [loop.index])), WORD)
                    builder.store(builder.fadd(builder.load(total), block(row)), total)
                place = builder.inttoptr(builder.add(target, WORD(4 * begin)), numbers)
                builder.store(builder.load(total), place, align=4)
            return context.get_dummy_value()

        return types.void(types.uint64, types.int64, listed, types.int64, sums), codegen

    return add_rows


def row_weigher(width, rows):
    """An intrinsic ``weigh_rows(address, first, sums, lanes)``: positive sums times each row's weights.

    Rows as above, from the first on. It writes eight parts of each sum, ``lanes[8 * row + lane]``.
    """

    def python(address, first, sums, lanes):
        for row in range(rows):
            numbers = (ctypes.c_float * width).from_address(int(address) + 4 * width * (int(first) + row))
            for lane in range(LANES):
                lanes[LANES * row + lane] = sum(
                    numbers[j] * max(float(sums[j]), 0.0) for j in range(lane, width, LANES)
                )

    @twin(python)
    @intrinsic
    def weigh_rows(typingctx, address, first, sums, lanes):
        def codegen(context, builder, signature, args):
            eight = ir.VectorType(FLOAT, LANES)
            nothing = ir.Constant(eight, [0.0] * LANES)

            def place(base, offset):
                return builder.inttoptr(builder.add(base, offset), eight.as_pointer())

            begins = [WORD(4 * begin) for begin in range(0, width, LANES)]
            source, target = (
                builder.ptrtoint(context.make_array(kind)(context, builder, array).data, WORD)
                for kind, array in ((sums, args[2]), (lanes, args[3]))
            )
            units = [builder.load(place(source, begin), align=4) for begin in begins]
            units = [builder.select(builder.fcmp_ordered(">", unit, nothing), unit, nothing) for unit in units]
            at = builder.add(args[0], builder.mul(args[1], WORD(4 * width)))
            for row in range(rows):
                total = nothing
                for begin, unit in zip(begins, units, strict=True):
                    weights = builder.load(place(builder.add(at, WORD(4 * width * row)), begin), align=4)
                    total = builder.fadd(total, builder.fmul(weights, unit))
                builder.store(total, place(target, WORD(4 * LANES * row)), align=4)
            return context.get_dummy_value()

        return types.void(types.uint64, types.int64, sums, lanes), codegen

    return weigh_rows


def row_mixer(rows, width):
    """An intrinsic ``mix_rows(address, numbers, sums)``: each row times its number, and a last row as it is, added up.

    Rows of `width` single-precision numbers lie one after the other from an address on.
    """

    def python(address, numbers, sums):
        matrix = ((ctypes.c_float * width) * (rows + 1)).from_address(int(address))
        for j in range(width):
            sums[j] = matrix[rows][j] + sum(float(numbers[i]) * matrix[i][j] for i in range(rows))

    @twin(python)
    @intrinsic
    def mix_rows(typingctx, address, numbers, sums):
        def codegen(context, builder, signature, args):
            source = context.make_array(numbers)(context, builder, args[1]).data
            target = builder.ptrtoint(context.make_array(sums)(context, builder, args[2]).data, WORD)
            for begin in range(0, width, BLOCK):
                lanes = min(BLOCK, width - begin)
                kind = ir.VectorType(FLOAT, lanes)
                spread = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)

                def block(row, begin=begin, kind=kind):
                    offset = builder.add(builder.mul(row, WORD(4 * width)), WORD(4 * begin))
                    return builder.load(builder.inttoptr(builder.add(args[0], offset), kind.as_pointer()), align=4)

                total = cgutils.alloca_once_value(builder, block(WORD(rows)))
                with cgutils.for_range(builder, WORD(rows), intp=WORD) as loop:
                    number = builder.load(builder.gep(source, [loop.index]))
                    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.IntType(32)(0))
                    each = builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), spread)
                    product = builder.fmul(block(loop.index), each)
                    builder.store(builder.fadd(builder.load(total), product), total)
                place = builder.inttoptr(builder.add(target, WORD(4 * begin)), kind.as_pointer())
                builder.store(builder.load(total), place, align=4)
            return context.get_dummy_value()

        return types.void(types.uint64, numbers, sums), codegen

    return mix_rows
