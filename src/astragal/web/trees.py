"""Search trees that were kept, as rows: the heaviest nodes at first, any node's children and position on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from astragal.algorithms.plain_tree import Array, NodeFacts, PlainTree
from astragal.web.requests import Missing
from astragal.web.views import position_view, seat


@dataclass
class KeptTree:
    """The tree of one player's search."""

    tree: PlainTree
    player: str
    game: str  # its text

    @cached_property
    def families(self) -> tuple[Array, Array]:
        """All nodes but the root, brothers side by side, and where each node's children begin among them."""
        parents = self.tree.parent[1:]
        order = np.argsort(parents, kind="stable")
        return order + 1, np.searchsorted(parents[order], np.arange(len(self.tree) + 1))

    def children(self, number: int) -> Array:
        """The children of a node, the heaviest first."""
        nodes, begin = self.families
        own = nodes[begin[number] : begin[number + 1]]
        return own[np.argsort(-self.tree.weight[own], kind="stable")]

    def overview(self, limit: int) -> dict[str, Any]:
        """At most this many nodes, by the rule that drawings thin trees by."""
        tree, line = self.tree, self.best_line()
        rows = [self.row(facts) for facts in tree.described(self.chosen(limit, line))]
        return {
            "player": self.player,
            "position": tree.position.text,
            "nodes": tree.node_count,
            "shown": len(rows),
            "rule": tree.rule,
            "finished": tree.finished,
            "visits": tree.visits is not None,
            "players": tree.position.game.players,
            "line": line,
            "rows": rows,
        }

    def chosen(self, limit: int, line: list[int]) -> Array:
        """The heaviest nodes with a line among them; each one's parent is there too."""
        fewer = limit
        while len(chosen := np.union1d(self.tree.heaviest(fewer), line)) > limit and fewer > 1:
            fewer -= len(chosen) - limit
        return chosen

    def best_line(self) -> list[int]:
        """The nodes that best play leads through, as far as they were searched: the most visited ones, or the best.

        Of a chance node it takes the likeliest outcome, and of what was cut only what nothing else is as good as.
        """
        facts = self.tree.facts(0, None)
        line = [0]
        while True:
            children = [self.tree.facts(int(number), facts) for number in self.children(line[-1])]
            known = [child for child in children if child.value is not None]
            if not known:
                return line
            facts = max(known, key=self.preference(facts))
            line.append(facts.number)

    def preference(self, above: NodeFacts) -> Callable[[NodeFacts], tuple[float, ...]]:
        """By what one child of a node is preferred to another; among equals the first is."""
        if above.position.is_chance:
            chances = {outcome.number: outcome.probability for outcome in above.position.outcomes()}
            return lambda child: (chances.get(child.action or 0, 0.0), -float(child.probe))
        if self.tree.visits is not None:
            return lambda child: (float(child.visits or 0), child.value or 0.0)
        sign = 1.0 if above.turn == above.value_of else -1.0
        return lambda child: (sign * (child.value or 0.0), -float(child.cut))

    def row(self, facts: NodeFacts) -> dict[str, Any]:
        _, begin = self.families
        number = facts.number
        parent = int(self.tree.parent[number])
        return {
            "id": number,
            "parent": parent if parent >= 0 else None,
            "name": facts.name,
            "kind": facts.kind,
            "player": seat(facts.turn),
            "value": facts.value,
            "value_of": facts.value_of + 1,
            "visits": facts.visits,
            "below": facts.below,
            "children": int(begin[number + 1] - begin[number]),
            "left_out": facts.left_out,
            "cut": facts.cut,
            "from_table": facts.from_table,
            "probe": facts.probe,
            "weight": int(self.tree.weight[number]),
        }

    def path(self, number: int) -> list[NodeFacts]:
        """The nodes from the root to one, itself included."""
        if not 0 <= number < len(self.tree):
            raise Missing(f"the tree has no node {number}")
        numbers = [number]
        while numbers[-1] > 0:
            numbers.append(int(self.tree.parent[numbers[-1]]))
        return self.tree.described(np.array(numbers[::-1]))

    def unfolded(self, number: int, limit: int) -> dict[str, Any]:
        """The children of a node."""
        above, children = self.path(number)[-1], self.children(number)
        rows = [self.row(self.tree.facts(int(child), above)) for child in children[:limit]]
        return {"rows": rows, "left": max(0, len(children) - limit)}

    def node(self, number: int) -> dict[str, Any]:
        """A node, the way to it, and its position."""
        path = self.path(number)
        steps = [f"({facts.name})" if above.position.is_chance else facts.name for above, facts in pairwise(path)]
        outcome = int(self.tree.step[number]) if len(path) > 1 and path[-2].position.is_chance else None
        position = position_view(path[-1].position, self.game, outcome)
        return {"node": self.row(path[-1]), "line": steps, "position": position}


class TreeCache:
    """The trees kept last, over all sessions; a tree takes far more room than a session."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lock = threading.Lock()
        self.places: list[tuple[dict[int, KeptTree], int]] = []  # whose, and which of its players'

    def keep(self, trees: dict[int, KeptTree], index: int, tree: KeptTree) -> None:
        """Put a tree among a session's, and forget the oldest of all where there are too many."""
        with self.lock:
            trees[index] = tree
            self.places = [place for place in self.places if place[1] in place[0] and place[0] is not trees]
            self.places += [(trees, other) for other in trees if other != index]
            self.places.append((trees, index))
            while len(self.places) > self.most:
                old, number = self.places.pop(0)
                old.pop(number, None)
