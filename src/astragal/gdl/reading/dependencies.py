"""Which relations depend on which: what may not, and recursion that makes terms without end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from astragal.base.errors import SheetError, at_place
from astragal.gdl.reading.clauses import Clause, Literal
from astragal.gdl.reading.rules import Term, is_ground, kif, variables
from astragal.gdl.reasoning.components import components

MAY_NOT_DEPEND_ON = {
    "init": ("true", "does"),
    "legal": ("does",),
    "terminal": ("does",),
    "goal": ("does",),
    "base": ("true", "does"),
    "input": ("true", "does"),
}

Graph = Mapping[str, Iterable[str]]


def dependencies(clauses: Iterable[Clause]) -> dict[str, dict[str, None]]:
    """For every relation those in the bodies of its clauses, each once and in order."""
    graph: dict[str, dict[str, None]] = {}
    for clause in clauses:
        used = graph.setdefault(clause.relation, {})
        for literal in clause.atoms:
            used[literal.relation] = None
            graph.setdefault(literal.relation, {})
    return graph


def path_between(graph: Graph, start: str, end: str) -> list[str]:
    """A shortest way from one node to another, both included; empty where there is none."""
    came_from = {start: start}
    queue = [start]
    for node in queue:
        if node == end:
            path = [node]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
        for follower in graph[node]:
            if follower not in came_from:
                came_from[follower] = node
                queue.append(follower)
    return []


def check_keyword_dependencies(clauses: list[Clause], name: str) -> None:
    """Refuse what makes a keyword's meaning depend on what is not known yet."""
    graph = dependencies(clauses)
    depend = {keyword: dependents(graph, keyword) for keyword in ("true", "does")}
    for clause in clauses:
        for forbidden in MAY_NOT_DEPEND_ON.get(clause.relation, ()):
            for literal in clause.atoms:
                if literal.relation in depend[forbidden]:
                    path = [clause.relation, *path_between(graph, literal.relation, forbidden)]
                    sentence = f"'{clause.relation}' may not depend on '{forbidden}', and does so: {' <- '.join(path)}"
                    raise SheetError(sentence, name, literal.line, literal.column)


def dependents(graph: Graph, node: str) -> set[str]:
    """The nodes that reach a node, itself included."""
    users: dict[str, list[str]] = {}
    for user, used in graph.items():
        for one in used:
            users.setdefault(one, []).append(user)
    found, queue = {node}, [node]
    for one in queue:
        fresh = [user for user in users.get(one, ()) if user not in found]
        found.update(fresh)
        queue += fresh
    return found


def check_recursion(clauses: list[Clause], name: str) -> list[str]:
    """The recursion restriction: a literal in a cycle with the head brings no terms from the cycle but the head's own.

    It holds if each argument of such a literal is ground, an argument of the head, or an argument of a positive literal
    that is in no cycle with the head (Love and others, 2008, restriction on recursion). Where it is broken but no head
    in the cycle builds a term of what the cycle brings, there are finitely many terms all the same: that is a warning.
    """
    graph = dependencies(clauses)
    component = {relation: i for i, group in enumerate(components(graph, graph.__getitem__)) for relation in group}
    broken: dict[int, list[tuple[Clause, Literal, Term]]] = {}
    growing: set[int] = set()
    for clause in clauses:
        cycle = component[clause.relation]
        inside = [literal for literal in clause.positive if component[literal.relation] == cycle]
        if not inside:
            continue
        outside = [literal for literal in clause.positive if component[literal.relation] != cycle]
        if _grows(clause, outside):
            growing.add(cycle)
        allowed = {*clause.head.atom[1:], *(term for literal in outside for term in literal.atom[1:])}
        for literal in inside:
            for term in literal.atom[1:]:
                if not is_ground(term) and term not in allowed:
                    broken.setdefault(cycle, []).append((clause, literal, term))
    warnings = []
    for cycle, cases in broken.items():
        clause, literal, term = cases[0]
        brings = f"'{clause.relation}' is recursive, and {kif(term)} in {kif(literal.atom)} is limited by nothing else"
        if cycle in growing:
            raise SheetError(f"{brings}, so its terms can grow without end", name, clause.line, clause.column)
        warnings.append(at_place(f"{brings}; the language forbids that", name, clause.line, clause.column))
    return warnings


def _grows(clause: Clause, outside: list[Literal]) -> bool:
    """Whether the head has a variable inside a term that no literal outside of the cycle limits."""
    limited = {variable for literal in outside for variable in variables(literal.atom)}
    nested = (term for term in clause.head.atom[1:] if not isinstance(term, str))
    return any(variable not in limited for term in nested for variable in variables(term))
