"""A propositional network: facts and moves at the bottom, gates above them, and what the rules say of a state on top.

Every gate is an AND of literals, its result inverted or not: an OR is an inverted AND of inverted literals. A literal
is twice the number of a node, plus one if it is inverted. Equal gates are one gate. Gates come after what they depend
on, but for those of a cycle of positive rules (a path through a maze), which lie side by side and are found by
repetition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from astragal.gdl.reading.keywords import is_goal
from astragal.gdl.reading.rules import RANDOM, Atom, Term
from astragal.gdl.reasoning.components import components
from astragal.gdl.reasoning.grounding import Grounding
from astragal.gdl.reasoning.joins import Budget, Instance

FALSE, TRUE = 0, 1  # literals of node 0, which is never true
DEEPEST = 50  # common literals taken out of one another; what is left of longer rules is not worth it
WIDEST = 16  # a gate with more inputs than this is made of several, so that little is looked at when one changes


@dataclass(frozen=True)
class Gate:
    """An AND of literals."""

    inputs: tuple[int, ...]
    inverted: bool = False
    cycle: int = 0  # of which it is part, from 1; 0 if of none


@dataclass
class Network:
    """Nodes by number: 0 is false, then facts, then the moves of each role, then gates."""

    grounding: Grounding
    gates: dict[int, Gate] = field(default_factory=dict)
    facts: dict[Term, int] = field(default_factory=dict)
    moves: dict[tuple[str, Term], int] = field(default_factory=dict)
    next: list[int] = field(default_factory=list)  # literals, in the order of the facts
    legal: dict[str, list[int]] = field(default_factory=dict)  # in the order of the role's moves
    terminal: int = FALSE
    goals: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # value and literal, the largest first
    nodes: int = 1
    cycles: int = 0


def build_network(grounding: Grounding, budget: Budget | None = None, kind: type[Builder] | None = None) -> Network:
    """The network of a sheet without variables, or a GroundingError if it takes too long."""
    network = Network(grounding)
    for fact in grounding.facts:
        network.facts[fact] = take_number(network)
    for role, moves in grounding.moves.items():
        for move in moves:
            network.moves[role, move] = take_number(network)
    outputs: list[Atom] = [("next", fact) for fact in grounding.facts]
    outputs += [("legal", role, move) for role, moves in grounding.moves.items() for move in moves]
    goals = [atom for atom in (*grounding.rules, *grounding.always) if atom[0] == "goal" and len(atom) == 3]
    builder = (kind or Builder)(network, budget or Budget())
    builder.build([*outputs, ("terminal",), *goals])
    network.next = [builder.literal(("next", fact)) for fact in grounding.facts]
    for role, moves in grounding.moves.items():
        network.legal[role] = [builder.literal(("legal", role, move)) for move in moves]
    network.terminal = builder.literal(("terminal",))
    for role in grounding.moves:
        values = builder.values([atom for atom in goals if atom[1] == role])
        network.goals[role] = sorted(values.items(), reverse=True)
    return network


def idle_moves(network: Network) -> dict[str, list[int]]:
    """The moves of each role that no rule wants to be made: ways to wait."""
    grounding = network.grounding
    wanted = {atom for rules in grounding.rules.values() for rule in rules for atom in rule.positive}
    return {
        role: [i for i, move in enumerate(moves) if ("does", role, move) not in wanted]
        for role, moves in grounding.moves.items()
    }


def seats_of(network: Network) -> list[str]:
    """Players in the sheet's order, then chance."""
    return sorted(network.grounding.moves, key=lambda role: role == RANDOM)


def take_number(network: Network) -> int:
    network.nodes += 1
    return network.nodes - 1


