"""Alpha-beta finds what minimax finds, with whatever makes it faster; and mm expands what alpha-beta alone expands."""

from __future__ import annotations

import csv
from dataclasses import asdict
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, Limits, Position, game, load_game, load_player, search, start
from astragal.algorithms.alphabeta.alphabeta import AlphaBetaVariant
from astragal.algorithms.alphabeta.ordering import learn, new_ordering, put_by_evaluation, put_in_order
from astragal.algorithms.alphabeta.search import AlphaBetaSearch, variant_for
from astragal.algorithms.alphabeta.settings import AlphaBetaSettings
from astragal.algorithms.depth_first.root import root_values, window_value
from astragal.algorithms.depth_first.table import attach, new_table
from astragal.algorithms.depth_first.work import COUNTERS, new_work
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games.kalah.rules import Kalah
from astragal.rules.checks.positions import check_position
from astragal.rules.dice import Dice
from support.broken_games import Sound
from support.helpers import DATA, fewer, is_interpreted, random_position, slow_but
from support.tree_games import LIMIT, Node, QuietTree, leaf, low, random_tree, top, tree

GAMES = {"tree": 6, "tic_tac_toe": 5, "connect_four": 4, "kalah:pits=4,stones=3": 5}  # and how deep to search
SWITCHES = {
    "table": ("off", "moves", "values"),
    "killers": (False, True),
    "history": (False, True),
    "pvs": (False, True),
    "deepening": (False, True),
}
COMBINATIONS = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
VARIANTS = [AlphaBetaVariant(*flags) for flags in product((False, True), repeat=3)]
EVERY_GAME = pytest.mark.parametrize("name", slow_but(["tree", "tic_tac_toe"], GAMES))
EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=str)
PLAIN = {"table": "off", "killers": False, "history": False, "pvs": False, "deepening": False}


def alphabeta(here: Position, depth: int | None = None, nodes: int | None = None, **options: Any) -> SearchResult:
    settings = AlphaBetaSettings(**{"memory": 0.25} | options)
    return searched(here, settings, Limits(depth=depth, nodes=nodes))


def searched(here: Position, settings: AlphaBetaSettings, limits: Limits) -> SearchResult:
    return AlphaBetaSearch(SearchRequest(here, "alphabeta", limits=limits), settings).answer()


def quiet(seed: int) -> Position:
    """A random tree without chance: few nodes to a layer or many, many ends or few, with loops or without."""
    dice = Dice(seed)
    breadth, ends, loops = 2 + dice.below(10), dice.below(30), dice.below(3) == 0
    return random_tree(dice.bits(), breadth=breadth, ends=ends, loops=loops, kind=QuietTree)


@cache
def positions(name: str, count: int, seed: int = 0) -> list[Position]:
    if name == "tree":
        return [quiet(1000 * seed + number) for number in range(count)]
    return [random_position(load_game(name), 1000 * seed + number) for number in range(count)]


def after(here: Position, action: int) -> Position:
    """What `Position.play` gives, without looking up names."""
    child = here.copy()
    child._rules.play(child._state, action)
    return child


@cache
def minimax(here: Position, depth: int) -> float:
    """The value for player 0 by its definition."""
    if here.is_terminal:
        return here.utilities()[0]
    if depth == 0:
        return here.evaluations()[0]
    values = [minimax(after(here, action), depth - 1) for action in here.actions()]
    return min(values) if here.turn == 1 else max(values)


def true_values(here: Position, depth: int) -> dict[int, float]:
    """The mover's value of each action."""
    sign = -1 if here.turn == 1 else 1
    return {action: sign * minimax(after(here, action), depth - 1) for action in here.actions()}


def assert_right(result: SearchResult, truth: dict[int, float]) -> None:
    """The best value and every exact one are the true ones; the others lie between the true one and the best."""
    best = max(truth.values())
    assert result.value == best
    assert truth[result.action_number] == best
    assert result.line[0] == result.action
    assert {action.number for action in result.actions} == set(truth)
    for action in result.actions:
        if not action.is_bound:
            assert action.value == truth[action.number]
        else:
            assert action.bound == "at most"
            assert truth[action.number] <= action.value <= best


