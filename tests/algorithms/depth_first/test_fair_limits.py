"""A budget of nodes is kept and used by every search that goes depth first, on every game, so that matches are fair."""

from __future__ import annotations

import json

import pytest

from astragal import Limits, load_player
from astragal.players import player_classes
from support.every_search import ONE_OF_A_KIND, SPECS
from support.fair_limits import BUDGETS, PLAYERS, SMALL_BUDGETS
from support.helpers import run_support, slow_but
from support.tree_games import roll, top, tree


def test_all_searches_that_deepen_are_known_here():
    deepening = {name for name, cls in player_classes().items() if "unfinished" in cls.__dataclass_fields__}
    assert deepening | {"mm"} == {name.partition(":")[0] for name in PLAYERS}


def check_budgets(spec: str, budgets: tuple[int, ...], **environment: str) -> None:
    """In a process of its own: what it compiles goes with it."""
    ran = run_support("fair_limits", spec, **environment)
    assert ran.code == 0, ran.err
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert len(rows) >= 2 * len(budgets)  # maxn and paranoid fit every game
    assert {row[1] for row in rows} == set(budgets)
    assert [row for row in rows if row[-1] is not None] == []


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("spec", slow_but(ONE_OF_A_KIND, SPECS))
def test_budgets_are_kept_and_used_uncompiled(spec):
    check_budgets(spec, SMALL_BUDGETS, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_budgets_are_kept_and_used(spec):
    check_budgets(spec, BUDGETS)


@pytest.mark.parametrize("player", ["exp", "star1", "star2", "maxn", "paranoid"])
def test_without_a_finished_action_nothing_is_claimed(player):
    """One node is the root; the roll after its first action is not even begun."""
    here = tree(top(roll(1, 2), roll(3, 4)))
    result = load_player(player, here.game).search(here, limits=Limits(nodes=1))
    assert (result.nodes, result.depth, result.value, result.bound, result.line) == (1, 0, None, "not searched", [])
    assert result.action_number in here.actions()
    assert {(action.value, action.bound) for action in result.actions} == {(None, "not searched")}


def test_the_first_iteration_counts_once_its_first_action_is_done():
    here = tree(top(roll(-3, -5), roll(6, 8), roll(1, 1)))
    player = load_player("exp", here.game)
    known = [player.search(here, limits=Limits(nodes=nodes, depth=1)) for nodes in (4, 7, 10, 20)]
    assert [(found.value, found.complete) for found in known] == [(-4, False), (7, False), (7, True), (7, True)]
    assert [sum(action.value is None for action in found.actions) for found in known] == [2, 1, 0, 0]
