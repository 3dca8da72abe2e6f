"""The plain reasoner says of every state what the rules say: public traces, counts, and answers known otherwise."""

from __future__ import annotations

from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.base.errors import AstragalError
from astragal.gdl.playability import random_game, scan
from astragal.gdl.reading.clauses import read_terms
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.reading.rules import Atom, Rule, Sheet, Term, kif, substitute, variables
from astragal.gdl.reasoning.interpreter import Interpreter, State
from astragal.rules.dice import Dice
from support import gdl_corpus
from support.gdl_reasoners import counts, replay, trace, trace_names
from support.helpers import TOO_DEEP, calls_are_few

REFUSED = {"ggpbase_test_3b"}  # not safe, and no reader need accept it
LONG = {"checkersTiny", "chess", "hex", "reversi"}


def public(name: str) -> Interpreter:
    folder = gdl_corpus.corpus()
    assert folder is not None
    return Interpreter(load_sheet(folder / "kif" / f"{name}.kif"))


def interpreter(text: str) -> Interpreter:
    return Interpreter(read_sheet(text, "test.kif"))


# --- Public sheets


@pytest.mark.few(5)
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", sorted(set(trace_names()) - REFUSED))
def test_traces_are_replayed(name: str) -> None:
    lines = trace(name)
    assert replay(public(name), islice(lines, 25) if name in LONG else lines) >= 20


@pytest.mark.slow
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", sorted(LONG))
def test_long_traces_are_replayed(name: str) -> None:
    assert replay(public(name), trace(name)) > 400


COUNTS = {
    "ticTacToe": [9, 72, 504],
    "reversi": [4, 12, 56],
    "breakthroughSmall": [16, 256],
    "chess": [20],
    "conn4": [7, 49, 343],
    "pentago": [36, 288],
    "kalaha5x2x3": [5, 5, 5, 5, 24, 24, 24],
    "checkersTiny": [3, 9, 31, 100],
    "hex": [81],
    "lightsOut": [25],
    "eightPuzzle": [2, 6, 16, 48, 128],
    "blocker": [256],
    "roshambo2": [16, 256],
    "tron_10x10": [16, 256],
    "nim1": [12, 115],
    "hanoi": [2, 6, 16, 46, 130, 376],
    "connectFour": [8, 64, 512],
}


@pytest.mark.few(6)
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", COUNTS)
def test_sequences_of_moves_are_counted(name: str) -> None:
    assert counts(public(name), len(COUNTS[name])) == COUNTS[name]


@pytest.mark.slow
@gdl_corpus.needs_corpus
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("chess", [20, 400]),
        ("reversi", [4, 12, 56, 244]),
        ("conn4", [7, 49, 343, 2401]),
        ("ticTacToe", [9, 72, 504, 3024, 15120]),
        ("tron_10x10", [16, 256, 2304]),
        ("checkersTiny", [3, 9, 31, 100, 371, 1341]),
    ],
)
def test_longer_sequences_of_moves_are_counted(name: str, known: list[int]) -> None:
    assert counts(public(name), len(known)) == known


# --- Sheets with known answers

SMALL = """
(role a) (role random)
(init (at 0)) (init (door open))
(step 0 1) (step 1 2) (step 2 3)
(<= (legal a (go ?y)) (true (at ?x)) (step ?x ?y) (not (true (door shut))))
(<= (legal a stay) (true (at ?x)))
(legal random shut) (legal random leave)
(<= (next (at ?y)) (does a (go ?y)))
(<= (next (at ?x)) (true (at ?x)) (does a stay))
(<= (next (door shut)) (does random shut))
(<= (next (door ?d)) (true (door ?d)) (does random leave))
(<= terminal (true (at 3)))
(<= (goal a ?v) (true (at ?x)) (worth ?x ?v))
(worth 0 0) (worth 1 30) (worth 2 70) (worth 3 100)
"""


def facts(text: str) -> State:
    return frozenset(read_terms(text))


