"""Tree search: its steps by hand, its equalities, its convergence, and what must hold of every tree."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.tree.grown_tree import reachable
from astragal.algorithms.tree.nodes import FEW, node_at
from astragal.algorithms.tree.recycle import mark_kept, slide
from astragal.algorithms.tree.sharing import MUCH, TOGETHER, bring_all, gather
from astragal.algorithms.tree.simulation import enter
from astragal.algorithms.tree.steps.history import ENTRY, HISTORY_SIZE, find_entry, note_action
from astragal.algorithms.tree.steps.select import best_child
from astragal.algorithms.tree.steps.widen import allowed
from astragal.algorithms.tree.store import TreeSession
from astragal.algorithms.tree.work import GATHERED, unit_in_utilities
from astragal.base.errors import AstragalError, SpecError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games import load_game
from astragal.games.tic_tac_toe.rules import TicTacToe
from astragal.players import load_player
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.position import Position
from support.helpers import DATA, fewer, is_interpreted, slow_but
from support.simulations import Grown, grow, same_tree
from support.star_searches import positions
from support.tree_games import Node, PartyTree, Tree, leaf, low, random_tree, roll, top, tree

TREES = DATA / "trees"
PLAYERS = {  # one for every step there is
    "uct": "uct",
    "rollouts cut off": "mcts:rollout=3",
    "several rollouts": "uct:rollouts=3,rollout=2",
    "first listed": "uct:policy=order,epsilon=0.3",
    "best evaluated": "uct:policy=evaluation,epsilon=0.3,rollout=4",
    "heuristic": "uct_h",
    "before the roll": "uct_h:leaf=afterstate",
    "minimax": "uctmax_h",
    "widening": "dpw:c2=1.5,alpha=0.4,rollout=4",
    "chapter 8": "ggp",
    "history": "mcts:history=3,rollout=5",
    "history by visits": "mcts:history=3,rollout=5,history_divisor=visits",
    "history first": "mcts:history=3,rollout=5,history_first=on",
    "solver": "mcts:solver=standard,rollout=5",
    "solver with minimax": "uctmax_h:solver=standard",
    "ends by sign": "uct_h:ends=sign",
}
STARTS = {"pig": "pig:goal=20", "kalah": "kalah:pits=3,stones=2"}


def decision(seed: int = 1) -> Position:
    """A start of EWN with the die rolled."""
    return Position.start(load_game("ewn"), seed).settled(seed)


def tree_position(seed: int = 3) -> Position:
    return random_tree(seed, breadth=9, ends=20, loops=True)


# Steps by hand


@pytest.fixture
def small() -> Grown:
    """A root with four children whose visits and sums are set by hand."""
    grown = Grown(Position.start(load_game("kalah:pits=4,stones=2")), "uct:c=10,unit=utility", 0)
    nodes = grown.store.nodes
    nodes[0]["visits"], nodes[0]["first"], nodes[0]["count"] = 100, 1, 4
    for i, (visits, mean) in enumerate([(50, 2.0), (30, 1.0), (15, 3.0), (5, -4.0)]):
        nodes[1 + i] = np.zeros(1, nodes.dtype)[0]
        nodes[1 + i]["visits"], nodes[1 + i]["sum"], nodes[1 + i]["action"] = visits, visits * mean, i
    return grown


def selected(grown: Grown, start: int = 0, seen: int = 100, mover: int = 0) -> int:
    steps, tree, job = grown.run.steps._twin_, State(grown.store.tree), State(grown.work)
    return int(interpreted(best_child)(steps, tree, 0, 4, seen, mover, start, job, True)) - 1


@pytest.mark.parametrize(
    ("c", "values", "best"),
    [  # mean + c sqrt(ln 100 / n), worked out by hand
        (0.0, [2.0, 1.0, 3.0, -4.0], 2),
        (1.0, [2.3035, 1.3918, 3.5541, -3.0403], 2),
        (10.0, [5.0349, 4.9180, 8.5409, 5.5971], 2),
        (20.0, [8.0697, 8.8360, 14.0817, 15.1941], 3),
    ],
)
def test_uct_selects_the_largest_bound(small, c, values, best):
    counts, means = [50, 30, 15, 5], [2.0, 1.0, 3.0, -4.0]
    by_formula = [m + c * math.sqrt(math.log(100) / n) for m, n in zip(means, counts, strict=True)]
    assert by_formula == pytest.approx(values, abs=1e-4)
    small.work["c"] = c
    assert selected(small) == best
    assert selected(small, start=3) == best


def test_each_player_explores_by_a_constant_of_their_own(small):
    small.work["c"] = 0.0
    small.work["c"][0, 1] = 20.0
    assert [selected(small, mover=mover) for mover in range(2)] == [2, 3]


def test_children_without_a_visit_come_first_and_the_start_breaks_ties(small):
    nodes = small.store.nodes
    nodes[4]["visits"] = 0
    assert selected(small) == 3
    nodes[2]["visits"] = 0
    assert [selected(small, start) for start in range(4)] == [1, 1, 3, 3]
    for i in range(1, 5):
        nodes[i]["visits"], nodes[i]["sum"] = 10, 20.0
    assert [selected(small, start) for start in range(4)] == [0, 1, 2, 3]


@np.errstate(over="ignore")
def test_progressive_history_adds_what_its_formula_says():
    """v_i = s_i/n_i + C sqrt(ln n_p / n_i) + (s_a/n_a) W / (n_i - s_i + 1), on scores in [0, 1]."""
    grown = Grown(Position.start(load_game("kalah:pits=4,stones=2")), "mcts:history=5", 0)
    tree, job, steps = State(grown.store.tree), State(grown.work), grown.run.steps._twin_
    note = interpreted(note_action)
    for score in (1.0, 1.0, 0.5):
        note(steps, tree, 0, 7, score)
    note(steps, tree, 1, 7, 0.0)  # the other player's 7
    mean = 20.0  # of utilities from -100 to 100: a score of 0.6, 4 of 10 lost
    bias = steps.select.bias(tree, 0, 7, 10, mean, job)
    assert bias / 200.0 == pytest.approx((2.5 / 3) * 5 / (10 * 0.4 + 1))
    job.history_by_visits = 1
    assert steps.select.bias(tree, 0, 7, 10, mean, job) / 200.0 == pytest.approx((2.5 / 3) * 5 / 11)
    assert steps.select.bias(tree, 0, 8, 10, mean, job) == 0.0  # never played
    assert interpreted(find_entry)(tree, 1, 7) >= 0


@np.errstate(over="ignore")
def test_history_may_decide_among_children_without_a_visit(small):
    """They come before all others in any case: by lot, or the one whose action has done best so far."""
    grown = Grown(small.position, "uct:c=10,unit=utility,history=5,history_first=on", 0)
    nodes, note = grown.store.nodes, interpreted(note_action)
    nodes[:5] = small.store.nodes[:5]
    nodes[1]["visits"] = nodes[2]["visits"] = nodes[3]["visits"] = 0
    tree, steps = State(grown.store.tree), grown.run.steps._twin_
    assert [selected(grown, start) for start in range(4)] == [0, 1, 2, 0]  # nothing is known of any
    for action, score in ((1, 0.6), (2, 0.4), (3, 1.0)):  # the last one has visits
        note(steps, tree, 0, action, score)
    note(steps, tree, 1, 0, 1.0)  # the other player's
    assert [selected(grown, start) for start in range(4)] == [1, 1, 1, 1]
    with pytest.raises(AstragalError, match="needs a history"):
        load_player("uct:history_first=on", small.position.game)


@np.errstate(over="ignore")
def test_history_holds_as_many_actions_as_it_has_room_for():
    grown = Grown(Position.start(load_game("kalah:pits=4,stones=2")), "mcts:history=5", 0)
    tree, steps = State(grown.store.tree), grown.run.steps._twin_
    for action in range(3000):
        interpreted(note_action)(steps, tree, action % 3, action, 0.25)
    entries = grown.store.history[grown.store.history["key"] != 0]
    assert len(entries) == 3000
    assert len(grown.store.history) == HISTORY_SIZE
    assert entries.dtype == ENTRY
    assert set(entries["count"]) == {1.0}
    assert set(entries["score"]) == {0.25}


@pytest.mark.parametrize(
    ("visits", "c2", "alpha", "k"),
    [(1, 5, 0.2, 5), (0, 5, 0.2, 5), (32, 1, 0.2, 2), (33, 1, 0.2, 3), (100, 2, 0.5, 20)],
)
def test_widening_allows_k_children(visits, c2, alpha, k):
    grown = Grown("pig:goal=20", f"dpw:c2={c2},alpha={alpha}", 0)
    assert int(interpreted(allowed)(visits, State(grown.work))) == k


@pytest.mark.parametrize(
    ("spec", "unit", "worth"),
    [
        ("pig", "hundred", 1.0),
        ("pig", "score", 200.0),
        ("tic_tac_toe", "hundred", 0.01),
        ("kalah", "points", 100 / 48),
        ("ewn", "utility", 1.0),
    ],
)
def test_units_of_exploration(spec, unit, worth):
    assert unit_in_utilities(load_game(spec), unit) == pytest.approx(worth)


def test_hand_worked_averages():
    """Root, then each child once in an order the seed decides, then the better one: all by hand."""
    here = tree(top(6.0, low(leaf(2.0), leaf(-8.0), value=4.0)))
    grown = grow(here, "uct_h:c=0,unit=utility", 5)
    assert [(row.visits, row.value) for row in sorted(grown.actions, key=lambda row: row.number)] == [
        (3, 6.0),
        (1, 4.0),
    ]
    assert grown.root_mean == pytest.approx((0.0 + 6.0 + 4.0 + 6.0 + 6.0) / 5)


def test_minimum_passes_up_the_least_of_an_opponents_actions():
    """Chapter 8: at the opponent's node the value passed up is the least mean over its actions, not the last result."""
    here = tree(top(low(leaf(9.0), leaf(-5.0), value=1.0)))
    grown = grow(here, "ggp:c=1000,unit=utility,rollout=0", 8)
    only = grown.actions[0]
    # its own evaluation 1; then whichever end comes first as it is (9 or -5); then always the least, -5
    sums = {1.0 + 9.0 - 5.0 * 5, 1.0 - 5.0 * 6}
    assert only.visits == 7
    assert any(only.value == pytest.approx(total / 7) for total in sums)


