"""A search tree handed out: its arrays, and its most visited nodes in a form for JSON and networkx."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.plain_tree import Array, PlainTree
from astragal.search.tree.answer import children_of, mean_of, proof_in_words
from astragal.search.tree.nodes import CHANCE_NODE, DENSE_OUTCOMES
from astragal.search.tree.steps import Steps
from astragal.search.tree.store import Store


class TreeView:
    """A copy of a tree as a search left it.

    ``nodes`` is the array of `astragal.search.tree.nodes.NODE`; children begin at ``first``. `as_dict` gives the most
    visited nodes with what a reader wants to know of each, as a graph that ``networkx.node_link_graph`` reads.
    """

    def __init__(self, position: Position, steps: Steps, store: Store) -> None:
        self.position, self.steps = position, steps
        self.nodes = store.nodes[: store.used].copy()
        self.extra = store.extra[: store.used].copy()

    def __len__(self) -> int:
        """Nodes that were visited."""
        return int(np.count_nonzero(self.nodes["visits"]))

    def as_dict(self, limit: int = 1000) -> dict[str, Any]:
        """At most so many nodes, the most visited first, each with its parent, and how many there are in all."""
        rows: list[dict[str, Any]] = []
        links: list[dict[str, int]] = []
        queue: list[tuple[int, int, int, str, Position, int]] = [(0, 0, -1, "", self.position, self.root_player)]
        while queue and len(rows) < limit:
            _, index, parent, name, position, owner = heapq.heappop(queue)
            rows.append({"id": index, "name": name} | self.row(index, position, owner))
            if parent >= 0:
                links.append({"source": parent, "target": index})
            if position.is_terminal:
                continue
            chance = position.is_chance
            for child in children_of(position.game, self, index):  # type: ignore[arg-type]
                visits = int(self.nodes[child]["visits"])
                if visits:
                    number = int(self.nodes[child]["action"])
                    chosen_by = owner if chance else position.turn
                    name, after = position.step_name(number), position.follow(number)
                    heapq.heappush(queue, (-visits, child, index, name, after, chosen_by))
        return {"directed": True, "multigraph": False, "graph": self.summary(), "nodes": rows, "links": links}

    def plain(self) -> PlainTree:
        """The visited nodes, in the form that can be drawn. Values are of the player who chose the node."""
        numbers, parent = reachable(self.position.game, self)
        nodes = self.nodes[numbers]
        kept = np.flatnonzero(nodes["visits"] > 0) if nodes["visits"][0] else np.zeros(1, np.int64)
        visits = nodes["visits"][kept].astype(np.int64)
        value = np.where(
            visits > 0, nodes["sum"][kept] / (np.maximum(visits, 1) if self.steps.backup.sums else 1), np.nan
        )
        return PlainTree(self.position, renumbered(parent, kept), nodes["action"][kept].astype(np.int64), value, visits)

    @property
    def root_player(self) -> int:
        return max(self.position.turn, 0)

    def summary(self) -> dict[str, Any]:
        return {"game": game_spec(self.position.game), "position": self.position.text, "visited_nodes": len(self)}

    def row(self, index: int, position: Position, owner: int) -> dict[str, Any]:
        node = self.nodes[index]
        turn = position.turn
        return {
            "action": int(node["action"]) if index else None,
            "visits": int(node["visits"]),
            "value": mean_of(self.steps, node) if node["visits"] else None,
            "value_of_player": owner + 1,
            "player_to_move": turn + 1 if turn >= 0 else None,
            "kind": "end" if position.is_terminal else "chance" if position.is_chance else "decision",
            "proven": proof_in_words(position, self.steps, self, index),  # type: ignore[arg-type]
            "position": position.text,
        }


def reachable(game: Any, store: Any) -> tuple[Array, Array]:
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


def renumbered(parent: Array, kept: Array) -> Array:
    """The parents of some nodes, by their place among them."""
    number = np.full(len(parent) + 1, -1)  # the last one is the root's parent, -1
    number[kept] = np.arange(len(kept))
    return number[parent[kept]]
