"""A search tree handed out: its arrays, and its most visited nodes in a form for JSON and networkx."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.tree.answer import children_of, mean_of, proof_in_words
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
                    name = position.outcome_name(number) if chance else position.action_name(number)
                    after = position.deal(number) if chance else position.play(number)
                    heapq.heappush(queue, (-visits, child, index, name, after, owner if chance else position.turn))
        return {"directed": True, "multigraph": False, "graph": self.summary(), "nodes": rows, "links": links}

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