# Compiled and interpreted, seeds, threads


@pytest.mark.compiled
@pytest.mark.parametrize("name", slow_but(["uct", "minimax"], PLAYERS))
def test_interpreted_search_grows_the_same_tree(name):
    here = tree_position()
    one, other = Grown(here, PLAYERS[name], 250, 5).compiled(), Grown(here, PLAYERS[name], 250, 5).interpreted()
    assert same_tree(one, other)
    assert one.work["generator"] == other.work["generator"]
    assert (one.store.extra[: one.store.used] == other.store.extra[: other.store.used]).all()


@pytest.mark.few(4)
@pytest.mark.parametrize("name", PLAYERS)
def test_same_seed_same_tree(name):
    here = tree_position(5)
    one, again, other = (grow(here, PLAYERS[name], fewer(300, 5), seed) for seed in (1, 1, 2))
    assert same_tree(one, again)
    assert not same_tree(one, other)


def in_levels(grown):
    """The nodes of a tree level by level, wherever they lie, and the number of each one's parent."""
    places, parents = reachable(grown.position.game, grown.store)
    return grown.nodes[places], parents


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ["uct", "minimax", "history", "solver", "widening", "chapter 8"])
def test_the_kernel_for_threads_grows_the_same_tree_alone(name):
    """Locks and atomic sums leave nothing behind; rewards are counted above the least there is."""
    here = tree_position()
    plain, shared = (grow(here, PLAYERS[name], fewer(400, 3), 3, shared=kind) for kind in (False, True))
    (nodes, parents), (others, others_parents) = in_levels(plain), in_levels(shared)
    assert (parents == others_parents).all()
    for field in ("visits", "action", "count", "winner", "flags"):
        assert (nodes[field] == others[field]).all()
    sums = others["sum"] + shared.run.steps.backup.floor * others["visits"]
    assert sums == pytest.approx(nodes["sum"], abs=1e-9)