def test_a_small_game_step_by_step() -> None:
    game = interpreter(SMALL)
    assert game.roles == ("a", "random")
    start = game.initial()
    assert start == facts("(at 0) (door open)")
    assert game.legal(start, "a") == [("go", "1"), "stay"]
    assert game.legal(start, "random") == ["leave", "shut"]
    assert game.legal(start, "nobody") == []
    assert game.next(start, {"a": ("go", "1"), "random": "leave"}) == facts("(at 1) (door open)")
    shut = game.next(start, {"a": ("go", "1"), "random": "shut"})
    assert shut == facts("(at 1) (door shut)")
    assert game.legal(shut, "a") == ["stay"]
    assert game.goals(shut, "a") == [30]
    assert game.goals(shut, "random") == []
    assert not game.is_terminal(shut)
    assert game.is_terminal(facts("(at 3)"))


def test_states_from_elsewhere_are_as_good_as_its_own() -> None:
    game = interpreter(SMALL)
    state = facts("(at 2) (door open)")
    assert game.legal(state, "a") == [("go", "3"), "stay"]
    assert game.legal(game.initial(), "a") == [("go", "1"), "stay"]
    assert game.legal(facts("(door open) (at 2)"), "a") == [("go", "3"), "stay"]
    assert game.legal(frozenset(), "a") == []


def test_everyone_has_to_move() -> None:
    game = interpreter(SMALL)
    with pytest.raises(AstragalError, match="random has to move"):
        game.next(game.initial(), {"a": "stay"})


def test_a_goal_has_to_be_a_number() -> None:
    game = interpreter(SMALL.replace("(worth 1 30)", "(worth 1 much)"))
    with pytest.raises(AstragalError, match="a goal is worth much"):
        game.goals(facts("(at 1)"), "a")


RULES = "(role a) (legal a stay) (<= terminal {}) (goal a 0) (init here) (<= (next ?x) (true ?x)) "


def holds(rules: str, question: str, state: str = "here") -> bool:
    """Whether a question is true in a state under some rules."""
    return interpreter(RULES.format(question) + rules).is_terminal(facts(state))


def test_recursion_over_the_state() -> None:
    reach = "(<= (reach ?x ?y) (true (edge ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))"
    ring = " ".join(f"(edge {i} {(i + 1) % 40})" for i in range(40))
    path = " ".join(f"(edge {i} {i + 1})" for i in range(200))
    assert holds(reach, "(reach 0 0)", ring)
    assert holds(reach, "(reach 7 6)", ring)
    assert not holds(reach, "(reach 7 40)", ring)
    assert holds(reach, "(reach 198 200)", path)
    one_way = "(<= (reach ?x ?y) (true (edge ?x ?y))) (<= (reach ?x ?z) (true (edge ?x ?y)) (reach ?y ?z))"
    assert holds(one_way, "(reach 0 200)", path)
    assert not holds(one_way, "(reach 200 0)", path)


def test_relations_that_depend_on_each_other() -> None:
    rules = """(<= (even ?x) (true (zero ?x))) (<= (even ?y) (odd ?x) (true (succ ?x ?y)))
        (<= (odd ?y) (even ?x) (true (succ ?x ?y)))"""
    state = "(zero 0) " + " ".join(f"(succ {i} {i + 1})" for i in range(60))
    assert holds(rules, "(even 60)", state)
    assert not holds(rules, "(odd 60)", state)
    assert holds(rules, "(odd 59)", state)


def test_the_absence_of_what_is_derived_recursively() -> None:
    rules = """(<= (reach ?x) (true (start ?x))) (<= (reach ?y) (reach ?x) (true (edge ?x ?y)))
        (<= (node ?x) (true (edge ?x ?y))) (<= (node ?y) (true (edge ?x ?y)))
        (<= cut (node ?x) (not (reach ?x)))"""
    assert not holds(rules, "cut", "(start 1) (edge 1 2) (edge 2 3) (edge 3 1)")
    assert holds(rules, "cut", "(start 1) (edge 1 2) (edge 3 2)")


