"""Any two settings of a search that goes depth first, together: the values are still those of the definition.

The rows are covering arrays (`support.pairs`), the games random trees that say of themselves all that a game may
(`support.known_trees`). A search is run through its player, as users run it. From a search to a depth every
action's value or bound is compared with the definition's, drawn with the same samples; from one that repeats itself
near the end of the game, the mean of as many definitions. Forward pruning may find other values: where it made no cut
it finds the same, and where the last iteration made one, nothing is said to be known to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, Limits, Position, load_player
from astragal.algorithms.depth_first.deepening import DepthFirstSearch
from astragal.algorithms.depth_first.root import NEXT
from astragal.algorithms.limits import MAX_DEPTH
from astragal.algorithms.result import AT_LEAST, AT_MOST, SearchResult
from astragal.algorithms.star.outcomes import step_action
from astragal.algorithms.star.search import set_samples
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.rules.random import keyed
from support.helpers import by_python, fewer
from support.known_trees import random_known
from support.pairs import Factors, Row, all_pairs, covering_rows, pairs_of, settings_text
from support.sides import exchanged, from_one_side
from support.star_searches import Job
from support.tree_games import LIMIT

TOLERANCE = 1e-9
NODES = ("", "table=off", "table=values", "table=values,chances=on")  # what is kept of nodes
COMMON: Factors = {
    "table": NODES,
    "memory": ("memory=0.25", "memory=0.004"),
    "ceilings": ("", "ceilings=on"),
    "merge": ("", "merge=on"),
    "leaf": ("", "leaf=afterstate"),
    "deepening": ("", "deepening=off"),
    "looks": ("", "check=on", "keep=on"),
}
EXACTLY: Factors = {
    "player": ("exp", "star1", "star2", "paranoid"),
    "prune_above": ("prune_above=0", "prune_above=1", "prune_above=2"),
    **COMMON,
}
SAMPLED: Factors = {
    "player": ("expss", "star1ss", "star2ss"),
    "prune_above": ("prune_above=0", "prune_above=1"),
    "width": ("width=1", "width=2", "width=3-1-2", "width=8-2"),
    "sampling": ("", "sampling=stratified", "sampling=antithetic", "sampling=distinct"),
    "key": ("", "key=path"),
    "common": ("", "common=on"),
    "control": ("", "control=on"),
    "growth": ("", "growth=1.5"),
    **COMMON,
}
FORWARD: Factors = {
    "player": ("star1", "star2", "star1ss", "star2ss"),
    "prune_above": ("prune_above=0", "prune_above=1"),
    "null": ("", "null=1", "null=2"),
    "multicut": ("", "multicut=1,multicut_moves=2,multicut_reduction=1", "multicut=2,multicut_reduction=2"),
    "probcut": ("", "probcut=0.2,probcut_sigma=3", "probcut=1,probcut_sigma=1,probcut_slope=0.8"),
    **COMMON,
}
WITHOUT_CHANCE: Factors = {
    "player": ("alphabeta",),
    "table": ("table=off", "table=moves", "table=values"),
    "memory": ("memory=0.25", "memory=0.004"),
    "order": ("order=listed", "order=reversed", "order=evaluated"),
    "killers": ("killers=on", "killers=off"),
    "history": ("history=on", "history=off"),
    "pvs": ("pvs=on", "pvs=off"),
    "deepening": ("", "deepening=off"),
    "keep": ("", "keep=on"),
}
OF_TWO: Factors = {
    "player": ("maxn",),
    "table": ("table=off", "table=moves"),
    "merge": ("", "merge=on"),
    "deepening": ("", "deepening=off"),
    "keep": ("", "keep=on"),
}
ARRAYS = {"exact": EXACTLY, "sampled": SAMPLED, "alphabeta": WITHOUT_CHANCE, "maxn": OF_TWO}
ROWS = {name: covering_rows(factors) for name, factors in (ARRAYS | {"forward": FORWARD}).items()}
TEN = [row for name in ARRAYS for row in ROWS[name]][::5][:10]  # to be compiled
REFUSED = r"(check|keep)=on (compares|records)"  # beside forward pruning


def of(*names: str) -> Any:
    """A test's cases: a row each."""
    rows = [pytest.param(row, id=f"{name} {number}") for name in names for number, row in enumerate(ROWS[name])]
    return pytest.mark.parametrize("row", rows)