def test_a_visit_under_way_counts_as_a_loss_among_threads():
    grown = grow("kalah:pits=4,stones=2", "uct", 50, 3, shared=True)
    steps, tree = grown.run.steps._twin_, State(grown.store.tree)
    low = grown.position.game.utility_range[0]
    for index in grown.children(0):
        before, visits = grown.mean(index), int(grown.nodes[index]["visits"])
        assert interpreted(enter)(steps, tree, index, 1, State(grown.work)) == visits
        node = interpreted(node_at)(tree, index)
        assert steps.backup.mean(node, 1 / (visits + 1)) == pytest.approx((visits * before + low) / (visits + 1))


def test_a_search_in_pieces_is_the_same_search():
    limits = (1, 17, fewer(230, 5), fewer(500, 5))
    here = tree_position()
    whole, pieces = Grown(here, "uct", limits[-1], 1).compiled(), Grown(here, "uct", 0, 1)
    for limit in limits:
        pieces.work["sim_limit"] = limit
        pieces.compiled()
    assert same_tree(whole, pieces)


# Equalities between variants


def test_widening_that_allows_everything_is_no_widening():
    for here in [*positions("pig", 2), *positions("tree", 5), *positions("ewn", fewer(20))]:
        sims = fewer(400, 10)
        assert same_tree(
            grow(here, "mcts:c=30,rollout=5", sims, 2), grow(here, "dpw:c=30,rollout=5,c2=1e6,alpha=0.5", sims, 2)
        )


def test_history_without_weight_is_uct():
    for here in [*positions("tree", 5), *positions("ewn", fewer(20))]:
        assert same_tree(grow(here, "uct", fewer(400, 10), 2), grow(here, "uct:history=0", fewer(400, 10), 2))


def test_history_with_weight_is_not():
    here = tree_position()
    assert not same_tree(grow(here, "uct:history=5", 100, 2), grow(here, "uct", 100, 2))


def test_averages_of_evaluations_are_rollouts_of_no_moves():
    for here in positions("tree", 4):
        assert same_tree(grow(here, "uct_h", 60, 1), grow(here, "uct_h:policy=order", 60, 1))


# Convergence


def exact(here: Position) -> float:
    """The value of a finite tree for player 0, by its definition."""
    if here.is_terminal:
        return here.utilities()[0]
    if here.is_chance:
        return sum(o.probability * exact(here.deal(o.number)) for o in here.outcomes())
    values = [exact(here.play(action)) for action in here.actions()]
    return max(values) if here.turn == 0 else min(values)


def small_trees(count: int) -> list[Position]:
    return [random_tree(100 + seed, layers=3 + seed % 2, breadth=3 + seed % 4, ends=25) for seed in range(count)]


CONVERGING = ["uct:c=8,unit=utility", "dpw:c=8,unit=utility,c2=100", "mcts:rollout=0,c=8,unit=utility"]


@pytest.mark.compiled
@pytest.mark.parametrize("player", slow_but(CONVERGING[:1], CONVERGING))
def test_values_converge_to_expectimax(player):
    for here in small_trees(12):
        sign = -1.0 if here.turn == 1 else 1.0
        grown = grow(here, player, 200_000, 1)
        assert sign * grown.root_mean == pytest.approx(exact(here), abs=0.1)


@pytest.mark.compiled
def test_minimax_backups_are_minimax_once_the_tree_is_complete():
    complete = 0
    for here in small_trees(30):
        grown = grow(here, "uctmax_h:c=1000,unit=utility", 60_000, 1)
        if all(grown.children(i) or p.is_terminal for i, p in grown.walk()) and is_complete(grown):
            complete += 1
            sign = -1.0 if here.turn == 1 else 1.0
            assert sign * grown.root_mean == pytest.approx(exact(here), abs=1e-9)
    assert complete >= 15


@pytest.mark.parametrize("unvisited", ["nothing", "own", "draw"])
def test_what_children_count_that_were_not_visited_yet(unvisited):
    """Each decision is worth its best visited child or, while there are others, at least what the rule says of them."""
    partly = fully = 0  # nodes of either kind where the rule makes, or would make, a difference
    for seed in range(3):
        here = Position.start(load_game("kalah:setup=random"), seed)
        grown = grow(here, f"uctmax_h:unvisited={unvisited}", 60, 1)
        owners = {0: here.turn}
        for index, position in grown.walk():
            children = grown.children(index)
            seen = [child for child in children if grown.store.nodes[child]["visits"]]
            owners |= dict.fromkeys(seen, position.turn)
            if not seen:
                continue
            mover, best = position.turn, max(grown.mean(child) for child in seen)
            others = {"nothing": best, "own": position.evaluations()[mover], "draw": 0.0}[unvisited]
            if len(seen) < len(children):
                partly += others > best
                best = max(best, others)
            else:
                fully += others > best
            assert grown.mean(index) == pytest.approx(best if owners[index] == mover else -best)
    if unvisited == "draw":  # no move makes the stones in one's store fewer, so one's own evaluation is seldom more
        assert partly
        assert fully


