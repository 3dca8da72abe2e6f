"""The memory of tree searches: arrays for the nodes, made within a limit and used again by later searches.

A search borrows the store of its thread. A session keeps a store, and with it a tree, from move to move of one game.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol

import numpy as np

from astragal.algorithms.tree.nodes import CHANCE_NODE, CHUNK, DENSE_OUTCOMES, EXTRA, NODE, TREE, VALUE
from astragal.algorithms.tree.recycle import FOUND, find_node, mark_kept, slide
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.sharing import ROWS, SHARE
from astragal.algorithms.tree.steps.compose import Steps
from astragal.algorithms.tree.steps.history import ENTRY, HISTORY_SIZE
from astragal.algorithms.tree.work import APPORTIONED
from astragal.base.errors import AstragalError
from astragal.compiler.records import Memory
from astragal.rules.decorator import CHANCE
from astragal.rules.position import Position
from astragal.rules.protocol import Game

MAX_NODES = 2**32 - 2  # nodes are numbered in 32 bits
MIN_NODES = 64
UNVISITED = np.zeros(1, NODE)[0]
FIND_PLIES = 12  # how far below the old root a position is looked for,
FIND_NODES = 100_000  # and at how many nodes


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


def children_of(game: Game, store: TreeArrays, index: int) -> list[int]:
    """The indices of a node's children."""
    _, _, first, _, count, _, flags = store.nodes.item(index)
    if not flags & CHANCE_NODE or game.max_outcomes <= DENSE_OUTCOMES:
        return list(range(first, first + count))
    found: list[int] = []
    while True:
        held = min(count - len(found), CHUNK - 1)
        found.extend(range(first, first + held))
        if len(found) == count:
            return found
        first = int(store.nodes[first + CHUNK - 1]["first"])


class TreeSession:
    """What a tree search keeps from move to move of one game: its tree and its history of actions."""

    def __init__(self) -> None:
        self.store: Store | None = None
        self.root: Memory | None = None
        self.searcher = 0
        self.game: Game | None = None
        self._searched = threading.Lock()

    def begin(self) -> None:
        """Say that a search begins; a tree is grown by one search at a time."""
        if not self._searched.acquire(blocking=False):
            raise AstragalError(
                "this session is being searched by another thread; give each thread a session of its own"
            )

    def end(self) -> None:
        self._searched.release()

    def forget(self) -> None:
        """A search ended with an error, with its tree half written."""
        self.store = self.root = None

    def store_for(self, game: Game, steps: Steps, settings: TreeSettings) -> Store:
        """The session's store, new if the game or the settings have changed."""
        wanted = shape_of(game, steps, settings.memory, forwarding=True)
        if self.store is None or self.game != game or self.store.shape != wanted:
            self.store, self.root, self.game = Store(game, steps, settings.memory, forwarding=True), None, game
        return self.store

    def prepare(self, position: Position, steps: Steps, settings: TreeSettings) -> Store:
        """The store with the position at its root: with what was found below it before, or empty."""
        store = self.store_for(position.game, steps, settings)
        found = -1
        one_sided = settings.solver == "paranoid" or settings.backup == "minimum"  # true of one searcher only
        usable = position.turn != CHANCE and not (one_sided and self.searcher != position.turn)
        if settings.reuse and self.root is not None and usable:
            found = self.find(position, store)
        if found >= 0:
            mark_kept(position.game, steps, store.tree, store.forward, found, 0)
            slide(position.game, steps, store.tree, store.forward, found, 0)
            hand_over_root(position, steps, store)
            doubt_root(position, steps, store)
        else:
            store.clear(history=False)
        self.root, self.searcher = position.memory, position.turn
        return store

    def find(self, position: Position, store: Store) -> int:
        """The most visited node of a position in the tree, or -1."""
        found = np.array([(-1, 0, FIND_NODES)], FOUND)
        find_node(position.game, self.root, position.memory, store.tree, FIND_PLIES, found)
        return int(found["node"][0])


def hand_over_root(position: Position, steps: Steps, store: Store) -> None:
    """Let a new root be worth what its children are to the player to move, who owns them.

    So far it was worth something to the player who chose it. (Outcomes belong to that player too, and what they are
    worth to another is not known: so a tree is not used again from a chance node.)
    """
    visited = [store.nodes.item(index)[:2] for index in children_of(position.game, store, 0)]
    visited = [(total, visits) for total, visits in visited if visits]
    root = store.nodes[0]
    if not visited:
        store.clear(history=False)
    elif steps.backup.sums:
        root["sum"] = root["visits"] * sum(total for total, _ in visited) / sum(visits for _, visits in visited)
    else:
        root["sum"] = max(total for total, _ in visited)
        if len(store.extra):
            store.extra[0]["own"] = root["sum"]


def doubt_root(position: Position, steps: Steps, store: Store) -> None:
    """Forget of a new root what its children do not prove: they may have been forgotten, but one is to be chosen."""
    if not steps.prove.active or position.turn < 0:
        return
    children = children_of(position.game, store, 0)
    winners = [int(store.nodes[index]["winner"]) for index in children]
    if not winners or (position.turn + 1 not in winners and 0 in winners):
        store.nodes[0]["winner"] = 0
    best = max if position.turn == 0 else min
    for name, unknown in zip(("lower", "upper"), position.game.utility_range, strict=True):
        store.extra[0][name] = best((float(store.extra[index][name]) for index in children), default=unknown)
