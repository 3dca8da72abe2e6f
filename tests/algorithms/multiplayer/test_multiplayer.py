"""Max^n and paranoid search for any number of players, with chance; and greedy, who looks one action ahead."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player, search, start
from astragal.algorithms.depth_first.deepening import DepthFirstSearch
from astragal.algorithms.depth_first.root import root_values
from astragal.algorithms.depth_first.work import COUNTERS, nodes
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.players.multiplayer import Maxn, Paranoid
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from support.helpers import by_python, fewer, is_interpreted, random_position, slow_but
from support.tree_games import CHANCES, CHILD, COUNT, OTHERS, TURN, VALUE, Node, PartyTree, QuietTree, random_tree, tree

TOLERANCE = 1e-9
DEPTH = 5
Vector = tuple[float, ...]


@cache
def parties(count: int, seed: int = 0) -> list[Position]:
    """Random games for three with chance, some of them with loops."""
    found = []
    for number in range(count):
        dice = Dice(1000 * seed + number)
        breadth, ends, loops = 3 + dice.below(9), dice.below(30), dice.below(3) == 0
        found.append(random_tree(dice.bits(), breadth=breadth, ends=ends, rolls=25, loops=loops, kind=PartyTree))
    return found


class Oracle:
    """Values of a game for three straight from their definitions, on its arrays."""

    def __init__(self, game: PartyTree) -> None:
        self.links, self.numbers = game.links, game.numbers
        self.known: dict[tuple[Any, ...], Vector] = {}

    def children(self, node: int) -> list[int]:
        return self.links[node, CHILD : CHILD + self.links[node, COUNT]].tolist()

    def vector(self, node: int) -> Vector:
        return (self.numbers[node, VALUE], *self.numbers[node, OTHERS : OTHERS + 2])

    def value(self, node: int, depth: int, viewer: int | None) -> Vector:
        """The utilities of all at a node. With a viewer, all others play against that player."""
        if (node, depth, viewer) not in self.known:
            self.known[node, depth, viewer] = self.search(node, depth, viewer)
        return self.known[node, depth, viewer]

    def search(self, node: int, depth: int, viewer: int | None) -> Vector:
        turn = int(self.links[node, TURN])
        if turn == TERMINAL or depth == 0:
            return self.vector(node)
        if turn == CHANCE:  # met straight from chance or at the root: a forced decision
            return self.expectation(node, depth - 1, viewer)
        found = [self.after_action(child, depth, viewer) for child in self.children(node)]
        if viewer is None:
            return max(found, key=lambda vector: vector[turn])  # the first of equals
        pick = max if turn == viewer else min
        return pick(found, key=lambda vector: vector[viewer])

    def after_action(self, node: int, depth: int, viewer: int | None) -> Vector:
        if self.links[node, TURN] == CHANCE:
            return self.expectation(node, depth - 1, viewer)
        return self.value(node, depth - 1, viewer)

    def expectation(self, node: int, depth: int, viewer: int | None) -> Vector:
        chances = self.numbers[node, CHANCES:OTHERS]
        below = [self.value(child, depth, viewer) for child in self.children(node)]
        return tuple(sum(p * vector[i] for p, vector in zip(chances, below, strict=False)) for i in range(3))

    def actions(self, here: Position, depth: int, paranoid: bool) -> dict[int, float]:
        """The mover's value of each action at a decision."""
        mover = here.turn
        viewer = mover if paranoid else None
        return {action: self.after_action(action, depth, viewer)[mover] for action in here.actions()}


def assert_right(result: SearchResult, truth: dict[int, float]) -> None:
    best = max(truth.values())
    assert result.value == pytest.approx(best, abs=TOLERANCE)
    assert truth[result.action_number] == pytest.approx(best, abs=TOLERANCE)
    for action in result.actions:
        assert action.bound != "at least"
        assert action.value >= truth[action.number] - TOLERANCE
        if not action.is_bound:
            assert action.value <= truth[action.number] + TOLERANCE
        else:
            assert action.value <= best + TOLERANCE


# Games for three


@pytest.mark.parametrize("count", by_python(6, 80))
def test_maxn_finds_what_the_definition_says_in_games_for_three(count):
    movers = set()
    for here in parties(count):
        if here.turn == CHANCE:
            expected = Oracle(here.game).value(0, DEPTH, None)[0]
            assert search(here, f"maxn:depth={DEPTH}").value == pytest.approx(expected, abs=TOLERANCE)
            continue
        movers.add(here.turn)
        truth = Oracle(here.game).actions(here, DEPTH, paranoid=False)
        for options in ("", ",deepening=off", ",table=off"):
            result = search(here, f"maxn:depth={DEPTH}{options}")
            assert_right(result, truth)
            assert not any(row.is_bound for row in result.actions)
    assert movers == {0, 1, 2}