def test_unvisited_children_count_under_minimax_backups_of_two_only():
    with pytest.raises(AstragalError, match="unvisited=own needs backup=minimax"):
        load_player("uct:unvisited=own")
    with pytest.raises(AstragalError, match="needs two players"):
        load_player("uctmax_h:unvisited=own,sims=5").search(Position.start(load_game("focus:players=3")))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_minimax_backups_are_max_n_with_three_players(seed):
    """Every node keeps all players' values: its best child's for the mover, the mean of the outcomes seen, its end."""
    here = random_tree(700 + seed, layers=5, breadth=4, ends=20, kind=PartyTree)
    grown = grow(here, "uctmax_h:c=20,unit=utility", fewer(3000, 15), seed)
    values = grown.store.values["value"][: 3 * grown.store.used].reshape(-1, 3)
    owners = {0: max(here.turn, 0)}
    for index, position in grown.walk():
        seen = [child for child in grown.children(index) if grown.store.nodes[child]["visits"]]
        owners |= dict.fromkeys(seen, position.turn if position.turn >= 0 else owners[index])
        assert grown.mean(index) == values[index][owners[index]]
        if position.is_terminal:
            assert tuple(values[index]) == position.utilities()
        elif not seen:
            assert tuple(values[index]) == pytest.approx(position.settled(0).evaluations()) or position.is_chance
        elif position.is_chance:
            weights = {o.number: o.probability for o in position.outcomes()}
            chances = [weights[int(grown.store.nodes[child]["action"])] for child in seen]
            assert values[index] == pytest.approx(np.average(values[seen], axis=0, weights=chances))
        else:
            best = max(values[child][position.turn] for child in seen)
            assert tuple(values[index]) in [tuple(values[c]) for c in seen if values[c][position.turn] == best]


@pytest.mark.slow
@pytest.mark.parametrize("player", ["uct", "uctmax_h", "ggp", "mcts:history=3", "mcts:solver=paranoid"])
def test_three_players_compiled_and_interpreted(player):
    here = random_tree(900, layers=6, breadth=5, ends=15, kind=PartyTree)
    assert same_tree(Grown(here, player, 200, 2).compiled(), Grown(here, player, 200, 2).interpreted())


def test_averages_of_three_players_are_each_owners_own():
    here = tree(top(Node(1, 0.0, [leaf_of(1.0, 5.0, -2.0), leaf_of(9.0, -3.0, 4.0)])), kind=PartyTree)
    grown = grow(here, "uct:c=0", 100, 1)
    child = grown.children(0)[0]
    assert sorted(grown.mean(c) for c in grown.children(child)) == [-3.0, 5.0]  # player 2's utilities
    assert grown.mean(child) == pytest.approx(1.0, abs=0.2)  # player 1's, after what player 2 chooses


def leaf_of(*utilities: float) -> Node:
    end = leaf(utilities[0])
    end.others = utilities[1:]
    return end


def is_complete(grown: Grown) -> bool:
    """Whether every action and every outcome lies in the tree, visited."""
    for index, here in grown.walk():
        visited = sum(1 for child in grown.children(index) if grown.store.nodes[child]["visits"])
        wanted = len(here.outcomes()) if here.is_chance else len(here.actions()) if not here.is_terminal else 0
        if visited != wanted:
            return False
    return True


