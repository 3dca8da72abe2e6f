"""A network as machine code of its own, for sheets that are not too large: what lies where in a state.

The words of a state, fewer than where a network is evaluated gate by gate (`astragal.gdl.layouts.layout`):

    facts | legal moves of each role | whether it is over, and goals

The facts are found anew by what the moves mean, and everything else from the facts. The order of the facts is tried in
several ways, and the one for which the code is shortest is taken. Facts that differ in one argument only, such as whose
disc it is, lie in words of their own then, so that whole boards are shifted at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from astragal.gdl.code.specialised import plain_gates
from astragal.gdl.code.vectors import Vectoriser
from astragal.gdl.code.word_program import Operation, WordProgram
from astragal.gdl.reading.rules import Term
from astragal.gdl.reasoning.grounding import natural
from astragal.gdl.reasoning.network import FALSE, Network

Gates: TypeAlias = Mapping[int, tuple[int, ...]]  # their inputs, by node
Moves: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Part:
    """A program with the values that are its results, by the words of the state that they become."""

    operations: list[Operation]
    results: dict[int, int]


@dataclass
class CompactState:
    """Which bits mean what."""

    facts: dict[int, int]  # node -> bit
    fact_words: int
    legal: dict[str, int]  # role -> the word where its legal moves begin
    status: int  # word
    terminal: int  # bit
    goals: dict[str, list[tuple[int, int]]]  # role -> values and bits
    words: int
    parts: dict[str, Part] = field(default_factory=dict)


def best_state(networks: list[Network]) -> CompactState:
    """The order of facts for which what is derived of them takes the fewest operations, by any of the networks."""
    choices = [compact_state(networks, places) for places in fact_orders(networks[0])]
    return min(choices, key=lambda choice: sum(len(part.operations) for part in choice.parts.values()))


def compact_state(networks: list[Network], facts: dict[int, int]) -> CompactState:
    network = networks[0]
    words = fact_words = max(facts.values(), default=0) // 64 + 1
    legal = {}
    for role, moves in network.grounding.moves.items():
        legal[role] = words
        words += -(-len(moves) // 64)
    goals: dict[str, list[tuple[int, int]]] = {}
    bit = 64 * words + 1
    for role, values in network.goals.items():
        goals[role] = [(value, bit + i) for i, (value, _) in enumerate(values)]
        bit += len(values)
    state = CompactState(facts, fact_words, legal, words, 64 * words, goals, -(-bit // 64))
    for name, make in (("derive", derived_part), ("goals", goals_part)):
        state.parts[name] = min((make(each, state) for each in networks), key=lambda part: len(part.operations))
    return state


def derived_part(network: Network, state: CompactState) -> Part:
    """What is legal in a state with these facts, and whether it is over."""
    wanted = {64 * state.legal[role] + i: each for role, own in network.legal.items() for i, each in enumerate(own)}
    wanted[state.terminal] = network.terminal
    return part_of(plain_gates(network), state, wanted)


def goals_part(network: Network, state: CompactState) -> Part:
    """What is not found before a game is over: its goals, beside what was found before in the same words."""
    wanted: dict[int, int] = {}
    for role, values in state.goals.items():
        literals = dict(network.goals[role])
        wanted |= {bit: literals.get(value, FALSE) for value, bit in values}  # one may see that a value is never had
    return part_of(plain_gates(network), state, wanted, True)


def part_of(
    gates: Gates, state: CompactState, wanted: Mapping[int, int], keeps: bool = False, moves: Moves = ()
) -> Part:
    """The program for literals at these bits of a state; what else is in their words becomes 0, or is kept.

    It is given the words of a state, or those of its facts and then those of moves, as nodes by role.
    """
    program = WordProgram()
    vectoriser = Vectoriser(program)
    vectoriser.give(state.facts)
    first = state.fact_words
    for nodes in moves:
        vectoriser.give(dict(zip(nodes, range(len(nodes)), strict=True)), first)
        first += -(-len(nodes) // 64)
    vectoriser.evaluate(gates, wanted.values())
    into = {bit >> 6: program.load(bit >> 6) for bit in wanted} if keeps else None
    return Part(program.operations, vectoriser.words(wanted, into))


def fact_orders(network: Network) -> Iterator[dict[int, int]]:
    """Places for facts, as nodes: in their own order, or by one of their arguments first."""
    facts = network.facts
    yield dict(zip(facts.values(), range(len(facts)), strict=True))
    for argument in (-1, 1):
        blocks: dict[Any, list[Term]] = {}
        for fact in sorted(facts, key=lambda fact: sorting_key(fact, argument)):
            blocks.setdefault(sorting_key(fact, argument)[:2], []).append(fact)
        yield in_blocks([[facts[fact] for fact in block] for block in blocks.values()])


def sorting_key(fact: Term, argument: int) -> tuple[Any, ...]:
    """The function of a fact, one of its arguments, if it has more of them, and all of it."""
    if isinstance(fact, str) or len(fact) < 3:
        return "" if isinstance(fact, str) else fact[0], "", tuple(map(tuple, natural(fact)))
    return fact[0], tuple(natural(fact[argument])), tuple(map(tuple, natural(fact)))


def in_blocks(blocks: list[list[int]]) -> dict[int, int]:
    """Places in the order of blocks, none of which begins in one word and ends in another if it fits into one."""
    places: dict[int, int] = {}
    begin = 0
    for block in blocks:
        if begin % 64 + len(block) > 64:
            begin += -begin % 64
        places |= {node: begin + i for i, node in enumerate(block)}
        begin += len(block)
    return places
