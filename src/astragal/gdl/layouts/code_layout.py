"""A network as machine code of its own, called by address: for sheets without cycles that are not too large."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from astragal.gdl.code.compact import CompactState, best_state
from astragal.gdl.code.joint_cases import any_moves, cases_of
from astragal.gdl.code.machine_code import MachineCode
from astragal.gdl.code.module_text import module_text
from astragal.gdl.layouts.layout import NetworkLayout, power_of_two
from astragal.gdl.reading.rules import Term
from astragal.gdl.reasoning.joins import Budget
from astragal.gdl.reasoning.network import FlatBuilder, Network, build_network

LEAST_WORDS = 4
MAX_GATES = 8_000
MAX_INSTANCES = 20_000  # of rules, for gates as the rules say them
MAX_LINES = 15_000  # of code, which takes about a second


class CodeLayout(NetworkLayout):
    """The state is that of `astragal.gdl.code.compact`."""

    is_called = True

    def __init__(self, network: Network, state: CompactState, code: MachineCode) -> None:
        super().__init__(network)
        self.bit = state.facts
        self.code = code
        self.words = power_of_two(LEAST_WORDS, state.words)
        self.goals = {role: [(value, 2 * bit) for value, bit in own] for role, own in state.goals.items()}
        tables = self.tables
        tables["fact_words"] = state.fact_words
        tables["terminal"] = 2 * state.terminal
        begin = 0
        for seat, role in enumerate(self.seats):
            words = -(-self.most_moves(role) // 64)
            tables["legal_word"][0, seat] = state.legal[role]
            tables["move_word"][0, seat], tables["move_words"][0, seat] = begin, words
            begin += words
        tables["advance"], tables["find_goals"] = code.address("advance"), code.address("goals")
        self.store_all({})

    def words_of(self, facts: Iterable[Term]) -> npt.NDArray[np.uint64]:
        on = np.zeros(64 * self.words, bool)
        for fact in facts:
            on[self.bit[self.network.facts[fact]]] = True
        words = np.packbits(on, bitorder="little").view(np.uint64)
        self.code.derive(words)
        return words


def lay_out_code(network: Network, budget: Budget) -> CodeLayout | None:
    """The layout with the machine code of a network; None if it has cycles or would become too long."""
    if network.cycles or len(network.gates) > MAX_GATES:
        return None
    networks = [network]
    if sum(map(len, network.grounding.rules.values())) <= MAX_INSTANCES:
        networks.append(build_network(network.grounding, budget, FlatBuilder))
    state = best_state(networks)
    cases = cases_of(network, state)
    text = module_text(state, cases, any_moves(network, state) if cases.waiting is not None else None)
    return CodeLayout(network, state, MachineCode(text)) if text.count("\n") <= MAX_LINES else None
