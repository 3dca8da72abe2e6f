"""Indices and loops in methods of users' games: an array is never left, and every loop comes to an end.

An index beyond an array ends the kernel with an error, and so do more than ten million rounds of a function's loops,
nested or not, in one call. A loop over a range or array that leaves only at its end counts its rounds before it begins;
others count each. A loop that does more than a few instructions a round also leaves with an error where the search was
asked to stop and did not (`astragal.base.leaving`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import binding, ir
from numba import types

from astragal.base.errors import EndlessLoop
from astragal.base.leaving import LEAVING, is_leaving
from astragal.compiler.numba_names import analysis, cgutils, numba_ir, typing
from astragal.compiler.switches import checks_all, checks_users, is_users
from astragal.compiler.wrapping import WrappingLower

WORD = ir.IntType(64)
MOST_ROUNDS = 10_000_000  # of loops in one call of a method
ENDLESS = f"a loop goes on for more than {MOST_ROUNDS:,} rounds"
LATE = "a loop went on after the search was to stop"
OUTSIDE = "index is out of bounds"

ANY_LEAVES, THIS_LEAVES = "astragal_any_leaves", "astragal_this_leaves"  # whether any thread, or this one, is to leave
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64)(is_leaving)
binding.add_symbol(ANY_LEAVES, ctypes.addressof(LEAVING))
binding.add_symbol(THIS_LEAVES, ctypes.cast(CALLBACK, ctypes.c_void_p).value)


def is_checked(function: Any) -> bool:
    """Whether indices and loops of a function are checked."""
    return checks_all() or (checks_users() and is_users(function))


class CheckedLower(WrappingLower):
    """Numba's way from typed code to LLVM's, with what is checked in methods of users' games."""

    checks, rounds = False, None

    def pre_lower(self):
        super().pre_lower()
        # methods divide as Python does, kernels do not
        self.checks = self.context.error_model.raise_on_fp_zero_division and is_checked(self.func_ir.func_id.func)
        self.charged, self.counting, self.looking = set(), set(), set()  # what loops begin with, by their ids
        if self.checks:
            graph = analysis.compute_cfg_from_blocks(self.blocks)
            loops = graph.loops()
            for loop in loops.values():
                self.sort_loop(loop, graph, loops)

    def sort_loop(self, loop, graph, loops):
        """Find out where a loop's rounds are counted, and whether it looks if it is to stop."""
        begins = self.begins(loop, graph)
        if begins:
            self.charged.update(begins)
        else:
            self.counting.add(id(self.blocks[loop.header]))
        nested = any(other.header in loop.body for other in loops.values() if other is not loop)
        if nested or not all(self.is_quick(each) for label in loop.body for each in self.blocks[label].body):
            self.looking.add(id(self.blocks[loop.header]))

    def begins(self, loop, graph):
        """Where the iterator of a loop is made, by ids, if all of its rounds are known there; else nothing."""
        leaving = [label for label in loop.body if any(to not in loop.body for to, _ in graph.successors(label))]
        nexts = list(self.blocks[loop.header].find_exprs("iternext"))
        if leaving != [loop.header] or len(nexts) != 1:
            return []
        found = [iterators(self.blocks[label]).get(nexts[0].value.name) for label in loop.entries]
        return [id(each) for each in found] if all(each and self.has_length(each.value) for each in found) else []

    def has_length(self, variable):
        return isinstance(self.typeof(variable.name), (types.RangeType, types.Array))

    def is_quick(self, statement):
        """Whether a statement is a few instructions: no call of another function, nothing done with a whole array."""
        if isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
            index = getattr(statement, "index_var", None) or statement.index
            return self.are_small(index, statement.value)
        expr = getattr(statement, "value", None)
        if not isinstance(expr, numba_ir.Expr):
            return True
        if expr.op == "call":
            known = isinstance(self.typeof(expr.func.name), (types.Function, types.NumberClass))
            return known and self.are_small(statement.target, *expr.args)
        arithmetic = ("binop", "inplace_binop", "unary")
        return expr.op not in arithmetic or self.are_small(statement.target, *expr.list_vars())

    def are_small(self, *variables):
        """Whether these are numbers, or tuples of such."""
        kinds = [self.typeof(each.name) for each in variables]
        parts = [part for kind in kinds for part in (kind.types if isinstance(kind, types.BaseTuple) else (kind,))]
        return all(isinstance(part, (types.Number, types.Boolean, types.RangeType)) for part in parts)

    def pre_block(self, block):
        super().pre_block(block)
        if id(block) in self.counting:
            self.count_rounds(ir.Constant(WORD, 1), block.loc)
        if id(block) in self.looking:
            self.look(block.loc)

    def lower_expr(self, resty, expr):
        if id(expr) in self.charged:
            kind, value = self.typeof(expr.value.name), self.loadvar(expr.value.name)
            whole = kind.dtype if isinstance(kind, types.RangeType) else types.intp
            length = self.context.get_function(len, typing.signature(whole, kind))(self.builder, [value])
            self.count_rounds(self.cast(length, whole), expr.loc)
        return super().lower_expr(resty, expr)

    def lower_getitem(self, resty, expr, value, index, signature):
        self.check_index(value, index)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        self.check_index(target_var, index_var)
        return super().lower_setitem(target_var, index_var, value_var, signature)

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

    def count_rounds(self, number, loc):
        """Emit a count of rounds, one for all loops of a function; too many end the kernel."""
        builder = self.builder
        self.rounds = self.rounds or cgutils.alloca_once(builder, WORD)  # 0 where the function begins
        count = builder.add(builder.load(self.rounds), number)
        builder.store(count, self.rounds)
        self.end_if(builder.icmp_unsigned(">", count, ir.Constant(WORD, MOST_ROUNDS)), EndlessLoop, ENDLESS, loc)

    def look(self, loc):
        """Emit what ends the kernel where this thread is to leave its loops; Python is called once any thread is to."""
        builder = self.builder
        place = self.context.get_c_value(builder, WORD, ANY_LEAVES)
        some = builder.icmp_unsigned("!=", builder.load_atomic(place, "monotonic", 8), ir.Constant(WORD, 0))
        with cgutils.if_unlikely(builder, some):
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, []), THIS_LEAVES)
            function.attributes.add("cold")
            self.end_if(cgutils.is_not_null(builder, builder.call(function, [])), EndlessLoop, LATE, loc)

    def end_if(self, condition, error, sentence, loc):
        with cgutils.if_unlikely(self.builder, condition):
            self.context.call_conv.return_user_exc(self.builder, error, (sentence,), loc=loc)


def iterators(block):
    """The iterators that a block makes, by the names that they have there."""
    made = {}
    for statement in block.find_insts(numba_ir.Assign):
        value = statement.value
        if isinstance(value, numba_ir.Expr) and value.op == "getiter":
            made[statement.target.name] = value
        elif isinstance(value, numba_ir.Var) and value.name in made:
            made[statement.target.name] = made[value.name]
    return made
