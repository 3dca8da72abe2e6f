"""Four words at once, for games' own code whose boards are four numbers; in compiled code one vector instruction each.

Four words are a tuple of numbers from 0 to 2^63 - 1. Shifts are a tuple, too: each word has its own.
"""

from __future__ import annotations

Four = tuple[int, int, int, int]


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
    """Bits moved to higher places."""
    return (a[0] << shifts[0], a[1] << shifts[1], a[2] << shifts[2], a[3] << shifts[3])


def down(a: Four, shifts: Four) -> Four:
    """Bits moved to lower places."""
    return (a[0] >> shifts[0], a[1] >> shifts[1], a[2] >> shifts[2], a[3] >> shifts[3])