class Builder:
    """Makes gates, each kind once."""

    widest = WIDEST

    def __init__(self, network: Network, budget: Budget) -> None:
        self.network = network
        self.budget = budget
        self.literals: dict[Atom, int] = {}
        self.known: dict[tuple[int, ...], int] = {}  # inputs of a gate -> its number
        self.cycle = 0  # the cycle that is being built
        for fact, number in network.facts.items():
            self.literals["true", fact] = 2 * number
        self.role_of: dict[int, str] = {}  # literal of a move -> whose it is
        self.moves_of: dict[str, set[int]] = {}
        for (role, move), number in network.moves.items():
            self.literals["does", role, move] = 2 * number
            self.role_of[2 * number] = role
            self.moves_of.setdefault(role, set()).add(2 * number)
        for atom in network.grounding.always:
            self.literals[atom] = TRUE

    def literal(self, atom: Atom) -> int:
        return self.literals.get(atom, FALSE)

    def values(self, goals: list[Atom]) -> dict[int, int]:
        """The literals of goal values; 7 and 007 are one. What is none is left out: it may be possible nowhere."""
        literals: dict[int, list[int]] = {}
        for atom in goals:
            if is_goal(atom[2]) and self.literal(atom) != FALSE:
                literals.setdefault(int(str(atom[2])), []).append(self.literal(atom))
        return {value: self.disjunction(own) for value, own in literals.items()}

    def build(self, outputs: list[Atom]) -> None:
        for component in components(outputs, self.inputs_of):
            self.budget.look()
            if len(component) == 1 and component[0] not in self.inputs_of(component[0]):
                atom = component[0]
                if atom not in self.literals:
                    self.literals[atom] = self.one_of(set(map(self.condition, self.rules_of(atom))))
            else:
                self.build_cycle(component)

    def rules_of(self, atom: Atom) -> list[Instance]:
        return self.network.grounding.rules.get(atom, [])

    def inputs_of(self, atom: Atom) -> list[Atom]:
        """What the rules of an atom mention; nothing for facts and moves."""
        if atom in self.literals:
            return []
        return [other for rule in self.rules_of(atom) for other in (*rule.positive, *rule.negative)]

    def build_cycle(self, component: list[Atom]) -> None:
        """Gates of atoms that depend on each other: first their numbers, then what they are made of."""
        self.network.cycles += 1
        self.cycle = self.network.cycles
        for atom in component:
            self.literals[atom] = 2 * take_number(self.network)
        for atom in component:
            conditions = [self.conjunction(self.condition(rule)) for rule in self.rules_of(atom)]
            inputs = tuple(sorted({literal ^ 1 for literal in conditions if literal != FALSE}))
            gate = Gate(inputs, True, self.cycle)
            self.network.gates[self.literals[atom] >> 1] = gate
        self.cycle = 0

    def condition(self, rule: Instance) -> frozenset[int]:
        """The literals that a rule wants, all of them; {FALSE} if they contradict each other."""
        literals = {self.literal(atom) for atom in rule.positive} | {self.literal(atom) ^ 1 for atom in rule.negative}
        literals.discard(TRUE)
        contradiction = FALSE in literals or any(literal ^ 1 in literals for literal in literals)
        return frozenset((FALSE,)) if contradiction else frozenset(literals)

    def one_of(self, conditions: set[frozenset[int]], deep: int = 0) -> int:
        """The literal of an OR of ANDs, with what many have in common taken out of them, the most common first.

        Rules for pairs of places become one gate for each place, not one for each pair.
        """
        if frozenset() in conditions:
            return TRUE
        self.budget.look()
        alternatives = {literal for condition in conditions if len(condition) == 1 for literal in condition}
        left = [condition for condition in conditions if not condition & alternatives]
        for common, having in by_common_literal(left) if deep < DEEPEST else [(None, left)]:
            if common is None:
                alternatives.update(map(self.conjunction, having))
            else:
                inner = self.one_of({condition - {common} for condition in having}, deep + 1)
                alternatives.add(self.conjunction([common, inner]))
        return self.disjunction(self.shortened(alternatives))

    def shortened(self, alternatives: set[int]) -> set[int]:
        """Most moves of a role as none of the others, since a role makes exactly one of its moves.

        That is what rules say that let a fact persist: without this, every move would touch nearly every fact.
        """
        moves: dict[str, set[int]] = {}
        for literal in alternatives:
            if literal in self.role_of:
                moves.setdefault(self.role_of[literal], set()).add(literal)
        result = set(alternatives)
        for role, chosen in moves.items():
            others = self.moves_of[role] - chosen
            if len(others) < len(chosen):
                result = result - chosen | {self.disjunction(others) ^ 1}
        return result

    def disjunction(self, literals: Iterable[int]) -> int:
        return self.conjunction(literal ^ 1 for literal in literals) ^ 1

    def conjunction(self, literals: Iterable[int]) -> int:
        """The literal of an AND, simplified."""
        inputs = set(literals) - {TRUE}
        if FALSE in inputs or any(literal ^ 1 in inputs for literal in inputs):
            return FALSE
        if not inputs:
            return TRUE
        ordered = sorted(inputs)
        widest = self.widest
        while len(ordered) > widest:
            ordered = sorted({self.gate(tuple(ordered[i : i + widest])) for i in range(0, len(ordered), widest)})
        return self.gate(tuple(ordered))

    def gate(self, inputs: tuple[int, ...]) -> int:
        if len(inputs) == 1:
            return inputs[0]
        if self.cycle:
            number = take_number(self.network)
            self.network.gates[number] = Gate(inputs, False, self.cycle)
            return 2 * number
        if inputs not in self.known:
            self.known[inputs] = take_number(self.network)
            self.network.gates[self.known[inputs]] = Gate(inputs)
        return 2 * self.known[inputs]


class FlatBuilder(Builder):
    """Makes gates as the rules say them, with nothing taken out: similar rules then have similar gates."""

    widest = 1 << 30

    def one_of(self, conditions: set[frozenset[int]], deep: int = 0) -> int:
        if frozenset() in conditions:
            return TRUE
        self.budget.look()
        alternatives = {literal for condition in conditions if len(condition) == 1 for literal in condition}
        alternatives.update(self.conjunction(each) for each in conditions if not each & alternatives)
        return self.disjunction(self.shortened(alternatives))


def by_common_literal(conditions: list[frozenset[int]]) -> Iterator[tuple[int | None, list[frozenset[int]]]]:
    """Conditions in groups with a literal in common, the most common literal first; those with none together, last."""
    having: dict[int, list[frozenset[int]]] = {}
    for condition in sorted(conditions, key=sorted):
        for literal in condition:
            having.setdefault(literal, []).append(condition)
    counts = {literal: len(own) for literal, own in having.items()}
    order = [(-count, literal) for literal, count in counts.items()]
    heapify(order)
    left = set(conditions)
    while order:
        times, literal = heappop(order)
        if -times > counts[literal]:  # some of them went with another literal
            heappush(order, (-counts[literal], literal))
            continue
        if times >= -1:
            break
        group = [condition for condition in having[literal] if condition in left]
        left.difference_update(group)
        for condition in group:
            for other in condition:
                counts[other] -= 1
        yield literal, group
    yield None, [condition for condition in conditions if condition in left]
