"""Four words at once, for games' own code whose boards are four numbers; in compiled code one vector instruction each.

Four words are a tuple of numbers from 0 to 2^63 - 1. Compiled code has a type of its own for what these functions give
(`astragal.compiler.intrinsics.native_vectors`), which stays in a vector register: ask `each` for the numbers.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

Four = tuple[int, int, int, int]


def four(table: Any, row: SupportsIndex) -> Four:
    """A row of a table that has four words in each."""
    return (table[row, 0], table[row, 1], table[row, 2], table[row, 3])


def each(a: Four) -> Four:
    """The four numbers, to be counted or stored one by one."""
    return a


def word(a: Four, number: SupportsIndex) -> int:
    """One of the four numbers."""
    return a[number]


def is_nothing(a: Four) -> bool:
    """Whether there is no bit in any of them."""
    return not (a[0] or a[1] or a[2] or a[3])


def both(a: Four, b: Four) -> Four:
    """The bits that are in both."""
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])


def either(a: Four, b: Four) -> Four:
    """The bits that are in one of them or in both."""
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])


def one_of(a: Four, b: Four) -> Four:
    """The bits that are in one of them but not in both."""
    return (a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3])


def up(a: Four, shifts: Four) -> Four:
    """Bits moved to higher places, those of each word by its own shift."""
    return (a[0] << shifts[0], a[1] << shifts[1], a[2] << shifts[2], a[3] << shifts[3])


def down(a: Four, shifts: Four) -> Four:
    """Bits moved to lower places, those of each word by its own shift."""
    return (a[0] >> shifts[0], a[1] >> shifts[1], a[2] >> shifts[2], a[3] >> shifts[3])


def rearranged(a: Four, order: Four) -> Four:
    """The words in another order: the one with the number `order[0]` first."""
    return (a[order[0]], a[order[1]], a[order[2]], a[order[3]])


def where(test: Four, a: Four) -> Four:
    """The words of `a` where those of `test` have a bit, and 0 elsewhere."""
    return (
        a[0] if test[0] else 0,
        a[1] if test[1] else 0,
        a[2] if test[2] else 0,
        a[3] if test[3] else 0,
    )
