"""Parts of experiments on games small enough that the result can be computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from astragal.algorithms.plain_tree import PlainTree
from astragal.games import load_game
from astragal.lab.claims import Above, Rises
from astragal.lab.exact import exact_for
from astragal.lab.findings import AGREES, DISAGREES, Entry, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.parts.alone import Alone
from astragal.lab.parts.deep_playouts import (
    AVERAGE,
    BEST_CHILD,
    MINIMAX,
    Coulom,
    NodeErrors,
    Playouts,
    errors_in,
    mean_result,
    over_visits,
)
from astragal.lab.parts.estimation import of_most
from astragal.lab.parts.pathology import Pathology, backed_up, boards_of, share_right, shuffled, trees_of
from astragal.lab.parts.theorem import WAYS, judge
from astragal.lab.parts.tuning import Consistency, most_points
from astragal.lab.size import Size
from astragal.rules.dice import Dice
from astragal.rules.position import Position

TINY = "kalah:pits=2,stones=2,setup=random"


@pytest.mark.slow
@pytest.mark.interpreted
def test_players_alone_have_mean_scores(lab):
    part = Alone("A puzzle", "knights_tour.kif", lambda size: {"anything": "random", "a look ahead": "greedy"})
    part.check(Size(games=6))
    section = part.carry_out(lab, Size(games=6))
    (table,) = section.tables
    scores = {row: table.entries[row, "knights_tour.kif"] for row in table.rows}
    assert {entry.count for entry in scores.values()} == {6}
    assert all(0.0 <= entry.mean <= 100.0 for entry in scores.values())
    assert part.carry_out(Laboratory(lab.notebook), Size(games=6)).tables == section.tables


def test_random_games_from_the_last_position_tell_the_winner():
    position, dice = Position.start(load_game(TINY), 3), Dice(1)
    while not position.is_terminal:
        before = position
        position = position.play(position.actions()[0])
    if len(before.actions()) == 1:
        assert np.sign(mean_result(before, dice)) == np.sign(position.utilities()[before.turn])


@pytest.mark.slow
@pytest.mark.interpreted
def test_random_games_tell_more_from_deeper_positions(lab):
    part = Playouts("P", "p", TINY, claims=(Rises("up", "random games"),))
    section = part.carry_out(lab, Size(games=12))
    shares = [entry.mean for _, entry in section.tables[0].row("random games")]
    assert len(shares) > 1
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert part.carry_out(lab, Size(games=12)).tables == section.tables  # by the seed alone


def test_errors_of_averages_and_minimax_values_by_hand(lab):
    """A root with two children, one of which has a child: the truth is known, so all errors are."""
    start = Position.start(load_game(TINY), 5)
    actions, points = start.actions(), np.array([0.2, 0.5, -0.1, 0.7])
    after = start.play(actions[0])
    tree = PlainTree(
        start,
        np.array([-1, 0, 0, 1]),
        np.array([0, *actions[:2], after.actions()[0]]),
        points * start.game.point,
        np.array([24, 16, 8, 1]),
    )
    truth = np.sign(max(exact_for(TINY).action_values(start).values()))
    deep = 0.7 if after.turn == start.turn else -0.7
    errors = {node.visits: node.errors for node in errors_in(tree, TINY)}
    assert set(errors) == {24, 16}  # the others have no child
    assert errors[24][AVERAGE] == pytest.approx((0.2 - truth) ** 2)
    assert errors[24][BEST_CHILD] == pytest.approx((0.5 - truth) ** 2)
    assert errors[24][MINIMAX] == pytest.approx((max(deep, -0.1) - truth) ** 2)


@pytest.mark.slow
@pytest.mark.interpreted
def test_errors_of_values_over_grown_trees(lab):
    part = Coulom("C", TINY, "uct:ends=sign,c=1.4,unit=points", (Above("so", MINIMAX, "few", 0.0),))
    part.check(Size())
    section = part.carry_out(lab, Size(games=4, sims=80))
    errors, less = section.tables
    assert set(errors.rows) == {AVERAGE, BEST_CHILD, MINIMAX}
    assert set(less.rows) == {BEST_CHILD, MINIMAX}
    assert all(entry.mean >= 0.0 for entry in errors.entries.values())
    assert len(section.judgements) == 1


def test_differences_are_of_the_same_nodes():
    nodes = [NodeErrors(tree, 10, {AVERAGE: 0.5, BEST_CHILD: 0.25, MINIMAX: 1.0}) for tree in "aabb"]
    less = over_visits("Less", nodes, {"few": (8, 64), "many": (512, 1024)}, AVERAGE)
    assert set(less.entries) == {(BEST_CHILD, "few"), (MINIMAX, "few")}
    assert less.entries[BEST_CHILD, "few"] == Entry(-0.25, -0.25, -0.25, 4)
    assert less.entries[MINIMAX, "few"] == Entry(0.5, 0.5, 0.5, 4)


def test_the_most_frequent_move_of_several_searches():
    assert of_most([0.5, 0.0, 0.5, 0.0, 0.0, 0.5, 0.5], 3) == [0.5, 0.0]  # the last one is no whole group
    assert of_most([0.5, 0.0], 1) == [0.5, 0.0]
    assert of_most([0.5, 0.0], 2) == [0.0]  # a tie


@pytest.mark.parametrize("how", WAYS)
def test_a_bound_that_is_broken_is_said(how):
    table = Table("Error", percent=False)
    table.entries[f"{how}, d = 1", "4"] = Entry(2.0, 1.9, 2.1, 10)
    table.entries["bound, d = 1", "4"] = Entry.exactly(3.0)
    assert judge(table, how).verdict == AGREES
    table.entries["bound, d = 1", "4"] = Entry.exactly(1.0)
    assert judge(table, how).verdict == DISAGREES
    assert "d = 1, width 4" in judge(table, how).because


def test_a_round_robin_is_won_by_most_points():
    class Met:
        def __init__(self, mean: float) -> None:
            self.estimate = type("E", (), {"mean": mean})

    strength = {"a": 1.0, "b": 3.0, "c": 2.0}

    def meet(first: str, second: str, occasion: str, to_the_end: bool = False) -> Any:
        return Met(strength[first] / (strength[first] + strength[second]))

    assert most_points(["a", "b", "c"], meet, "") == "b"


@pytest.mark.slow
@pytest.mark.interpreted
def test_how_consistent_ways_to_tune_are(lab):
    part = Consistency("C", "star1ss", ["ewn"], ["width=1..3"], repetitions=2)
    size = Size(games=2, candidates=2, nodes=20)
    part.check(size)
    section = part.carry_out(lab, size)
    assert set(section.tables[0].rows) == {"elimination", "round robin"}
    assert all(entry.mean in (0.5, 1.0) for entry in section.tables[0].entries.values())


def test_noise_and_plies_looked_ahead(lab):
    """Without noise every depth finds a best move; with it values backed up from below are those of minimax by hand."""
    levels = trees_of(lab, TINY, 4)[3]
    assert len(levels) == 6
    for depth in (1, 2, 3):
        assert share_right(levels, depth, 0.0, 1) == 1.0
        assert backed_up(levels, depth, 0.0, np.random.default_rng(0))[-1] == pytest.approx(levels[1].values)
    assert share_right(levels, 1, 1000.0, 1) < 1.0 or len(levels[1].values) == 1
    section = Pathology("P", "p", {"tiny": TINY}).carry_out(lab, Size(games=2))
    assert section.tables[0].columns == ["1", "2", "3", "4", "5"]
    assert (
        Pathology("P", "p", {"tiny": TINY}).carry_out(Laboratory(lab.notebook), Size(games=2)).tables == section.tables
    )


def test_shuffled_values_are_the_same_ones_with_true_values_above_them(lab):
    (tree,) = trees_of(lab, TINY, 1)
    mixed = shuffled(tree, 3)
    assert sorted(mixed[-1].values) == sorted(tree[-1].values)
    for depth in range(1, 6):
        assert share_right(mixed, depth, 0.0, 1) == 1.0  # without noise every depth is right
    again = shuffled(tree, 3)
    assert all((one.values == other.values).all() for one, other in zip(mixed, again, strict=True))


def test_larger_boards_are_fewer():
    boards = ("kalah:pits=3,stones=3", "kalah:pits=4,stones=4")
    assert [boards_of(game, Size(games=400)) for game in boards] == [400, 120]
    assert [boards_of(game, Size(games=4)) for game in boards] == [4, 4]
