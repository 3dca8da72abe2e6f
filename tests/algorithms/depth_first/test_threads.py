"""Several threads in one search that goes depth first: the same values and samples, and limits that hold."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player
from astragal.algorithms.depth_first import deepening
from astragal.algorithms.depth_first.table import turned
from astragal.algorithms.depth_first.work import new_work
from astragal.algorithms.result import AT_LEAST, AT_MOST, SearchResult
from astragal.arena.contest import Contest
from astragal.base.cores import taking_spare_cores
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from support.helpers import TESTS, slow_but
from support.star_searches import DEPTHS, EXACT, SAMPLED, TOLERANCE, Job, positions, search, settings_of
from support.tree_games import PartyTree, QuietTree, low, random_tree, roll, top, tree

pytestmark = pytest.mark.compiled  # threads run at once in compiled kernels only
HOW_MANY = pytest.mark.parametrize("count", slow_but([5], [5, 60]))  # positions


def numbers_of_threads(count: int) -> tuple[int, ...]:
    return (2, 3) if count <= 5 else (1, 2, 3, 8)


@pytest.fixture(autouse=True)
def from_the_first_node(monkeypatch):
    """Threads search together however little there is to search."""
    monkeypatch.setattr(deepening, "FEW", 0)


def known(result: SearchResult) -> dict[int, float]:
    """The values of the root's actions that are no bounds."""
    bounds = AT_LEAST, AT_MOST, "not searched"
    return {each.number: each.value for each in result.actions if each.bound not in bounds and each.value is not None}


def assert_the_same(result: SearchResult, alone: SearchResult) -> None:
    assert result.depth == alone.depth or result.complete or alone.complete  # which depends on the order of cuts
    assert result.value == pytest.approx(alone.value, abs=TOLERANCE)
    there = known(alone)
    for action, value in known(result).items():
        if action in there:
            assert value == pytest.approx(there[action], abs=TOLERANCE)


@pytest.mark.few(3)
@pytest.mark.parametrize("player", EXACT + SAMPLED)
@pytest.mark.parametrize("name", slow_but(["tree"], DEPTHS))
@HOW_MANY
def test_any_number_of_threads_finds_the_defined_value(name, player, count):
    for number, here in enumerate(positions(name, count if name == "tree" else 5, seed=42)):
        options: dict[str, Any] = {"width": 2 + number % 4, "prune_above": number % 3, "deepening": number % 2 == 0}
        options |= {"table": ("moves", "values")[number % 2], "memory": (0.25, 0.001)[number % 5 == 0]}
        options |= {"chances": number % 3 == 0, "merge": number % 4 == 0}
        for depth in range(1 if count > 5 else DEPTHS[name], DEPTHS[name] + 1):
            defined = Job(here, player, depth, number, width=options["width"]).true_value()
            alone = search(here, player, depth, number, **options)
            for threads in numbers_of_threads(count):
                result = search(here, player, depth, number, threads=threads, **options)
                assert_the_same(result, alone)
                if result.depth == depth:
                    sign = 1 if here.turn != 1 else -1
                    assert result.value == pytest.approx(sign * defined, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("player", "options"),
    [
        ("star", {}),
        ("starss", {"width": 3}),
        ("star2ss", {"width": 4, "sampling": "stratified"}),
        ("star2ss", {"width": 3, "common": True}),
        ("star1ss", {"width": 3, "control": True}),
    ],
)
@HOW_MANY
def test_nor_do_other_ways_to_search_depend_on_it(player, options, count):
    for number, here in enumerate(positions("tree", count, seed=43)):
        alone = search(here, player, 5, number, deepening=True, **options)
        for threads in numbers_of_threads(count):
            assert_the_same(search(here, player, 5, number, deepening=True, threads=threads, **options), alone)


@pytest.mark.parametrize("player", ["paranoid", "maxn"])
@HOW_MANY
def test_games_of_three_have_the_same_values(player, count):
    for number in range(count):
        here = random_tree(number, breadth=3 + number % 8, rolls=25, kind=PartyTree)
        alone = load_player(f"{player}:depth=5", here.game).search(here)
        for threads in numbers_of_threads(count):
            result = load_player(f"{player}:depth=5,threads={threads}", here.game).search(here)
            assert_the_same(result, alone)
            if player == "maxn":
                assert (result.actions, result.nodes) == (alone.actions, alone.nodes)


@pytest.mark.parametrize("settings", ["", "pvs=off,killers=on", "table=values,order=evaluated", "memory=0.001"])
@HOW_MANY
def test_alphabeta_has_the_same_values(settings, count):
    for number in range(count):
        here = random_tree(number, breadth=3 + number % 8, loops=number % 3 == 0, rolls=0, kind=QuietTree)
        for depth in (2, 7):
            player = f"alphabeta:depth={depth}{',' * bool(settings)}{settings}"
            alone = load_player(player, here.game).search(here)
            for threads in numbers_of_threads(count):
                assert_the_same(load_player(f"{player},threads={threads}", here.game).search(here), alone)


@pytest.mark.parametrize("player", ["star1", "star", "star2ss"])
def test_each_thread_passes_the_node_limit_by_no_more_than_the_children_of_one_node(player):
    for number, here in enumerate(positions("tree", 4, seed=44)):
        children = max(here.game.max_actions, here.game.max_outcomes)
        for nodes in (1, 30, 317, 5000):
            for threads in (2, 5):
                result = search(here, player, nodes=nodes, seed=number, deepening=True, threads=threads)
                assert result.nodes <= nodes + threads * children


