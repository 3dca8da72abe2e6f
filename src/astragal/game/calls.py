"""How kernels call one another, in LLVM's code.

Numba's way has a slot for the exception and one for the result, both cleared, six comparisons of the code that comes
back, and a copy of the exception for the caller's caller: thirty instructions a call, of which LLVM leaves two or
three. Here the callee is handed its caller's own place for exceptions, and one comparison is made, if it can fail.
"""

# mypy: ignore-errors
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types, typing
from numba.core.imputils import fix_returning_optional


def emit_call(context, builder, function, restype, argtypes, values, can_fail=True, leaving=lambda: None):
    """Emit a call of a compiled function and give its result; an error ends the caller too, after ``leaving()``."""
    conv = context.call_conv
    if isinstance(restype, types.Optional) or context.catches:
        status, result = conv.call_function(builder, function, restype, argtypes, values)
        with cgutils.if_unlikely(builder, status.is_error):
            leaving()
            conv.return_status_propagate(builder, status)
        return fix_returning_optional(context, builder, typing.signature(restype), status, result)
    with builder.goto_entry_block():
        slot = builder.alloca(conv.get_return_type(restype).pointee)
    given = conv._get_arg_packer(argtypes).as_arguments(builder, values)
    code = builder.call(function, [slot, conv._get_excinfo_argument(builder.function), *given])
    if can_fail:
        with cgutils.if_unlikely(builder, builder.icmp_unsigned("!=", code, ir.Constant(code.type, 0))):
            leaving()
            builder.ret(code)
    result = builder.load(slot)
    if isinstance(restype, types.Boolean):
        return builder.icmp_unsigned("!=", result, ir.Constant(result.type, 0))
    return context.get_returned_value(builder, restype, result)


def call_compiled(lower, found, values, leaving=lambda: None):
    """The same for the result of a compile."""
    lower.context.add_linking_libs([found.library])
    function = lower.context.declare_function(lower.builder.module, found.fndesc)
    can_fail = getattr(found.library, "can_fail", True)
    kinds = found.fndesc.restype, found.fndesc.argtypes
    return emit_call(lower.context, lower.builder, function, *kinds, values, can_fail, leaving)


def compiled_for(callee, signature):
    """The compile that a call of a kernel, or of a method, comes down to; None if there is none yet, or no such."""
    if isinstance(callee, types.Dispatcher):
        return callee.dispatcher.overloads.get(tuple(signature.args))
    if hasattr(callee, "function"):  # a method
        return callee.function.dispatcher.overloads.get((callee.this, *signature.args))
    return None
