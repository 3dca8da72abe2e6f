"""Scores less what chance gave: the same mean, and only decisions are left in them."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.arena.referee import replayed
from astragal.lab.exact import exact_for
from astragal.lab.luck import luck_in, luckless_entry
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.scores import game_entry
from astragal.lab.size import Size

GAME = "pig:goal=8,dice=1"


def test_what_is_left_of_a_score_is_what_decisions_lost(lab):
    contest = lab.contest(GAME, ["random", "hold:n=3"])
    exact = exact_for(GAME)
    for record in lab.games(contest, 6):
        path = replayed(contest, record)
        expected = exact.win_chance(path[0]) if record.seats[0] == 0 else 1.0 - exact.win_chance(path[0])
        for position, step in zip(path, record.steps, strict=False):
            if not position.is_chance:
                lost = exact.regret(position, step) / 200.0  # of utilities from -100 to 100
                expected += -lost if record.seats[position.turn] == 0 else lost
        assert record.score_of(0) - luck_in(contest, record) == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
@pytest.mark.interpreted
def test_between_perfect_players_nothing_is_left_but_who_began(lab):
    contest = lab.contest(GAME, ["optimal", "optimal:"])
    records = lab.games(contest, 8)
    left = [[game.score_of(0) - luck_in(contest, game) for game in records if game.pair == pair] for pair in range(4)]
    assert [np.mean(pair) for pair in left] == pytest.approx([0.5] * 4, abs=1e-6)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_table_without_luck_has_the_same_mean_and_a_smaller_error(lab):
    duel = Duel("row", "column", GAME, "random", "hold:n=3")
    tables = [
        Duels("D", lambda size: [duel], score=score).carry_out(lab, Size(games=100)).tables[0]
        for score in ("games", "exact")
    ]
    plain, less = (table.entries.get(("row", "column")) for table in tables)
    assert less.error < 0.7 * plain.error
    assert abs(less.mean - plain.mean) < 3 * plain.error
    assert "less what chance gave" in tables[1].title


@pytest.mark.compiled
def test_learned_evaluations_do_so_where_nothing_is_solved(lab):
    duel = Duel("row", "column", "ewn", "random", "random:")
    plain, less = (
        Duels("D", lambda size: [duel], score=score).carry_out(lab, Size(games=60)).tables[0].entries["row", "column"]
        for score in ("games", "learned")
    )
    assert less.error < 0.9 * plain.error
    assert abs(less.mean - plain.mean) < 3 * plain.error


def test_where_luck_explains_nothing_a_score_stays_as_it_is(lab):
    """As where one wins always."""
    contest = lab.contest(GAME, ["random", "hold:n=3"])
    records = lab.games(contest, 10)
    pairs = {pair: [1.0, 1.0] for pair in range(5)}
    assert luckless_entry(pairs, contest, records, None) == game_entry(pairs, None)
