"""What kernels need below Python: records and arrays on the C stack, wide products, bit counts.

Each is a Numba intrinsic with a Python twin of the same meaning, which interpreted runs use instead
(`astragal.compiler.interpreted`, or all that a process runs under ``NUMBA_DISABLE_JIT=1``).
"""

# mypy: ignore-errors
# (to Python these are functions, to Numba intrinsics with other arguments)
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, from_dtype, types
from numba.extending import intrinsic

from astragal.compiler.interpreted import TWINS, interpreted, own_twin
from astragal.compiler.intrinsics import primitives
from astragal.compiler.numba_names import cgutils, populate_array
from astragal.compiler.records import State

WORD = ir.IntType(64)
BYTE = ir.IntType(8)
MASK = (1 << 64) - 1


def twin(python: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorator: declare the Python twin of an intrinsic; with compilation switched off, it takes its place."""

    def choose(native: Any) -> Any:
        if config.DISABLE_JIT:
            return own_twin(python)
        TWINS[id(native)] = python
        return native

    return choose


def _on_stack(builder: Any, kind: Any) -> Any:
    with builder.goto_entry_block():  # one slot a call, however often the statement runs
        pointer = builder.alloca(kind)
        pointer.align = 32
    return pointer


def _copy(builder: Any, target: Any, source: Any, size: int) -> None:
    """Word by word where it comes out even: LLVM then keeps small records in registers, which memcpy prevents."""
    if size % 8 or size > 256:
        cgutils.raw_memcpy(builder, target, source, ir.Constant(WORD, size), 1, align=1)
        return
    target, source = (builder.bitcast(pointer, WORD.as_pointer()) for pointer in (target, source))
    for i in range(size // 8):
        value = builder.load(builder.gep(source, [ir.Constant(WORD, i)]), align=8)
        builder.store(value, builder.gep(target, [ir.Constant(WORD, i)]), align=8)


@twin(lambda record: record.copy())
@intrinsic
def local_copy(typingctx, record):
    """A copy of a record on the C stack of the calling kernel; it must not outlive the call."""

    def codegen(context, builder, signature, args):
        pointer = _on_stack(builder, ir.ArrayType(BYTE, record.size))
        _copy(builder, pointer, args[0], record.size)
        return pointer

    return record(record), codegen


@twin(lambda target, source: target.assign(source))
@intrinsic
def assign(typingctx, target, source):
    """Overwrite one record with another of the same type."""

    def codegen(context, builder, signature, args):
        _copy(builder, args[0], args[1], target.size)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def describe(context: Any, builder: Any, kind: Any, size: int, data: Any) -> Any:
    """The description of an array of a known length that has no owner."""
    array, item = context.make_array(kind)(context, builder), context.get_abi_sizeof(context.get_data_type(kind.dtype))
    populate_array(array, data, [WORD(size)], [WORD(item)], item, None)
    return array._getvalue()


def stack_array(size_for: Callable[[int], int]) -> Callable[[Any, Any], Any]:
    """The typing of an intrinsic that makes an uninitialised array on the C stack, of a size that follows from n."""

    def typed(typingctx, dtype, n):
        item, size = dtype.dtype, size_for(n.literal_value)
        array = types.Array(item, 1, "C")

        def codegen(context, builder, signature, args):
            kind = context.get_data_type(item)
            data = builder.bitcast(_on_stack(builder, ir.ArrayType(kind, max(size, 1))), kind.as_pointer())
            return describe(context, builder, array, size, data)

        return array(dtype, n), codegen

    return typed


def power_of_two(n: int) -> int:
    """The least power of two that is not less than n."""
    return 1 << max(n - 1, 0).bit_length()


@twin(lambda dtype, n: [0] * n)
@intrinsic(prefer_literal=True)
def scratch(typingctx, dtype, n):
    """An uninitialised array of n items on the C stack; n is a constant of the game or of the kernel."""
    return stack_array(lambda size: size)(typingctx, dtype, n)


@twin(lambda dtype, n: [0] * power_of_two(n))
@intrinsic(prefer_literal=True)
def scratch_table(typingctx, dtype, n):
    """The same with room for n items, its length a power of two: a table to look things up by some bits of a number."""
    return stack_array(power_of_two)(typingctx, dtype, n)


@twin(lambda record: record.nbytes // 8)
@intrinsic
def words(typingctx, record):
    """How many 64-bit words a state record has (states are padded to whole words)."""

    def codegen(context, builder, signature, args):
        return context.get_constant(types.intp, record.size // 8)

    return types.intp(record), codegen


@twin(lambda record, i: record.word(i))
@intrinsic
def word(typingctx, record, i):
    """The i-th 64-bit word of a record's memory."""

    def codegen(context, builder, signature, args):
        base = builder.bitcast(args[0], WORD.as_pointer())
        load = builder.load(builder.gep(base, [args[1]]))
        load.align = 1
        return load

    return types.uint64(record, types.intp), codegen


def _fold(a: Any, b: Any) -> np.uint64:
    product = int(a) * int(b)
    return np.uint64((product >> 64 ^ product) & MASK)


@twin(_fold)
@intrinsic
def fold(typingctx, a, b):
    """The exclusive or of both halves of the 128-bit product of two 64-bit words: a fast mixing step."""

    def codegen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), WORD)
        return builder.xor(high, builder.trunc(product, WORD))

    return types.uint64(types.uint64, types.uint64), codegen


