"""Compiled kernels do what Python does: loops, items of arrays, variables of several blocks, errors, references."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from astragal.compiler.intrinsics.native import scratch
from astragal.compiler.kernel import kernel

pytestmark = pytest.mark.compiled

ONES, GATHER, LOW = 0x0101010101010101, 0x0102040810204080, 2**40 - 1


@kernel
def run_through(numbers, table, begin, end):
    total, last, steps = 0.0, -7, 0
    for i in range(begin, end):
        steps += 1
        if i == 3:
            continue
        for j in range(i):
            total += numbers[j] * table[i, -j]
        last = i
    for k in range(end, begin, -2):
        total -= k
    numbers[-1] = total
    return total, last, steps


@kernel
def sorted_copy(numbers, n):
    room = scratch(np.int64, 8)
    for i in range(n):
        room[i] = numbers[i] * 10
    best = 0
    for i in range(n):
        if i > 0:
            before = room[i - 1]
        if i > 1 and before > room[best]:
            best = i - 1
    return best


@kernel(entry="test")
def mixed(numbers, table, begin, end):
    total, last, steps = run_through(numbers, table, begin, end)
    return total, last, steps, sorted_copy(numbers[:4], 4)


@pytest.mark.parametrize(("begin", "end"), [(0, 0), (0, 1), (2, 6), (5, 2), (-3, 4), (3, 4)])
def test_loops_and_items_are_those_of_python(begin, end):
    table = np.arange(42.0).reshape(6, 7)
    numbers = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0])
    expected_numbers = numbers.copy()
    total, last, steps = 0.0, -7, 0
    for i in range(begin, end):
        steps += 1
        if i != 3:
            total += sum(expected_numbers[j] * table[i, -j] for j in range(i))
            last = i
    total -= sum(range(end, begin, -2))
    expected_numbers[-1] = total
    best = 0
    for i in range(2, 4):
        if expected_numbers[i - 1] > expected_numbers[best]:
            best = i - 1
    assert mixed(numbers, table, begin, end) == (total, last, steps, best)
    assert numbers.tolist() == expected_numbers.tolist()


@kernel
def quotient(a, b):
    if b == 0:
        raise ValueError("nothing to divide by")
    return a // b


@kernel
def is_even(a, b):
    return quotient(a, b) % 2 == 0


@kernel
def caught(a, b):
    try:
        return quotient(a, b)
    except Exception:
        return -1


@kernel(entry="test")
def failing(a, b, careful):
    if careful:
        return caught(a, b)
    return 1 if is_even(a, b) else 0


def test_errors_go_through_all_callers_or_are_caught():
    assert [failing(a, 2, False) for a in range(5)] == [1, 1, 0, 0, 1]
    assert [failing(7, b, True) for b in range(3)] == [-1, 7, 3]
    with pytest.raises(ValueError, match="nothing to divide by"):
        failing(1, 0, False)
    assert failing(1, 0, True) == -1


@kernel(entry="test")
def lowest_bits(a, b):
    places = (a & ONES) * GATHER >> 56 & 255  # a bit of each byte, side by side
    total, product = a, a
    total += b
    product *= b
    return places * 8, a + b & LOW, a - b & LOW, total & LOW, product & LOW


@kernel(entry="test")
def wide_bits(a, b):
    return a + b, a - b, a * b


@pytest.mark.parametrize(("a", "b"), [(ONES, 2**62), (0x7F7F7F7F7F7F7F7F, 0x0406090806070806), (-(2**63), 2**63 - 1)])
def test_the_lowest_bits_of_a_number_that_is_too_large_are_those_of_python(a, b):
    """LLVM takes a bit of a product for known, if it is promised that a signed one never gets so large."""
    assert lowest_bits(a, b) == lowest_bits.py_func(a, b)
    exact = wide_bits.py_func(a, b)
    assert wide_bits(a, b) == tuple((number + 2**63) % 2**64 - 2**63 for number in exact)


@kernel
def largest(numbers):
    half = numbers[: len(numbers) // 2]
    return half.max() + numbers[0]


@kernel
def first_or_second(pair, second):
    chosen = pair[1] if second else pair[0]
    return chosen[0]


@kernel
def made(n):
    return np.arange(n)


@kernel(entry="test")
def arrays(numbers, others):
    return largest(numbers) + first_or_second((numbers, others), True) + made(5)[4]


def test_arrays_are_neither_kept_nor_let_go():
    numbers, others = np.arange(1.0, 9.0), np.full(3, 100.0)
    assert arrays(numbers, others) == 4 + 1 + 100 + 4
    before = sys.getrefcount(numbers), sys.getrefcount(others)
    for _ in range(50):
        arrays(numbers, others)
    assert (sys.getrefcount(numbers), sys.getrefcount(others)) == before
    assert numbers.tolist() == list(range(1, 9))


@kernel(entry="test")
def holding(numbers, n):
    total = 0.0
    for i in range(n):
        total += first_or_second((numbers[i:], numbers), i % 2 == 1)
    return total


def test_parts_of_arrays_are_let_go():
    numbers = np.arange(8.0)
    assert holding(numbers, 8) == 0 + 2 + 4 + 6
    before = sys.getrefcount(numbers)
    for _ in range(50):
        holding(numbers, 8)
    assert sys.getrefcount(numbers) == before


RECORD = np.dtype([("at", "i2", 3), ("grid", "i4", (2, 2)), ("ready", "?"), ("word", "u8")])


@kernel
def through_fields(record, flags, small):
    total = np.int64(0)
    for i in range(np.uint8(3)):
        record.at[i] += small[np.uint32(i)]
        total += record.at[i - 3]
    record.grid[1, -1] = total
    record.ready = not record.ready
    flags[0] = record.ready and flags[1]
    if bool(flags[0]):
        record.word = record.word - np.uint64(total)
    return total + record.grid[-1, 1]


@kernel(entry="test")
def fields(records, flags, small):
    total = np.int64(0)
    for i in range(len(records)):
        total += through_fields(records[i], flags, small)
    return total


def test_fields_of_records_and_narrow_numbers():
    records = np.zeros(2, RECORD)
    records["at"], records["word"] = [[1, 2, 3], [4, 5, 6]], 100
    flags, small = np.array([False, True]), np.array([250, 1, 2], np.uint8)
    assert fields(records, flags, small) == 2 * (259 + 268)
    assert records["at"].tolist() == [[251, 3, 5], [254, 6, 8]]
    assert records["grid"][:, 1, 1].tolist() == [259, 268]
    assert records["ready"].tolist() == [True, True]
    assert records["word"].tolist() == [2**64 - 159, 2**64 - 168]
    assert flags.tolist() == [True, True]


@kernel
def odd_numbers(end):
    return range(1, end, 2)


@kernel(entry="test")
def stepping(begin, end, step):
    total = 0
    for i in range(begin, end, step):
        total = 10 * total + i
    for i in odd_numbers(end):
        total = 10 * total + i
    return total


def test_steps_of_a_range():
    for begin, end, step in [(1, 9, 3), (9, 1, -3), (1, 9, -1), (4, 4, 2)]:
        total = 0
        for i in [*range(begin, end, step), *range(1, end, 2)]:
            total = 10 * total + i
        assert stepping(begin, end, step) == total
    with pytest.raises(ValueError, match="must not be zero"):
        stepping(0, 1, 0)


@kernel
def untyped(number):
    return number.nonsense  # no number has it: this cannot be compiled


@kernel(entry="test")
def decided(number):
    wanted = SWITCH and number > 3
    if wanted:
        return untyped(number)
    other = not SWITCH
    return number + 1 if other and number else number


SWITCH = False


def test_what_constants_rule_out_is_not_compiled():
    """Also where a constant is one of two values that a variable may have, and the other is ruled out by it."""
    assert [decided(number) for number in (0, 5)] == [0, 6]
