"""What a tree search keeps from move to move of one game."""

from __future__ import annotations

import threading

import numpy as np

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.game.protocol import Game
from astragal.game.state import Memory
from astragal.search.tree.answer import children_of
from astragal.search.tree.recycle import FOUND, find_node, mark_kept, slide
from astragal.search.tree.settings import TreeSettings
from astragal.search.tree.steps import Steps
from astragal.search.tree.store import Store, shape_of

FIND_PLIES = 12  # how far below the old root a position is looked for,
FIND_NODES = 100_000  # and at how many nodes


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
        if settings.reuse and self.root is not None and not (one_sided and self.searcher != position.turn):
            found = self.find(position, store)
        if found >= 0:
            mark_kept(position.game, steps, store.tree, store.forward, found, 0)
            slide(position.game, steps, store.tree, store.forward, found, 0)
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
