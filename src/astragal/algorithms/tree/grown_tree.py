"""The tree of a search by simulation, handed out: its visited nodes in the plain form, and its arrays."""

from __future__ import annotations

import numpy as np

from astragal.algorithms.plain_tree import Array, PlainTree, reparented
from astragal.algorithms.tree.answer import proof_in_words
from astragal.algorithms.tree.nodes import CHANCE_NODE, DENSE_OUTCOMES
from astragal.algorithms.tree.steps.compose import Steps
from astragal.algorithms.tree.store import Store, TreeArrays, children_of
from astragal.rules.position import Position
from astragal.rules.protocol import Game


class GrownTree(PlainTree):
    """A copy of a tree as a search left it. Values are of the player who chose the node.

    ``nodes`` is the whole array of `astragal.algorithms.tree.nodes.NODE`, in which children begin at ``first``;
    ``place`` says where in it each visited node lies.
    """

    def __init__(self, position: Position, steps: Steps, store: Store) -> None:
        self.steps = steps
        self.nodes = store.nodes[: store.used].copy()
        self.nodes["sum"] += steps.backup.floor * self.nodes["visits"]
        self.extra = store.extra[: store.used].copy()
        places, parent = reachable(position.game, self)
        visited = self.nodes["visits"][places] > 0
        kept = np.flatnonzero(visited) if visited[0] else np.zeros(1, np.int64)
        self.place = places[kept]
        found = self.nodes[self.place]
        visits = found["visits"].astype(np.int64)
        divisor = np.maximum(visits, 1) if steps.backup.sums else 1
        value = np.where(visits > 0, found["sum"] / divisor, np.nan)
        super().__init__(position, reparented(parent, kept), found["action"].astype(np.int64), value, visits)

    def proof(self, number: int, position: Position) -> str | None:
        return proof_in_words(position, self.steps, self, int(self.place[number]))


def reachable(game: Game, store: TreeArrays) -> tuple[Array, Array]:
    """All nodes of a tree level by level, visited or not: where they lie, and the number of each one's parent."""
    level, places, parents = np.zeros(1, np.int64), [np.zeros(1, np.int64)], [np.array([-1])]
    before = 0
    while len(level):
        nodes = store.nodes[level]
        count = np.where(nodes["first"] > 0, nodes["count"], 0).astype(np.int64)
        start = np.repeat(np.cumsum(count) - count, count)
        children = np.repeat(nodes["first"].astype(np.int64), count) + np.arange(count.sum()) - start
        if game.max_outcomes > DENSE_OUTCOMES:  # outcomes may lie in several places
            ends = np.cumsum(count)
            for i in np.flatnonzero((nodes["flags"] & CHANCE_NODE > 0) & (count > 0)):
                children[ends[i] - count[i] : ends[i]] = children_of(game, store, int(level[i]))
        parents.append(before + np.repeat(np.arange(len(level)), count))
        places.append(children)
        before += len(level)
        level = children
    return np.concatenate(places), np.concatenate(parents)
