"""Twins of functions stay, those of an instance's tables go with it."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass

import numpy as np

from astragal.compiler.interpreted import remembered_twins
from astragal.rules.decorator import compiled


@compiled
@dataclass(frozen=True)
class Table:
    """Has a table that follows from its size."""

    size: int = 3

    @property
    def squares(self):
        return np.arange(self.size) ** 2

    def total(self):
        result = 0
        for i in range(self.size):
            result += self.squares[i]
        return result


def test_instances_come_and_go():
    assert Table(4)._twin_.total() == 14
    before = remembered_twins()
    for size in range(1, 30):
        assert Table(size)._twin_.total() == sum(i * i for i in range(size))
    assert remembered_twins() == before


def test_a_table_goes_with_its_instance():
    table = Table(5)
    array = weakref.ref(table._twin_.squares.array)
    assert array() is not None
    del table
    gc.collect()
    assert array() is None
