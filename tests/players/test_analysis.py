"""A search as a handle: its results one by one, its end by `stop`, by the block and by itself; with asyncio, too."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from astragal import AstragalError, Limits, Position, analyse, load_game, load_player, search, start
from support.helpers import random_position


@pytest.fixture
def position() -> Position:
    return start("pig", seed=7).settled(7)


def test_results_come_depth_by_depth_and_the_last_is_that_of_a_search(position):
    with analyse(position, "star2", limits=Limits(depth=2)) as analysis:
        depths = [found.depth for found in analysis]
    assert depths == [1, 2, 2]
    assert not analysis.is_running
    alone = search(position, "star2", limits=Limits(depth=2))
    assert analysis.wait().actions == alone.actions
    assert analysis.result is analysis.wait()
    assert list(analysis) == []


@pytest.mark.parametrize("player", ["star2", "uct:rollout=0", "star2ss"])
def test_a_search_without_a_limit_ends_when_it_is_stopped(position, player):
    with analyse(position, player) as analysis:
        for _ in analysis:
            analysis.stop()
    assert analysis.wait().action in position.action_names()


def test_the_end_of_the_block_ends_the_search(position):
    with analyse(position, "star2") as analysis:
        next(iter(analysis))
        assert analysis.is_running
    assert not analysis.is_running
    assert not [thread for thread in threading.enumerate() if thread.name == "analysis"]


def test_a_stop_before_anything_was_found_leaves_a_result(position):
    analysis = analyse(position, "star2")
    analysis.stop()
    assert analysis.wait().turn == position.turn


def test_asyncio_waits_for_results_without_blocking(position):
    async def deepest() -> tuple[list[int], int]:
        depths, ticks = [], 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        async with analyse(position, "star2") as analysis:
            async for found in analysis:
                depths.append(found.depth)
                if found.depth == 2:
                    analysis.stop()
        ticking.cancel()
        return depths, ticks

    with ThreadPoolExecutor(1) as thread:  # a browser that drives the page has a loop of its own in this one
        depths, ticks = thread.submit(lambda: asyncio.run(deepest())).result()
    assert depths[:2] == [1, 2]
    assert ticks > 2


def test_what_goes_wrong_in_the_search_is_raised_where_results_are_read(position):
    analysis = analyse(position, "star2", limits=Limits(sims=3))
    with pytest.raises(AstragalError, match="star2 has no simulations to limit"):
        list(analysis)
    with pytest.raises(AstragalError, match="star2 has no simulations to limit"):
        analysis.wait()


def test_what_is_no_position_and_an_ended_game_are_refused():
    with pytest.raises(AstragalError, match="analyse takes a position"):
        analyse("pig", "star2")  # type: ignore[arg-type]
    with pytest.raises(AstragalError, match="the game is over at"):
        analyse(Position.parse(load_game("pig"), "100 0 0 2 roll"))


# Several lines


@pytest.mark.parametrize("player", ["star2", "star1", "alphabeta", "exp", "star"])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_lines_have_the_values_that_a_search_without_pruning_gives(player, seed):
    here = random_position(load_game("kalah" if player == "alphabeta" else "ewn"), seed, decision=True)
    depth = Limits(depth=2)
    true = {each.action: each.value for each in search(here, "maxn", limits=depth).actions}
    found = load_player(player, here.game).search(here, limits=depth, lines=3)
    best = sorted(true.values(), reverse=True)[:3]
    ranked = found.actions[: len(best)]
    assert [each.value for each in ranked] == pytest.approx(best)
    assert [each.value for each in ranked] == pytest.approx([true[each.action] for each in ranked])
    assert not any(each.is_bound for each in ranked)
    assert [line[0] for line in found.lines] == [each.action for each in ranked]
    assert found.lines[0] == found.line
    assert found.as_dict()["lines"] == found.lines


def test_an_analysis_finds_several_lines_and_a_search_one(position):
    with analyse(position, "star2", limits=Limits(depth=2), lines=2) as analysis:
        for found in analysis:
            assert [line[0] for line in found.lines] == [each.action for each in found.actions]
    alone = search(position, "star2", limits=Limits(depth=2))
    assert alone.lines == []
    assert "lines" not in alone.as_dict()


@pytest.mark.parametrize(
    ("player", "lines", "sentence"),
    [
        ("star2", 17, "from 1 to 16, not 17"),
        ("star2", 0, "from 1 to 16, not 0"),
        ("uct", 2, "uct finds one line"),
        ("greedy", 2, "greedy finds one line"),
    ],
)
def test_lines_that_cannot_be_found_are_refused(position, player, lines, sentence):
    with pytest.raises(AstragalError, match=sentence):
        analyse(position, player, lines=lines)