# What is found


@EVERY_GAME
def test_every_combination_of_settings_finds_the_minimax_value(name):
    for here in positions(name, fewer(30, 10) if name == "tree" else fewer(6, 6)):
        truth = true_values(here, GAMES[name])
        for options in COMBINATIONS:
            assert_right(alphabeta(here, GAMES[name], **options), truth)


@pytest.mark.few(2)
@EVERY_GAME
@pytest.mark.parametrize("order", ["reversed", "evaluated"])
def test_any_order_finds_the_minimax_value(name, order):
    for here in positions(name, fewer(30, 5) if name == "tree" else fewer(6, 3)):
        truth = true_values(here, GAMES[name])
        for table, history, pvs in product(("off", "values"), (False, True), (False, True)):
            assert_right(alphabeta(here, GAMES[name], order=order, table=table, history=history, pvs=pvs), truth)


@pytest.mark.compiled
def test_many_random_trees_and_small_tables():
    """A table of 16 entries is overwritten all the time; one of 8192 is full of transpositions."""
    for here in positions("tree", 100, seed=1):
        truth = true_values(here, 8)
        for memory, pvs, deepening in product((0.0005, 0.25), (False, True), (False, True)):
            assert_right(alphabeta(here, 8, memory=memory, pvs=pvs, deepening=deepening), truth)


class Job:
    """A kernel's arguments for one position and depth; each call counts on in the same work record."""

    def __init__(self, here: Position, depth: int, settings: AlphaBetaSettings) -> None:
        self.here, self.depth, self.variant = here, depth, variant_for(settings)
        self.run = AlphaBetaSearch(SearchRequest(here, limits=Limits(depth=depth)), settings)
        self.table = new_table(settings.memory)
        if settings.table != "off":
            attach(self.run.work, self.table)
        self.run.begin(depth, depth)

    def window(self, alpha: float, beta: float) -> float:
        return window_value(
            self.here.game, self.variant, self.here.memory, self.depth, float(alpha), float(beta), self.run.work
        )

    def root(self) -> list[float]:
        actions, values, bounds = self.lists()
        root_values(self.here.game, self.variant, self.here.memory, self.depth, actions, values, bounds, self.run.work)
        return values.tolist()

    def interpreted_root(self) -> list[float]:
        actions, values, bounds = (array.tolist() for array in self.lists())
        state, work = [State(self.here.memory)], [State(self.run.work)]
        twin = self.variant._twin_
        with np.errstate(over="ignore"):
            interpreted(root_values)(self.here.game._twin_, twin, state, self.depth, actions, values, bounds, work)
        return values

    def lists(self) -> tuple[Any, Any, Any]:
        actions = np.array(self.here.actions(), np.uint32)
        return actions, np.zeros(len(actions)), np.zeros(len(actions), np.uint8)

    @property
    def counts(self) -> dict[str, int]:
        return {name: int(self.run.work[name][0]) for name in COUNTERS}


def settings_of(variant: AlphaBetaVariant, **options: Any) -> AlphaBetaSettings:
    chosen = {"table": "values" if variant.table else "off", "killers": variant.ordered, "history": variant.ordered}
    return AlphaBetaSettings(**{"memory": 0.25, "pvs": variant.scouts} | chosen | options)


@pytest.mark.few(3)
@EVERY_VARIANT
def test_a_window_is_answered_with_the_value_or_a_bound_on_the_right_side(variant):
    """Many windows one after the other with the same table, which must never take a bound for another kind."""
    dice = Dice(7)
    for here in positions("tree", fewer(60, 10), seed=2):
        truth = minimax(here, 6)
        job = Job(here, 6, settings_of(variant))
        for _ in range(20):
            alpha, beta = sorted(((dice.below(41) - 20) / 2, (dice.below(41) - 20) / 2 + 0.25))
            found = job.window(alpha, beta)
            if alpha < found < beta:
                assert found == truth
            elif found <= alpha:
                assert truth <= found
            else:
                assert truth >= found


