"""Matches between evaluations: what is the same for both sides, and which games an error counts as one."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import load_game
from astragal.learn import matches
from astragal.learn.matches import match_of, mean_and_error
from astragal.rules.position import Position
from support.helpers import slow_but

SMALL = ["pig:goal=12", "kalah:pits=3,stones=1", "ewn:setup=random", "cant_stop:players=3,sides=3,shortest=2,goal=2"]
LARGE = ["ra:score=margin", "focus:players=3,extra=none", "chinese_checkers:players=4"]


def met(game, games, seed=5, opening=4):
    starts = np.concatenate([Position.start(game, number).memory for number in range(3)])
    return match_of(game, game, starts, games, opening=opening, longest=30, depth=1, seed=seed)


@pytest.mark.parametrize("name", slow_but(SMALL, SMALL + LARGE))
def test_an_evaluation_has_its_share_against_itself_without_any_error(name):
    """From every seat the same game is played, whatever the dice: the games of a group add up to one win."""
    game = load_game(name)
    found = met(game, 4 * game.players)
    assert found.share == pytest.approx(1 / game.players)
    assert found.share_error == pytest.approx(0.0, abs=1e-9)
    if game.zero_sum:
        assert (found.points, found.points_error) == pytest.approx((0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_any_number_of_threads_finds_the_same_score(threads):
    game = load_game("pig:goal=12")
    starts = np.concatenate([Position.start(game, number).memory for number in range(3)])
    one, several = (match_of(game, None, starts, 12, 0, 30, 1, 5, count) for count in (1, threads))
    assert one == several
    assert one.share != 0.5


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_copies_of_the_games_of_each_group_change_neither_mean_nor_error(seats):
    random = np.random.default_rng(seats)
    scores = random.integers(0, 3, (20, seats)) / 2.0
    found = mean_and_error(scores.ravel(), seats)
    assert mean_and_error(np.repeat(scores, 2, axis=1).ravel(), 2 * seats) == pytest.approx(found)
    assert mean_and_error(scores.mean(axis=1), 1) == pytest.approx(found)


@pytest.mark.parametrize("name", ["tic_tac_toe", "focus:players=3", "focus:players=4"])
def test_a_match_counts_games_on_the_same_dice_as_one(name, monkeypatch):
    """Whatever the games bring: the error is that of the means of groups, one group being a game from each seat."""
    game, brought = load_game(name), {}

    def compare(one, other, starts, seeds, opening, longest, depth, blind, leaves, scores, points):
        random = np.random.default_rng(1)
        groups = random.normal(size=len(seeds))  # what the dice do for both
        scores[:] = np.repeat(groups, game.players) + random.normal(size=len(scores))
        points[:] = 3.0 * np.repeat(groups, game.players)
        brought.update(scores=scores, points=points)

    monkeypatch.setattr(matches, "compare", compare)
    found = met(game, 60 * game.players)
    for values, mean, error in (
        (brought["scores"], found.share, found.share_error),
        (brought["points"], found.points, found.points_error),
    ):
        means = values.reshape(60, game.players).mean(axis=1)
        assert mean == pytest.approx(means.mean())
        assert error == pytest.approx(1.96 * means.std(ddof=1) / 60**0.5)
