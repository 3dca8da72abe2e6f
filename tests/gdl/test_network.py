"""The network says of every state what the plain reasoner and hand-written games say."""

from __future__ import annotations

import gc
import time
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings

from astragal.base.errors import AstragalError, PositionError, SheetError
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.games import load_game
from astragal.gdl.agreement import compare_on_random_games
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.joins import Budget, GroundingError
from astragal.gdl.reasoning.network_reasoner import NetworkReasoner as Network
from astragal.gdl.sheets import SheetSettings, action_of, game_of_sheet, move_of
from astragal.rules.checks import check_game
from astragal.rules.checks.trace import compiled_trace, interpreted_trace
from astragal.rules.decorator import TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.random import next_word, upper
from support import gdl_corpus
from support.gdl_reasoners import replay, trace, trace_names
from support.gdl_sheets import random_sheets
from support.helpers import slow_but

REFUSED = {"ggpbase_test_3b", "chess"}  # one is not safe, the other too large
LONG = {"checkersTiny", "hex", "kalaha5x2x3", "tron_10x10", "reversi", "eightPuzzle"}


def public(name):
    return load_sheet(gdl_corpus.corpus() / "kif" / f"{name}.kif")


# --- Public sheets


@pytest.mark.few(4)
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", sorted(set(trace_names()) - REFUSED - LONG))
def test_traces_are_replayed(name):
    assert replay(Network(public(name)), trace(name)) >= 20


@pytest.mark.slow
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", sorted(LONG & {"checkersTiny", "reversi", "eightPuzzle"}))
def test_long_traces_begin_as_they_should(name):
    assert replay(Network(public(name)), islice(trace(name), 100)) == 100


@pytest.mark.slow
@gdl_corpus.needs_corpus
@pytest.mark.parametrize("name", sorted(LONG))
def test_long_traces_are_replayed(name):
    assert replay(Network(public(name)), trace(name)) > 70


@gdl_corpus.needs_corpus
def test_a_sheet_that_is_too_large_has_no_network():
    with pytest.raises(
        GroundingError, match=r"chess\.kif is too large to be compiled: it has more than 1,000 instances"
    ):
        game_of_sheet(public("chess"), SheetSettings(instances=1000, reasoner="network"))
    with pytest.raises(GroundingError, match=r"could not be instantiated within 0\.1 seconds"):
        game_of_sheet(public("chess"), SheetSettings(seconds=0.1, reasoner="network"))


def test_waiting_for_a_processor_makes_no_sheet_too_large():
    budget = Budget(seconds=0.05)
    time.sleep(0.1)
    assert budget.look() == 0
    while time.thread_time() <= budget.deadline:
        pass
    with pytest.raises(GroundingError, match=r"within 0\.05 seconds of processor time"):
        budget.look()


# --- Cycles and corner cases

MAZE = """
(role robot)
(init (at 0)) (init (wall 3))
(edge 0 1) (edge 1 0) (edge 1 2) (edge 2 1) (edge 2 3) (edge 3 2) (edge 3 0) (edge 0 3) (edge 2 4) (edge 4 2)
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (edge ?x ?y) (not (true (wall ?y))))
(<= (cell ?x) (edge ?x ?y))
(<= (legal robot (build ?x)) (cell ?x) (not (true (wall ?x))) (not (true (at ?x))))
(<= (legal robot (jump ?x)) (cell ?x) (not (reach ?x)) (not (true (wall ?x))))
(<= (legal robot (open ?x)) (true (wall ?x)))
(<= (next (wall ?x)) (does robot (build ?x)))
(<= (next (wall ?x)) (true (wall ?x)) (not (does robot (open ?x))))
(<= (next (at ?y)) (does robot (jump ?y)))
(<= (next (at ?x)) (true (at ?x)) (not jumped))
(<= jumped (does robot (jump ?y)))
(<= (next (step 1)) (not (true (step 1))))
(<= terminal (true (at 4)))
(<= terminal (true (wall 0)) (true (wall 1)) (true (wall 2)))
(<= (goal robot 100) (reach 4))
(<= (goal robot 0) (not (reach 4)))
"""