@EVERY_VARIANT
def test_fail_soft_bounds_say_more_than_the_window(variant):
    """A node worth -8 at most for any reply is known to be so, though the window asked only about 0."""
    here = tree(top(low(-8, -9), low(-8.5, 9)), kind=QuietTree)
    assert Job(here, 2, settings_of(variant)).window(0.0, 1.0) == -8
    assert Job(here, 2, settings_of(variant)).window(-10.0, -9.5) >= -9


@pytest.mark.compiled
@pytest.mark.parametrize("name", slow_but(["tree"], ["tree", "kalah:pits=4,stones=3"]))
@pytest.mark.parametrize("variant", slow_but(VARIANTS[-1:], VARIANTS), ids=str)
def test_compiled_and_interpreted_runs_agree_to_the_last_counter(name, variant):
    for here in positions(name, 3, seed=3):
        machine, python = (Job(here, 3, settings_of(variant)) for _ in range(2))
        assert machine.root() == python.interpreted_root()
        assert machine.counts == python.counts


with (DATA / "kalah_values.csv").open() as file:
    SMALL_KALAHS = [row for row in csv.DictReader(file) if row["m"] == "3" and row["n"] == "3"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["paper", "irving", "standard"])
def test_small_kalahs_are_searched_to_their_end(rules):
    for row in SMALL_KALAHS:
        if row["rules"] == rules:
            here = start(f"kalah:pits={row['m']},stones={row['n']},rules={rules}")
            result = alphabeta(here, 64, memory=8.0)
            assert result.complete
            assert result.value / here.game.point == pytest.approx(int(row["first_player_margin"]))


@pytest.mark.slow
def test_tic_tac_toe_is_a_draw():
    assert search(start("tic_tac_toe"), "alphabeta:depth=9").value == 0


def test_a_fork_wins_at_tic_tac_toe():
    fork = Position.parse(load_game("tic_tac_toe"), "x../.o./..x")  # o must not take a corner
    values = {row.action: row.value for row in search(fork, "mm:depth=9").actions}
    assert max(values.values()) == 0
    assert {values[corner] for corner in ("a1", "c3")} == {-1}


# What is expanded


def by_hand() -> Position:
    """Max chooses between two of Min's nodes, each with two of Max's, whose children are ends.

    left: low(top(3, 5) = 5, top(6, ...) cut by 6 >= 5) = 5; right: low(top(4, 1) = 4) cut by 4 <= 5.
    """
    return tree(top(low(top(3, 5), top(6, 9)), low(top(4, 1), top(9, 9))), kind=QuietTree)


def test_the_nodes_of_plain_alpha_beta_by_hand():
    result = search(by_hand(), "mm:depth=3")
    assert result.value == 5
    kinds = ("decisions", "leaves", "terminals", "decision_cuts")
    # Decisions: the root, both of Min's, and three of Max's. Ends: 3 5, 6, 4 1.
    assert [result.counts[kind] for kind in kinds] == [6, 0, 5, 2]
    assert result.nodes == 11
    assert result.terminal_ratio == 5 / 6
    assert [(row.value, row.bound) for row in result.actions] == [(5, "exact"), (4, "at most")]


def test_the_nodes_of_plain_alpha_beta_at_the_horizon_by_hand():
    """At depth 2 Max's four nodes are evaluated: 1, then 7 and 2. Min's second node is cut by 0."""
    here = tree(top(low(top(3, value=7), top(6, value=2)), low(top(4, value=0), top(9, value=1))), kind=QuietTree)
    result = search(here, "mm:depth=2")
    assert (result.value, result.counts["decisions"], result.counts["leaves"]) == (2, 3, 3)
    assert (result.nodes, result.counts["decision_cuts"], result.terminal_ratio) == (6, 1, 0)