@pytest.mark.few(1)
@pytest.mark.compiled
@pytest.mark.parametrize("table", ["off", "moves", "values"])
@pytest.mark.parametrize("prune_above", [0, 1, 2])
def test_paranoid_finds_what_the_definition_says_in_games_for_three(table, prune_above):
    cuts = 0
    for here in parties(80):
        for options in ("", ",deepening=off"):
            player = f"paranoid:depth={DEPTH},table={table},prune_above={prune_above},memory=0.25{options}"
            result = search(here, player)
            cuts += result.counts["decision_cuts"]
            if here.turn == CHANCE:
                assert result.value == pytest.approx(Oracle(here.game).value(0, DEPTH, 0)[0], abs=TOLERANCE)
            else:
                assert_right(result, Oracle(here.game).actions(here, DEPTH, paranoid=True))
    assert cuts > 0


def test_every_node_of_a_paranoid_search_agrees_with_the_definition():
    checks = 0
    for here in parties(fewer(20, 2), seed=1):
        result = search(here, "paranoid:depth=4,prune_above=0,check=on")
        checks += result.counts["checks"]
        assert result.counts["disagreements"] == 0
    assert checks > fewer(500, 2)


def node(turn: int, *children: Node) -> Node:
    return Node(turn, children=list(children))


def end(*utilities: float) -> Node:
    return Node(TERMINAL, utilities[0], others=utilities[1:])


def party() -> Position:
    """Player 1 chooses; then player 2 prefers what hurts player 1 less in the first branch than a foe would.

    Trusting each to look after their own, the left is worth 6; if both others are foes, it is worth 1, the right 3.
    """
    left = node(1, node(2, end(6, 5, 2), end(1, 9, 1)), end(2, 4, 8))
    right = node(2, end(3, 0, 7), end(5, 0, 6))
    return tree(node(0, left, right), kind=PartyTree)


def test_whom_to_trust_by_hand():
    trusting, paranoid = search(party(), "maxn:depth=5"), search(party(), "paranoid:depth=5")
    assert [row.value for row in trusting.actions] == [6, 3]
    assert (trusting.value, trusting.complete, trusting.counts["decisions"]) == (6, True, 1 + 3 + 4)
    assert (paranoid.value, paranoid.action_number) == (3, party().actions()[1])
    assert trusting.action_number == party().actions()[0]


def test_the_first_of_equal_actions_decides_what_the_others_get():
    """Player 2 does not care; player 1 gets what comes first."""
    for first, second in ((2, 8), (8, 2)):
        here = tree(node(0, node(1, end(first, 5, 0), end(second, 5, 0))), kind=PartyTree)
        assert search(here, "maxn:depth=2").value == first


def test_the_best_line_of_maxn_is_what_each_would_play():
    here = party()
    left = here.actions()[0]
    reply = here.play(left).actions()[0]
    assert search(here, "maxn:depth=3").line == [str(left), str(reply)]  # the last decision is not kept
    assert search(here, "maxn:depth=3,table=off").line == [str(left)]


# Games for two


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["maxn", "paranoid", "paranoid:prune_above=0,table=values"])
def test_games_for_two_are_worth_what_alpha_beta_finds(name):
    seeds = range(fewer(40, 6))
    quiet = [random_tree(seed, breadth=3 + seed % 7, loops=seed % 3 == 0, kind=QuietTree) for seed in seeds]
    boards = [random_position(load_game("kalah:pits=4,stones=3"), seed) for seed in range(fewer(8, 3))]
    for here in quiet + boards:
        player, separator = name, "," if ":" in name else ":"
        assert search(here, f"{player}{separator}depth=5").value == search(here, "alphabeta:depth=5,memory=0.25").value


@pytest.mark.parametrize("name", ["maxn", "paranoid"])
def test_games_for_two_with_chance_are_worth_what_expectimax_finds(name):
    depth = 2 if is_interpreted() else 3
    for spec in ("pig:goal=40", "ewn"):
        for seed in range(fewer(6, 2)):
            here = random_position(load_game(spec), seed)
            expected = search(here, f"exp:depth={depth}").value
            assert search(here, f"{name}:depth={depth}").value == pytest.approx(expected, abs=TOLERANCE)


# Limits and determinism


def found(result: SearchResult) -> dict[str, Any]:
    return asdict(result) | {"seconds": 0.0, "seed": 0}


