"""The history of actions: how each player's actions have done wherever they were played, in the tree and in rollouts.

One open-addressed table keyed by player and action. When it is full, actions not in it yet have no history.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.atomic import atomic_add, claim
from astragal.compiler.intrinsics.native import record_reader
from astragal.compiler.kernel import kernel

ENTRY = np.dtype([("key", "u8"), ("count", "f8"), ("score", "f8")])  # scores are in [0, 1]
HISTORY_SIZE = 1 << 16
HISTORY_MASK = np.uint64(HISTORY_SIZE - 1)
SPREAD = np.uint64(0x9E3779B97F4A7C15)
MAX_PROBES = 32
entry_at = record_reader(ENTRY)


@kernel
def key_of(player, action):
    return (np.uint64(action) << np.uint64(8)) + np.uint64(player) + np.uint64(1)


@kernel
def find_slot(tree, key):
    """Where a key is or would go; -1 if there is no room for it."""
    at = (key * SPREAD) >> np.uint64(48)
    for _ in range(MAX_PROBES):
        at = at & HISTORY_MASK
        found = entry_at(tree.history, np.int64(at)).key
        if found == key or found == 0:
            return np.int64(at)
        at += np.uint64(1)
    return -1


@kernel
def find_entry(tree, player, action):
    """The entry of a player's action, or -1 if it was never played."""
    slot = find_slot(tree, key_of(player, action))
    return slot if slot >= 0 and entry_at(tree.history, slot).key != 0 else -1


@kernel
def note_action(steps, tree, player, action, score):
    """Count that a player's action was played in a simulation that gave this score."""
    key = key_of(player, action)
    slot = find_slot(tree, key)
    if slot < 0:
        return
    entry = entry_at(tree.history, slot)
    if steps.shared:
        found = claim(entry, "key", key)
        if found == 0 or found == key:  # else another thread took the slot just now: this once is not counted
            atomic_add(entry, "count", 1.0)
            atomic_add(entry, "score", score)
        return
    entry.key = key
    entry.count += 1.0
    entry.score += score
