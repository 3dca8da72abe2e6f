"""Any two settings of tree search, together: what must hold of every search tree, whatever it was grown by.

The rows are a covering array (`support.pairs`), the games random trees (`support.known_trees`).
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal import AstragalError, Limits, Position, load_player
from astragal.algorithms.result import AT_LEAST, AT_MOST, NOT_SEARCHED, PROVEN, SearchResult
from astragal.algorithms.tree.search import TreeSearch
from astragal.algorithms.tree.store import children_of
from support.known_trees import exact_values, random_known
from support.pairs import Factors, Row, all_pairs, covering_rows, pairs_of, settings_text
from support.sides import exchanged, from_one_side
from support.tree_games import LIMIT

TOLERANCE = 1e-6
SIMS, SIMS_OF_SESSIONS = 40, 25
FACTORS: Factors = {
    "player": ("uct", "ggp"),
    "rollout": ("", "rollout=0", "rollout=2"),
    "rollouts": ("", "rollouts=2"),
    "policy": ("", "policy=order,epsilon=0.5", "policy=evaluation"),
    "leaf": ("", "leaf=afterstate"),
    "ends": ("", "ends=sign"),
    "backup": (
        "backup=average",
        "backup=minimum",
        "backup=minimax",
        "backup=minimax,unvisited=own",
        "backup=minimax,unvisited=draw",
    ),
    "widening": ("", "widening=on,c2=1,alpha=0.5"),
    "merge": ("", "merge=on"),
    "history": ("", "history=5", "history=5,history_divisor=visits,history_first=on"),
    "solver": ("", "solver=standard", "solver=paranoid"),
    "final": ("final=visits", "final=mean", "final=robust", "final=mixed"),
    "memory": ("memory=0.25", "memory=0.01,full=stay", "memory=0.01,full=recycle"),
    "reuse": ("", "reuse=on"),
    "threads": ("", "threads=3,parallel=root"),
}
ROWS = covering_rows(FACTORS)
rows = pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
LASTING = [
    number for number, row in enumerate(ROWS) if row["reuse"] or row["history"]
]  # where a session keeps anything
lasting = pytest.mark.parametrize("row", [ROWS[number] for number in LASTING], ids=LASTING)
trees = pytest.mark.parametrize(
    "seeds", [pytest.param([1]), pytest.param(range(2, 20), marks=[pytest.mark.slow, pytest.mark.interpreted])]
)


def test_any_two_values_meet_in_a_row():
    assert set().union(*map(pairs_of, ROWS)) == set(all_pairs(FACTORS))


def player_of(row: Row) -> Any:
    """The player of a row; of several trees, none can be used again."""
    if row["reuse"] and row["threads"]:
        with pytest.raises(AstragalError, match="reuse=on needs one tree"):
            load_player(settings_text(row))
        row = row | {"reuse": ""}
    return load_player(settings_text(row))


def true_values(here: Position) -> dict[int, float]:
    """The exact value of each action for the mover; of the position where chance is next."""
    sign, worth = -1.0 if here.turn == 1 else 1.0, exact_values(here.game)
    return {action: sign * worth[action] for action in here.actions()} or {0: worth[here.state.node]}


def assert_true(result: SearchResult, true: dict[int, float]) -> None:
    """What is proven is so: of each action, and of the root."""
    for each in result.actions:
        if each.bound == PROVEN:
            assert each.value == pytest.approx(true[each.number], abs=TOLERANCE)
        elif each.bound == AT_MOST:
            assert true[each.number] <= each.value + TOLERANCE
        elif each.bound == AT_LEAST:
            assert true[each.number] >= each.value - TOLERANCE
    assert result.complete == (result.proven is not None)
    if result.complete:
        best = max(true.values())
        assert result.action_number is None or true[result.action_number] == pytest.approx(best, abs=TOLERANCE)
        worth = best if result.turn != 1 else -best
        ends = {LIMIT: "player 1 wins", -LIMIT: "player 2 wins", 0.0: "a draw"}
        assert result.proven == ends.get(round(worth, 6), f"worth {worth:+.6f} to player 1")


def has_another_side(here: Position, row: Row) -> bool:
    """Whether the exchanged game is searched by the other player; for a chance node, one against all is player 1."""
    return not (here.is_chance and row["backup"] == "backup=minimum")


class Watched:
    """The tree searches that have answered last."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = TreeSearch.found

        def listening(search: TreeSearch, final: bool = False) -> SearchResult:
            self.search, self.sums, self.root = search, sums_of(search), search.stores[0].nodes.item(0)[:2]
            return found(search, final)

        monkeypatch.setattr(TreeSearch, "found", listening)


