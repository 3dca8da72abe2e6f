"""The steps from byte code to Numba's intermediate code with types, each only where it has something to do.

Numba takes every step with every function. Most functions have no ``print``, no list that becomes a tuple, no built-in
function that is put in place of its call, and no operation on whole arrays.
"""

# mypy: ignore-errors
from __future__ import annotations

import re

import numpy as np
from numba.core import interpreter, ir, rewrites, transforms, types
from numba.core.ir_utils import build_definitions
from numba.core.ssa import reconstruct_ssa
from numba.core.typed_passes import InlineOverloads, NopythonRewrites, PreLowerStripPhis

MENDED = re.compile("LIST|DICT|MAP|WITH|_EX$|INTRINSIC")  # instructions that Numba translates in several goes
SCALARS = types.Number, types.Boolean


class PlainInterpreter(interpreter.Interpreter):
    """Numba's translation, without the goes that nothing in the function asks for."""

    def post_process(self, peepholes, func_ir):
        names = {one.opname for one in self.bytecode.table.values()}
        if self.func_id.func.__code__.co_exceptiontable or any(map(MENDED.search, names)):
            return super().post_process(peepholes, func_ir)
        return func_ir


def translate(state):
    """From byte code to Numba's intermediate representation."""
    state.func_ir = PlainInterpreter(state.func_id).interpret(state.bc)
    state.nargs = state.func_ir.arg_count
    if len(state.args) != state.nargs:
        raise TypeError(f"Signature mismatch: {len(state.args)} argument types given for {state.nargs} arguments")


def rewrite(state):
    """What Numba replaces before types are inferred, such as an index that is a constant."""
    blocks = state.func_ir.blocks
    prints = "print" in state.func_id.func.__code__.co_names
    for kind in rewrites.rewrite_registry.rewrites["before-inference"]:
        if kind.__module__.endswith("ir_print") and not prints:
            continue
        change, pending = kind(state), list(blocks)
        while pending:
            label = pending.pop()
            if change.match(state.func_ir, blocks[label], state.typemap, state.calltypes):
                blocks[label] = change.apply()
                pending.append(label)


def assign_once(state):
    """Give a variable that is assigned to several times as many names."""
    func_ir = state.func_ir
    func_ir.blocks = transforms.canonicalize_cfg(func_ir.blocks)
    if len(func_ir.blocks) > 1 or any(len(made) > 1 for made in func_ir._definitions.values()):
        reconstruct_ssa(func_ir)
    func_ir._definitions = build_definitions(func_ir.blocks)


def assign_in_blocks(state):
    """Assign to a variable at the ends of the blocks that its value comes from, once types are known."""
    if any(True for block in state.func_ir.blocks.values() for _ in block.find_exprs("phi")):
        state.func_ir = PreLowerStripPhis()._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)


def put_in_place(state):
    """Replace calls of those built-in functions that Numba has a translation of for that."""
    if any(
        may_be_replaced(state, call) for block in state.func_ir.blocks.values() for call in block.find_exprs("call")
    ):
        InlineOverloads().run_pass(state)


def may_be_replaced(state, call):
    callee = state.typemap[call.func.name]
    if not isinstance(callee, types.Function) or all(isinstance(kind, SCALARS) for kind in state.calltypes[call].args):
        return False
    return any(not one._inline.is_never_inline for one in callee.templates if hasattr(one, "_inline"))


def join_array_expressions(state):
    """Make a single loop of operations on whole arrays."""
    made = (one for block in state.func_ir.blocks.values() for one in block.find_insts(ir.Assign))
    if any(is_array_expression(state, one) for one in made):
        NopythonRewrites().run_pass(state)


def is_array_expression(state, assignment):
    made = assignment.value
    if not isinstance(made, ir.Expr) or not isinstance(state.typemap.get(assignment.target.name), types.Array):
        return False
    if made.op == "call":
        return isinstance(getattr(state.typemap[made.func.name], "typing_key", None), np.ufunc)
    return made.op in ("binop", "inplace_binop", "unary")
