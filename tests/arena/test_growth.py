"""A worker that plays games for days keeps nothing of them."""

from __future__ import annotations

import gc

import pytest

from astragal.arena.contest import Contest
from astragal.arena.run import play_games
from astragal.compiler.interpreted import remembered_twins


@pytest.mark.slow
@pytest.mark.interpreted
def test_games_that_are_over_leave_nothing_behind():
    contest = Contest.of("pig:goal=20", ["random", "random"])

    def objects_after(first: int, last: int) -> tuple[int, int]:
        play_games(contest, tuple((pair, game) for pair in range(first, last) for game in (0, 1)), False, 1.0)
        gc.collect()
        return len(gc.get_objects()), remembered_twins()

    objects, twins = objects_after(0, 5)
    more, more_twins = objects_after(5, 35)
    assert more - objects < 100  # 60 games have thousands of positions
    assert more_twins == twins
