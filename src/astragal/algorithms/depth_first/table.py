"""The transposition table: what is known of a state, and where the memory for it comes from.

There are two, in the same memory and with the same entries.

- A table of **moves** (``table=moves``) has one entry a state: the best action of the last search of it, which is
  tried first when the state is met again. That is what the works' own searches have.
- A table of **values** (``table=values``) has one entry for each remaining depth of a state, with a value or a bound
  too (`astragal.algorithms.depth_first.entries`). A state that comes back nearer to the horizon or farther from it
  overwrites nothing.

An action helps whenever the state is met again. A value holds in the eras from `value_era` on. Every iteration is an
era. An exact search finds the same values in all of them, so its values hold for the whole search; sampled iterations
draw different outcomes, and forward pruning depends on the window, so theirs hold for one iteration.

A table is used again by later searches without being cleared, which would cost milliseconds: eras only grow, and what
is older than the search counts as empty, so that a result depends on nothing that was searched before.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import itertools
import os
import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from astragal.algorithms.depth_first.entries import (
    ENTRY,
    ENTRY_BYTES,
    EXACT,
    LINE_BYTES,
    LOWER,
    NO_MOVE,
    NOTHING,
    UPPER,
    entry_at,
    grow,
    guessed,
    is_about,
    line_of,
    look_up_value,
    move_at,
    store,
    write,
)
from astragal.base.errors import AstragalError
from astragal.compiler.intrinsics.native import local_copy, prefetch
from astragal.compiler.kernel import kernel

VERSION = 3  # of searches with values in their table, raised whenever they play other games than before
MIN_DEPTH = 2  # nodes nearer to the horizon cost less to search than to look up
FIRST_LINES = 1024  # of a table of values before it grows
KEPT = 2  # tables that a thread keeps: two players often take turns
MEGABYTES = {"off": 0.0, "moves": 32.0, "values": 256.0}  # unless a setting says otherwise

__all__ = ["EXACT", "LOWER", "MIN_DEPTH", "NOTHING", "NO_MOVE", "UPPER", "guessed"]

eras = itertools.count(1)


class KeptTable(NamedTuple):
    """A table between searches, with where it lies, which NumPy takes long to say."""

    entries: npt.NDArray[np.void]
    address: int
    megabytes: float


def machine_megabytes() -> float:
    """How much memory the machine has; infinite where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (AttributeError, OSError, ValueError):
        return float("inf")