@pytest.mark.compiled
@pytest.mark.parametrize("name", slow_but(["paranoid"], ["maxn", "paranoid"]))
def test_the_node_limit_is_never_exceeded_and_the_answer_is_that_of_a_finished_depth(name):
    depths = set()
    for here in parties(12, seed=2):
        for limit in (1, 30, 100, 317, 1000, 5000):
            stopped = search(here, f"{name}:nodes={limit},memory=0.25,unfinished=previous")
            assert stopped.nodes <= limit + max(here.game.max_actions, here.game.max_outcomes)
            depths.add(stopped.depth)
            if stopped.depth:
                whole = search(here, f"{name}:depth={stopped.depth},memory=0.25")
                assert (stopped.action, stopped.value, stopped.actions) == (whole.action, whole.value, whole.actions)
    assert len(depths) > 2


@pytest.mark.parametrize("name", ["maxn", "paranoid"])
def test_results_depend_on_nothing_that_was_searched_before_and_not_on_the_seed(name):
    here, *others = parties(4, seed=3)
    player = load_player(f"{name}:nodes={fewer(3000, 10)},memory=0.25")
    first = player.search(here, seed=1)
    for other in others:
        player.search(other)
    assert found(player.search(here, seed=1)) == found(first) == found(player.search(here, seed=2))


@pytest.mark.parametrize("name", ["maxn", "paranoid"])
def test_what_cannot_be_searched_is_refused(name):
    with pytest.raises(AstragalError, match="the game is over"):
        search(tree(end(1, 2, 3), kind=PartyTree), name)
    with pytest.raises(SpecError, match=f"{name} has no simulations to limit"):
        search(parties(1)[0], name, limits=Limits(sims=5))


@pytest.mark.compiled
@pytest.mark.parametrize(
    "settings",
    [
        Paranoid(table="off", prune_above=1),
        pytest.param(Maxn(table="off"), marks=pytest.mark.slow),
        pytest.param(Paranoid(table="off", prune_above=0, check=True), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_compiled_and_interpreted_runs_agree_to_the_last_counter(settings):
    for here in parties(4, seed=4):
        request = SearchRequest(here, limits=Limits(depth=3))
        machine, python = (settings.search_class()(request, settings) for _ in range(2))
        assert compiled_root(machine) == interpreted_root(python)
        assert {name: int(machine.work[name][0]) for name in COUNTERS} == {
            name: int(python.work[name][0]) for name in COUNTERS
        }
        assert nodes(machine.work) > 1


def lists(run: DepthFirstSearch) -> tuple[Any, Any, Any]:
    run.begin(3, 3)
    return np.array(run.actions, np.uint32), np.zeros(len(run.actions)), np.zeros(len(run.actions), np.uint8)


def compiled_root(run: DepthFirstSearch) -> list[float]:
    actions, values, bounds = lists(run)
    root_values(run.position.game, run.variant, run.position.memory, 3, actions, values, bounds, run.work)
    return values.tolist()


def interpreted_root(run: DepthFirstSearch) -> list[float]:
    actions, values, bounds = (array.tolist() for array in lists(run))
    twin, state, work = run.variant._twin_, [State(run.position.memory)], [State(run.work)]
    with np.errstate(over="ignore"):
        interpreted(root_values)(run.position.game._twin_, twin, state, 3, actions, values, bounds, work)
    return values


# Greedy


def test_greedy_plays_what_is_best_after_one_action():
    for here in parties(25, seed=5):
        if here.turn == CHANCE:
            continue
        truth = Oracle(here.game).actions(here, 1, paranoid=False)
        for seed in range(3):
            assert truth[search(here, "greedy", seed).action_number] == pytest.approx(max(truth.values()))


def test_greedy_leaves_ties_to_the_seed():
    here = tree(node(0, end(4, 0, 0), end(7, 0, 0), end(5, 0, 0), end(7, 9, 9), end(7, 0, 1)), kind=PartyTree)
    actions = here.actions()
    played = [search(here, "greedy", seed).action_number for seed in range(240)]
    assert set(played) == {actions[1], actions[3], actions[4]}
    assert all(45 < played.count(action) < 115 for action in set(played))
    assert played[:20] == [search(here, "greedy", seed).action_number for seed in range(20)]


def test_greedy_expects_what_chance_brings_after_its_action():
    """In Pig, one's evaluation after a roll: see the depth-1 value of Pig by hand."""
    here = Position.parse(load_game("pig"), "0 0 8 1 decide")
    result = search(here, "greedy")
    assert (result.action, result.line) == ("roll", ["roll"])
    assert result.value == pytest.approx(100 / 9)
    assert [row.action for row in result.actions] == ["roll", "hold"]
    with pytest.raises(AstragalError, match="greedy has nothing to decide"):
        search(start("pig"), "greedy")