@game
class Coin:
    """A coin that falls on heads in three of ten throws: a game of chance alone."""

    state = np.dtype([("face", "i1")])
    max_actions = 1
    max_outcomes = 2

    def turn(self, state):
        return CHANCE if state.face == 0 else TERMINAL

    def actions(self, state, out):
        return 0

    def play(self, state, action):
        pass

    def outcomes(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def probability(self, state, outcome):
        return 0.3 if outcome == 1 else 0.7

    def deal(self, state, outcome):
        state.face = outcome

    def utility(self, state, player):
        won = 1.0 if state.face == 1 else -1.0
        return won if player == 0 else -won


@pytest.mark.slow
def test_a_mean_stays_right_over_fifty_million_simulations():
    """Sums in single precision stop growing at 2^24."""
    grown = grow(Position.start(Coin()), "uct", 50_000_000, 1)
    assert grown.root_mean == pytest.approx(-0.4, abs=1e-3)
    assert grown.nodes[0]["visits"] == 50_000_000


# What holds of every tree


@pytest.mark.few(4)
@pytest.mark.parametrize("name", ["uct", "minimax", "widening", "history", "chapter 8", "solver"])
@pytest.mark.parametrize("start", ["tree", "pig", "kalah"])
def test_visits_add_up(name, start):
    here = tree_position(5) if start == "tree" else STARTS[start]
    grown = grow(here, PLAYERS[name], fewer(2000, 20), 6)
    seen = 0
    for index, position in grown.walk():
        node = grown.store.nodes[index]
        below = sum(int(grown.store.nodes[child]["visits"]) for child in grown.children(index))
        seen += 1
        if position.is_terminal:
            assert below == 0
        elif name != "solver":
            assert below == node["visits"] - 1  # its first visit was its own
        numbers = [int(grown.store.nodes[child]["action"]) for child in grown.children(index)]
        legal = {o.number for o in position.outcomes()} if position.is_chance else set(position.actions())
        assert len(numbers) == len(set(numbers))
        assert set(numbers) <= legal
        if numbers and not position.is_chance:
            assert numbers == position.actions()  # in the game's own order
    assert seen == int(grown.work["added"][0])
    assert seen == len({index for index, _ in grown.walk()})


def test_widening_keeps_to_its_bound_and_to_the_first_actions():
    grown = grow("pig:goal=40", "dpw:c2=1.3,alpha=0.3,rollout=2", fewer(5000, 25), 1)
    chances = 0
    for index, here in grown.walk():
        children = [grown.store.nodes[child] for child in grown.children(index)]
        k = math.ceil(1.3 * max(int(grown.store.nodes[index]["visits"]) - 1, 1) ** 0.3)
        visited = [child for child in children if child["visits"]]
        assert len(visited) <= k
        chances += here.is_chance
        if not here.is_chance:
            assert not any(child["visits"] for child in children[k:])
    assert chances > 20


def test_outcomes_are_drawn_by_their_probability():
    here = Position.start(load_game("pig"), 0)  # the first roll
    sims = fewer(60_000, 120)
    grown = grow(here, "uct_h", sims, 2)
    drawn = {int(grown.store.nodes[c]["action"]): int(grown.store.nodes[c]["visits"]) for c in grown.children(0)}
    for outcome in here.outcomes():
        expected = sims * outcome.probability
        assert drawn[outcome.number] == pytest.approx(expected, abs=5 * math.sqrt(expected))


def test_redrawn_outcomes_keep_their_proportions():
    here = tree(roll(1.0, 2.0, 3.0, 4.0, 5.0, weights=(3, 2, 2, 2, 2)))  # most draws are drawn again
    sims = fewer(30_000, 30)
    grown = grow(here, "dpw:c2=2,alpha=0,rollout=0", sims, 3)
    counts = {int(grown.store.nodes[c]["action"]): int(grown.store.nodes[c]["visits"]) for c in grown.children(0)}
    assert len(counts) == 2
    weights = {o.number: o.probability for o in here.outcomes()}
    total = sum(weights[number] for number in counts)
    for number, count in counts.items():
        assert count / (sims - 1) == pytest.approx(weights[number] / total, abs=4 * math.sqrt(0.25 / sims))


@pytest.mark.parametrize(("leaf_of_rollouts", "value"), [("afterstate", 7.0), ("decision", 2.0)])
def test_rollouts_can_end_before_the_roll(leaf_of_rollouts, value):
    """One decision, then the heuristic: of the chance node, or of the decision after it."""
    here = tree(top(roll(top(1.0, value=2.0), value=7.0)))
    grown = grow(here, f"mcts:rollout=1,leaf={leaf_of_rollouts}", 1)
    assert grown.root_mean == value


# Wide chance nodes


@game
class Wheel:
    """A wheel with forty numbers, spun until the sum reaches a goal: a chance node with more outcomes than a chunk."""

    goal: int = 300
    state = np.dtype([("total", "i4"), ("turn", "u1"), ("spun", "u1")])
    max_actions = 2
    max_outcomes = 40

    def turn(self, state):
        if state.total >= self.goal:
            return TERMINAL
        return CHANCE if state.spun == 0 else state.turn

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, action):
        state.total += action
        state.turn, state.spun = 1 - state.turn, 0

    def outcomes(self, state, out):
        for i in range(40):
            out[i] = i
        return 40

    def probability(self, state, outcome):
        return 1.0 / 40

    def deal(self, state, outcome):
        state.total += outcome
        state.spun = 1

    def utility(self, state, player):
        return 1.0 if player == state.turn else -1.0


def spun() -> Position:
    """A wheel that has been spun once: a decision, and a game that is over after a few more."""
    return Position.start(Wheel(goal=fewer(1200))).deal(5)


@pytest.mark.few(1)
@pytest.mark.parametrize("player", ["dpw:c2=3,alpha=0.4", "uct", "uctmax_h:solver=standard"])
def test_chance_nodes_with_many_outcomes(player):
    here, sims = Position.start(Wheel(goal=60)), fewer(5000)
    grown = grow(here, player, sims, 1)
    widened = math.ceil(3 * (sims - 1) ** 0.4)
    assert len(grown.children(0)) == (40 if player.startswith("uct") else min(widened, 40))
    assert sum(int(grown.store.nodes[c]["visits"]) for c in grown.children(0)) == sims - 1
    assert same_tree(Grown(here, player, 250, 1).compiled(), Grown(here, player, 250, 1).interpreted())


# Memory


def test_a_full_tree_is_searched_on_without_new_nodes():
    here, sims = spun(), fewer(5000, 12)
    grown = grow(here, "uct", sims, 1, megabytes=0.005)
    assert grown.store.tree["full"][0]
    assert grown.store.used <= len(grown.store.nodes) < 500
    assert grown.nodes[0]["visits"] == sims
    assert sum(row.visits for row in grown.actions) == sims - 1


