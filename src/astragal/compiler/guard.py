"""The checks that kernels make where they call a game's method.

An error ends the kernel, as in Numba. So does a count that is not positive or more than was declared, a value that
is not finite, and a turn that is not valid. On the way out the state is handed to Python (`astragal.compiler.guarded`),
by a function whose name the linker has, so that kernels kept on disk find it. If nothing is wrong, a check costs
one comparison a call; a method that cannot raise adds nothing else to the machine code. (A check of every `turn` costs
Star1 a fifth of its speed; it is looked at where a search goes on from a decision, and by `astragal check`.)
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from astragal.base.errors import GameError
from astragal.compiler.checked import CheckedLower
from astragal.compiler.guarded import BELOW, guards, limited_print, noted
from astragal.compiler.intrinsics.native import twin
from astragal.compiler.numba_names import cgutils, fix_returning_optional

NOTE, PRINT = "astragal_note_fault", "astragal_print"
RAISES = ".const.pickle"  # in the code of a function that can raise: the exception, pickled
TAB = "\t"  # between the items of a print
WORD, BYTE = ir.IntType(64), ir.IntType(8)


def note(method, address, size, argument):
    noted(method, ctypes.string_at(address, size), argument)


def show(kinds, address):
    """Print numbers that lie one after the other: of each kind, i or f, 8 bytes; a text is in the kinds itself."""
    items = kinds.decode().split(TAB)
    numbers = iter(zip(items, range(address, address + 8 * len(items), 8), strict=False))
    kind: dict[str, Any] = {"%i": ctypes.c_int64, "%f": ctypes.c_double}
    limited_print(*(kind[item].from_address(at).value if item in kind else item for item, at in numbers))


CALLBACKS = {
    NOTE: ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(note),
    PRINT: ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)(lambda *given: show(*given)),
}
for symbol, callback in CALLBACKS.items():
    binding.add_symbol(symbol, ctypes.cast(callback, ctypes.c_void_p).value)


class GuardLower(CheckedLower):
    """Numba's way from typed code to LLVM's, with these checks, and with our own `print`."""

    def lower_print(self, inst):
        emit_print(self, inst)

    def _lower_call_normal(self, fnty, expr, signature):
        if not is_guarded(fnty, signature):
            return super()._lower_call_normal(fnty, expr, signature)
        values = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        return call_guarded(self, fnty, signature, [self.loadvar(expr.func.name), *values])


def is_guarded(method, signature):
    """Whether a call is one of a game's methods, of a state."""
    constants = getattr(getattr(method, "this", None), "compiled_in", {})
    return (
        "max_actions" in constants
        and method.typing_key[1] in guards.names
        and bool(signature.args)
        and isinstance(signature.args[0], types.Record)
    )


def call_guarded(lower, method, signature, values):
    """Emit the call of a game's method, with the game and its arguments as values, and the checks."""
    context, builder = lower.context, lower.builder
    name = method.typing_key[1]
    found = method.function.dispatcher.overloads[(method.this, *signature.args)]
    state = values[1]
    if name in guards.changing and can_raise(found.library):
        state = kept_copy(builder, state, signature.args[0].size)
    at = state, signature.args[0].size, number_given(context, builder, signature, values)
    result = call_compiled(lower, found, signature, values, lambda: emit_note(builder, name, *at))
    caller = lower.func_ir.func_id.modname
    wrong = wrong_result(context, builder, method.this, name, signature.return_type, result, caller)
    if wrong is not None:
        with cgutils.if_unlikely(builder, wrong):
            emit_note(builder, name, *at)
            sentence = f"{name} returned what it must not"
            context.call_conv.return_user_exc(builder, GameError, (sentence,), loc=lower.loc, func_name=name)
    return result


def call_compiled(lower, found, signature, values, before_error):
    """Emit the call of a compiled function; an error in it ends the caller, after what is to be emitted before that."""
    context, builder = lower.context, lower.builder
    context.add_linking_libs([found.library])
    function = context.declare_function(builder.module, found.fndesc)
    kinds = found.fndesc.restype, found.fndesc.argtypes
    status, result = context.call_conv.call_function(builder, function, *kinds, values)
    with cgutils.if_unlikely(builder, status.is_error):
        before_error()
        context.call_conv.return_status_propagate(builder, status)
    return fix_returning_optional(context, builder, signature, status, result)


def wrong_result(context, builder, kind, name, returned, result, caller):
    """The condition that a search cannot go on with a result; None where any result is allowed."""
    if name in guards.finite and isinstance(returned, types.Float) and not caller.startswith(guards.sums):
        return is_not_finite(builder, result)
    most = bound(kind, guards.counts.get(name))
    if isinstance(returned, types.Integer) and isinstance(most, int):
        count = context.cast(builder, result, returned, types.int64)
        least = 1 if is_kernel(caller) else 0  # a game may find out by its list that it is over
        return builder.icmp_unsigned(">", builder.sub(count, ir.Constant(WORD, least)), ir.Constant(WORD, most - least))
    return None