def test_terms_are_matched_inside_and_as_a_whole() -> None:
    state = "(pair (f 1) (f 2)) (pair 3 3)"
    assert holds("", "(true (pair (f ?x) (f 2)))", state)
    assert not holds("", "(true (pair (f ?x) (f ?x)))", state)
    assert holds("", "(true (pair ?x ?x))", state)
    assert holds("(<= (p ?x) (true (pair ?x ?y))) (<= (q ?x) (p (f ?x)))", "(q 1)", state)
    assert not holds("(<= (p ?x) (true (pair ?x ?y))) (<= (q ?x) (p (f ?x)))", "(q 3)", state)
    assert holds("(<= (p ?x ?y) (true (pair ?x ?y)) (distinct ?x (f ?y)))", "(p 3 3)", state)
    assert not holds("(<= (p ?x) (true (pair ?x ?y)) (distinct ?x ?y))", "(p 3)", state)
    assert not holds("(<= (p ?x) (true (pair ?x ?y)) (distinct ?x (f 1)) (distinct ?x 3))", "(p ?x)", state)


@pytest.mark.slow
@pytest.mark.interpreted
def test_many_relations_that_lead_to_each_other_and_long_bodies() -> None:
    many = range(TOO_DEEP)
    layers = " ".join(f"(<= (p{i + 1} ?x) (p{i} ?x))" for i in many)
    body = " ".join(f"(true (at {i} ?x{i}))" for i in many)
    with calls_are_few():
        assert holds(f"(<= (p0 ?x) (true (at ?x))) {layers}", f"(p{TOO_DEEP} here)", "(at here)")
        assert not holds("(<= (p0 ?x) (true (at ?x))) (<= (p1 ?x) (p0 ?x))", "(p1 there)", "(at here)")
        assert holds(f"(p0 here) {layers}", f"(p{TOO_DEEP} here)")
        assert holds(f"(<= all {body})", "all", " ".join(f"(at {i} 1)" for i in many))


def test_terms_may_grow_deep_in_play() -> None:
    game = interpreter("""(role a) (init (n 0)) (<= (legal a (to (s ?x))) (true (n ?x)))
        (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s ?x))) (distinct ?x 0)) (goal a 50)""")
    deep, other = "0", "1"
    for _ in range(6000):
        deep, other = ("s", deep), ("s", other)
    state = frozenset({("n", deep), ("n", other)})
    assert game.is_terminal(state)
    assert [kif(move).count("(") for move in game.legal(state, "a")] == [6002, 6002]
    after = game.next(state, {"a": ("to", deep)})
    assert sorted(kif(fact).count("(") for fact in after) == [6002, 6002]
    assert game.next(after, {"a": "stay"}) != after


# --- Any rules, against a derivation by the definition

CONSTANTS = ("a", "b", ("f", "a"))
NAMES = ("?x", "?y", "?z")
RELATIONS = ("p0", "q0", "p1", "q1", "p2", "q2")  # the number is the stratum


def atoms(relations: list[str]) -> st.SearchStrategy[Atom]:
    term = st.sampled_from([*NAMES, *NAMES, *CONSTANTS])
    return st.tuples(st.sampled_from(relations), term, term)


@st.composite
def rules_of_strata(draw: st.DrawFn) -> list[Rule]:
    rules = []
    for head in draw(st.lists(atoms(list(RELATIONS)), min_size=4, max_size=12)):
        stratum = int(str(head[0])[1])
        below = [name for name in RELATIONS if int(name[1]) < stratum]
        fitting = [name for name in RELATIONS if int(name[1]) <= stratum]
        body = draw(st.lists(atoms(fitting), max_size=2))
        state = draw(st.lists(st.tuples(st.just("true"), atoms(["e"])), min_size=0 if body else 1, max_size=2))
        bound = {name for atom in (*body, *state) for name in variables(atom)}
        known = st.sampled_from([*sorted(bound), *CONSTANTS])
        head = (head[0], *(draw(known) if term in NAMES and term not in bound else term for term in head[1:]))
        negative = draw(st.lists(st.tuples(st.sampled_from(below), known, known), max_size=1)) if below else []
        distinct = draw(st.lists(st.tuples(known, known), max_size=1))
        rules.append(Rule(head, (*state, *body), tuple(negative), tuple(distinct)))
    return rules