STEP, MIX = np.uint64(primitives.STEP), np.uint64(primitives.MIX)


def two_words(generator):
    state = np.uint64(generator + STEP)
    bits = fold(state, state ^ MIX)
    return state, np.int64(bits >> np.uint64(32)), np.int64(bits & np.uint64(0xFFFFFFFF))


@twin(lambda a: (int(a) & -int(a)).bit_length() - 1)
@intrinsic
def trailing_zeros(typingctx, a):
    """The number of zero bits below the lowest one bit; a must not be 0."""

    def codegen(context, builder, signature, args):
        zeros = builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
        return context.cast(builder, zeros, a, types.int64)

    return types.int64(a), codegen


@twin(lambda a: int(a).bit_count())
@intrinsic
def popcount(typingctx, a):
    """The number of one bits."""

    def codegen(context, builder, signature, args):
        return context.cast(builder, builder.ctpop(args[0]), a, types.int64)

    return types.int64(a), codegen


def has_deposit() -> bool:
    """Whether the processor has the instruction of `place_of_bit` and is fast at it; Zen 1 and Zen 2 are not."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:  # kernels are made for some other processor
        return False
    slow = binding.get_host_cpu_name() in {"znver1", "znver2", "bdver4"}
    return bool(binding.get_host_cpu_features().get("bmi2")) and types.intp.bitwidth == 64 and not slow


@twin(primitives.nth_bit)
@intrinsic
def place_of_bit(typingctx, value, n):
    """The place of the n-th one bit: one bit is laid out where the number has ones (BMI2), and looked for."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(WORD, [WORD, WORD])
        deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        alone = builder.call(deposit, [builder.shl(ir.Constant(WORD, 1), args[1]), args[0]])
        return builder.cttz(alone, ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64, types.int64), codegen


def nth_bit(value, n):
    return place_of_bit(np.int64(value), np.int64(n))


def lowest_bit(value):
    return trailing_zeros(value)


def bit_count(value):
    return popcount(value)


