"""Which relations depend on which, and which on each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from astragal.gdl.rules import Rule


def uses(rules: Iterable[Rule]) -> dict[str, list[str]]:
    """From each relation that a rule derives to those in the bodies of its rules, in the order of the sheet."""
    found: dict[str, dict[str, None]] = {}
    for rule in rules:
        names = found.setdefault(str(rule.head[0]), {})
        names.update((str(atom[0]), None) for atom in (*rule.positive, *rule.negative))
    return {name: list(used) for name, used in found.items()}


def reachable(starts: Iterable[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Everything that some names lead to, and they themselves."""
    found = dict.fromkeys(starts)
    todo = list(found)
    while todo:
        for name in graph.get(todo.pop(), ()):
            if name not in found:
                found[name] = None
                todo.append(name)
    return list(found)


def components(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components, each after those it leads to.

    Tarjan, *Depth-first search and linear graph algorithms* (1972), with a stack of its own instead of recursion.
    """
    found: list[list[str]] = []
    number: dict[str, int] = {}  # in the order of first visits
    lowest: dict[str, int] = {}  # the first visited of the open ones that can be reached
    still_open: dict[str, None] = {}  # visited, in no component yet, in the order of visits
    for start in graph:
        path: list[tuple[str, Iterator[str]]] = []
        ahead: str | None = None if start in number else start
        while path or ahead is not None:
            if ahead is not None:
                number[ahead] = lowest[ahead] = len(number)
                still_open[ahead] = None
                path.append((ahead, iter(graph.get(ahead, ()))))
            name, others = path[-1]
            ahead = None
            for other in others:
                if other not in number:
                    ahead = other
                    break
                if other in still_open:
                    lowest[name] = min(lowest[name], number[other])
            if ahead is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[name])
                if lowest[name] == number[name]:
                    found.append(_closed(still_open, name))
    return found


def _closed(still_open: dict[str, None], first: str) -> list[str]:
    """Take what was visited since `first` from the open ones."""
    members: list[str] = []
    while not members or members[-1] != first:
        members.append(still_open.popitem()[0])
    return members[::-1]
