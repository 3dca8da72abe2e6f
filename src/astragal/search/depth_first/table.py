"""The transposition table: the best move of a state, and the value or bound it was found with.

A move helps whenever the state is met again. A value holds only for the same remaining depth and *era*: one search and,
with sampling, one iteration of it, since iterations draw different outcomes. Values are the mover's.

A table is used again by later searches without being cleared, which would cost milliseconds: eras only grow, and what
is older than the search counts as empty, so that a result depends on nothing that was searched before.
"""

# mypy: ignore-errors
from __future__ import annotations

import itertools
import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from astragal.game.kernel import kernel
from astragal.game.native import prefetch, record_reader

ENTRY = np.dtype(
    [("hash", "u8"), ("value", "f8"), ("move", "u4"), ("era", "u4"), ("depth", "u4"), ("bound", "u4")], align=True
)
ENTRY_BYTES = ENTRY.itemsize
MIN_DEPTH = 2  # nodes nearer to the horizon cost less to search than to look up
NOTHING, EXACT, LOWER, UPPER = 0, 1, 2, 3
NO_MOVE = 2**32 - 1
entry_at = record_reader(ENTRY)


eras = itertools.count(1)


class KeptTable(NamedTuple):
    """A table between searches, with where it lies, which NumPy takes long to say."""

    entries: npt.NDArray[np.void]
    address: int
    megabytes: float


def new_table(megabytes: float) -> KeptTable:
    """One with the largest power of two of entries that fits into a memory limit, at least one."""
    count = max(1, int(megabytes * 2**20) // ENTRY.itemsize)
    entries = np.zeros(1 << (count.bit_length() - 1), ENTRY)
    return KeptTable(entries, entries.ctypes.data, megabytes)


def attach(work: npt.NDArray[np.void], table: KeptTable) -> None:
    """Give a search a table, of which it sees nothing older than itself; the caller keeps the table alive."""
    work["table"], work["table_mask"], work["first_era"] = table.address, len(table.entries) - 1, next(eras)


class TableOfThread(threading.local):
    """Where each thread keeps its table between searches."""

    kept: KeptTable | None = None


mine = TableOfThread()


def take_table(work: npt.NDArray[np.void], megabytes: float) -> KeptTable:
    """Give a search the thread's table until `return_table`; a search within a search finds none and gets its own."""
    kept, mine.kept = mine.kept, None
    if kept is None or kept.megabytes != megabytes:
        kept = new_table(megabytes)
    attach(work, kept)
    return kept


def return_table(work: npt.NDArray[np.void], kept: KeptTable) -> None:
    """Keep the table for the thread's next search."""
    work["table"] = 0
    mine.kept = kept


@kernel
def slot_of(work, key):
    return entry_at(work.table, np.int64(key & work.table_mask))


@kernel(inline=True)
def fetch(work, key):
    """Ask the memory for an entry that will be looked up soon: to wait for entries was a third of a search."""
    prefetch(work.table + (key & work.table_mask) * np.uint64(ENTRY_BYTES))


@kernel
def is_about(work, entry, key):
    """Whether an entry is about the state with this hash, and of this search."""
    return entry.hash == key and entry.era >= work.first_era


@kernel
def usable(work, entry, depth):
    """Whether an entry's value speaks of the same depth and samples."""
    return work.table_values != 0 and entry.depth == depth and entry.era == work.table_era and entry.bound != NOTHING


@kernel
def look_up(work, key, depth, low, high):
    """The bound and value that decide a node with this window, or NOTHING; and the table's move, or NO_MOVE."""
    entry = slot_of(work, key)
    if not is_about(work, entry, key):
        return NOTHING, 0.0, NO_MOVE
    work.table_hits += 1
    if usable(work, entry, depth):
        value, bound = entry.value, entry.bound
        if bound == EXACT or (bound == LOWER and value >= high) or (bound == UPPER and value <= low):
            work.table_cuts += 1
            return np.int64(bound), value, np.int64(entry.move)
    return NOTHING, 0.0, np.int64(entry.move)


@kernel
def bound_kind(value, low, high):
    """What a fail-soft value says that was found with a window."""
    return LOWER if value >= high else UPPER if value <= low else EXACT


@kernel
def remember(work, key, depth, move, value, bound):
    """Store what is known of a state; a deeper entry of the same era makes way only for its own state."""
    if work.stop != 0:
        return
    entry = slot_of(work, key)
    if entry.hash != key and entry.era == work.table_era and entry.depth > depth:
        return
    entry.hash = key
    entry.value = value
    entry.move = move
    entry.era = work.table_era
    entry.depth = depth
    entry.bound = bound


@kernel
def put_first(actions, count, move):
    """Move an action of the list to its front, the others keeping their order."""
    for i in range(count):
        if actions[i] == move:
            for j in range(i, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = move
            return
