"""Sums, differences and products of integers wrap around at 64 bits: their lowest bits are those that Python has.

Numba promises LLVM that signed ones never do ("nsw"). Where one does anyway, as in a product of which only some bits
are wanted, LLVM may give any result, depending on the processor.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import operator

from numba import types

from astragal.compiler.numba_names import Lower

INSTRUCTIONS = {
    **dict.fromkeys((operator.add, operator.iadd), "add"),
    **dict.fromkeys((operator.sub, operator.isub), "sub"),
    **dict.fromkeys((operator.mul, operator.imul), "mul"),
}


class WrappingLower(Lower):
    """Numba's way from typed code to LLVM's, with integers that wrap around."""

    def lower_binop(self, resty, expr, op):
        signature = self.fndesc.calltypes[expr]
        integers = all(isinstance(kind, types.Integer) for kind in (signature.return_type, *signature.args))
        if op not in INSTRUCTIONS or not integers:
            return super().lower_binop(resty, expr, op)
        cast, wide = self.context.cast, signature.return_type
        sides = []
        for side, kind in zip((expr.lhs, expr.rhs), signature.args, strict=True):
            value = cast(self.builder, self.loadvar(side.name), self.typeof(side.name), kind)
            sides.append(cast(self.builder, value, kind, wide))
        result = getattr(self.builder, INSTRUCTIONS[op])(*sides)
        return cast(self.builder, result, wide, resty)
