"""Scores less what chance gave: the same mean, and only decisions are left in them."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.arena.referee import replayed
from astragal.lab.exact import exact_for
from astragal.lab.laboratory import Laboratory
from astragal.lab.luck import luck_of, luckless_entry
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.scores import game_entry
from astragal.lab.size import Size

GAME = "pig:goal=8,dice=1"


def test_what_is_left_of_a_score_is_what_decisions_lost(lab):
    contest = lab.contest(GAME, ["random", "hold:n=3"])
    exact = exact_for(GAME)
    luck = luck_of(lab, contest, lab.games(contest, 6), learned=False)
    for record in lab.games(contest, 6):
        path = replayed(contest, record)
        expected = exact.win_chance(path[0]) if record.seats[0] == 0 else 1.0 - exact.win_chance(path[0])
        for position, step in zip(path, record.steps, strict=False):
            if not position.is_chance:
                lost = exact.regret(position, step) / 200.0  # of utilities from -100 to 100
                expected += -lost if record.seats[position.turn] == 0 else lost
        assert record.score_of(0) - luck[record.number] == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
@pytest.mark.interpreted
def test_between_perfect_players_nothing_is_left_but_who_began(lab):
    contest = lab.contest(GAME, ["optimal", "optimal:"])
    records = lab.games(contest, 8)
    luck = luck_of(lab, contest, records, learned=False)
    left = [[game.score_of(0) - luck[game.number] for game in records if game.pair == pair] for pair in range(4)]
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
    assert luckless_entry(lab, pairs, contest, records, None) == game_entry(pairs, None)


def test_luck_is_worked_out_once_and_kept(lab, monkeypatch):
    contest = lab.contest(GAME, ["random", "hold:n=3"])
    luck = luck_of(lab, contest, lab.games(contest, 4), learned=False)
    monkeypatch.setattr("astragal.lab.luck.luck_of_kind", lambda *of: 7.0)
    reading = Laboratory(lab.notebook)
    assert luck_of(reading, contest, reading.games(contest, 4), learned=False) == luck
    lab.games(contest, 6)
    more = luck_of(reading, contest, Laboratory(lab.notebook).games(contest, 6), learned=False)
    assert more == luck | {(2, 0): 7.0, (2, 1): 7.0}  # only of the games that are new
    again = Laboratory(lab.notebook, anew=True)
    assert set(luck_of(again, contest, again.games(contest, 4), learned=False).values()) == {7.0}