@twin(lambda address: None)
@intrinsic
def prefetch(typingctx, address):
    """Ask for a line of memory that will be read soon; nothing happens if the address is bad."""

    def codegen(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, *(ir.Constant(number, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(types.uint64), codegen


def record_reader(dtype: np.dtype[Any]) -> Any:
    """An intrinsic ``read(address, index)``: the index-th record of an array of this dtype that begins at an address.

    An array that a recursive kernel needs is handed down as an address inside its work record: an array argument at
    every level costs a fifth of the speed.
    """
    record = from_dtype(dtype)
    window, size = ctypes.c_char * dtype.itemsize, dtype.itemsize

    def python(address: int, index: int) -> State:
        return State(np.frombuffer(window.from_address(int(address) + int(index) * size), dtype))

    @twin(python)
    @intrinsic
    def read(typingctx, address, index):
        def codegen(context, builder, signature, args):
            offset = builder.mul(args[1], ir.Constant(WORD, dtype.itemsize))
            return builder.inttoptr(builder.add(args[0], offset), context.get_value_type(record))

        return record(types.uint64, types.int64), codegen

    return read


@twin(lambda address, record, numbers: None)
@intrinsic
def call_address(typingctx, address, record, numbers):
    """Call the function at an address, in C's way, with the addresses of a record and of an array's items.

    Interpreted code does not get here: what it would call is called by Python.
    """

    def codegen(context, builder, signature, args):
        pointer = BYTE.as_pointer()
        array = context.make_array(numbers)(context, builder, args[2])
        function = builder.inttoptr(args[0], ir.FunctionType(ir.VoidType(), [pointer, pointer]).as_pointer())
        builder.call(function, [builder.bitcast(each, pointer) for each in (args[1], array.data)])
        return context.get_dummy_value()

    return types.void(types.uint64, record, numbers), codegen


class Fields:
    """A record on the stack as interpreted code sees it: plain numbers and lists, which it reads faster than memory."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        for name in dtype.names or ():
            shape = dtype[name].shape
            setattr(self, name, [0] * shape[0] if shape else 0)


def record_maker(dtype_for: Callable[[int], np.dtype[Any]]) -> Any:
    """An intrinsic ``make(n)``: an uninitialised record on the C stack, which must not outlive the kernel's call.

    Its fields may be arrays of n items, n being a constant of the game. So what belongs together is one argument. LLVM
    keeps the fields of a record in registers unless it has arrays.
    """

    @twin(lambda n: Fields(dtype_for(n)))
    @intrinsic(prefer_literal=True)
    def make(typingctx, n):
        record = from_dtype(dtype_for(n.literal_value))

        def codegen(context, builder, signature, args):
            return _on_stack(builder, ir.ArrayType(BYTE, record.size))

        return record(n), codegen

    return make


def recursion(find_kernel: Callable[[], Any], returns: Any) -> tuple[Any, Any]:
    """Two intrinsics that let a recursive kernel be written as several functions: ``own_address()``, ``recurse(...)``.

    Numba links a function that calls back into the kernel calling it only within the process that compiled both, so
    such a pair cannot be kept on disk. Instead the kernel hands its own address down, and the function calls that;
    once LLVM has inlined the function, the call is a direct one. Argument types must be exactly the kernel's own.
    ``find_kernel`` gives the kernel for interpreted runs.
    """

    @twin(lambda: 0)
    @intrinsic
    def own_address(typingctx):
        def codegen(context, builder, signature, args):
            return builder.ptrtoint(builder.function, WORD)

        return types.uint64(), codegen

    @twin(lambda address, *args: interpreted(find_kernel())(*args))
    @intrinsic
    def recurse(typingctx, address, *arguments):
        arguments = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else arguments

        def codegen(context, builder, signature, args):
            function_type = context.call_conv.get_function_type(returns, arguments)
            pointer = builder.inttoptr(args[0], function_type.as_pointer())
            values = [builder.extract_value(args[1], i) for i in range(len(arguments))]
            status, result = context.call_conv.call_function(builder, pointer, returns, arguments, values)
            with cgutils.if_unlikely(builder, status.is_error):  # an error in a game's method ends all of the search
                context.call_conv.return_status_propagate(builder, status)
            return result

        return returns(types.uint64, types.StarArgTuple(arguments)), codegen

    return own_address, recurse
