"""What depends on what in a circle: the strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(roots: Iterable[Node], followers: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The sets of nodes that reach each other, of all that roots reach, each after those it reaches.

    Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1 (1972), without recursion.
    """
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    waiting: dict[Node, None] = {}  # visited, but in no component yet
    for root in roots:
        path: list[tuple[Node, Iterator[Node]]] = []
        ahead = [] if root in number else [root]
        while path or ahead:
            for node in ahead:
                number[node] = lowest[node] = len(number)
                waiting[node] = None
                path.append((node, iter(followers(node))))
            node, following = path[-1]
            ahead = []
            for follower in following:
                if follower not in number:
                    ahead = [follower]
                    break
                if follower in waiting:
                    lowest[node] = min(lowest[node], number[follower])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == number[node]:
                    component = [waiting.popitem()[0]]
                    while component[-1] != node:
                        component.append(waiting.popitem()[0])
                    yield component
