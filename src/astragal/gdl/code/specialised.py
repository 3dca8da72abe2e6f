"""A network where the moves are known: what is left of the gates that say which facts come next."""

from __future__ import annotations

from collections.abc import Iterable

from astragal.gdl.reasoning.network import FALSE, TRUE, Network


class Specialiser:
    """Puts moves into a network without cycles."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.move_nodes = set(network.moves.values())
        uses: dict[int, int] = {}
        for gate in network.gates.values():
            for literal in gate.inputs:
                uses[literal >> 1] = uses.get(literal >> 1, 0) + 1
        touched: dict[int, None] = {}
        for number, gate in sorted(network.gates.items()):  # a gate comes after what it depends on
            if any(literal >> 1 in self.move_nodes or literal >> 1 in touched for literal in gate.inputs):
                touched[number] = None
        self.touched = list(touched)  # gates that depend on moves
        self.used_once = {number for number, times in uses.items() if times == 1}

    def next_of(self, moves: Iterable[int]) -> tuple[dict[int, tuple[int, ...]], dict[int, int]]:
        """Gates, and the literals of facts that do not stay as they are, by the nodes of the facts.

        Moves are given as their nodes; none of the others is made.
        """
        network = self.network
        value = dict.fromkeys(self.move_nodes, FALSE) | dict.fromkeys(moves, TRUE)
        gates: dict[int, tuple[int, ...]] = {}
        known: dict[tuple[int, ...], int] = {}
        for number in self.touched:
            inputs = self._inputs(network.gates[number].inputs, value, gates)
            if len(inputs) > 1:
                if inputs not in known:
                    known[inputs] = number
                    gates[number] = inputs
                value[number] = 2 * known[inputs]
            else:
                value[number] = inputs[0] if inputs else TRUE
        changed = {}
        for node, literal in zip(network.facts.values(), network.next, strict=True):
            following = value.get(literal >> 1, literal & ~1) ^ (literal & 1)
            if following != 2 * node:
                changed[node] = following
        return gates, changed

    def _inputs(
        self, literals: Iterable[int], value: dict[int, int], gates: dict[int, tuple[int, ...]]
    ) -> tuple[int, ...]:
        """What is left of a gate's inputs: none if it is true, FALSE if it is not."""
        left: set[int] = set()
        for literal in literals:
            known = value.get(literal >> 1, literal & ~1) ^ (literal & 1)
            if known == FALSE:
                return (FALSE,)
            if known & 1 == 0 and known >> 1 in gates and literal >> 1 in self.used_once:
                left.update(gates[known >> 1])  # an AND within an AND
            elif known != TRUE:
                left.add(known)
        if any(literal ^ 1 in left for literal in left):
            return (FALSE,)
        return tuple(sorted(left))


def plain_gates(network: Network) -> dict[int, tuple[int, ...]]:
    """The gates of a network without cycles, as their inputs."""
    return {number: gate.inputs for number, gate in network.gates.items()}
