"""What moves do to the facts, case by case: a program for each joint move, and the same program for many of them.

Where one role acts and all others wait, the cases are the moves of each role; where few moves can be made together, all
combinations of them. Whatever else the roles do is left to a program for moves that are not fixed beforehand.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from astragal.gdl.code.compact import CompactState, Gates, Moves, Part, part_of
from astragal.gdl.code.specialised import Specialiser, plain_gates
from astragal.gdl.code.word_program import Operation
from astragal.gdl.reasoning.network import Network, idle_moves, seats_of

MANY = 400  # combinations of moves that are looked at each for itself, where a role cannot wait
MOST_WORK = 2_000_000  # cases, times the gates that are looked at for each

Shape = tuple[object, ...]


@dataclass
class Family:
    """Cases whose programs differ in constants only."""

    operations: list[Operation]
    results: dict[int, int]
    rows: list[list[int]] = field(default_factory=list)  # the constants of each case, by operation


@dataclass
class Cases:
    """Cases by number: of a combination of moves, or of a move of one role, after those of earlier roles."""

    sizes: list[int]  # moves of each seat
    waiting: list[int] | None  # the move by which each seat waits; None where cases are combinations
    families: list[Family] = field(default_factory=list)
    place: list[tuple[int, int]] = field(default_factory=list)  # the family of each case, and its row there


def cases_of(network: Network, state: CompactState) -> Cases:
    seats = seats_of(network)
    moves = network.grounding.moves
    idle = idle_moves(network)
    sizes = [len(moves[role]) for role in seats]
    can_wait = all(idle.values())
    specialiser = Specialiser(network)
    if sum(sizes) * (100 + len(specialiser.touched)) > MOST_WORK:
        return Cases(sizes, [])
    if len(seats) > 1 and can_wait:
        cases = Cases(sizes, [idle[role][0] for role in seats])
        joint = one_acting(cases)
    elif len(seats) == 1 or prod(sizes) <= MANY:
        cases = Cases(sizes, None)
        joint = (one[::-1] for one in product(*(range(size) for size in sizes[::-1])))
    else:
        return Cases(sizes, [])
    nodes = [[network.moves[role, move] for move in moves[role]] for role in seats]
    gates = plain_gates(network)
    known: dict[Shape, int] = {}
    for chosen in joint:
        own, changed = specialiser.next_of([nodes[seat][move] for seat, move in enumerate(chosen)])
        add_case(cases, known, facts_part(ChainMap(own, gates), state, changed))
    return cases


def one_acting(cases: Cases) -> Iterator[tuple[int, ...]]:
    assert cases.waiting is not None
    for seat, size in enumerate(cases.sizes):
        for move in range(size):
            yield (*cases.waiting[:seat], move, *cases.waiting[seat + 1 :])


def add_case(cases: Cases, known: dict[Shape, int], part: Part) -> None:
    """Put a case into the family of those with the same operations."""
    shape = (
        tuple(each if each.kind == "load" else each[:3] for each in part.operations),
        tuple(part.results.items()),
    )
    if shape not in known:
        known[shape] = len(cases.families)
        cases.families.append(Family(part.operations, part.results))
    rows = cases.families[known[shape]].rows
    cases.place.append((known[shape], len(rows)))
    rows.append([operation.constant for operation in part.operations])


def any_moves(network: Network, state: CompactState) -> Part:
    """The program for moves that are not known: it is given their words, one bit set for each role, after the facts."""
    moves = network.grounding.moves
    nodes = [[network.moves[role, move] for move in moves[role]] for role in seats_of(network)]
    following = dict(zip(network.facts.values(), network.next, strict=True))
    return facts_part(plain_gates(network), state, following, nodes)


def facts_part(gates: Gates, state: CompactState, following: dict[int, int], moves: Moves = ()) -> Part:
    """The program for facts, by their nodes, that become these literals; all others stay as they are."""
    return part_of(gates, state, {state.facts[node]: each for node, each in following.items()}, True, moves)
