"""Branches that constants decide, before anything is compiled of what they lead to.

``if variant.sampled:`` is decided as soon as the variant is given. Numba infers types of both sides, compiles all that
they call, and leaves it to LLVM to drop one. Here it is dropped first.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import inspect
import operator

from numba import types

from astragal.compiler.fingerprint import is_compiled
from astragal.compiler.numba_names import analysis, build_definitions
from astragal.compiler.numba_names import numba_ir as ir

UNKNOWN = object()
COMPARE = {operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge}


def decide_branches(func_ir, argument_types):
    """Replace branches on constants by jumps, drop the blocks that are not reached then, and look again.

    A variable with two possible values is a constant once the block that set one of them is dropped, as in ``a and b``.
    """
    while jump_where_decided(func_ir, argument_types):
        for dead in analysis.compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
            del func_ir.blocks[dead]
        func_ir._definitions = build_definitions(func_ir.blocks)


def jump_where_decided(func_ir, argument_types):
    """Whether there was a branch on a constant."""
    decided = False
    for block in func_ir.blocks.values():
        branch = block.body[-1]
        if isinstance(branch, ir.Branch):
            value = constant(func_ir, branch.cond, argument_types)
            if isinstance(value, (bool, int)):
                block.body[-1] = ir.Jump(branch.truebr if value else branch.falsebr, branch.loc)
                decided = True
    return decided


def constant(func_ir, variable, argument_types):
    """The value of a variable if it is constant: a number, a compiled instance, the type of one; else UNKNOWN."""
    definitions = func_ir._definitions.get(variable.name, ())
    if len(definitions) != 1:
        return UNKNOWN
    (made,) = definitions
    if isinstance(made, ir.Arg):
        kind = argument_types[made.index]
        left_out = isinstance(kind, types.Omitted) and kind.value is None
        return None if left_out or isinstance(kind, types.NoneType) else kind
    if isinstance(made, ir.Var):
        return constant(func_ir, made, argument_types)
    if isinstance(made, (ir.Const, ir.Global, ir.FreeVar)):
        return made.value
    return expression(func_ir, made, argument_types) if isinstance(made, ir.Expr) else UNKNOWN


def expression(func_ir, made, argument_types):
    if made.op == "getattr":
        return attribute(constant(func_ir, made.value, argument_types), made.attr)
    if made.op == "cast":
        return constant(func_ir, made.value, argument_types)
    if made.op == "call" and len(made.args) == 1 and constant(func_ir, made.func, argument_types) is bool:
        value = constant(func_ir, made.args[0], argument_types)
        return bool(value) if isinstance(value, (bool, int)) else UNKNOWN
    if made.op == "unary" and made.fn is operator.not_:
        value = constant(func_ir, made.value, argument_types)
        return not value if isinstance(value, (bool, int)) else UNKNOWN
    if made.op == "binop" and made.fn in COMPARE:
        values = [constant(func_ir, side, argument_types) for side in (made.lhs, made.rhs)]
        return made.fn(*values) if all(isinstance(value, (bool, int)) for value in values) else UNKNOWN
    if made.op == "binop" and made.fn in (operator.is_, operator.is_not):
        values = [constant(func_ir, side, argument_types) for side in (made.lhs, made.rhs)]
        return made.fn(*values) if None in values and not any(map(may_be_none, values)) else UNKNOWN
    return UNKNOWN


def may_be_none(value):
    return value is UNKNOWN or isinstance(value, (types.Optional, types.Omitted))


def attribute(value, name):
    """The value of an attribute if it is constant: of a compiled instance, of a type of such, or of a module."""
    if inspect.ismodule(value):
        return getattr(value, name, UNKNOWN)
    kind = value._numba_type_ if is_compiled(value) else value
    return kind.compiled_in.get(name, UNKNOWN) if hasattr(kind, "compiled_in") else UNKNOWN
