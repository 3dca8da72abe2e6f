"""The hybrid of tree search and alpha-beta."""

from __future__ import annotations

import pytest

from astragal.algorithms.limits import Limits
from astragal.base.errors import AstragalError, SpecError
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position
from support.helpers import fewer

START = "kalah"
LATE = "kalah:pits=4,stones=2"


def test_tree_search_while_ends_are_rare():
    here = Position.start(load_game(START))
    nodes = fewer(20_000, 100)
    result = load_player("hybrid", here.game).search(here, 1, Limits(nodes=nodes))
    tree = load_player("uctmax_h", here.game).search(here, 1, Limits(nodes=nodes * 9 // 10))
    assert result.simulations == tree.simulations == nodes * 9 // 10
    assert result.actions == tree.actions
    assert result.counts["ends_seen"] <= 0.003 * result.counts["looked_at"]
    assert result.nodes <= nodes + here.game.max_actions


def test_alphabeta_once_they_are_not():
    here = Position.start(load_game(LATE)).play("A1").play("B1")
    result = load_player("hybrid", here.game).search(here, 1, Limits(nodes=1000))
    assert result.simulations is None
    assert result.counts["ends_seen"] > 0.003 * result.counts["looked_at"]
    rest = load_player("alphabeta", here.game).search(here, 1, Limits(nodes=900))
    assert result.actions == rest.actions


@pytest.mark.few(1)
@pytest.mark.parametrize(("threshold", "nodes", "by_tree"), [(0, 2000, False), (1000, 300, True)])
def test_the_threshold_decides(threshold, nodes, by_tree):
    here = Position.start(load_game(LATE)).play("A1")
    result = load_player(f"hybrid:threshold={threshold},nodes={nodes}", here.game).search(here, 1)
    assert (result.simulations is not None) == by_tree


def test_a_game_searched_to_its_end_needs_no_more():
    here = Position.start(load_game("kalah:pits=2,stones=1"))
    result = load_player("hybrid:nodes=1000000", here.game).search(here, 1)
    assert result.complete
    assert result.value == load_player("alphabeta", here.game).search(here, 1, Limits(nodes=1000000)).value


def test_what_it_refuses():
    with pytest.raises(AstragalError, match="hybrid needs a game without chance"):
        load_player("hybrid", load_game("pig"))
    here = Position.start(load_game(START))
    with pytest.raises(SpecError, match="simulations"):
        load_player("hybrid", here.game).search(here, 1, Limits(sims=10))


def test_time_is_kept_and_counted():
    here = Position.start(load_game(START))
    result = load_player("hybrid:time=0.1", here.game).search(here, 1)
    assert result.seconds > 0.05
    assert str(result.player).startswith("hybrid:time=0.1")
