"""Sums of rows of numbers, a block of a row at a time in the processor's registers.

Numba would keep a sum in memory while it adds row after row to it: that takes three times as long.
"""

# mypy: ignore-errors
from __future__ import annotations

import ctypes

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from astragal.game.native import twin

BLOCK = 64  # numbers that fit into registers together
FLOAT, WORD = ir.FloatType(), ir.IntType(64)


def row_adder(width):
    """An intrinsic ``add_rows(address, first, listed, count, sums)``: the sum of the first row and of those listed.

    Rows of so many single-precision numbers lie one after the other from an address on.
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