def new_table(megabytes: float) -> KeptTable:
    """One with the largest power of two of entries that fits into a memory limit, at least one line of them.

    Memory that was never written to is none of the process's yet, so a limit costs nothing.
    """
    room = machine_megabytes()
    if megabytes > room:
        raise AstragalError(f"memory={megabytes:g} is more than this machine has, {room:.0f} MB: set a smaller memory")
    count = max(2, int(megabytes * 2**20) // ENTRY.itemsize)
    try:
        fresh = np.zeros(1 << (count.bit_length() - 1), ENTRY)
    except MemoryError:
        raise AstragalError(f"memory={megabytes:g}: the system has no room for it; set a smaller memory") from None
    return KeptTable(fresh, fresh.ctypes.data, megabytes)


def attach(work: npt.NDArray[np.void], table: KeptTable) -> None:
    """Give a search a table, of which it sees nothing older than itself; the caller keeps the table alive."""
    work["table"], work["first_era"] = table.address, next(eras)
    work["table_deep"] = work["table_values"]
    work["table_stored"] = 0
    lines = len(table.entries) // 2
    if work["table_deep"]:
        work["table_mask"], work["table_lines"] = min(lines, FIRST_LINES) - 1, lines
    else:
        work["table_mask"] = len(table.entries) - 1


def begin_era(work: npt.NDArray[np.void], lasting: bool) -> None:
    """Begin an iteration; the values of those before it hold on if they are lasting."""
    work["table_era"], work["table_lasting"] = next(eras), lasting
    work["value_era"] = work["first_era"] if lasting else work["table_era"]


def share_filled(work: npt.NDArray[np.void]) -> float | None:
    """How full a table of values is, as a share of the most that its memory limit allows."""
    if not work["table"][0] or not work["table_deep"][0]:
        return None
    return float(work["table_stored"][0] / (2 * work["table_lines"][0]))


class TablesOfThread(threading.local):
    """Where each thread keeps its tables between searches, by their megabytes."""

    def __init__(self) -> None:
        self.kept: dict[float, KeptTable] = {}


mine = TablesOfThread()


def take_table(work: npt.NDArray[np.void], megabytes: float) -> KeptTable:
    """Give a search the thread's table until `return_table`; a search within a search finds none and gets its own."""
    kept = mine.kept.pop(megabytes, None) or new_table(megabytes)
    attach(work, kept)
    return kept


def return_table(work: npt.NDArray[np.void], kept: KeptTable) -> None:
    """Keep the table for the thread's next search."""
    work["table"] = 0
    mine.kept[kept.megabytes] = kept
    if len(mine.kept) > KEPT:
        del mine.kept[next(iter(mine.kept))]


@kernel(inline=True)
def fetch(work, key, depth):
    """Request the memory of an entry that will be looked up soon: to wait for entries was a third of a search."""
    if work.table_deep != 0:
        prefetch(work.table + line_of(work, key, depth, 0) * np.uint64(LINE_BYTES))
        prefetch(work.table + line_of(work, key, depth, 1) * np.uint64(LINE_BYTES))
    else:
        prefetch(work.table + (key & work.table_mask) * np.uint64(ENTRY_BYTES))


@kernel
def look_up(work, key, depth, low, high):
    """The bound and value that decide a node with this window, or NOTHING; and the table's move, or NO_MOVE."""
    if work.table_deep != 0:
        return look_up_value(work, key, depth, low, high)
    move = single_move(work, key)
    work.table_hits += move != NO_MOVE
    return NOTHING, 0.0, move


@kernel
def known_move(work, key, depth):
    """The table's move for a state, or NO_MOVE: that of the greatest depth known, up to this one."""
    if work.table_deep == 0:
        return single_move(work, key)
    for left in range(depth, 0, -1):
        move = move_at(work, key, left)
        if move != NO_MOVE:
            return move
    return NO_MOVE


@kernel
def remember(work, key, depth, move, value, bound, guesses):
    """Store what is known of a state. `guesses` is what `guessed` gave when the search came to it."""
    if work.stop != 0:
        return
    if work.table_deep == 0:
        remember_move(work, key, depth, move)
    else:
        horizon = 1 if guessed(work) != guesses else 0
        store(work, key, depth, move, value, bound, horizon)


@kernel
def single_move(work, key):
    """The move of a state in a table of moves, or NO_MOVE."""
    entry = local_copy(entry_at(work.table, np.int64(key & work.table_mask)))
    return np.int64(entry.move) if is_about(work, entry, key) else np.int64(NO_MOVE)


@kernel
def remember_move(work, key, depth, move):
    """Store a move; a deeper entry of the same iteration makes way only for its own state."""
    entry = entry_at(work.table, np.int64(key & work.table_mask))
    if entry.era == work.table_era and entry.depth > depth and not is_about(work, entry, key):
        return
    write(entry, key, move, depth, 0.0, NOTHING, 0, work.table_era)


@kernel
def bound_kind(value, low, high):
    """What a fail-soft value says that was found with a window."""
    return LOWER if value >= high else UPPER if value <= low else EXACT


@kernel
def make_room(work):
    """Double the lines of a table of values until there are as many as were asked for."""
    while work.table_mask + np.uint64(1) < work.table_room:
        grow(work)


@kernel
def turned(numbers, first, count, work):
    """Begin a list, from some place on, where the other threads do not: each at another part of it."""
    for _ in range(work.thread * (count - first) // work.threads):
        begun = numbers[first]
        for i in range(first, count - 1):
            numbers[i] = numbers[i + 1]
        numbers[count - 1] = begun


@kernel
def put_first(actions, count, move):
    """Move an action of the list to its front, the others keeping their order."""
    for i in range(count):
        if actions[i] == move:
            for j in range(i, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = move
            return
