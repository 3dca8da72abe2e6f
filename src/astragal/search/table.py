"""The transposition table: the best move of a state, and the value or bound it was found with.

A move helps whenever the state is met again. A value holds only for the same remaining depth and *era*: one search and,
with sampling, one iteration of it, since iterations draw different outcomes. Values are the mover's.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from astragal.game.kernel import kernel
from astragal.game.native import record_reader

ENTRY = np.dtype(
    [("hash", "u8"), ("value", "f8"), ("move", "u4"), ("era", "u2"), ("depth", "u1"), ("bound", "u1")], align=True
)
MIN_DEPTH = 2  # nodes nearer to the horizon cost less to search than to look up
NOTHING, EXACT, LOWER, UPPER = 0, 1, 2, 3
entry_at = record_reader(ENTRY)


def new_table(megabytes: float) -> npt.NDArray[np.void]:
    """Entries for the largest power of two that fits into a memory limit, at least one."""
    count = max(1, int(megabytes * 2**20) // ENTRY.itemsize)
    return np.zeros(1 << (count.bit_length() - 1), ENTRY)


def attach(work: npt.NDArray[np.void], table: npt.NDArray[np.void]) -> None:
    """Make a table known to a search; the caller keeps it alive."""
    work["table"] = table.ctypes.data
    work["table_mask"] = len(table) - 1


@kernel
def slot_of(work, key):
    return entry_at(work.table, np.int64(key & work.table_mask))


@kernel
def usable(work, entry, depth):
    """Whether an entry's value speaks of the same depth and samples."""
    return work.table_values != 0 and entry.depth == depth and entry.era == work.table_era and entry.bound != NOTHING


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