@pytest.mark.few(1)
@pytest.mark.parametrize("player", ["uct", "uctmax_h", "mcts:solver=standard", "dpw:c2=2"])
def test_recycling_keeps_the_best_visited_part(player):
    sims, memory = fewer(20_000, 25), 0.01 if is_interpreted() else 0.05
    for here in (spun(), decision())[: fewer(2, 2)]:
        spec = f"{player}{',' if ':' in player else ':'}full=recycle,memory={memory},sims={sims},keep=on"
        result = load_player(spec, here.game).search(here, 1)
        assert result.simulations == sims
        view = result.tree
        assert view.nodes[0]["visits"] == sims
        assert result.counts["added"] > 2 * len(view.nodes)  # more were added than there is room for
        graph = view.as_dict(10**6)
        assert graph["edges"] == graph["links"]  # networkx from version 3.6 on, and before it
        assert {link["target"] for link in graph["edges"]} == {row["id"] for row in graph["nodes"]} - {0}


def test_memory_too_small_for_anything_still_gives_a_move():
    here = decision()
    result = load_player("uct:memory=0.01,sims=100", here.game).search(here)
    assert result.action_number in here.actions()


# From move to move


@pytest.mark.few(1)
@pytest.mark.parametrize("start", ["ewn", "tree"])
def test_reuse_goes_on_with_the_part_of_the_tree_below_the_position(start):
    here = decision() if start == "ewn" else spun()
    sims = fewer(3000, 40 if start == "ewn" else 20)
    player = load_player(f"uct:reuse=on,sims={sims},keep=on", here.game)
    session = player.new_session()
    first = player.search(here, 1, session=session)
    after = here.play(first.action_number).settled(0)
    if after.is_terminal:
        pytest.skip("the game is over")
    expected = find_in(first.tree.as_dict(10**6), after.text)
    second = player.search(after, 2, session=session)
    assert second.tree.nodes[0]["visits"] == sims + expected
    assert expected > 0
    fresh = player.search(after, 2)
    assert fresh.tree.nodes[0]["visits"] == sims


def find_in(graph: dict, text: str) -> int:
    return max((row["visits"] for row in graph["nodes"] if row["position"] == text), default=0)


def test_a_root_that_is_used_again_is_worth_something_to_the_player_to_move():
    """Player 1 will lose: what player 0 expected of the position must not be taken for player 1's."""
    here = tree(top(low(top(10, 10), top(10, 10)), low(top(10, 10), top(10, 10))))
    player = load_player("uct:reuse=on,final=mixed,sims=40", here.game)
    session = player.new_session()
    after = here.follow(player.search(here, 1, session=session).action_number)
    assert player.search(after, 1, session=session).value == pytest.approx(-10.0)


def test_a_position_not_in_the_tree_starts_anew():
    here = decision()
    other = decision(5)
    sims = fewer(500)
    player = load_player(f"uct:reuse=on,sims={sims},keep=on", here.game)
    session = player.new_session()
    player.search(here, 1, session=session)
    again = player.search(other, 2, session=session)
    assert again.tree.nodes[0]["visits"] == sims
    assert again.actions == player.search(other, 2).actions


def test_history_lives_for_a_game_and_no_longer():
    here = decision()
    player = load_player(f"mcts:history=5,sims={fewer(500, 10)},rollout=10", here.game)
    session = player.new_session()
    first = player.search(here, 1, session=session)
    assert first.actions == player.search(here, 1).actions
    counted = session.store.history["count"].sum()
    player.search(here, 1, session=session)
    assert session.store.history["count"].sum() > counted
    assert player.search(here, 1).actions == first.actions


def test_a_session_for_another_game_starts_anew():
    session = TreeSession()
    for spec in ("ewn", "pig", "pig:goal=50"):
        here = Position.start(load_game(spec)).settled(0)
        player = load_player(f"uct:sims={fewer(100, 10)}", here.game)
        assert player.search(here, 1, session=session).actions == player.search(here, 1).actions


# Threads


THREADED = ["uct", "uctmax_h", "mcts:history=3", "dpw:c2=2,alpha=0.3", "ggp"]


@pytest.mark.compiled
@pytest.mark.parametrize("parallel", slow_but(["tree"], ["tree", "root"]))
@pytest.mark.parametrize("player", slow_but(["uct"], THREADED))
def test_threads_lose_no_simulation(parallel, player):
    here = Position.start(Wheel()).deal(3)
    spec = f"{player}{',' if ':' in player else ':'}threads=4,parallel={parallel},sims=20001,keep=on"
    result = load_player(spec, here.game).search(here, 1)
    assert result.simulations == 20001
    assert sum(row.visits for row in result.actions) == 20001 - (1 if parallel == "tree" else 4)
    nodes = result.tree.nodes
    visited = nodes[nodes["visits"] > 0]
    assert (visited["flags"] & 1 == 0).all()  # no lock is left
    if player != "uctmax_h":
        means = visited["sum"] / visited["visits"]
        assert (np.abs(means) <= 1.0 + 1e-9).all()  # no virtual loss is left


@pytest.mark.compiled
@pytest.mark.parametrize("threads", [1, 4])
def test_what_threads_gather_comes_to_the_tree_in_the_end(threads):
    """Every node has the visits of its children, and its own: the first one, and where a thread found it locked.

    The root has the rewards of its children, too, and its own.
    """
    sims = 5 * MUCH
    grown = Grown(Position.start(Wheel()).deal(3), f"uct:threads={threads}", sims, shared=True)
    grown.run.run_until(sims)
    nodes = grown.nodes
    inner = [index for index, _ in grown.walk() if any(nodes[child]["visits"] for child in grown.children(index))]
    assert sum(nodes[index]["visits"] > 2 * MUCH for index in inner) > 1
    own = [int(nodes[index]["visits"] - nodes[grown.children(index)]["visits"].sum()) for index in inner]
    assert set(own) == {1} if threads == 1 else min(own) >= 1
    assert nodes[0]["visits"] == sims
    low, high = grown.position.game.utility_range
    rewards = nodes[0]["sum"] - nodes[grown.children(0)]["sum"].sum()
    assert -1e-6 <= rewards <= own[0] * (high - low) + 1e-6