# p and q depend on each other, but what would make p depend on q can never hold: only goals need q.
HALF_A_CYCLE = """
(role x)
(init (at 1))
(legal x a) (legal x b)
(<= (next (at 2)) (does x a) p)
(<= (next (at 1)) (does x b))
(<= (next q0) (does x b))
(<= (next q1) (true q0))
(<= p (true (at 1)))
(<= p q impossible)
(<= impossible (true (at 1)) (not (true (at 1))))
(<= q p (true q0))
(<= q (true (at 2)))
(<= terminal (true (at 2)))
(<= terminal (true q1))
(<= (goal x 100) q)
(<= (goal x 50) (not q))
"""

# Whether s holds depends on a cycle that is complete only when its first gates are looked at again.
CYCLE_OVER_CYCLE = """
(role x)
(init on)
(legal x m) (legal x n)
(<= (next on) (does x n))
(<= (next first) (does x n) (r a))
(<= (next won) (does x m) (not (s p)))
(<= (next lost) (does x m) (s p))
(link a b) (link b c) (link c d) (link d a)
(<= (r a) (true on))
(<= (r ?y) (r ?x) (link ?x ?y))
(twin p q) (twin q p)
(<= (s p) (true on) (not (r d)))
(<= (s ?x) (s ?y) (twin ?x ?y))
(<= terminal (true won))
(<= terminal (true lost))
(<= (goal x 100) (true won))
(<= (goal x 0) (not (true won)))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("text", [MAZE, HALF_A_CYCLE, CYCLE_OVER_CYCLE], ids=["maze", "half", "two"])
def test_cycles_of_rules(text):
    sheet = read_sheet(text, "maze.kif")
    game = game_of_sheet(sheet)
    assert Network(sheet).layout.network.cycles > 0
    assert compare_on_random_games(sheet, 15) > 15
    for seed in range(8):
        start = Position.start(game)
        fast, slow = (run(game, start.memory, Dice(seed).word(), 60) for run in (compiled_trace, interpreted_trace))
        assert np.array_equal(fast, slow)


@settings(max_examples=12, deadline=None)
@given(data=random_sheets())
def test_any_small_sheet(data):
    """Rules made at random: grounding, factoring and cycles against the plain reasoner."""
    compare_on_random_games(read_sheet(data, "random.kif"), 3, most_moves=6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(role random) (legal random go) (init a) (<= terminal (true b)) (goal random 0)", "has no player"),
        (
            "(role a) (role b) (init x) (legal a go) (<= (legal b go) (true y)) (<= (next ?f) (true ?f)) "
            "(<= terminal (true z)) (goal a 0) (goal b 0)",
            "b has no legal move at the start of the game",
        ),
        (
            "(role a) (init x) (<= (legal a go) (distinct b b)) (<= terminal (true z)) (goal a 0)",
            "a has no legal move at the start of the game",
        ),
    ],
)
def test_games_that_nobody_can_play_are_refused(text, sentence):
    with pytest.raises(Exception, match=sentence):
        game_of_sheet(read_sheet(text, "test.kif"))


# One player, who goes on with b and ends the game with a.
STEPS = """
(role x)
(init (step 0))
(legal x a) (legal x b)
(<= (next done) (does x a))
(<= (next (step 0)) (does x b))
(<= terminal (true done))
"""


def cells(literal: str, count: int) -> str:
    return " ".join(literal.format(i) for i in range(count))


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "more",
    [
        f"(goal x 100) {cells('(init (c{0} 1))', 45)} (<= (next many) {cells('(true (c{0} ?v{0}))', 45)})",
        "(goal x 100) (init \u00b2) (init \u2460) (init \u0663)",
        f"(goal x 100) (init {'9' * 5000})",
        "(<= (goal x 7) (true done)) (<= (goal x 007) (true (step 0)))",
        f"(goal x 100) {cells('(init (d {0}))', 60)} (<= (next yes) (does x a) {cells('(true (d {0}))', 60)}) "
        f"(<= (next yes) (does x b) {cells('(true (d {0}))', 60)})",
    ],
    ids=["many variables", "odd digits", "a long number", "zeros", "long rules"],
)
def test_odd_sheets_are_played(more):
    assert compare_on_random_games(read_sheet(STEPS + more, "odd.kif"), 5) > 10


# What is the same in every state is derived once, level by level; what depends on the state only by a negation is not.
NEGATIONS = """
(role x)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (closed ?a) (not_open ?a))
(<= (not_open ?a) (succ ?a ?b) (not (open ?a)))
(<= (open ?a) (succ ?a ?b) (not (last ?b)))
(<= (last ?b) (succ ?a ?b) (not (followed ?b)))
(<= (followed ?a) (succ ?a ?b))
(<= (legal x (go ?a)) (open ?a))
(<= (legal x (stay ?a)) (closed ?a))
(<= (legal x wait) quiet)
(<= quiet (not (true noisy)))
(<= (next noisy) (does x (go 0)))
(<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))
(<= terminal (true (step 3)))
(<= (goal x 100) quiet)
(<= (goal x 0) (not quiet))
"""


def test_negations_are_decided_level_by_level_and_anew_in_every_state():
    sheet = read_sheet(NEGATIONS, "negations.kif")
    assert compare_on_random_games(sheet, 5) > 10
    start = Position.start(game_of_sheet(sheet))
    assert sorted(start.action_names()) == ["go 0", "go 1", "stay 2", "wait"]
    assert sorted(start.play("go 0").action_names()) == ["go 0", "go 1", "stay 2"]


NUMBERS = cells("(n {0}) (init (m {0}))", 40)
SIX = "{0} ?a) {0} ?b) {0} ?c) {0} ?d) {0} ?e) {0} ?f)"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("(init (m z)) (<= (next (m (s ?x))) (true (m ?x)))", "more than 100 terms within each other"),
        (f"{NUMBERS} (<= (p ?a ?b ?c ?d ?e ?f) {SIX.format('(n')})", "more than 20,000 instances"),
        (
            f"{NUMBERS} (<= (next (p ?a ?b ?c ?d ?e ?f)) " + SIX.format("(true (m").replace(")", "))") + ")",
            "more than 20,000 instances",
        ),
    ],
    ids=["deep terms", "many fixed", "many facts"],
)
def test_sheets_that_explode_have_no_network_and_say_so_soon(more, sentence):
    """Each of them would take hours, or all memory, in a single join."""
    sheet = read_sheet(f"{STEPS} (goal x 100) {more}", "odd.kif")
    with pytest.raises(GroundingError, match=sentence):
        game_of_sheet(sheet, SheetSettings(instances=20_000, reasoner="network"))
    with pytest.raises(GroundingError, match=r"more than 100|instantiated within 0\.1 seconds"):
        game_of_sheet(sheet, SheetSettings(seconds=0.1, reasoner="network"))


def test_goals_that_are_none_are_left_out():
    """They may hold in no state that can be reached: grounding cannot decide that."""
    text = STEPS + "(points 40) (points 250) (points many) (points (a b)) (<= (goal x ?p) (points ?p) (true done))"
    game = game_of_sheet(read_sheet(text, "goals.kif"))
    assert Position.start(game).play("a").utilities() == (40.0,)


@pytest.mark.slow
def test_games_with_very_many_moves_can_be_searched_by_trees():
    """Sizes are rounded up, but not beyond what a tree can number."""
    text = f"{STEPS} (goal x 100) {cells('(n {0})', 200)} (<= (legal x (m ?a ?b)) (n ?a) (n ?b))"
    position = Position.start(game_of_sheet(read_sheet(text, "many.kif")))
    assert len(position.actions()) == 40_002
    assert position.game.max_actions == 65_535


def test_only_two_players_can_be_said_to_play_a_zero_sum_game():
    with pytest.raises(AstragalError, match="has 1 players; zero_sum=on is for two"):
        game_of_sheet(read_sheet(STEPS + "(goal x 100)", "one.kif"), SheetSettings(zero_sum="on"))


def test_positions_with_choices_that_are_not_legal_are_refused():
    text = """(role a) (role b) (init (f 1)) (legal a x) (legal a y) (<= (legal a z) (true more)) (legal b x)
    (legal b y) (<= (next more) (does a x)) (<= terminal (true more)) (goal a 100) (goal b 0)"""
    game = game_of_sheet(read_sheet(text, "choices.kif"))
    assert Position.parse(game, "(f 1) ; a y").turn == 1
    with pytest.raises(PositionError, match=r"is not a position of choices\.kif: z is not legal"):
        Position.parse(game, "(f 1) ; a z")


@gdl_corpus.needs_corpus
def test_a_player_without_a_move_is_reported_with_its_line():
    (path,) = [path for path in gdl_corpus.sheets("bad") if path.name.startswith("75")]
    with pytest.raises(SheetError, match="b has no legal move at the start") as error:
        game_of_sheet(load_sheet(path))
    assert error.value.line == 9


def test_the_order_of_moves_is_natural():
    text = (
        "(role a) (init x) (n 10) (n 9) (n 100) (n 1) (<= (legal a (go ?n)) (n ?n)) "
        "(<= terminal (true y)) (<= (next y) (does a (go 1))) (goal a 5)"
    )
    game = game_of_sheet(read_sheet(text, "order.kif"))
    assert Position.start(game).action_names() == ["go 1", "go 9", "go 10", "go 100"]
    assert game.own_roles() == ("a",)
    assert move_of(Position.start(game), 0, 2) == ("go", "10")
    assert action_of(Position.start(game), 0, ("go", "10")) == 2
    assert action_of(Position.start(game), 0, ("go", "11")) is None
    assert ground(read_sheet(text, "order.kif"), Budget()).initial == {"x"}


# --- Our own sheets against hand-written games


@kernel(entry="two games compared")
def compare_games(one, other, starts, others, action_of_other, count, seed):
    """Play one at random, the other with the same moves; the first ply at which they differ, or -1, and the plies."""
    generator = np.uint64(seed)
    state, twin = local_copy(starts[0]), local_copy(others[0])
    own, theirs = scratch(np.uint32, one.max_actions), scratch(np.uint32, other.max_actions)
    plies = 0
    for _ in range(count):
        assign(state, starts[0])
        assign(twin, others[0])
        while True:
            turn = one.turn(state)
            if turn != other.turn(twin):
                return plies, 1
            if turn == TERMINAL:
                for player in range(2):
                    if 100.0 * one.utility(state, player) != other.utility(twin, player):
                        return plies, 2
                break
            many = one.actions(state, own)
            if many != other.actions(twin, theirs):
                return plies, 3
            for i in range(many):
                found = False
                for j in range(many):
                    found |= np.int64(action_of_other[turn, own[i]]) == np.int64(theirs[j])
                if not found:
                    return plies, 4
            generator, word = next_word(generator)
            action = np.int64(own[upper(word) * many >> 32])
            one.play(state, action)
            other.play(twin, np.int64(action_of_other[turn, action]))
            plies += 1
    return plies, 0


def hand_written(name):
    """A hand-written game, the sheet's, and the sheet's action for each player and action of the hand-written one."""
    game, sheet = load_game(name), load_game(f"{name}.kif")
    move = {"connect_four": lambda a: ("drop", str(a + 1)), "tic_tac_toe": lambda a: ("mark", *place(a))}[name]
    start = Position.start(sheet)
    actions = [[action_of(start, seat, move(a)) for a in range(game.max_actions)] for seat in range(2)]
    return game, sheet, np.array(actions, np.int64)


def place(square):
    """Row and column from the top left, from 1."""
    return str(square // 3 + 1), str(square % 3 + 1)


@pytest.mark.compiled
@pytest.mark.parametrize("name", slow_but(["tic_tac_toe"], ["tic_tac_toe", "connect_four"]))
def test_ten_thousand_random_games_are_those_of_the_hand_written_game(name):
    game, sheet, actions = hand_written(name)
    start, other = Position.start(game).memory, Position.start(sheet).memory
    plies, difference = compare_games(game, sheet, start, other, actions, 10_000, 7)
    assert difference == 0
    assert plies > 50_000


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["tic_tac_toe.kif", "rock_paper_scissors.kif", "pig.kif"])
def test_sheets_keep_the_promises_of_games(name):
    for check in check_game(load_game(name), games=1):
        assert check.passed, check


@pytest.mark.slow
@pytest.mark.interpreted
def test_games_are_kept_while_they_are_used_and_few_others():
    def sheet(number):
        text = f"(role a) (init (n {number})) (legal a go) (legal a stay) (<= terminal (true x)) (goal a 1)"
        return read_sheet(text, "n.kif")

    used = Position.start(game_of_sheet(sheet(0)))
    assert game_of_sheet(sheet(0)) is used.game
    for number in range(1, 40):
        game_of_sheet(sheet(number))
    gc.collect()
    assert len(LAYOUTS) < 30
    assert used.play("go").text == ""
    assert game_of_sheet(sheet(0)) is used.game  # as long as it is used
