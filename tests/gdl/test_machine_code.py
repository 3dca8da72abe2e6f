"""Machine code of a network: what programs on words, gates and the plain reasoner say is the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.games import SHEETS, load_game
from astragal.gdl.agreement import compare_on_random_games
from astragal.gdl.code.compact import best_state
from astragal.gdl.code.joint_cases import any_moves, cases_of
from astragal.gdl.code.vectors import Vectoriser
from astragal.gdl.code.word_program import WordProgram, run
from astragal.gdl.layouts.code_layout import CodeLayout, lay_out_code
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.joins import Budget
from astragal.gdl.reasoning.network import FlatBuilder, build_network
from astragal.gdl.sheets import game_of_sheet
from astragal.rules.checks.trace import compiled_trace, interpreted_trace
from astragal.rules.dice import Dice
from astragal.rules.position import Position


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_gates_in_groups_say_what_gates_alone_say(data):
    """Random gates over 150 bits in three words, many of them of the same shape at other places."""
    bits = 150
    gates: dict[int, tuple[int, ...]] = {}
    number = bits + 1  # node 0 is false
    for _ in range(data.draw(st.integers(1, 6))):
        distances = data.draw(st.lists(st.integers(0, 70), min_size=2, max_size=12, unique=True))
        inverted = data.draw(st.lists(st.integers(0, 1), min_size=len(distances), max_size=len(distances)))
        for base in data.draw(st.lists(st.integers(1, number - 1 - max(distances)), min_size=1, max_size=8)):
            shape = zip(distances, inverted, strict=True)
            gates[number] = tuple(2 * (base + distance) + sign for distance, sign in shape)
            number += 1
    random_bits = random.Random(data.draw(st.integers(0, 1000)))
    on = [False] + [random_bits.random() < 0.7 for _ in range(bits)]
    for inputs in gates.values():
        on.append(all(on[literal >> 1] != bool(literal & 1) for literal in inputs))
    program = WordProgram()
    vectoriser = Vectoriser(program)
    vectoriser.give({node: node - 1 for node in range(1, bits + 1)})
    literals = [2 * node + data.draw(st.integers(0, 1)) for node in gates] + [0, 1]
    vectoriser.evaluate(gates, literals)
    results = vectoriser.words(dict(enumerate(literals)))
    packed = np.packbits(np.array(on[1 : bits + 1] + [False] * 42), bitorder="little").view(np.uint64)
    words = run(program.operations, [int(word) for word in packed])
    for place, literal in enumerate(literals):
        assert words[results[place >> 6]] >> (place & 63) & 1 == on[literal >> 1] ^ (literal & 1)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig", "rock_paper_scissors", "three_way"])
def test_cases_say_what_moves_that_are_not_known_say(name):
    """For every case and random facts, whether or not a game could come to them."""
    grounding = ground(load_sheet(SHEETS / f"{name}.kif"))
    networks = [build_network(grounding), build_network(grounding, kind=FlatBuilder)]
    state = best_state(networks)
    cases, otherwise = cases_of(networks[0], state), any_moves(networks[0], state)
    dice = random.Random(1)
    for number, (family, row) in enumerate(cases.place):
        facts = [0] * state.fact_words
        for place in state.facts.values():
            facts[place >> 6] |= (dice.random() < 0.3) << (place & 63)
        given_moves = [(1 << move) for move in moves_of_case(cases, number)]
        own = cases.families[family]
        operations = [
            operation._replace(constant=constant)
            for operation, constant in zip(own.operations, own.rows[row], strict=True)
        ]
        expected = results(otherwise.operations, otherwise.results, facts, facts + given_moves)
        assert results(operations, own.results, facts, facts) == expected


def moves_of_case(cases, number):
    if cases.waiting is None:
        moves = []
        for size in cases.sizes:
            moves.append(number % size)
            number //= size
        return moves
    moves = list(cases.waiting)
    for seat, size in enumerate(cases.sizes):
        if number < size:
            moves[seat] = number
            break
        number -= size
    return moves


def results(operations, words, facts, given):
    values = run(operations, given)
    return [values[words[i]] if i in words else fact for i, fact in enumerate(facts)]


@pytest.mark.parametrize("name", ["tic_tac_toe.kif", "pig.kif", "rock_paper_scissors.kif"])
def test_kernels_call_the_code_that_python_calls(name):
    game = load_game(name)
    assert isinstance(LAYOUTS[game.address], CodeLayout)
    for seed in range(3):
        start = Position.start(game)
        fast, slow = (run(game, start.memory, Dice(seed).word(), 30) for run in (compiled_trace, interpreted_trace))
        assert np.array_equal(fast, slow)


BOTH_ACT = """
(role a) (role b) (init (at a 0)) (init (at b 0))
(next_to 0 1) (next_to 1 2) (next_to 2 3) (next_to 3 4)
(<= (legal ?r step) (role ?r))
(<= (legal ?r wait) (role ?r))
(<= (legal ?r (jump ?n)) (role ?r) (true (at ?r ?m)) (next_to ?m ?n))
(<= (next (at ?r ?n)) (does ?r step) (true (at ?r ?m)) (next_to ?m ?n))
(<= (next (at ?r ?n)) (does ?r (jump ?n)))
(<= (next (at ?r ?n)) (does ?r wait) (true (at ?r ?n)))
(<= (next late) (not (true late)))
(<= terminal (true (at ?r 4)))
(<= terminal (true (at ?r 3)) (true late))
(<= (goal ?r 100) (true (at ?r 4)))
(<= (goal ?r 0) (role ?r) (not (true (at ?r 4))))
"""


@pytest.mark.slow
@pytest.mark.interpreted
def test_moves_at_once_where_a_role_could_wait():
    """`b` has a move that no rule wants, so that cases are of one role; what both do together is in none of them."""
    text = BOTH_ACT.replace("(<= (next (at ?r ?n)) (does ?r wait) (true (at ?r ?n)))", "")
    for rules in (text, BOTH_ACT):
        sheet = read_sheet(rules, "both.kif")
        assert isinstance(LAYOUTS[game_of_sheet(sheet).address], CodeLayout)
        assert compare_on_random_games(sheet, 15) > 30


def test_goals_that_only_one_of_two_networks_knows_to_be_impossible():
    """`sure` is start, once what both rules have in common is taken out of them: then 30 is never had, nor 20."""
    sheet = read_sheet(
        """
        (role x) (init start) (init even) (legal x a) (legal x b)
        (<= (next start) (true start) (does x b)) (<= (next even) (not (true even)))
        (<= sure (true start) (true even)) (<= sure (true start) (not (true even)))
        (<= terminal (not (true start)))
        (<= (goal x 20) sure (not (true start)) (true even))
        (<= (goal x 30) sure (not (true start)))
        (<= (goal x 40) (true even))
        (<= (goal x 50) (not (true even)))
        """,
        "goals.kif",
    )
    grounding = ground(sheet)
    values = [[value for value, _ in build_network(grounding, kind=kind).goals["x"]] for kind in (None, FlatBuilder)]
    assert values == [[50, 40], [50, 40, 30, 20]]
    assert compare_on_random_games(sheet, 10) > 20


NETWORK_OF_PIG = """
from hashlib import sha256
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.network import build_network
from astragal.gdl.reading.reader import load_sheet
print(sha256(repr(build_network(ground(load_sheet("PATH"))).gates).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.interpreted
def test_every_process_makes_the_same_network():
    """What is kept of a sheet's game, such as its solution, is found again by its network."""
    program = NETWORK_OF_PIG.replace("PATH", str(SHEETS / "pig.kif"))
    made = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1


def test_cycles_and_large_networks_get_no_code_of_their_own(monkeypatch):
    network = build_network(ground(load_sheet(SHEETS / "tic_tac_toe.kif")))
    assert lay_out_code(network, Budget()) is not None
    monkeypatch.setattr("astragal.gdl.layouts.code_layout.MAX_GATES", 10)
    assert lay_out_code(network, Budget()) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["tic_tac_toe.kif", "pig.kif"])
def test_gates_one_by_one_and_code_say_the_same(name, monkeypatch):
    sheet = load_sheet(SHEETS / name)
    monkeypatch.setattr("astragal.gdl.sheets.lay_out_code", lambda network, budget: None)
    by_gates = game_of_sheet(sheet, spec="by gates")
    monkeypatch.undo()
    by_code = game_of_sheet(sheet, spec="by code")
    assert not LAYOUTS[by_gates.address].is_called
    assert LAYOUTS[by_code.address].is_called
    for seed in range(2):
        one, other = Position.start(by_gates), Position.start(by_code)
        dice = Dice(seed)
        for _ in range(40):
            assert one.text == other.text
            assert one.action_names() == other.action_names()
            if one.is_terminal:
                assert one.utilities() == other.utilities()
                break
            if one.is_chance:
                outcome = one.outcomes()[dice.below(len(one.outcomes()))].number
                one, other = one.follow(outcome), other.follow(outcome)
            else:
                action = one.actions()[dice.below(len(one.actions()))]
                one, other = one.follow(action), other.follow(action)