def derived(rules: list[Rule], state: State) -> set[Atom]:
    """All that is true, by trying all values of all variables until nothing is new, stratum after stratum."""
    true: set[Atom] = {("true", fact) for fact in state}
    for stratum in "012":
        before = -1
        while before != len(true):
            before = len(true)
            for rule in rules:
                if str(rule.head[0])[1] == stratum:
                    true |= instances(rule, true)
    return true


def instances(rule: Rule, true: set[Atom]) -> set[Atom]:
    names = sorted({name for atom in (rule.head, *rule.positive) for name in variables(atom)})
    found: set[Atom] = set()
    for values in product(CONSTANTS, repeat=len(names)):
        value: dict[str, Term] = dict(zip(names, values, strict=True))
        if (
            all(substitute(atom, value) in true for atom in rule.positive)
            and all(substitute(atom, value) not in true for atom in rule.negative)
            and all(substitute(left, value) != substitute(right, value) for left, right in rule.distinct)
        ):
            head = substitute(rule.head, value)
            assert isinstance(head, tuple)
            found.add(head)
    return found


edges = st.frozensets(st.tuples(st.just("e"), st.sampled_from(CONSTANTS), st.sampled_from(CONSTANTS)), max_size=6)


@settings(max_examples=12)
@given(rules_of_strata(), st.lists(edges, min_size=2, max_size=3))
def test_any_rules_derive_what_the_definition_says(rules: list[Rule], states: list[State]) -> None:
    asked = [Rule(("legal", "a", (name, "?x", "?y")), ((name, "?x", "?y"),)) for name in RELATIONS]
    some = [Rule(("goal", "a", "50"), ((name, "a", "?y"),)) for name in RELATIONS]
    reasoner = Interpreter(Sheet("test.kif", ("a",), (*rules, *asked, *some)))
    for state in states:
        true = derived(rules, state)
        assert reasoner.goals(state, "a") == [50] * any(atom[1] == "a" and atom[0] != "true" for atom in true)
        assert set(reasoner.legal(state, "a")) == {atom for atom in true if atom[0] != "true"}


# --- Random games


def test_a_random_game_is_made_of_legal_moves_and_depends_on_its_seed() -> None:
    game = interpreter(SMALL.replace("(not (true (door shut)))", "(not (true (door barred)))"))
    played = random_game(game, Dice(1))
    assert played.is_over
    for state, moves, after in zip(played.states, played.moves, played.states[1:], strict=False):
        assert all(moves[role] in game.legal(state, role) for role in game.roles)
        assert after == game.next(state, moves)
    assert random_game(game, Dice(1)) == played
    assert any(random_game(game, Dice(seed)) != played for seed in range(2, 12))


@gdl_corpus.needs_corpus
@pytest.mark.parametrize(
    ("number", "error", "warning"),
    [
        ("00", "", ""),
        ("75", "b has no legal move in the state after 0 moves, which is not terminal: (control a) (count 1)", ""),
        (
            "76",
            "",
            "a has the goal values 50 and 100 in the state after 2 moves, which is terminal: (control a) (count 3)",
        ),
        ("77", "", "b has no goal value in the state after 2 moves, which is terminal: (control a) (count 3)"),
        ("78", "", "5 of 5 random games did not end within 100 moves"),
    ],
)
def test_faults_that_show_in_play(number: str, error: str, warning: str) -> None:
    (path,) = [path for path in gdl_corpus.sheets("bad") if path.name.startswith(number)]
    found = scan(Interpreter(load_sheet(path)), games=5, most_moves=100)
    assert found.error == error
    assert found.warnings == ((warning,) if warning else ())
