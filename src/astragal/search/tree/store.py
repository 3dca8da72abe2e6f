"""The memory of tree searches: arrays for the nodes, made within a limit and used again by later searches."""

from __future__ import annotations

import threading
from typing import Any, Protocol

import numpy as np

from astragal.game.protocol import Game
from astragal.search.tree.apportion import ROWS, SHARE
from astragal.search.tree.history import ENTRY, HISTORY_SIZE
from astragal.search.tree.nodes import EXTRA, NODE, TREE, VALUE
from astragal.search.tree.steps import Steps
from astragal.search.tree.work import APPORTIONED

MAX_NODES = 2**32 - 2  # nodes are numbered in 32 bits
MIN_NODES = 64
UNVISITED = np.zeros(1, NODE)[0]


class TreeArrays(Protocol):
    """The nodes of a tree, of a search that goes on or of one that is over."""

    nodes: Any
    extra: Any


class Store:
    """The arrays of one tree. Memory that is never touched costs nothing."""

    def __init__(self, game: Game, steps: Steps, megabytes: float, forwarding: bool = False) -> None:
        self.shape = shape_of(game, steps, megabytes, forwarding)
        extra, values, history, capacity, _ = self.shape
        self.nodes = np.empty(capacity, NODE)
        self.extra = np.empty(capacity if extra else 0, EXTRA)
        self.values = np.empty(capacity * values, VALUE)
        self.history = np.zeros(HISTORY_SIZE if history else 0, ENTRY)
        self.shares = np.zeros(APPORTIONED * ROWS if steps.shared else 0, SHARE)
        self.forward = np.empty(capacity if forwarding else 0, np.uint32)
        self.tree = np.zeros(1, TREE)
        self.tree["capacity"] = capacity
        for name in ("nodes", "extra", "values", "history", "shares"):
            self.tree[name] = getattr(self, name).ctypes.data
        self.tree["low"], self.tree["high"] = game.utility_range
        self.clear()

    def clear(self, history: bool = True) -> None:
        """An unvisited root, and nothing else."""
        self.tree["used"], self.tree["spare"], self.tree["full"] = 1, 0, 0
        self.nodes[0] = UNVISITED
        if len(self.extra):
            self.extra[0] = (self.tree["low"][0], self.tree["high"][0], 1.0, 0.0)
        if history and len(self.history):
            self.history[:] = 0

    @property
    def used(self) -> int:
        return min(int(self.tree["used"][0]), len(self.nodes))


def shape_of(game: Game, steps: Steps, megabytes: float, forwarding: bool) -> tuple[Any, ...]:
    """What arrays a search needs and how many nodes they have; equal for searches that can share a store."""
    extra, values = bool(steps.needs_extra), game.players if steps.backup.keeps_all else 0
    size = NODE.itemsize + EXTRA.itemsize * extra + VALUE.itemsize * values + 4 * forwarding
    capacity = min(MAX_NODES, max(MIN_NODES, int(megabytes * 2**20) // size))
    rest = (forwarding, steps.shared, steps.backup.floor, *game.utility_range)
    return extra, values, bool(steps.select.uses_history), capacity, rest


class StoreOfThread(threading.local):
    """Where each thread keeps its last store between searches."""

    store: Store | None = None


mine = StoreOfThread()


def take_store(game: Game, steps: Steps, megabytes: float, forwarding: bool) -> Store:
    """A cleared store until `return_store`; a search within a search finds none and gets its own."""
    store, mine.store = mine.store, None
    if store is None or store.shape != shape_of(game, steps, megabytes, forwarding):
        store = Store(game, steps, megabytes, forwarding)
    store.clear()
    return store


def return_store(store: Store) -> None:
    """Keep the store for the thread's next search."""
    mine.store = store
