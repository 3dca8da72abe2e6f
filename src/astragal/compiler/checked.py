"""Indices and loops in methods of users' games: an array is never left, and every loop comes to an end.

An index beyond an array and a loop of more than ten million rounds end the kernel with an error. Loops over a range are
looked at before they begin, other loops count their rounds.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from astragal.base.errors import EndlessLoop
from astragal.compiler.numba_names import analysis, cgutils
from astragal.compiler.switches import checks_all, checks_users, is_users
from astragal.compiler.wrapping import WrappingLower

WORD = ir.IntType(64)
MOST_ROUNDS = 10_000_000  # of loops in one call of a method
ENDLESS = f"a loop goes on for more than {MOST_ROUNDS:,} rounds"
OUTSIDE = "index is out of bounds"


def is_checked(function: Any) -> bool:
    """Whether indices and loops of a function are checked."""
    return checks_all() or (checks_users() and is_users(function))


class CheckedLower(WrappingLower):
    """Numba's way from typed code to LLVM's, with what is checked in methods of users' games."""

    checks, heads = False, frozenset[int]()

    def pre_lower(self):
        super().pre_lower()
        # methods divide as Python does, kernels do not
        self.checks = self.context.error_model.raise_on_fp_zero_division and is_checked(self.func_ir.func_id.func)
        if self.checks:
            self.heads = loops_without_range(self.blocks)

    def pre_block(self, block):
        super().pre_block(block)
        if id(block) in self.heads:
            self.count_round(block)

    def lower_getitem(self, resty, expr, value, index, signature):
        self.check_index(value, index)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        self.check_index(target_var, index_var)
        return super().lower_setitem(target_var, index_var, value_var, signature)

    def _lower_call_normal(self, fnty, expr, signature):
        if self.checks and getattr(fnty, "typing_key", None) is range:
            self.count_range([self.cast(self.loadvar(each.name), self.typeof(each.name)) for each in expr.args])
        return super()._lower_call_normal(fnty, expr, signature)

    def cast(self, value, kind):
        return self.context.cast(self.builder, value, kind, types.int64)

    def check_index(self, array, index):
        """Emit what ends the kernel where an array has no item of this index, nor of one counted from its end."""
        kind, kinds = self.typeof(array.name), self.typeof(index.name)
        if not (self.checks and isinstance(kind, types.Array)):
            return
        builder, value = self.builder, self.loadvar(index.name)
        parts = [(value, kinds)]
        if isinstance(kinds, types.BaseTuple):
            parts = [(builder.extract_value(value, i), each) for i, each in enumerate(kinds.types)]
        shape = self.context.make_array(kind)(self.context, builder, self.loadvar(array.name)).shape
        for (one, its_kind), length in zip(parts, cgutils.unpack_tuple(builder, shape, kind.ndim), strict=False):
            if not isinstance(its_kind, types.Integer):
                return  # a slice, which ends where the array does
            from_end = builder.add(self.cast(one, its_kind), length)
            outside = builder.icmp_unsigned(">=", from_end, builder.add(length, length))
            self.end_if(outside, IndexError, OUTSIDE, self.loc)

    def count_round(self, block):
        """Emit the count of a loop's rounds, one for all loops of a function; too many end the kernel."""
        builder = self.builder
        rounds = cgutils.alloca_once(builder, WORD)  # 0 where the function begins
        count = builder.add(builder.load(rounds), ir.Constant(WORD, 1))
        builder.store(count, rounds)
        too_many = builder.icmp_unsigned(">", count, ir.Constant(WORD, MOST_ROUNDS))
        self.end_if(too_many, EndlessLoop, ENDLESS, block.loc)

    def count_range(self, numbers):
        """Emit what ends the kernel before a loop over a range that is too long."""
        builder = self.builder
        first, last = (ir.Constant(WORD, 0), *numbers) if len(numbers) == 1 else numbers[:2]
        length = builder.sub(last, first)
        if len(numbers) == 3:
            back = builder.icmp_signed("<", numbers[2], ir.Constant(WORD, 0))
            length = builder.select(back, builder.neg(length), length)
        too_long = builder.icmp_signed(">", length, ir.Constant(WORD, MOST_ROUNDS))
        self.end_if(too_long, EndlessLoop, ENDLESS, self.loc)

    def end_if(self, condition, error, sentence, loc):
        with cgutils.if_unlikely(self.builder, condition):
            self.context.call_conv.return_user_exc(self.builder, error, (sentence,), loc=loc)


def loops_without_range(blocks):
    """The blocks that loops begin with, by their ids; without those over a range or array, which have an end."""
    heads = [blocks[loop.header] for loop in analysis.compute_cfg_from_blocks(blocks).loops().values()]
    return frozenset(id(head) for head in heads if not any(head.find_exprs("iternext")))