@pytest.mark.parametrize("name", ROWS)
def test_any_two_values_meet_in_a_row(name):
    factors = (ARRAYS | {"forward": FORWARD})[name]
    assert set().union(*map(pairs_of, ROWS[name])) == set(all_pairs(factors))
    assert all(row[each] in factors[each] for row in ROWS[name] for each in factors)


def start_of(row: Row, seed: int, **shape: int) -> Position:
    return random_known(seed, chance=row["player"] != "alphabeta", **shape)


class Oracle:
    """The definition's values of a root's actions, for a player's settings and a seed."""

    def __init__(self, here: Position, player: Any, iteration: int, depth: int, seed: int) -> None:
        name, settings = ("exp", None) if player.player_name in ("alphabeta", "maxn") else ("", player)
        self.job = Job(here, name, depth, seed, settings=settings)
        if settings is not None:
            set_samples(self.job.work, player, iteration, depth, seed)
        self.job.work["merge"] = getattr(player, "merge", False)  # for all players: it decides what is drawn
        self.job.work["viewer"] = max(0, here.turn)
        self.sign = -1.0 if here.turn == 1 and not self.job.variant.one_against_all else 1.0

    def next_search(self) -> None:
        """Draw anew, as a search does that repeats itself."""
        with np.errstate(over="ignore"):
            self.job.work["key"] = self.job.work["path"] = interpreted(keyed)(self.job.work["key"][0], NEXT)

    def values(self) -> dict[int, float]:
        """The mover's value of each action; of the position itself where chance is next."""
        job, here = self.job, self.job.position
        if here.is_chance:
            return {0: job.true_value()}
        return {action: self.sign * self.value_after(action) for action in here.actions()}

    def value_after(self, action: int) -> float:
        job, child = self.job, self.job.position.play(action)
        if child.is_terminal:
            return job.true_value(child, 1)
        path = job.work["path"].copy()
        if job.variant.arranged:
            with np.errstate(over="ignore"):
                interpreted(step_action)(State(job.work), job.work["path"][0], job.position.state, action)
        left = job.depth if child.is_chance else job.depth - 1
        value = job.true_value(child, left) if left else self.evaluation(child)
        job.work["path"] = path
        return value

    def evaluation(self, child: Position) -> float:
        return child.evaluations()[int(self.job.variant.viewer(State(self.job.work)))]


def assert_defined(result: SearchResult, expected: dict[int, float]) -> None:
    """Every action's value, or bound on it, is that of the definition; so is the root's."""
    for each in result.actions:
        assert each.value is not None
        true = expected[each.number]
        if each.bound == AT_MOST:
            assert true <= each.value + TOLERANCE
        elif each.bound == AT_LEAST:
            assert true >= each.value - TOLERANCE
        else:
            assert each.value == pytest.approx(true, abs=TOLERANCE)
    assert result.value == pytest.approx(max(expected.values()), abs=TOLERANCE)
    assert not result.actions or expected[result.action_number] == pytest.approx(result.value, abs=TOLERANCE)


def assert_mirrored(player: Any, here: Position, seed: int, limits: Limits, result: SearchResult) -> None:
    """The exchanged game has the same values, from the other side, by as many nodes."""
    other = player.search(exchanged(here), seed, limits)
    assert from_one_side(other, other=True) == from_one_side(result)


def assert_row(row: Row, trees: Iterable[int]) -> None:
    """In random trees: those of odd numbers are narrower, have more chance, and are searched deeper."""
    player = load_player(settings_text(row))
    for seed in trees:
        here = start_of(row, seed, breadth=3, ends=5, rolls=60) if seed % 2 else start_of(row, seed)
        limits = Limits(depth=4 if seed % 2 else 3)
        result = player.search(here, seed, limits)
        assert result.counts["disagreements"] == 0
        assert result.complete or result.depth == limits.depth
        assert_defined(result, Oracle(here, player, result.depth, result.depth, seed).values())
        if not seed % 2:
            assert_mirrored(player, here, seed, limits, result)