def test_a_move_that_is_as_good_as_the_best_cuts():
    """Min's second node can only be as good for Max as the first: cut on equality, at the first of three ends."""
    result = search(tree(top(low(4, 5), low(4, 1, 2)), kind=QuietTree), "mm:depth=2")
    assert (result.counts["terminals"], result.value) == (3, 4)


def test_a_deep_cut_by_hand():
    """Max has 5. Further down Max has seen only 2, but Min's reply of 4 is cut by the 5 above, as is Min above it."""
    result = search(tree(top(5, low(top(2, low(4, 3)))), kind=QuietTree), "mm:depth=4")
    assert (result.value, result.counts["terminals"], result.counts["decision_cuts"]) == (5, 3, 2)


def test_a_certain_win_ends_the_search():
    result = search(tree(top(low(LIMIT), low(3, 4)), kind=QuietTree), "mm:depth=2")
    assert (result.value, result.counts["decisions"], result.counts["terminals"]) == (LIMIT, 2, 1)
    assert [row.bound for row in result.actions] == ["exact", "at most"]


def test_several_moves_in_a_row_by_hand():
    """Max moves twice, then Min: no window may change sides in between."""
    here = tree(top(top(low(1, 8), low(5, 6)), top(low(4, 9), low(7, 5.5))), kind=QuietTree)
    result = search(here, "mm:depth=3")
    assert result.value == 5.5
    # Ends: 1 8, 5 6; 4 (cut: 4 <= 5), 7 5.5.
    assert (result.counts["terminals"], result.counts["decision_cuts"]) == (7, 1)


def killer_tree() -> tuple[Position, Node]:
    """Three of Min's nodes; one reply refutes the second and the third, where it comes last in the game's order."""
    killer = top(1, 2)
    first = low(top(3, 4))
    second = low(top(5, 6), killer)
    third = low(top(7, 8), top(8, 9), killer)
    return tree(top(first, second, third), kind=QuietTree), killer


def test_a_killer_is_tried_first_at_the_same_distance_from_the_root():
    here, _ = killer_tree()
    plain = alphabeta(here, 3, **PLAIN)
    found = alphabeta(here, 3, **PLAIN | {"killers": True})
    assert plain.value == found.value == 4
    assert plain.counts["decisions"] - found.counts["decisions"] == 2  # the third node's first two replies
    assert plain.counts["decision_cuts"] > found.counts["decision_cuts"]
    assert (plain.counts["killer_cuts"], found.counts["killer_cuts"]) == (0, 1)


def test_killers_come_first_then_history_then_the_games_order():
    here = tree(top(1, 2, 3), kind=QuietTree)
    work, ordering = new_work(-10, 10), new_ordering(killers=True, history=True)
    work["ordering"], work["root_depth"] = ordering.ctypes.data, 5
    teach, order = interpreted(learn), interpreted(put_in_order)
    job = State(work)

    def ordered(turn: int, depth: int) -> list[int]:
        actions = [11, 12, 13, 14, 15]
        order(here.game._twin_, job, turn, depth, actions, len(actions))
        return actions

    assert ordered(0, 3) == [11, 12, 13, 14, 15]
    teach(job, 0, 2, 13, False)
    assert ordered(0, 3) == [13, 11, 12, 14, 15]
    teach(job, 0, 3, 15, False)  # deeper counts more
    assert ordered(0, 3) == [15, 13, 11, 12, 14]
    teach(job, 0, 3, 12, True)
    teach(job, 0, 3, 14, True)
    assert ordered(0, 3) == [14, 12, 15, 13, 11]  # the newer killer first
    teach(job, 0, 3, 12, True)
    assert ordered(0, 3) == [12, 14, 15, 13, 11]
    teach(job, 0, 4, 15, False)
    assert ordered(0, 4) == [15, 12, 14, 13, 11]  # no killers there: history, 25, 18, 9, 4 and nothing
    assert ordered(0, 3) == [12, 14, 15, 13, 11]
    assert ordered(1, 3) == [11, 12, 13, 14, 15]  # nothing is known of the other player
    assert job.killer_cuts == 1
    job.root_depth = 6
    assert ordered(0, 4) == [12, 14, 15, 13, 11]  # the same distance from the root in the next iteration