def test_visits_of_much_visited_nodes_are_added_a_few_at_a_time(small):
    """When there are enough, or when another node needs the place; of one node, or of several."""
    grown = Grown(small.position, "uct", 0, shared=True)
    nodes, tree, job = grown.store.nodes, State(grown.store.tree), State(grown.work)
    nodes[:600] = np.zeros(1, nodes.dtype)[0]
    keep = interpreted(gather)
    for count in range(1, TOGETHER):
        keep(tree, 3, 0.5, job)
        keep(tree, 4, 2.0, job)
        assert (nodes[3]["visits"], nodes[3]["sum"]) == (0, 0.0), count
    keep(tree, 3, 0.5, job)
    assert (nodes[3]["visits"], nodes[3]["sum"]) == (TOGETHER, TOGETHER * 0.5)
    keep(tree, 3, 0.5, job)
    keep(tree, 3 + GATHERED, 1.0, job)
    assert (nodes[3]["visits"], nodes[3]["sum"]) == (TOGETHER + 1, (TOGETHER + 1) * 0.5)
    assert nodes[4]["visits"] == nodes[3 + GATHERED]["visits"] == 0
    interpreted(bring_all)(tree, job)
    interpreted(bring_all)(tree, job)
    assert (nodes[4]["visits"], nodes[4]["sum"]) == (TOGETHER - 1, (TOGETHER - 1) * 2.0)
    assert (nodes[3 + GATHERED]["visits"], nodes[3 + GATHERED]["sum"]) == (1, 1.0)


