"""The table of Kalah's solver: what is known of the mover's margin from two rows, three states to a line of memory.

Rows are kept whole, so an entry is never mistaken for another's. A new state takes the place of the one in its bucket
that cost least to search.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from astragal.compiler.intrinsics.native import fold, record_reader
from astragal.compiler.kernel import kernel
from astragal.games.kalah.rules import MAX_STONES
from astragal.rules.random import KEY, MIX

ENTRY = np.dtype(  # of a file
    [
        ("mine", "i8"),
        ("theirs", "i8"),
        ("low", "i1"),  # the mover wins at least this many stones more than the opponent from these pits,
        ("high", "i1"),  # and at most this many
        ("best", "u1"),  # the pit that raised the lower bound last
        ("effort", "u1"),  # bits of the number of nodes searched for it; 0: the entry is empty
    ],
    align=True,
)
FIELDS = ("mine", "theirs", "low", "high", "best", "effort")
WAYS = 3
BUCKET = np.dtype([*((name, ENTRY[name], WAYS) for name in FIELDS), ("padding", "u4")])
assert BUCKET.itemsize == 64  # a line of memory
WORK = np.dtype([("table", "u8"), ("mask", "u8"), ("nodes", "i8"), ("stop", "i8")])
NO_PIT = 255
NOT_THERE = -1
bucket_at = record_reader(BUCKET)


def kept_entries(table: npt.NDArray[np.void], most: int) -> npt.NDArray[np.void]:
    """The entries that cost most to search; single nodes are searched again as fast as they are read."""
    effort = table["effort"].ravel()
    counts = np.bincount(effort, minlength=2)
    least = 2
    while counts[least:].sum() > most:
        least += 1
    chosen = np.flatnonzero(effort >= least)
    entries = np.zeros(len(chosen), ENTRY)
    for name in FIELDS:
        entries[name] = table[name].ravel()[chosen]
    return entries


@kernel
def bucket_of(work, mine, theirs):
    """Where a state is, if it is in the table."""
    place = fold(fold(np.uint64(mine) ^ MIX, KEY) ^ np.uint64(theirs), MIX) & work.mask
    return bucket_at(work.table, np.int64(place))


@kernel
def place_in(bucket, mine, theirs):
    """Which entry of its bucket a state has, or NOT_THERE."""
    for i in range(WAYS):
        if bucket.mine[i] == mine and bucket.theirs[i] == theirs and bucket.effort[i] != 0:
            return i
    return NOT_THERE


@kernel
def new_place(bucket, mine, theirs):
    """Give a state the place of the entry that cost least, with nothing known of it yet."""
    i = 0
    for j in range(1, WAYS):
        if bucket.effort[j] < bucket.effort[i]:
            i = j
    bucket.mine[i], bucket.theirs[i] = mine, theirs
    bucket.low[i], bucket.high[i] = -MAX_STONES, MAX_STONES
    bucket.best[i], bucket.effort[i] = NO_PIT, 0
    return i


@kernel
def note(work, state, alpha, value, best, cost):
    """Keep a bound that was found: a lower one above alpha, else an upper one."""
    bucket = bucket_of(work, state.mine, state.theirs)
    i = place_in(bucket, state.mine, state.theirs)
    if i == NOT_THERE:
        i = new_place(bucket, state.mine, state.theirs)
    if value > alpha:
        bucket.low[i] = max(np.int64(bucket.low[i]), value)
        bucket.best[i] = best
    else:
        bucket.high[i] = min(np.int64(bucket.high[i]), value)
    effort = np.int64(1)
    while cost > 1:
        cost >>= 1
        effort += 1
    bucket.effort[i] = max(np.int64(bucket.effort[i]), effort)


@kernel(entry="Kalah, looking into the table")
def look_up(wanted, works):
    """Complete an entry that has its rows, if the table has them."""
    entry = wanted[0]
    bucket = bucket_of(works[0], entry.mine, entry.theirs)
    i = place_in(bucket, entry.mine, entry.theirs)
    if i != NOT_THERE:
        entry.low, entry.high, entry.effort = bucket.low[i], bucket.high[i], bucket.effort[i]


@kernel(entry="Kalah, filling the table")
def fill_table(entries, works):
    """Put entries that were kept back into a table."""
    for number in range(len(entries)):
        entry = entries[number]
        bucket = bucket_of(works[0], entry.mine, entry.theirs)
        i = new_place(bucket, entry.mine, entry.theirs)
        bucket.low[i], bucket.high[i] = entry.low, entry.high
        bucket.best[i], bucket.effort[i] = entry.best, entry.effort
