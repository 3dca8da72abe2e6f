"""The entries of a transposition table, and how a table of values finds room for them.

An entry has 32 bytes, two lie in a cache line. Its first word is the hash of the state, exclusive-ored with the other
three words (Hyatt & Mann 2002): an entry of which another thread has written a part is about no state.

The remaining depth is a part of what an entry is about. With h the hash, an entry of depth d lies in line h + d or in
the line before it. So all depths of a state lie side by side, and a look at both lines finds the move of depth d - 1,
the iteration before, where depth d has none yet.

The **horizon bit** says whether anything below the state was trusted short of the end of the game: an evaluation, the
game's ceiling, or an entry with the bit. A value without it is the game's own, and holds at every greater depth; a
look-up then stores it at the depth that it was wanted for, where the next iteration finds it. To take an entry with the
bit counts as meeting the horizon (`work.trusted`), or a search would report the whole game as searched when it was not.

A table begins small and doubles when it is half full, up to its limit. An entry then stays, or moves up by as many
lines as there were: nothing is lost. Where both lines are full, the entry that is worth least makes way.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.native import assign, local_copy, record_reader, word
from astragal.compiler.kernel import kernel

ENTRY = np.dtype(
    [
        ("check", "u8"),
        ("value", "f8"),  # the mover's
        ("move", "u4"),
        ("depth", "u2"),
        ("bound", "u1"),
        ("horizon", "u1"),
        ("era", "u8"),  # of the iteration that stored it; 64 bits never wrap
    ],
    align=True,
)
ENTRY_BYTES = ENTRY.itemsize
LINE_BYTES = 2 * ENTRY_BYTES
NOTHING, EXACT, LOWER, UPPER = 0, 1, 2, 3
NO_MOVE = 2**32 - 1
EMPTY = np.uint64(0)  # an era before all
PLACES = 4  # where an entry may lie: two in its own line, two in the line before
FAR = 2**20  # more than any depth
entry_at = record_reader(ENTRY)


@kernel(inline=True)
def guessed(work):
    """How often a search has trusted something short of the end of the game, but for forward pruning."""
    return work.leaves + work.trusted


@kernel(inline=True)
def hash_of(entry):
    """The hash of the state that an entry is about, if no part of it was overwritten."""
    return entry.check ^ word(entry, 1) ^ word(entry, 2) ^ word(entry, 3)


@kernel(inline=True)
def write(entry, key, move, depth, value, bound, horizon, era):
    """Fill an entry."""
    new = local_copy(entry)
    new.value, new.move, new.depth, new.bound, new.horizon, new.era = value, move, depth, bound, horizon, era
    new.check = key ^ word(new, 1) ^ word(new, 2) ^ word(new, 3)
    assign(entry, new)


@kernel(inline=True)
def is_about(work, entry, key):
    """Whether an entry is about the state with this hash, and of this search."""
    return hash_of(entry) == key and entry.era >= work.first_era


@kernel(inline=True)
def line_of(work, key, depth, before):
    """The line of a state's entry of some depth, or the line before it."""
    return ((key & work.table_mask) + np.uint64(depth) - np.uint64(before)) & work.table_mask


@kernel(inline=True)
def place(work, key, depth, i):
    """The i-th entry that a state and depth may have."""
    return entry_at(work.table, np.int64(line_of(work, key, depth, i >> 1)) * 2 + (i & 1))


@kernel
def look_up_value(work, key, depth, low, high):
    """The bound and value that decide a node with this window, or NOTHING; and the move of the nearest depth."""
    move, nearest = np.int64(NO_MOVE), FAR
    for i in range(PLACES):
        entry = local_copy(place(work, key, depth, i))
        if not is_about(work, entry, key):
            continue
        work.table_hits += nearest == FAR
        if holds(work, entry, depth) and decides(entry, low, high):
            work.table_cuts += 1
            if work.table_lasting != 0:
                work.trusted += entry.horizon
            bound, value, move = np.int64(entry.bound), entry.value, np.int64(entry.move)
            if entry.depth != depth:
                store(work, key, depth, move, value, bound, 0)
            return bound, value, move
        distance = abs(depth - np.int64(entry.depth))
        if distance < nearest:
            move, nearest = np.int64(entry.move), distance
    return NOTHING, 0.0, move


@kernel
def move_at(work, key, depth):
    """The move of a state's entry of a depth, or NO_MOVE."""
    for i in range(PLACES):
        entry = local_copy(place(work, key, depth, i))
        if is_about(work, entry, key) and entry.depth == depth:
            return np.int64(entry.move)
    return np.int64(NO_MOVE)


@kernel(inline=True)
def holds(work, entry, depth):
    """Whether an entry's value speaks of this depth and these samples."""
    if work.table_values == 0 or entry.era < work.value_era:
        return False
    return entry.depth == depth or (entry.depth < depth and entry.horizon == 0 and work.table_lasting != 0)


@kernel(inline=True)
def decides(entry, low, high):
    """Whether an entry's value or bound is all that a window needs."""
    bound, value = entry.bound, entry.value
    return bound == EXACT or (bound == LOWER and value >= high) or (bound == UPPER and value <= low)


@kernel
def store(work, key, depth, move, value, bound, horizon):
    """Store what is known of a state at a depth, in the place of what was, or of what is worth least."""
    chosen, least, is_new = 0, np.int64(2 * FAR), True
    for i in range(PLACES):
        entry = local_copy(place(work, key, depth, i))
        if is_about(work, entry, key) and entry.depth == depth:
            if bound == NOTHING and entry.era >= work.value_era:
                return
            chosen, is_new = i, False
            break
        worth = worth_of(work, entry)
        if worth < least:
            chosen, least = i, worth
    entry = place(work, key, depth, chosen)
    write(entry, key, move, depth, value, bound, horizon, work.table_era)
    if is_new and least < 0:
        work.table_stored += 1
        lines = np.int64(work.table_mask) + 1
        if work.table_stored >= lines and lines < work.table_lines:
            grow(work)


@kernel(inline=True)
def worth_of(work, entry):
    """What is lost with an entry: nothing if it is of an earlier search, most if it is deep."""
    if entry.era < work.first_era:
        return -1
    return np.int64(entry.depth)


@kernel
def grow(work):
    """Double the lines. An entry in its own line or the line before stays so."""
    lines = work.table_mask + np.uint64(1)
    small, large = work.table_mask, work.table_mask + lines
    for number in range(2 * np.int64(lines)):
        entry = entry_at(work.table, number)
        if entry.era < work.first_era:
            continue
        line = np.uint64(number >> 1)
        home = (hash_of(entry) & large) + np.uint64(entry.depth)
        before = (home + lines - line) & small
        line_then = (home - before) & large
        if line_then != line:
            assign(entry_at(work.table, number + 2 * np.int64(lines)), entry)
            entry.era = EMPTY
    work.table_mask = large