@np.errstate(over="ignore")
def test_only_nodes_with_many_visits_at_the_beginning_of_a_path_are_gathered(small):
    grown = Grown(small.position, "uct", 0, shared=True)
    nodes, tree, job = grown.store.nodes, State(grown.store.tree), State(grown.work)
    steps = grown.run.steps._twin_
    for index, visits in enumerate((MUCH + 5, MUCH, MUCH - 1, MUCH + 1)):
        nodes[index] = np.zeros(1, nodes.dtype)[0]
        nodes[index]["visits"] = visits
    job.gathering = 0
    seen = [interpreted(enter)(steps, tree, index, index, job) for index in range(4)]
    assert seen == [MUCH + 5, MUCH, MUCH - 1, MUCH + 1]
    assert job.gathering == 2
    assert [int(visits) for visits in nodes[:4]["visits"]] == [MUCH + 5, MUCH, MUCH, MUCH + 2]


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", ["ewn", "pig:dice=1", "pig"])
def test_what_lies_below_a_node_slides_to_the_front_as_it_was(spec):
    """Wherever it was: outcomes may have moved behind their own children."""
    sims = fewer(400, 8)
    below = [index for index, _ in grow(spec, "uct", sims, 5).walk()][:: sims // 5]
    backwards = 0
    for root in below:
        grown = grow(spec, "uct", sims, 5)
        nodes, game, steps = grown.store.nodes, grown.position.game, grown.run.steps
        backwards += sum(0 < nodes[index]["first"] < index for index, _ in grown.walk())
        expected = tuple(described(grown, root))
        forward = np.zeros(len(nodes), np.uint32)
        kept = mark_kept(game, steps, grown.store.tree, forward, root, 0)
        slide(game, steps, grown.store.tree, forward, root, 0)
        assert tuple(described(grown, 0)) == expected
        assert grown.store.used == kept
    assert backwards > 0


@pytest.mark.parametrize("spec", ["ewn", "pig:dice=1"])
def test_small_chunks_that_outcomes_moved_out_of_are_taken_again(spec):
    """Every slot is in use, or in a small chunk that is free again: none is lost."""
    grown = grow(spec, "uct", fewer(400, 4), 5)
    tree, nodes = grown.store.tree, grown.store.nodes
    free = [int(tree["spare"][0])]
    while free[-1]:
        free.append(int(nodes[free[-1]]["first"]))
    kept = mark_kept(grown.position.game, grown.run.steps, tree, np.zeros(len(nodes), np.uint32), 0, 0)
    assert grown.store.used == kept + FEW * (len(free) - 1)


def described(grown, index):
    """A node and all below it, wherever they lie."""
    node = grown.store.nodes[index]
    yield tuple(node[field].item() for field in ("action", "visits", "sum", "count", "winner", "flags"))
    for child in grown.children(index):
        yield from described(grown, child)


@pytest.mark.compiled
def test_one_thread_is_no_threads():
    here = tree_position()
    plain = load_player("uct:sims=2000", here.game).search(here, 4)
    for parallel in ("tree", "root"):
        assert (
            load_player(f"uct:sims=2000,threads=1,parallel={parallel}", here.game).search(here, 4).actions
            == plain.actions
        )


@pytest.mark.compiled
def test_trees_of_their_own_are_repeatable():
    here = tree_position()
    player = load_player("uct:sims=4000,threads=3,parallel=root", here.game)
    assert player.search(here, 4).actions == player.search(here, 4).actions


# Stored trees


@pytest.mark.parametrize("name", PLAYERS)
def test_stored_trees(name, request):
    """Whole trees as they were when last looked at, node by node. `pytest --store-trees` writes them anew."""
    grown = grow(tree_position(), PLAYERS[name], 40, 9)
    rows = [
        [int(node["action"]), int(node["visits"]), round(float(node["sum"]), 9), int(node["winner"])]
        for node in in_levels(grown)[0]
    ]
    path = TREES / f"{name.replace(' ', '_')}.json"
    if request.config.getoption("--store-trees"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(rows).replace("], [", "],\n [") + "\n", encoding="utf-8")
    assert rows == json.loads(path.read_text(encoding="utf-8"))


# Players


def test_named_players_are_compositions():
    game = load_game("kalah")
    assert "Rollouts" in repr(Grown("kalah", "uct", 0).run.steps.evaluate)
    for name, evaluate, backup in (
        ("uct_h", "AtOnce", "Average"),
        ("uctmax_h", "AtOnce", "Minimax"),
        ("ggp", "Rollouts", "Minimum"),
    ):
        steps = Grown("kalah", name, 0).run.steps
        assert type(steps.evaluate).__name__ == evaluate
        assert type(steps.backup).__name__ == backup
    assert (load_player("uct_h", game).c, load_player("uct_h", game).unit) == (2.5, "points")
    chosen = {spec: load_player("dpw", load_game(spec)) for spec in ("pig", "ewn")}
    assert [(p.c, p.rollout, p.c2, p.alpha) for p in chosen.values()] == [(50, 0, 5, 0.2), (200, 100, 4, 0.25)]
    assert load_player("mcts", load_game("ewn")).rollout == 100


def test_a_setting_can_be_taken_away():
    """d_r has a number by default, and none means rollouts to the end."""
    game = load_game("ewn")
    whole = load_player("mcts:rollout=none", game)
    assert whole.rollout is None
    assert "rollout=none" in str(whole)
    assert load_player(str(whole), game) == whole
    assert "rollout" not in str(load_player("uct", game))
    with pytest.raises(SpecError, match="alpha=none is not a number"):
        load_player("dpw:alpha=none", game)


def test_results_say_what_was_done():
    here = decision()
    result = load_player("uct:sims=60", here.game).search(here, 1)
    assert result.simulations == result.nodes == 60
    assert sum(row.visits for row in result.actions) == 59
    assert result.action == result.actions[0].action == result.line[0]
    assert result.value == result.actions[0].value
    assert result.depth >= 3
    assert json.loads(json.dumps(result.as_dict()))["simulations"] == 60


@pytest.mark.compiled
@pytest.mark.parametrize("final", ["visits", "mean", "robust"])
def test_final_choice(final):
    here = tree_position()
    result = load_player(f"uct:sims=5000,final={final}", here.game).search(here, 1)
    key = (lambda row: row.value) if final == "mean" else (lambda row: row.visits)
    assert result.actions[0] == max(result.actions, key=key)
    if final == "robust":
        assert 4000 <= result.simulations <= 5000
        if result.simulations < 5000:
            assert result.actions[0] == max(result.actions, key=lambda row: row.value)


@pytest.mark.compiled
def test_limits_are_kept():
    here = tree_position()
    player = load_player("uct", here.game)
    assert player.search(here, 1, Limits(sims=1)).simulations == 1
    assert player.search(here, 1, Limits(nodes=77)).simulations == 77
    assert player.search(here, 1, Limits(time=0.05)).simulations > 100
    with pytest.raises(SpecError, match="uct has no depth to limit"):
        player.search(here, 1, Limits(depth=3))
    with pytest.raises(SpecError, match="exp has no simulations to limit"):
        load_player("exp", here.game).search(here, 1, Limits(sims=3))


def test_a_finished_game_cannot_be_searched():
    over = next(
        p for p in [Position.start(load_game("tic_tac_toe")).play("a1").play("b1").play("a2").play("b2").play("a3")]
    )
    for name in ("uct", "mcs"):
        with pytest.raises(AstragalError, match="the game is over"):
            load_player(name, over.game).search(over)


def test_reuse_needs_one_tree():
    with pytest.raises(SpecError, match="reuse=on needs one tree"):
        load_player("uct:reuse=on,threads=2,parallel=root")


def test_a_tree_handed_out():
    here = Position.start(load_game("pig:goal=15"), 1)
    result = load_player("uct:sims=100,keep=on", here.game).search(here, 1)
    graph = result.tree.as_dict(50)
    assert len(graph["nodes"]) == 50
    assert len(graph["links"]) == 49
    assert graph["graph"]["visited_nodes"] == result.nodes == len(result.tree)
    rows = {row["id"]: row for row in graph["nodes"]}
    assert rows[0]["visits"] == 100
    for link in graph["links"]:
        assert rows[link["source"]]["visits"] > rows[link["target"]]["visits"]
    assert {row["kind"] for row in graph["nodes"]} >= {"chance", "decision"}
    json.dumps(graph)
    assert load_player("uct:sims=20", here.game).search(here, 1).tree is None


def test_tree_games_have_values_of_their_own():
    assert isinstance(tree_position().game, Tree)


@game
class Enchanted(TicTacToe):
    """Left to itself, a random game is always won by the second player."""

    def rollout(self, state, generator, decisions):
        state.mine, state.theirs, state.turn = 0, 0b111, 0
        return generator, 1


@game
class Disenchanted(Enchanted):
    """A game with other moves does not play the rollouts of the one it is made of."""

    def play(self, state, action):
        TicTacToe.play(self, state, action)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("kind", "settings", "by_itself"),
    [
        (Enchanted, "policy=uniform", True),
        (Enchanted, "policy=order,epsilon=0", False),
        (Enchanted, "policy=uniform,history=5", False),
        (Disenchanted, "policy=uniform", False),
    ],
)
def test_a_game_plays_its_random_games_by_itself_only_where_all_moves_are_equally_likely(kind, settings, by_itself):
    found = load_player(f"uct:{settings}").search(Position.start(kind()), 1, Limits(sims=9))
    assert (found.value == -1.0) == by_itself