def sums_of(search: TreeSearch) -> dict[int, tuple[float, int]]:
    """The rewards and visits of each root action, added up over all trees."""
    sums: dict[int, tuple[float, int]] = {}
    for store in search.stores:
        for index in children_of(search.game, store, 0):
            total, visits, _, action, *_ = store.nodes.item(index)
            before, so_far = sums.get(action, (0.0, 0))
            weight = 1 if search.steps.backup.sums else visits
            sums[action] = before + total * weight, so_far + visits
    return sums


def assert_one_view(watched: Watched) -> None:
    """The root is worth what its children are, all of them to the player to move, but for visits that ended there."""
    search = watched.search
    if search.trees == 1 and search.position.turn >= 0 and search.steps.backup.sums and not search.steps.prove.active:
        total, visits = watched.root
        below, passed = (sum(each) for each in zip(*watched.sums.values(), strict=True))
        assert abs(total - below) <= LIMIT * (visits - passed) + TOLERANCE


def assert_whole(result: SearchResult, watched: Watched) -> None:
    """Visits add up, values lie in the range, and are means over all trees unless something better is proven."""
    for each in result.actions:
        assert each.value is None or abs(each.value) <= LIMIT + TOLERANCE
        total, visits = watched.sums.get(each.number, (0.0, 0))
        assert each.visits == visits
        if visits and each.bound not in (PROVEN, AT_MOST, AT_LEAST):
            assert each.value == pytest.approx(total / visits, abs=TOLERANCE)
        assert (each.bound == NOT_SEARCHED) == (each.value is None)
    if result.actions:
        trees = min(len(watched.search.stores), result.simulations)
        assert sum(each.visits for each in result.actions) == result.simulations - trees


@trees
@rows
def test_what_must_hold_of_every_search_tree(row, seeds, monkeypatch):
    player, watched = player_of(row), Watched(monkeypatch)
    for seed in seeds:
        here = random_known(seed, draws=25)
        result = player.search(here, seed, Limits(sims=SIMS))
        assert_whole(result, watched)
        assert_one_view(watched)
        assert_true(result, true_values(random_known(seed, draws=25, signs=bool(row["ends"]))))
        if has_another_side(here, row):
            other = player.search(exchanged(here), seed, Limits(sims=SIMS))
            assert from_one_side(other, other=True) == from_one_side(result)
        if row["ends"] and row["policy"] != "policy=evaluation":  # which looks at utilities itself
            plain = player_of(row | {"ends": ""})
            signed = plain.search(random_known(seed, draws=25, signs=True), seed, Limits(sims=SIMS))
            assert from_one_side(signed) == from_one_side(result)


@trees
@lasting
def test_a_session_goes_on_as_the_exchanged_games_does_and_proves_only_what_is_so(row, seeds, monkeypatch):
    """Both players are searched with one session, as where one plays against oneself."""
    player, watched = player_of(row), Watched(monkeypatch)
    for seed in seeds:
        here = random_known(10 + seed, layers=4, breadth=2, draws=25)
        true = random_known(10 + seed, layers=4, breadth=2, draws=25, signs=bool(row["ends"]))
        session, others = player.new_session(), player.new_session()
        while not here.is_terminal:
            result = player.search(here, seed, Limits(sims=SIMS_OF_SESSIONS), session=session)
            assert_true(result, true_values(true))
            assert_one_view(watched)
            other = player.search(exchanged(here), seed, Limits(sims=SIMS_OF_SESSIONS), session=others)
            if has_another_side(here, row):
                assert from_one_side(other, other=True) == from_one_side(result)
            step = here.actions()[seed % len(here.actions())] if here.actions() else here.outcomes()[0].number
            here, true = here.follow(step), true.follow(step)