def test_the_whole_game_is_known_to_have_been_searched():
    here = tree(top(roll(3, low(4, roll(-2, 6))), 1))
    for player in EXACT:
        result = search(here, player, 30, deepening=True, threads=3)
        assert (result.complete, result.value, result.threads) == (True, 2.5, 3)


def test_repeated_sampled_searches_are_those_of_all_threads():
    here = tree(top(roll(3, low(4, roll(-2, 6))), 1))
    one, three = (search(here, "star2ss", nodes=30_000, deepening=True, threads=n, width=2) for n in (1, 3))
    assert three.searches > 1000
    assert three.value == pytest.approx(one.value, abs=0.2)
    assert three.value != one.value


def test_a_time_limit_ends_all_threads():
    here = random_tree(3, breadth=9, loops=True)
    assert load_player("star1:time=0.1,threads=3", here.game).search(here).value is not None


def test_what_goes_wrong_in_a_thread_ends_the_search(monkeypatch):
    here = random_tree(3, breadth=9, loops=True)
    found = deepening.DepthFirstSearch.call_with

    def fail(self, work, *lists, **options):
        if work["thread"][0] == 2:
            raise AstragalError("a method of the game failed")
        return found(self, work, *lists, **options)

    monkeypatch.setattr(deepening.DepthFirstSearch, "call_with", fail)
    with pytest.raises(AstragalError, match="a method of the game failed"):
        search(here, "star1", 60, deepening=True, threads=3)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("star2:keep=on", "keep=on writes down what one thread searches"),
        ("star2:check=on", "check=on compares the nodes of one thread"),
        ("star2:table=off", "table=off leaves threads nothing to share"),
        ("star2:null=1", "depends on the order"),
        ("star2ss:key=path", "key=path has no values to share"),
        ("maxn:keep=on", "keep=on writes down"),
    ],
)
def test_what_only_one_thread_can_do_is_refused_and_auto_is_one(player, why):
    with pytest.raises(SpecError, match=f"{why}.*leave threads=2 out"):
        load_player(f"{player},threads=2")
    assert "threads=auto" in str(load_player(f"{player},threads=auto"))


@pytest.mark.interpreted
def test_auto_is_all_cores_but_one_unless_the_limit_counts_nodes(monkeypatch):
    monkeypatch.setattr("astragal.base.cores.spare_cores", lambda: 5)
    here = Position.start(tree(top(roll(3, 1), 1)).game)
    for limits, threads in ((Limits(depth=2), 5), (Limits(nodes=100), 1), (Limits(depth=2, nodes=100), 1)):
        for player in ("star1", "maxn"):
            assert load_player(f"{player}:threads=auto").search(here, limits=limits).threads == threads
    assert load_player("star1:threads=auto,keep=on").search(here, limits=Limits(depth=2)).threads == 1


@pytest.mark.interpreted
@pytest.mark.parametrize("count", [1, 2, 6, 21])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_each_thread_begins_at_another_part_of_a_list(count, threads):
    work = new_work(0.0, 1.0)
    begun = set()
    for thread in range(threads):
        work["thread"], work["threads"] = thread, threads
        numbers = np.arange(10, 10 + count + 1, dtype=np.uint32)
        interpreted(turned)(numbers, 1, count + 1, State(work))
        assert numbers[0] == 10
        assert sorted(numbers) == list(range(10, 10 + count + 1))
        begun.add(int(numbers[1]))
    assert len(begun) == min(count, threads)


def test_threads_do_not_change_what_the_settings_say():
    assert settings_of("star1").threads is None
    assert str(load_player("star1:threads=auto")) == "star1:threads=auto"
    assert str(load_player("star1:threads=4,depth=3")) == "star1:depth=3,threads=4"


# What a person meets


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.setattr("astragal.base.cores.spare_cores", lambda: 3)


@pytest.mark.interpreted
def test_only_who_waits_for_a_search_takes_spare_cores(four_cores):
    here = Position.start(tree(top(roll(3, 1), 1)).game)
    for player in ("star2", "maxn", "uct"):
        limits = Limits(time=0.001) if player == "uct" else Limits(depth=2)
        assert load_player(player).search(here, limits=limits).threads == 1
        with taking_spare_cores():
            assert load_player(player).search(here, limits=limits).threads == 3
            assert load_player(player).search(here, limits=Limits(nodes=50)).threads == 1
            assert load_player(f"{player}:threads=1").search(here, limits=limits).threads == 1


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("player", "limits", "repeatable"),
    [
        ("star2:threads=2", Limits(nodes=60), False),
        ("star2:threads=2", Limits(depth=2), True),
        ("uct:threads=2,parallel=tree", Limits(sims=60), False),
        ("uct:threads=2,parallel=root", Limits(sims=60), True),
    ],
)
def test_a_result_that_cannot_be_repeated_is_marked_and_contests_refuse_it(player, limits, repeatable):
    here = Position.start(load_game("ewn"))
    result = load_player(player).search(here, limits=limits)
    assert (result.threads, result.repeatable, result.as_dict()["repeatable"]) == (2, repeatable, repeatable)
    assert ("not repeatable: 2 threads" in str(result)) != repeatable
    assert ", 2 threads" in str(result)
    if repeatable:
        Contest.of("ewn", [player, "random"], limits)
    else:
        with pytest.raises(SpecError, match="is not repeatable: several threads"):
            Contest.of("ewn", [player, "random"], limits)


@pytest.mark.slow
def test_the_benchmark_runs():
    script = TESTS.parent / "benchmarks" / "threads.py"
    run = subprocess.run([sys.executable, script, "--smallest"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 2 + 6