def is_kernel(module):
    """Whether a module calls methods only at states where the game is not over: games may call their own at any."""
    return module.startswith(guards.kernels) and not module.startswith(guards.games)


def is_not_finite(builder, value):
    return builder.fcmp_unordered("!=", builder.fsub(value, value), ir.Constant(value.type, 0.0))


def bound(kind, name):
    return kind.compiled_in.get(name)


def can_raise(library):
    """Whether the code of a function, or of what that calls, makes an exception."""
    pending, seen = [library], set()
    while pending:
        one = pending.pop()
        if one not in seen:
            seen.add(one)
            texts = getattr(one, "_texts", None)
            if texts is None or any(RAISES in text for text in texts):
                return True
            pending += one._linking_libraries
    return False


def kept_copy(builder, state, size):
    """A copy of a state from before a method that may raise half-way through changing it."""
    with builder.goto_entry_block():  # `alloca_once` clears it too: where states are large, minutes of LLVM's time
        copy = builder.alloca(ir.ArrayType(BYTE, size))
    cgutils.raw_memcpy(builder, copy, state, ir.Constant(WORD, size), 1, align=1)
    return copy


def number_given(context, builder, signature, values):
    """The action, outcome, player or random bits that a method is called with."""
    if len(signature.args) > 1 and isinstance(signature.args[1], types.Integer):
        return context.cast(builder, values[2], signature.args[1], types.int64)
    return ir.Constant(WORD, 0)


def emit_note(builder, name, state, size, argument):
    pointer = BYTE.as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [WORD, pointer, WORD, WORD])
    function = cgutils.get_or_insert_function(builder.module, kind, NOTE)
    function.attributes.add("cold")
    place = ir.Constant(WORD, BELOW if name is None else guards.names.index(name))
    builder.call(function, [place, builder.bitcast(state, pointer), ir.Constant(WORD, size), argument])


def emit_print(lower, statement):
    """A `print` in a method; Numba's own waits for ever for Python's lock in some kernels, and floods the screen."""
    context, builder = lower.context, lower.builder
    numbers = cgutils.alloca_once(builder, ir.ArrayType(WORD, max(len(statement.args), 1)))
    kinds = []
    for i, variable in enumerate(statement.args):
        place = cgutils.gep(builder, numbers, 0, i)
        kind, value = lower.typeof(variable.name), lower.loadvar(variable.name)
        if isinstance(kind, types.StringLiteral) or i in statement.consts:
            kinds.append(str(statement.consts.get(i, getattr(kind, "literal_value", ""))).replace(TAB, " "))
        elif isinstance(kind, (types.Integer, types.Boolean)):
            kinds.append("%i")
            builder.store(context.cast(builder, value, kind, types.int64), place)
        elif isinstance(kind, types.Float):
            kinds.append("%f")
            number = context.cast(builder, value, kind, types.float64)
            builder.store(number, builder.bitcast(place, number.type.as_pointer()))
        else:
            kinds.append(f"<{type(kind).__name__}>")
    text = context.insert_const_string(builder.module, TAB.join(kinds))
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), BYTE.as_pointer()]), PRINT
    )
    builder.call(function, [text, builder.bitcast(numbers, BYTE.as_pointer())])


@twin(lambda state, value: value)
@intrinsic
def finite(typingctx, state, value):
    """A value from below a state; one that is not finite ends the kernel."""

    def codegen(context, builder, signature, args):
        with cgutils.if_unlikely(builder, is_not_finite(builder, args[1])):
            emit_note(builder, None, args[0], state.size, ir.Constant(WORD, 0))
            context.call_conv.return_user_exc(builder, GameError, ("a value is not finite",))
        return args[1]

    return types.float64(state, types.float64), codegen


@twin(lambda game, state, turn: guards.in_turn(game, state, turn))
@intrinsic
def in_turn(typingctx, game, state, turn):
    """The player to move at a state; a turn that is not valid ends the kernel."""

    def codegen(context, builder, signature, args):
        players = bound(game, "players")
        if isinstance(players, int):
            nobody = builder.icmp_unsigned(">", builder.add(args[2], ir.Constant(WORD, 1)), ir.Constant(WORD, players))
            with cgutils.if_unlikely(builder, nobody):
                emit_note(builder, "turn", args[1], state.size, ir.Constant(WORD, 0))
                context.call_conv.return_user_exc(builder, GameError, ("turn is not valid",))
        return args[2]

    return types.int64(game, state, types.int64), codegen
