"""Compiled kernels do what Python does: loops, items of arrays, variables of several blocks, errors, references."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from astragal.game.kernel import kernel
from astragal.game.native import scratch

pytestmark = pytest.mark.compiled


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