def test_history_counts_the_squares_of_depths():
    """Best once at depth 4 is worth more than best three times at depth 2."""
    here = tree(top(1, 2, 3), kind=QuietTree)
    work, ordering = new_work(-10, 10), new_ordering(killers=False, history=True)
    work["ordering"], work["root_depth"] = ordering.ctypes.data, 5
    job, actions = State(work), [11, 12, 13]
    for depth, action in ((2, 12), (2, 12), (2, 12), (4, 13)):
        interpreted(learn)(job, 0, depth, action, False)
    interpreted(put_in_order)(here.game._twin_, job, 0, 3, actions, len(actions))
    assert actions == [13, 12, 11]


@pytest.mark.parametrize("turn", [1, 2])
def test_by_evaluation_further_moves_come_first_then_captures_and_what_is_equal_as_listed(turn):
    """Pits 1 and 4 move again, 2 captures six stones, 6 stores one, and 5 nothing."""
    mine, theirs = "6,1,0,3,1,2/3", "5,0,0,5,4,5/13"
    here = Position.parse(load_game("kalah"), f"{mine} {theirs} 1" if turn == 1 else f"{theirs} {mine} 2")
    actions = here.actions()
    assert actions == [5, 4, 3, 1, 0]
    interpreted(put_by_evaluation)(here.game._twin_, here._state, turn - 1, actions, len(actions))
    assert actions == [3, 0, 1, 5, 4]


def test_by_evaluation_the_better_of_two_further_moves_comes_first_and_a_capture_after_both():
    here = Position.parse(load_game("kalah"), "0,1,0,16,0,1/3 5,0,0,5,4,5/8 1")
    actions = here.actions()
    assert actions == [5, 3, 1]
    interpreted(put_by_evaluation)(here.game._twin_, here._state, 0, actions, len(actions))
    assert actions == [3, 5, 1]  # two stones, one stone, six stones


@pytest.mark.slow
@pytest.mark.interpreted
def test_what_is_to_save_nodes_saves_nodes():
    here, depth = (start("kalah:pits=4,stones=3"), 8) if is_interpreted() else (start("kalah"), 9)
    plain = alphabeta(here, depth, **PLAIN).nodes
    for option in ({"table": "values"}, {"killers": True}, {"history": True}, {"order": "evaluated"}):
        assert alphabeta(here, depth, **PLAIN | option).nodes < plain
    full = alphabeta(here, depth, killers=True, memory=32.0)
    assert full.nodes < plain
    assert min(full.counts[kind] for kind in ("table_hits", "table_cuts", "killer_cuts", "decision_cuts")) > 0


@pytest.mark.parametrize("forced", [False, True], ids=["at the root", "below it"])
def test_scouts_prove_that_other_moves_are_no_better(forced):
    """After a first move worth 5 the others are searched with no room for a value, and only the last one again."""
    choice = top(low(top(5)), low(top(5)), low(top(4)), low(top(6), top(7)))
    here = tree(top(choice) if forced else choice, kind=QuietTree)
    result = alphabeta(here, 4, **PLAIN | {"pvs": True})
    assert (result.value, result.counts["researches"]) == (6, 1)
    assert alphabeta(here, 4, **PLAIN).counts["researches"] == 0


# mm


def test_mm_is_alpha_beta_with_nothing_else():
    for here in positions("tree", 8, seed=4):
        plain, with_name = alphabeta(here, 8, **PLAIN), search(here, "mm")
        assert (plain.counts, plain.nodes, plain.actions) == (with_name.counts, with_name.nodes, with_name.actions)
    assert with_name.player == "mm"


def test_mm_looks_eight_decisions_ahead_unless_told_otherwise():
    here = start("kalah:pits=3,stones=2")
    assert search(here, "mm").depth == 8
    assert search(here, "mm:depth=3").depth == 3
    assert search(here, "mm:depth=3", limits=Limits(depth=2)).depth == 2
    assert search(here, "mm:depth=3", limits=Limits(time=60.0)).depth == 3  # it does not deepen until the time is over
    assert search(here, "mm:depth=3", limits=Limits(nodes=10**9)).depth == 3


