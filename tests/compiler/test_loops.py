"""How machine code of users' methods counts the rounds of loops."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.base.errors import EndlessLoop
from astragal.compiler import checked
from astragal.compiler.dispatchers import entry_function, method_function

pytestmark = pytest.mark.compiled

MOST = 100
NUMBERS = np.arange(3)


def short(n):
    total = 0
    for i in range(np.int32(n)):
        total += i
    return total


def stepped(n):
    total = 0
    for i in range(4 * n, 0, -4):
        total += i
    return total


def again(n):
    total, numbers = 0, range(n)
    for i in numbers:
        total += i
    for i in numbers:
        total += i
    return total


def nested(n):
    total = 0
    for i in range(n):
        for j in range(i, i + 9):
            total += i * j
    return total


def arrays(n):
    total = 0
    for _ in range(n):
        for number in NUMBERS:
            total += number
    return total


def left_early(n):
    total = 0
    for _ in range(n):
        for j in range(1_000_000):
            if j >= 8:
                break
            total += j
    return total


def returning(n):
    for i in range(1_000_000):
        if i >= n:
            return i
    return 0


def skipping(n):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        total += 1
    return total


def counting_down(n):
    while n > 0:
        n -= 1
    return n


def in_pairs(n):
    total = 0
    for i, j in enumerate(range(n)):
        total += i * j
    return total


LARGEST = {  # the largest number with which a function has no more rounds than MOST
    short: 100,
    stepped: 100,
    again: 50,
    nested: 10,
    arrays: 25,
    left_early: 10,
    returning: 99,
    skipping: 100,
    counting_down: (99, 100),  # whether the last look at the condition counts differs from Python to Python
    in_pairs: 99,  # the last one finds that there are no more
}


@pytest.mark.parametrize("function", LARGEST, ids=lambda function: function.__name__)
def test_all_loops_of_a_call_share_their_rounds(function, monkeypatch):
    monkeypatch.setattr(checked, "MOST_ROUNDS", MOST)
    method = method_function(function)

    def run(n):
        return method(n)

    entry, ran = entry_function(run), 0
    for n in range(MOST + 2):
        try:
            assert entry(n) == function(n)
        except EndlessLoop:
            break
        ran = n
    assert ran in np.atleast_1d(LARGEST[function])
    assert entry(ran) == function(ran)  # each call counts anew