@of(*ARRAYS)
def test_a_search_to_a_depth_finds_the_values_of_the_definition(row):
    assert_row(row, (1, 2))


@pytest.mark.parametrize("player", ["star1ss", "star2ss"])
def test_what_a_game_knows_of_true_values_cuts_no_corrected_one(player):
    """A control variate may lead beyond the ceiling. That seldom decides anything, so it takes more trees."""
    player = load_player(f"{player}:width=2,control=on,ceilings=on,prune_above=0")
    for seed in range(12):
        here = random_known(seed, breadth=3, ends=5, rolls=60)
        result = player.search(here, seed, Limits(depth=4))
        assert_defined(result, Oracle(here, player, result.depth, result.depth, seed).values())


@pytest.mark.slow
@pytest.mark.interpreted
@of(*ARRAYS)
def test_so_it_does_in_many_games(row):
    assert_row(row, range(4, 24))


@pytest.mark.slow
@pytest.mark.parametrize("row", TEN)
def test_so_does_machine_code(row):
    assert_row(row, range(40))


@pytest.mark.parametrize("trees", by_python([1], range(10)))
@of("sampled")
def test_a_search_that_repeats_itself_finds_the_mean_of_the_definition(row, trees):
    """Near the end of a game, where nothing lies beyond the horizon; the definition draws as each repetition does."""
    if row["growth"]:  # all at once, widths would be those of the sixty-fourth iteration
        row = row | {"deepening": ""}
    player = load_player(settings_text(row))
    for seed in trees:
        here, limits = random_known(seed, layers=4, breadth=2), Limits(nodes=fewer(10_000))
        result = player.search(here, seed, limits)
        if here.is_chance:  # else the definition says it of the mover
            assert_mirrored(player, here, seed, limits, result)
        if row["looks"] == "check=on":
            assert result.counts["disagreements"] == 0
        assert result.searches > 1
        depth = min(2 * result.depth, MAX_DEPTH)
        oracle, sums = Oracle(here, player, result.depth + 1, depth, seed), dict.fromkeys(here.actions() or [0], 0.0)
        for _ in range(result.searches):
            oracle.next_search()
            for action, value in oracle.values().items():
                sums[action] += value
        assert_defined(result, {action: total / result.searches for action, total in sums.items()})


@of("forward")
def test_what_was_cut_on_the_word_of_a_shallower_search_is_never_called_known(row, monkeypatch):
    text = settings_text(row)
    if row["looks"] and any(row[kind] for kind in ("null", "multicut", "probcut")):
        with pytest.raises(AstragalError, match=REFUSED):
            load_player(text)
        return
    player, cuts = load_player(text), CutsOfIterations(monkeypatch)
    for seed in range(8):
        here, limits = random_known(seed, layers=4, breadth=3, ends=40), Limits(depth=8 if seed % 2 else 3)
        cuts.clear()
        result = player.search(here, seed, limits)
        assert not (result.complete and cuts.last)
        assert -LIMIT <= result.value <= LIMIT
        if not cuts.total:
            assert_defined(result, Oracle(here, player, result.depth, result.depth, seed).values())
        assert_mirrored(player, here, seed, limits, result)


class CutsOfIterations:
    """How many forward cuts the iterations of searches made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clear()
        iterate = DepthFirstSearch.iterate

        def listening(search: DepthFirstSearch, depth: int) -> bool:
            before = self.of(search)
            finished = iterate(search, depth)
            self.last = self.of(search) - before
            self.total += self.last
            return finished

        monkeypatch.setattr(DepthFirstSearch, "iterate", listening)

    def clear(self) -> None:
        self.last = self.total = 0

    @staticmethod
    def of(search: DepthFirstSearch) -> int:
        return sum(int(search.work[name][0]) for name in ("null_cuts", "multi_cuts", "prob_cuts"))