def test_mm_stopped_early_answers_with_the_best_action_it_finished():
    here = tree(top(low(top(-4)), low(top(6)), low(*[top(*[-9] * 5) for _ in range(5)])), kind=QuietTree)
    first, second, _ = here.actions()
    answers = {nodes: search(here, f"mm:nodes={nodes}").action_number for nodes in range(1, 100)}
    assert set(answers.values()) == {first, second}
    assert search(here, "mm").action_number == second


def test_terminals_are_counted_against_all_other_nodes():
    result = search(tree(top(1, 2, low(3, 4), low(top(5), top(6))), kind=QuietTree), "mm:depth=2")
    # Ends: 1, 2, 3 4. Leaves: one, worth 0, which cuts. Decisions: the root and two of Min's.
    assert [result.counts[kind] for kind in ("terminals", "leaves", "decisions")] == [4, 1, 3]
    assert result.terminal_ratio == 4 / 4
    assert search(start("kalah"), "random").terminal_ratio is None


# Limits and determinism


def found(result: SearchResult) -> dict[str, Any]:
    return asdict(result) | {"seconds": 0.0, "seed": 0, "player": ""}


@pytest.mark.few(3)
@EVERY_VARIANT
def test_the_node_limit_is_passed_by_no_more_than_the_children_of_one_node(variant):
    for name in ("tree", "kalah:pits=4,stones=3"):
        for here in positions(name, fewer(10, 5), seed=5):
            for nodes in (1, 10, 30, 100, 317, 1000, 5000)[: 5 if is_interpreted() else 7]:
                limits = Limits(nodes=nodes)
                assert searched(here, settings_of(variant), limits).nodes <= nodes + here.game.max_actions


def test_most_of_a_node_budget_is_used():
    assert alphabeta(start("kalah"), nodes=fewer(20_000)).nodes >= fewer(20_000)


@pytest.mark.few(1)
@EVERY_VARIANT
def test_a_stop_in_an_iteration_leaves_the_previous_ones_answer(variant):
    depths = set()
    for name in ("tree", "kalah:pits=4,stones=3"):
        for here in positions(name, fewer(5, 2), seed=6):
            for nodes in (40, 150, 600, 2500)[: 3 if is_interpreted() else 4]:
                stopped = searched(here, settings_of(variant, unfinished="previous"), Limits(nodes=nodes))
                depths.add(stopped.depth)
                if stopped.depth:
                    whole = searched(here, settings_of(variant), Limits(depth=stopped.depth))
                    assert (stopped.action, stopped.value, stopped.actions) == (
                        whole.action,
                        whole.value,
                        whole.actions,
                    )
    assert len(depths) > 2


def test_a_time_limit_gives_the_answer_of_some_finished_depth():
    result = search(start("connect_four"), "alphabeta:time=0.05")
    if result.depth:  # on a machine with nothing better to do
        whole = search(start("connect_four"), f"alphabeta:depth={result.depth}")
        assert (result.action, result.value) == (whole.action, whole.value)
    assert not result.complete


def test_without_limits_a_move_takes_a_fifth_of_a_second():
    settings = AlphaBetaSettings()
    run = AlphaBetaSearch(SearchRequest(start("kalah")), settings)
    assert run.limits == Limits(time=0.2)
    assert search(start("connect_four"), "alphabeta").depth > 0


def test_results_depend_on_nothing_that_was_searched_before_and_not_on_the_seed():
    for name in ("tree", "kalah"):
        here = positions(name, 1, seed=7)[0]
        player = load_player(f"alphabeta:nodes={fewer(30_000, 60)}")
        first = player.search(here, seed=5)
        for other in positions(name, 3, seed=8):
            player.search(other)
        assert found(player.search(here, seed=5)) == found(first)
        assert found(player.search(here, seed=6)) == found(first)


