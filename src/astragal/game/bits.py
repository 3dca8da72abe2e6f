"""Bit counting for games' own code, compiled and interpreted; Numba is told of it only when a kernel is."""

from __future__ import annotations


def lowest_bit(value: int) -> int:
    """The number of zero bits below the lowest one bit of a positive number."""
    value = int(value)
    return (value & -value).bit_length() - 1


def bit_count(value: int) -> int:
    """The number of one bits."""
    return int(value).bit_count()