# What is refused


@game
class ForThree(Sound):
    """A game for three."""

    players = 3


@game
class ForBoth(Sound):
    """A game that is not zero-sum."""

    zero_sum = False


@pytest.mark.parametrize("name", ["alphabeta", "mm"])
def test_games_that_are_not_for_two_opponents_without_chance_are_refused(name):
    with pytest.raises(AstragalError, match=f"^{name} needs a game without chance; pig has it, so try star2$"):
        load_player(name, load_game("pig"))
    with pytest.raises(AstragalError, match=f"^{name} needs a game without chance; ewn has it"):
        search(start("ewn"), name)
    with pytest.raises(
        AstragalError, match=f"^{name} needs one or two players; ForThree has 3; maxn, paranoid and uct play with any"
    ):
        load_player(name, ForThree())
    with pytest.raises(AstragalError, match=f"^{name} needs a zero-sum game, which ForBoth is not$"):
        load_player(name, ForBoth())


@pytest.mark.parametrize("name", ["alphabeta", "mm"])
def test_finished_games_and_simulations_are_refused(name):
    with pytest.raises(AstragalError, match="the game is over"):
        search(tree(leaf(3), kind=QuietTree), f"{name}:depth=1")
    with pytest.raises(SpecError, match=f"{name} has no simulations to limit"):
        search(start("kalah"), name, limits=Limits(sims=10))


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("alphabeta:table=all", "alphabeta: table=all is not one of off, moves, values"),
        ("alphabeta:killers=maybe", "alphabeta: killers=maybe is not on or off"),
        ("alphabeta:prune_above=1", "alphabeta has no setting 'prune_above'"),
        ("mm:depth=65", "mm: depth=65 is too large; the most is 64"),
        ("mm:table=off", "mm has no setting 'table'"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(spec, sentence):
    with pytest.raises(SpecError, match=sentence):
        load_player(spec)


def test_players_are_read_back_from_their_text():
    for spec in ("alphabeta", "alphabeta:depth=4,table=off,killers=on", "mm", "mm:depth=16"):
        player = load_player(spec)
        assert load_player(str(player)) == player
        assert player.text_for(load_game("tic_tac_toe")) == spec


@pytest.mark.slow
@pytest.mark.compiled
def test_the_order_of_actions_changes_the_nodes_and_not_the_value():
    position = start("kalah:setup=random", seed=3)
    listed, reversed_ = (load_player(f"mm:depth=8,order={order}").search(position) for order in ("listed", "reversed"))
    assert listed.value == reversed_.value
    assert reversed_.nodes > 1.5 * listed.nodes


# Leaves that the game evaluates without playing the action


@game
class SilentKalah(Kalah):
    """Kalah without `heuristic_after`: every action is played."""

    def heuristic_after(self, state, action, player):
        return np.nan


@pytest.mark.parametrize("rules", ["paper", "irving", "standard"])
def test_what_kalah_tells_of_leaves_changes_neither_values_nor_nodes(rules):
    for seed in range(8):
        here = random_position(Kalah(pits=3, stones=2, rules=rules), seed)
        check_position(here.game, here)
        silent = Position.parse(SilentKalah(pits=3, stones=2, rules=rules), here.text)
        for depth in (1, 2, 3):
            found, other = (alphabeta(position, depth, **PLAIN) for position in (here, silent))
            assert (found.value, found.nodes, found.counts) == (other.value, other.nodes, other.counts)
            assert found.value == pytest.approx(minimax(here, depth) * (1 if here.turn == 0 else -1), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("pits", [5, 6, 7, 8])
def test_the_order_of_moves_does_not_change_a_value(pits):
    """Eight pits are as many moves as the list has room for: a loop over halves of it once had no end there."""
    here = Position.start(load_game(f"kalah:pits={pits},stones=4"))
    values = {
        order: load_player(f"alphabeta:order={order},history=off", here.game).search(here, 1, Limits(depth=5)).value
        for order in ("listed", "reversed")
    }
    assert values["reversed"] == values["listed"]
